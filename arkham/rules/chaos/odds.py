"""Computes the exact odds of each outcome of a test, including chains of tokens.

Tokens are revealed without replacement until the required number of tokens that end a
chain has been revealed (BAG-24): one in a plain test, *s* if *s* are revealed and all
resolved. In a bag of *N*, the chance that exactly these *n* tokens that reveal another
precede exactly these *s* others depends on the numbers alone:

    s · (n + s - 1)! · (N - n - s)! / N!  =  s / (N · C(N - 1, n + s - 1))

If the first of *f* auto-fails goes back into the bag, it may be revealed after any
number *j* of the *n*. This multiplies that chance, for one token that otherwise ends
the chain, by 1 + Σ f / (N - j), j from 0 to n.

So it is enough to count, for each *n* and each sum of modifiers, the sets of *n* such
tokens: the coefficients of the product of (1 + y·x^modifier) over them, where at most
one frost is drawn, since the second fails the test. The polynomials in x are packed
into integers (each coefficient has its own bits), and the fractions share one
denominator, the least common multiple of 1 … N.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from operator import add
from typing import NamedTuple

from arkham.rules.chaos.bag import Pouch


@dataclass(frozen=True, slots=True)
class Odds:
    """The outcomes of a test, each by its weight out of ``whole``.

    ``weights`` are by sum of modifiers, for tests that aren't decided automatically;
    ``success`` and ``failure`` are the weights of those that are.
    """

    whole: int
    weights: Mapping[int, int]
    success: int

    @property
    def failure(self) -> int:
        """The weight of automatic failure: the rest (it beats success, TEST-06)."""
        return self.whole - self.success - sum(self.weights.values())

    @property
    def automatic_success(self) -> Fraction:
        """The odds of an automatic success."""
        return Fraction(self.success, self.whole)

    @property
    def automatic_failure(self) -> Fraction:
        """The odds of an automatic failure."""
        return Fraction(self.failure, self.whole)

    @property
    def modifiers(self) -> dict[int, Fraction]:
        """The odds of each sum of modifiers, the highest first."""
        ranked = sorted(self.weights.items(), reverse=True)
        return {each: Fraction(weight, self.whole) for each, weight in ranked}

    def passing(self, skill: int, difficulty: int) -> Fraction:
        """The odds that the total reaches the difficulty; a total is never below 0.

        Rows TEST-04 to TEST-06: an automatic success makes the difficulty 0, an
        automatic failure fails even that.
        """
        need = difficulty - skill
        enough = sum(
            weight
            for modifier, weight in self.weights.items()
            if modifier >= need or difficulty <= 0
        )
        return Fraction(enough + self.success, self.whole)

    def margins(self, skill: int, difficulty: int) -> dict[int, Fraction]:
        """The odds of passing (or, if negative, failing) by each number of points.

        Only for tests that aren't decided automatically; the largest margin first.
        """
        margins: dict[int, int] = {}
        for modifier, weight in self.weights.items():
            margin = max(skill + modifier, 0) - difficulty
            margins[margin] = margins.get(margin, 0) + weight
        ranked = sorted(margins.items(), reverse=True)
        return {each: Fraction(weight, self.whole) for each, weight in ranked}


class Chains(NamedTuple):
    """The weights of the tokens before those that end the chains.

    ``sums`` are by sum of modifiers, for chains without a lucky token; ``plain`` is
    their total, ``all`` also includes chains with lucky tokens. Each is the weight for
    *one* set of ending tokens, out of ``common_denominator(size)``, or its square
    if tokens return.
    """

    sums: tuple[tuple[int, int], ...]
    plain: int
    all: int


def odds_of_a_test(pouch: Pouch, revealed: int = 1) -> Odds:
    """The outcomes if ``revealed`` tokens (0 to 5) are revealed, and all are resolved.

    From a bag with fewer tokens, all are. ``pouch`` has the effects of the tokens.
    """
    whole = common_denominator(pouch.size)
    if pouch.ends < revealed:
        return _of_all(pouch, whole)
    chains = chains_of(
        pouch.more, pouch.lucky, pouch.once, pouch.size, revealed, pouch.returned
    )
    if pouch.returned:
        whole *= whole
    plain = sum(count for _modifier, count in pouch.plain)
    success = chains.all * comb(plain + pouch.wins, revealed)
    success -= chains.plain * comb(plain, revealed)
    weights: dict[int, int] = {}
    for ending, ways in _endings(pouch.plain, revealed).items():
        for modifier, weight in chains.sums:
            total = modifier + ending
            weights[total] = weights.get(total, 0) + ways * weight
    return Odds(whole, weights, success)


def _of_all(pouch: Pouch, whole: int) -> Odds:
    """The outcome of resolving the whole bag, as too few tokens end a chain."""
    if pouch.fails or any(count > 1 for _modifier, count in pouch.once):
        return Odds(whole, {}, 0)
    if pouch.lucky or pouch.wins:
        return Odds(whole, {}, whole)
    groups = (*pouch.plain, *pouch.more, *pouch.once)
    total = sum(modifier * count for modifier, count in groups)
    return Odds(whole, {total: whole}, 0)


@lru_cache(maxsize=256)
def common_denominator(size: int) -> int:
    """The common denominator of all odds for a bag of this size."""
    return lcm(*range(1, size + 1))


@lru_cache(maxsize=256)
def chains_of(
    more: tuple[tuple[int, int], ...],
    lucky: int,
    once: tuple[tuple[int, int], ...],
    size: int,
    ends: int,
    returned: int = 0,
) -> Chains:
    """The chains of tokens that reveal others, before the last of ``ends``.

    ``size`` is the number of all tokens in the bag; at least one of them ends a chain.
    The first that is revealed of ``returned`` goes back if one token is to end it.
    """
    shares = [
        ends * common_denominator(size) // (size * comb(size - 1, length + ends - 1))
        for length in range(size - ends + 1)
    ]
    if returned:
        shares = _with_returns(shares, size, returned)
    bits = common_denominator(size).bit_length() * (2 if returned else 1) + size + 8
    bits += -bits % 8
    lowest = min((0, *(modifier for modifier, _count in (*more, *once))))
    sets = [1]  # by length, packed; x counts from ``lowest`` for every token
    for modifier, count in more:
        shift = bits * (modifier - lowest)
        for _copy in range(count):
            longer = [0, *(each << shift for each in sets)]
            sets = list(map(add, [*sets, 0], longer))
    for modifier, count in once:
        shift = bits * (modifier - lowest)
        longer = [0, *(count * each << shift for each in sets)]
        sets = list(map(add, [*sets, 0], longer))
    longest = len(sets) - 1
    packed = 0
    for length, (ways, share) in enumerate(zip(sets, shares, strict=False)):
        packed += ways * share << bits * -lowest * (longest - length)
    sums = _unpacked(packed, bits // 8, longest * lowest)
    plain = sum(weight for _modifier, weight in sums)
    if not lucky:
        return Chains(sums, plain, plain)
    return Chains(sums, plain, _of_any(more, lucky, once, shares))


def _with_returns(shares: list[int], size: int, returned: int) -> list[int]:
    """The shares if the first of the returned tokens comes at any place."""
    whole, again, found = common_denominator(size), 0, []
    for length, share in enumerate(shares):
        again += returned * whole // (size - length)
        found.append(share * (whole + again))
    return found


def _unpacked(packed: int, width: int, first: int) -> tuple[tuple[int, int], ...]:
    """The coefficients that are not 0, with their exponents."""
    data = packed.to_bytes((packed.bit_length() + 7) // 8 + width, "little")
    read = int.from_bytes
    found = (
        (first + place // width, read(data[place : place + width], "little"))
        for place in range(0, len(data) - width + 1, width)
    )
    return tuple((exponent, weight) for exponent, weight in found if weight)


def _of_any(
    more: tuple[tuple[int, int], ...],
    lucky: int,
    once: tuple[tuple[int, int], ...],
    shares: list[int],
) -> int:
    """The weight of all chains, whatever their sum."""
    repeaters = lucky + sum(count for _modifier, count in more)
    ways = [comb(repeaters, length) for length in range(repeaters + 1)]
    for _modifier, count in once:
        longer = [0, *(count * each for each in ways)]
        ways = [a + b for a, b in zip([*ways, 0], longer, strict=True)]
    return sum(way * share for way, share in zip(ways, shares, strict=False))


def _endings(plain: tuple[tuple[int, int], ...], ends: int) -> dict[int, int]:
    """The ways in which ``ends`` plain tokens add up to each sum of modifiers."""
    ways: list[dict[int, int]] = [{0: 1}, *({} for _end in range(ends))]
    for modifier, count in plain:
        for taken in range(ends, 0, -1):
            for copies in range(1, min(count, taken) + 1):
                for total, before in ways[taken - copies].items():
                    place = total + modifier * copies
                    more = before * comb(count, copies)
                    ways[taken][place] = ways[taken].get(place, 0) + more
    return ways[ends]
