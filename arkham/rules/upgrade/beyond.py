"""Prices titles with more copies than can be weighed one by one.

Of a title with more copies than any deck may hold, a few are weighed (``weighing``);
the others are had in a way that is lawful and seldom dear.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.options import MYRIAD_MORE, Option
from arkham.rules.upgrade.uses import NOTHING, Uses
from arkham.rules.upgrade.ways import Line, Way


class Beyond(NamedTuple):
    """Lines of copies that are not weighed, and what is left for those that are."""

    lines: tuple[Line, ...]
    uses: Uses
    base: dict[str, int]


def ways_beyond(
    wanted: Mapping[str, int],
    options: Mapping[str, list[Option]],
    base: Mapping[str, int],
    weighed: int,
    offers: Offers,
) -> Iterator[Beyond]:
    """Few ways to have the copies wanted: kept, upgraded, refilled or bought.

    Older copies are left for as many as are ``weighed``. What titles share is taken in
    some of the ways and left in others.
    """
    for upgraded, refilled in ((False, False), (True, False), (True, True)):
        lines: list[Line] = []
        left, uses = dict(base), NOTHING
        for code, copies in wanted.items():
            kept = min(copies, left.get(code, 0))
            copies -= kept
            if kept:
                left[code] -= kept
            if refilled:
                free, uses = _refilled(options[code], copies, uses, offers)
                lines += free
                copies -= len(free)
            if upgraded:
                higher, uses = _upgraded(
                    options[code], copies, left, weighed, uses, offers
                )
                lines += higher
                copies -= len(higher)
            lines += _bought(options[code], copies)
        yield Beyond(tuple(lines), uses, left)


def _refilled(
    options: list[Option], copies: int, uses: Uses, offers: Offers
) -> tuple[list[Line], Uses]:
    for option in options:
        if option.line.way is Way.REFILL:
            if option.uses.refills:
                free = min(copies, offers.refills - uses.refills)
                uses = uses._replace(refills=uses.refills + free)
            else:
                free = min(copies, offers.side_refills - uses.side_refills)
                uses = uses._replace(side_refills=uses.side_refills + free)
            return [option.line] * free, uses
    return [], uses


def _upgraded(
    options: list[Option],
    copies: int,
    left: dict[str, int],
    weighed: int,
    uses: Uses,
    offers: Offers,
) -> tuple[list[Line], Uses]:
    """Upgrades that nothing reduces, the cheapest first."""
    lines: list[Line] = []
    upgrades = [
        each.line
        for each in options
        if each.line.way is Way.UPGRADE and not each.line.reductions
    ]
    for line in sorted(upgrades, key=lambda each: (each.paid, each.source)):
        number = min(copies - len(lines), left[line.source] - weighed)
        if number > 0:
            left[line.source] -= number
            lines += [line] * number
    if lines and offers.first_amount:
        uses = uses._replace(upgrades=min(len(lines), offers.firsts))
    return lines, uses


def _bought(options: list[Option], copies: int) -> list[Line]:
    """Copies bought, with those of a myriad card that come along."""
    along = [each.line for each in options if each.line.way is Way.MYRIAD]
    bought = next(
        each.line
        for each in options
        if each.line.way is Way.PURCHASE and not each.line.reductions
    )
    paid = -(-copies // (1 + MYRIAD_MORE)) if along else copies
    return [bought] * paid + along * (copies - paid)
