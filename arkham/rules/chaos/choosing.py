"""The value of choosing among several revealed tokens.

Every draw and every choice from it is enumerated, so only few may be revealed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb, prod
from operator import add
from typing import NamedTuple

from arkham.rules.chaos.bag import Pouch
from arkham.rules.chaos.odds import (
    Chains,
    chains_of,
    common_denominator,
    odds_of_a_test,
)

Group = tuple[tuple[int, int], ...]


class Drawn(NamedTuple):
    """Revealed tokens that reveal another: the number from each group."""

    more: tuple[int, ...]
    lucky: int
    once: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of tokens."""
        return sum(self.more) + self.lucky + sum(self.once)


def tail(weights: Sequence[int]) -> list[int]:
    """For each place, the sum of it and everything after it."""
    return list(accumulate(reversed(weights)))[::-1]


def draws(pouch: Pouch, most: int) -> Iterator[tuple[Drawn, int]]:
    """Yield ways to draw up to ``most`` tokens that reveal another; and how many."""
    groups = [
        *(n for _m, n in pouch.more),
        pouch.lucky,
        *(n for _m, n in pouch.once),
    ]
    split = len(pouch.more)
    for taken in parts(groups, most):
        ways = prod(map(comb, groups, taken))
        yield Drawn(taken[:split], taken[split], taken[split + 1 :]), ways


def parts(groups: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to take up to ``most`` things from groups of these sizes."""
    if not groups:
        yield ()
        return
    for first in range(min(groups[0], most) + 1):
        for rest in parts(groups[1:], most - first):
            yield (first, *rest)


def left_of(group: Group, taken: Sequence[int]) -> Group:
    """A group without what was taken from it."""
    pairs = zip(group, taken, strict=True)
    return tuple((each, n - gone) for (each, n), gone in pairs if n > gone)


class ChoiceValue(NamedTuple):
    """The value of choosing a token, for each sum needed: a linear function.

    It is ``base`` if no ending token was revealed; each plain token that was revealed
    subtracts the ``costs`` of its modifier. ``lost`` is the sum of the costs of all
    plain tokens that fail the test by themselves.
    """

    base: list[int]
    costs: dict[int, list[int]]
    lost: list[int]


def choosing_one(pouch: Pouch, revealed: int, needs: range) -> list[int]:
    """The weights of passing for each sum needed, if one token is chosen.

    ``revealed`` is more than one, and at most the tokens in the bag.
    """
    size = pouch.size - revealed
    every = comb(pouch.size, revealed)
    passing = [_passing(pouch, need) for need in needs]
    whole = common_denominator(size)
    weights = [(every - comb(pouch.size - good, revealed)) * whole for good in passing]
    # The ways to reveal a number of failing tokens, with one of them fixed or none.
    failing = [pouch.ends - good for good in passing]
    ways_of = [[comb(bad, n) for bad in failing] for n in range(revealed)]
    with_one = [[comb(max(bad - 1, 0), n) for bad in failing] for n in range(revealed)]
    for drawn, ways in draws(pouch, revealed):
        ended = revealed - drawn.size
        if not drawn.size or ended > pouch.ends:
            continue
        first, *others = _values(pouch, drawn, size, ended, needs)
        gains = [
            way * each for way, each in zip(ways_of[ended], first.base, strict=True)
        ]
        if ended:
            fixed = zip(gains, with_one[ended - 1], first.lost, strict=True)
            gains = [gain - way * lost for gain, way, lost in fixed]
        for other in others:
            more = _gains(first, other, pouch, ended, needs, failing)
            gains = list(map(add, gains, more))
        weights = [
            each + ways * gain for each, gain in zip(weights, gains, strict=True)
        ]
    return weights


def _passing(pouch: Pouch, need: int) -> int:
    """The number of ending tokens that pass the test by themselves."""
    return pouch.wins + sum(n for modifier, n in pouch.plain if modifier >= need)


def _values(
    pouch: Pouch, drawn: Drawn, size: int, ended: int, needs: range
) -> list[ChoiceValue]:
    """The one or two best choices among tokens that reveal another.

    A lucky one beats all others. A higher modifier beats a lower one; a frost, whose
    chain is ended by a second one, only loses to a token at least as high.
    """
    rest = Pouch(
        pouch.plain,
        pouch.wins,
        pouch.fails,
        left_of(pouch.more, drawn.more),
        pouch.lucky - drawn.lucky,
        left_of(pouch.once, drawn.once),
    )
    if drawn.lucky:
        return [_value(rest, size, ended, needs, None)]
    pairs = zip(pouch.more, drawn.more, strict=True)
    best = max((modifier for (modifier, _n), taken in pairs if taken), default=None)
    values = []
    if best is not None:
        values.append(_value(rest, size, ended, needs, best))
    for (modifier, count), taken in zip(pouch.once, drawn.once, strict=True):
        if taken and (best is None or modifier > best):
            burnt = rest._replace(once=(), fails=rest.fails + count - taken)
            values.append(_value(burnt, size, ended, needs, modifier))
    return values


def _value(
    rest: Pouch, size: int, ended: int, needs: range, modifier: int | None
) -> ChoiceValue:
    """The value of a chosen token; ``rest`` still has all ending tokens in it.

    ``ended`` of them are revealed; ``modifier`` is None for a token that wins.
    """
    base, lost = [0] * len(needs), [0] * len(needs)
    if rest.ends == ended:  # the whole bag is revealed
        all_of_it = odds_of_a_test(rest._replace(plain=(), wins=0, fails=0))
        totals = all_of_it.weights.items()
        for place, need in enumerate(needs):
            base[place] = all_of_it.success + sum(
                weight
                for total, weight in totals
                if modifier is None or total + modifier >= need
            )
        return ChoiceValue(base, {each: lost for each, _count in rest.plain}, lost)
    chains = chains_of(rest.more, rest.lucky, rest.once, size, 1)
    base = [rest.wins * chains.all] * len(needs)
    costs = _costs(rest.plain, chains, needs, modifier)
    for each, count in rest.plain:
        all_of_them = [count * cost for cost in costs[each]]
        base = list(map(add, base, all_of_them))
        low = min(max(each + 1 - needs.start, 0), len(needs))  # from here on it fails
        lost[low:] = map(add, lost[low:], all_of_them[low:])
    return ChoiceValue(base, costs, lost)


def _costs(
    plain: Group, chains: Chains, needs: range, modifier: int | None
) -> dict[int, list[int]]:
    """For each plain token and need, the weight of chains that it ends successfully."""
    if modifier is None:
        return {each: [chains.all] * len(needs) for each, _count in plain}
    first, last = chains.sums[0][0], chains.sums[-1][0]
    dense = [0] * (last - first + 1)
    for total, weight in chains.sums:
        dense[total - first] = weight
    lucky = chains.all - chains.plain
    reaching = [each + lucky for each in tail(dense)]
    # As many places below and above as any need can ask for.
    margin = len(needs) + abs(needs.start - modifier - first)
    margin += max(abs(each) for each, _count in plain) if plain else 0
    reaching = [chains.all] * margin + reaching + [lucky] * (margin + len(needs))
    start = margin + needs.start - modifier - first
    return {
        each: reaching[start - each : start - each + len(needs)]
        for each, _count in plain
    }


def _gains(
    first: ChoiceValue,
    other: ChoiceValue,
    pouch: Pouch,
    ended: int,
    needs: range,
    failing: list[int],
) -> Iterator[int]:
    """How much the other choice adds, for each sum needed, where it is better.

    If it is better or worse whichever ending tokens were revealed, averages are enough;
    otherwise every way to reveal them is enumerated.
    """
    for place, need in enumerate(needs):
        start = other.base[place] - first.base[place]
        steps = [
            (count, first.costs[each][place] - other.costs[each][place])
            for each, count in pouch.plain
            if each < need
        ]
        steps.append((failing[place] - sum(count for count, _step in steps), 0))
        most = start + ended * max(step for _count, step in steps)
        if ended > failing[place] or most <= 0:
            yield 0
        elif start + ended * min(step for _count, step in steps) >= 0:
            total = comb(failing[place], ended) * start
            if ended:
                each_way = comb(failing[place] - 1, ended - 1)
                total += each_way * sum(count * step for count, step in steps)
            yield total
        else:
            yield _summed(start, steps, ended)


def _summed(start: int, steps: Sequence[tuple[int, int]], ended: int) -> int:
    """Sum the difference, where positive, over every way to reveal the tokens."""
    if not ended:
        return max(start, 0)
    if ended == 1:
        return sum(count * max(start + step, 0) for count, step in steps)
    if not steps:
        return 0
    (count, step), *rest = steps
    return sum(
        comb(count, copies) * _summed(start + copies * step, rest, ended - copies)
        for copies in range(min(count, ended) + 1)
    )


WIN, FAIL = "win", "fail"
Ending = int | str  # a plain token's modifier, or its effect


def choosing_several(
    pouch: Pouch, revealed: int, resolved: int, needs: range
) -> list[int]:
    """The weights of passing for each sum needed, if ``resolved`` tokens are chosen.

    ``revealed`` is more than that, and at most the tokens in the bag.
    """
    weights = [0] * len(needs)
    for drawn, ways in draws(pouch, revealed):
        for ended, more in _endings(pouch, revealed - drawn.size):
            worth = _worth(pouch, drawn, ended, resolved, needs)
            times = ways * more
            weights = [a + times * b for a, b in zip(weights, worth, strict=True)]
    return weights


def _endings(pouch: Pouch, count: int) -> Iterator[tuple[tuple[Ending, ...], int]]:
    """Yield the ways to draw ``count`` ending tokens, best first, with their number."""
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

    The ending tokens chosen are always the best ones: the others are out of the bag
    anyway.
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
    """The bag without the tokens revealed."""
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
    whole = common_denominator(rest.size)
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
