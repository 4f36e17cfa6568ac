"""The worth of choosing one token out of several revealed ones.

An ending token that passes the test by itself is the best choice. Where none was
revealed, it is a token that has another revealed; what that is worth depends on the
ending tokens that are out of the bag, but linearly, so that their average is enough as
long as it is plain which token is the best; where it is not, every way to reveal them
is gone through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb, prod
from operator import add
from typing import NamedTuple

from arkham.rules.chaos.meaning import Pouch
from arkham.rules.chaos.odds import Chains, chains_of, common, odds_of_a_test

Group = tuple[tuple[int, int], ...]


class Drawn(NamedTuple):
    """Tokens that have another revealed, as many of each group as were revealed."""

    more: tuple[int, ...]
    lucky: int
    once: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many tokens."""
        return sum(self.more) + self.lucky + sum(self.once)


def tail(weights: Sequence[int]) -> list[int]:
    """For each place, the sum of it and all that follow."""
    return list(accumulate(reversed(weights)))[::-1]


def draws(pouch: Pouch, most: int) -> Iterator[tuple[Drawn, int]]:
    """Ways to draw up to ``most`` tokens that have another revealed; and how many."""
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
    """Every way to take up to ``most`` things out of groups of so many."""
    if not groups:
        yield ()
        return
    for first in range(min(groups[0], most) + 1):
        for rest in parts(groups[1:], most - first):
            yield (first, *rest)


def left_of(group: Group, taken: Sequence[int]) -> Group:
    """A group less what was taken out of it."""
    pairs = zip(group, taken, strict=True)
    return tuple((each, n - gone) for (each, n), gone in pairs if n > gone)


class Value(NamedTuple):
    """What choosing a token is worth, for each sum needed: a linear function.

    With no ending token revealed it is ``base``, and each plain token that was
    revealed takes what ``costs`` has for its modifier from it. ``lost`` is the sum of
    the costs of all plain tokens that fail the test by themselves.
    """

    base: list[int]
    costs: dict[int, list[int]]
    lost: list[int]


def choosing_one(pouch: Pouch, revealed: int, needs: range) -> list[int]:
    """The weights of passing for each sum needed, where one token is chosen.

    ``revealed`` is more than that, and not more than there are.
    """
    size = pouch.size - revealed
    every = comb(pouch.size, revealed)
    passing = [_passing(pouch, need) for need in needs]
    weights = [
        (every - comb(pouch.size - good, revealed)) * common(size) for good in passing
    ]
    # In how many ways so many failing tokens are revealed, one of them fixed or none.
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
    """How many ending tokens pass the test by themselves."""
    return pouch.wins + sum(n for modifier, n in pouch.plain if modifier >= need)


def _values(
    pouch: Pouch, drawn: Drawn, size: int, ended: int, needs: range
) -> list[Value]:
    """What is worth choosing among tokens that have another revealed; one or two.

    A lucky one beats all others. A higher modifier beats a lower one; a frost, whose
    chain a second one ends, only loses to one that is no lower.
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
) -> Value:
    """What a chosen token is worth; ``rest`` has all ending tokens still in it.

    ``ended`` of them are out; ``modifier`` is None for a token that wins.
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
        return Value(base, {each: lost for each, _count in rest.plain}, lost)
    chains = chains_of(rest.more, rest.lucky, rest.once, size, 1)
    base = [rest.wins * chains.all] * len(needs)
    costs = _costs(rest.plain, chains, needs, modifier)
    for each, count in rest.plain:
        all_of_them = [count * cost for cost in costs[each]]
        base = list(map(add, base, all_of_them))
        low = min(max(each + 1 - needs.start, 0), len(needs))  # from here on it fails
        lost[low:] = map(add, lost[low:], all_of_them[low:])
    return Value(base, costs, lost)


def _costs(
    plain: Group, chains: Chains, needs: range, modifier: int | None
) -> dict[int, list[int]]:
    """For each plain token and need, the weight of the chains it ends with success."""
    if modifier is None:
        return {each: [chains.all] * len(needs) for each, _count in plain}
    first, last = chains.sums[0][0], chains.sums[-1][0]
    dense = [0] * (last - first + 1)
    for total, weight in chains.sums:
        dense[total - first] = weight
    lucky = chains.all - chains.plain
    reaching = [each + lucky for each in tail(dense)]
    # As many places below and above as any need may ask for.
    margin = len(needs) + abs(needs.start - modifier - first)
    margin += max(abs(each) for each, _count in plain) if plain else 0
    reaching = [chains.all] * margin + reaching + [lucky] * (margin + len(needs))
    start = margin + needs.start - modifier - first
    return {
        each: reaching[start - each : start - each + len(needs)]
        for each, _count in plain
    }


def _gains(
    first: Value,
    other: Value,
    pouch: Pouch,
    ended: int,
    needs: range,
    failing: list[int],
) -> Iterator[int]:
    """How much the other choice adds, for each sum needed, where it is better.

    Where it is better or worse whichever ending tokens were revealed, the averages
    are enough; else every way to reveal them is gone through.
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
    """The difference where it is above 0, over every way to reveal the tokens."""
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
