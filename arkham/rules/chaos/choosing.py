"""The odds of a test where several tokens are revealed and some are chosen.

So many are revealed at once, as many of them as are to be resolved are chosen with
the test in view, and the rest are ignored: they do nothing, and stay out of the bag
until the test is over. What a chosen token says is then done, and if it has another
revealed, its chain follows from what is left in the bag. The choice is the best there
is, made before the chain is seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from arkham.rules.chaos.choosing_one import choosing_one, tail
from arkham.rules.chaos.choosing_several import choosing_several
from arkham.rules.chaos.meaning import Pouch
from arkham.rules.chaos.odds import common, odds_of_a_test


@dataclass(frozen=True, slots=True)
class ChosenOdds:
    """The weight of passing, out of ``whole``, for each sum of modifiers needed.

    ``lowest`` is a sum that every test reaches which does not fail automatically; the
    weights are those of ``lowest``, ``lowest`` + 1, …; the last can not be reached.
    """

    whole: int
    lowest: int
    weights: tuple[int, ...]

    def weight(self, need: int) -> int:
        """The weight of reaching a sum of modifiers."""
        place = min(max(need - self.lowest, 0), len(self.weights) - 1)
        return self.weights[place]


def odds_of_choosing(pouch: Pouch, revealed: int, resolved: int) -> ChosenOdds:
    """The odds when ``resolved`` are chosen of ``revealed`` tokens, 1 to 5.

    With a bag of fewer tokens all are revealed, and resolved if they are not more
    than that.
    """
    revealed = min(revealed, pouch.size)
    lowest, highest = _reach(pouch, min(resolved, pouch.size))
    needs = range(lowest, highest + 2)
    whole = comb(pouch.size, revealed) * common(pouch.size - revealed)
    if revealed <= resolved:
        odds = odds_of_a_test(pouch, max(revealed, 1))
        below = [0] * len(needs)
        for modifier, weight in odds.weights.items():
            below[modifier - lowest] = weight
        reached = [each + odds.success for each in tail(below)]
        return ChosenOdds(odds.whole, lowest, tuple(reached))
    if resolved == 1:
        weights = choosing_one(pouch, revealed, needs)
    else:
        weights = choosing_several(pouch, revealed, resolved, needs)
    return ChosenOdds(whole, lowest, tuple(weights))


def _reach(pouch: Pouch, ends: int) -> tuple[int, int]:
    """The lowest and the highest sum of modifiers; so many tokens end the chains."""
    chained = [modifier * count for modifier, count in pouch.more]
    chained += [modifier for modifier, _count in pouch.once]
    ending = [0, *(modifier for modifier, _count in pouch.plain)]
    lowest = sum(min(each, 0) for each in chained) + ends * min(ending)
    highest = sum(max(each, 0) for each in chained) + ends * max(ending)
    return lowest, highest
