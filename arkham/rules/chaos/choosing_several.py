"""The worth of choosing several tokens out of more that were revealed.

Every draw and every choice out of it is gone through, so only few may be revealed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb, prod

from arkham.rules.chaos.choosing_one import Drawn, draws, left_of, parts, tail
from arkham.rules.chaos.meaning import Pouch
from arkham.rules.chaos.odds import common, odds_of_a_test

WIN, FAIL = "win", "fail"
Ending = int | str  # a plain token's modifier, or what it does


def choosing_several(
    pouch: Pouch, revealed: int, resolved: int, needs: range
) -> list[int]:
    """The weights of passing for each sum needed, where ``resolved`` are chosen.

    ``revealed`` are more than that, and not more than there are.
    """
    weights = [0] * len(needs)
    for drawn, ways in draws(pouch, revealed):
        for ended, more in _endings(pouch, revealed - drawn.size):
            worth = _worth(pouch, drawn, ended, resolved, needs)
            times = ways * more
            weights = [a + times * b for a, b in zip(weights, worth, strict=True)]
    return weights


def _endings(pouch: Pouch, count: int) -> Iterator[tuple[tuple[Ending, ...], int]]:
    """Every way to draw so many ending tokens, the best first; and how many ways."""
    kinds: list[tuple[Ending, int]] = [
        (WIN, pouch.wins), *pouch.plain, (FAIL, pouch.fails),
    ]  # fmt: skip
    for taken in parts([n for _each, n in kinds], count):
        if sum(taken) == count:
            ended = (
                each
                for (each, _n), copies in zip(kinds, taken, strict=True)
                for _copy in range(copies)
            )
            ways = prod(comb(n, k) for (_e, n), k in zip(kinds, taken, strict=True))
            yield tuple(ended), ways


def _worth(
    pouch: Pouch,
    drawn: Drawn,
    ended: tuple[Ending, ...],
    resolved: int,
    needs: range,
) -> list[int]:
    """The weight of passing with the best choice, for each sum needed.

    As many of the ending tokens as are chosen are the best ones: the others are out
    of the bag all the same.
    """
    rest = _rest(pouch, drawn, ended)
    best = [0] * len(needs)
    for chosen in parts((*drawn.more, drawn.lucky, *drawn.once), resolved):
        taken = _split(pouch, chosen)
        others = resolved - taken.size
        if others > len(ended) or FAIL in ended[:others]:
            continue
        if any(copies > 1 for copies in taken.once):
            continue  # two of them fail the test
        worth = _of_choice(pouch, rest, taken, ended[:others], needs)
        best = list(map(max, best, worth))
    return best


def _split(pouch: Pouch, taken: Sequence[int]) -> Drawn:
    split = len(pouch.more)
    return Drawn(tuple(taken[:split]), taken[split], tuple(taken[split + 1 :]))


def _rest(pouch: Pouch, drawn: Drawn, ended: tuple[Ending, ...]) -> Pouch:
    """What is left in the bag."""
    return Pouch(
        left_of(pouch.plain, [ended.count(each) for each, _n in pouch.plain]),
        pouch.wins - ended.count(WIN),
        pouch.fails - ended.count(FAIL),
        left_of(pouch.more, drawn.more),
        pouch.lucky - drawn.lucky,
        tuple(
            (each, n - gone)
            for (each, n), gone in zip(pouch.once, drawn.once, strict=True)
        ),
    )


def _of_choice(
    pouch: Pouch,
    rest: Pouch,
    taken: Drawn,
    ended: tuple[Ending, ...],
    needs: range,
) -> list[int]:
    """The weight of passing with these tokens, for each sum needed."""
    groups = (*zip(pouch.more, taken.more, strict=True),
              *zip(pouch.once, taken.once, strict=True))  # fmt: skip
    total = sum(modifier * copies for (modifier, _n), copies in groups)
    total += sum(each for each in ended if isinstance(each, int))
    won = bool(taken.lucky) or WIN in ended
    whole = common(rest.size)
    if not taken.size:
        return [whole if won or total >= need else 0 for need in needs]
    burnt = rest._replace(
        once=tuple(
            group
            for group, copies in zip(rest.once, taken.once, strict=True)
            if not copies
        ),
        fails=rest.fails
        + sum(
            n
            for (_modifier, n), copies in zip(rest.once, taken.once, strict=True)
            if copies
        ),
    )
    odds = odds_of_a_test(burnt, taken.size)
    every = sum(odds.weights.values())
    if won:
        return [every + odds.success] * len(needs)
    below = [0] * len(needs)
    for modifier, weight in odds.weights.items():
        below[modifier + total - needs.start] += weight
    return [each + odds.success for each in tail(below)]
