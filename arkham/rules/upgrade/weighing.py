"""Finds the prices at which the copies of one title can be had.

Every copy of a title in the new deck has one source: it was there already (*keep*),
an older copy was upgraded, or it was bought, refilled, swapped in or came along with
another. The ways of each copy are in ``options``, what there is for them in ``stock``;
how they are put together is in ``carrying``. What is shared by titles is decided in
``assembly``.

That is exact for every deck that is played. A deck may list thousands of copies of a
title: of these a few are weighed (``MOST_UNITS``), and of the ways so far only the
lightest carried on (``MOST_CARRIED``); the others are had as ``beyond`` has them. The
price is then one that the rules allow, and may be more than the least: ``bounded``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from arkham.rules.upgrade.offers import NOTHING, Offers, Plan, Uses, ranked
from arkham.rules.upgrade.options import (
    MYRIAD_MORE,
    Option,
    Options,
    Title,
)
from arkham.rules.upgrade.stock import MOST_CARRIED, Carrying, Stock, steps_of
from arkham.rules.upgrade.ways import Way


class Beyond(NamedTuple):
    """Ways of copies that are not weighed, and what is left for those that are."""

    options: tuple[Option, ...]
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
        ways: list[Option] = []
        left, uses = dict(base), NOTHING
        for code, copies in wanted.items():
            kept = min(copies, left.get(code, 0))
            copies -= kept
            if kept:
                left[code] -= kept
            if refilled:
                free, uses = _refilled(options[code], copies, uses, offers)
                ways += free
                copies -= len(free)
            if upgraded:
                higher, uses = _upgraded(
                    options[code], copies, left, weighed, uses, offers
                )
                ways += higher
                copies -= len(higher)
            ways += _bought(options[code], copies)
        yield Beyond(tuple(ways), uses, left)


def _refilled(
    options: list[Option], copies: int, uses: Uses, offers: Offers
) -> tuple[list[Option], Uses]:
    for option in options:
        if option.line.way is Way.REFILL:
            if option.uses.refills:
                free = min(copies, offers.refills - uses.refills)
                uses = uses._replace(refills=uses.refills + free)
            else:
                free = min(copies, offers.side_refills - uses.side_refills)
                uses = uses._replace(side_refills=uses.side_refills + free)
            return [option] * free, uses
    return [], uses


def _upgraded(
    options: list[Option],
    copies: int,
    left: dict[str, int],
    weighed: int,
    uses: Uses,
    offers: Offers,
) -> tuple[list[Option], Uses]:
    """Upgrades that nothing reduces, the cheapest first."""
    found: list[Option] = []
    upgrades = [
        each
        for each in options
        if each.line.way is Way.UPGRADE and not each.line.reductions
    ]
    for option in sorted(upgrades, key=lambda each: (each.line.paid, each.line.source)):
        source = option.line.source
        number = min(copies - len(found), left[source] - weighed)
        if number > 0:
            left[source] -= number
            found += [option] * number
    if found and offers.first_amount:
        uses = uses._replace(upgrades=min(len(found), offers.firsts))
    return found, uses


def _bought(options: list[Option], copies: int) -> list[Option]:
    """Copies bought, with those of a myriad card that come along."""
    along = [each for each in options if each.line.way is Way.MYRIAD]
    bought = next(
        each
        for each in options
        if each.line.way is Way.PURCHASE and not each.line.reductions
    )
    paid = -(-copies // (1 + MYRIAD_MORE)) if along else copies
    return [bought] * paid + along * (copies - paid)


_KEEP = Way.KEEP  # looked up in its enum each time, a member costs ten times as much
MOST_UNITS = 12  # copies of one title that are weighed; a legal deck holds three


class Weighing:
    """The lightest ways to give each copy of one title a source.

    ``most`` bounds the ways carried on.
    """

    def __init__(self, title: Title, offers: Offers, most: int = MOST_CARRIED) -> None:
        self.bounded = False
        self._title = title
        self._offers = offers
        self._most = most
        self._versions = {each.code: each for each in (*title.base, *title.after)}
        self._stock = Stock(title, offers)

    def plans(self) -> list[Plan]:
        """The lightest plan for each use of the shared offers, lightest first."""
        wanted, base = self._copies_to_source(), self._stock.base
        beyond = self._beyond(wanted)
        options = Options(self._title, self._offers, base)
        of = {code: options.of(code) for code in wanted}
        best: dict[Uses, Plan] = {}
        if beyond:
            self.bounded = True
            for ways in ways_beyond(beyond, of, base, MOST_UNITS, self._offers):
                self._weigh(wanted, of, ways, best)
        else:
            self._weigh(wanted, of, Beyond((), NOTHING, base), best)
        if self.bounded:
            # Whatever else is not looked at: what can be kept is, the rest is bought.
            all_of_it = {code: n + beyond.get(code, 0) for code, n in wanted.items()}
            simplest = next(ways_beyond(all_of_it, of, base, 0, self._offers))
            self._weigh({}, of, simplest, best)
        return ranked(best.values())

    def _copies_to_source(self) -> dict[str, int]:
        """The copies that need a source, by code.

        Where nothing is reduced or free, a copy that was there is best kept: to
        upgrade it and buy it again costs no less. Not so with myriad cards, of which
        others come along, and researched ones, which must be upgraded, and where a
        player insists on something.
        """
        title, base = self._title, self._stock.base
        wanted = {
            version.code: n - title.stay.get(version, 0)
            for version, n in title.after.items()
        }
        keep = sum(wanted.values())
        weighed = title.reduced or title.pins or self._involved()
        if weighed:
            keep -= MOST_UNITS  # but for those that cannot be weighed
        found: dict[str, int] = {}
        for code, copies in sorted(wanted.items()):
            kept = min(copies, base.get(code, 0), keep)
            if kept > 0:
                self.bounded = self.bounded or bool(weighed)
                keep -= kept
                base[code] -= kept
                self._stock.kept[code] += kept
                copies -= kept
            if copies:
                found[code] = copies
        return found

    def _involved(self) -> bool:
        versions = self._versions.values()
        return any(each.card.myriad or each.card.researched for each in versions)

    def _beyond(self, wanted: dict[str, int]) -> dict[str, int]:
        """Take what cannot be weighed from the copies wanted."""
        if sum(wanted.values()) <= MOST_UNITS:
            return {}
        share = max(MOST_UNITS // len(wanted), 1)
        beyond = {code: n - share for code, n in wanted.items() if n > share}
        for code, copies in beyond.items():
            wanted[code] -= copies
        return beyond

    # -- the plans of the copies wanted --

    def _weigh(
        self,
        wanted: Mapping[str, int],
        options: Mapping[str, list[Option]],
        beyond: Beyond,
        best: dict[Uses, Plan],
    ) -> None:
        """Find the lightest plans, the ways of copies ``beyond`` being given."""
        self._stock.base = beyond.base
        lines = tuple([option.line for option in beyond.options])
        places, start = self._stock.counted(wanted, options, lines)
        steps = {code: steps_of(options[code], places) for code in wanted}
        carried = Carrying(self._offers, self._most)
        found = carried.through(
            [(copies, steps[code]) for code, copies in wanted.items()],
            tuple(start),
            beyond.uses,
        )
        self.bounded = self.bounded or carried.bounded
        more = sum([option.weight for option in beyond.options])
        codes = [code for code, copies in wanted.items() for _ in range(copies)]
        for all_uses, counts, weight, picks in found:
            taken: Uses | None = all_uses
            if places or self._offers.swaps:
                over = {key: counts[place] for key, place in places.items()}
                taken = self._stock.settled(all_uses, over)
            if taken is None:
                continue
            weight += more
            known = best.get(taken)
            if known is not None and known.weight <= weight:
                continue
            chosen = [
                options[code][pick].line
                for code, pick in zip(codes, picks, strict=True)
            ]
            bought = [line for line in chosen if line.way is not _KEEP]
            best[taken] = Plan(weight, taken, (*lines, *bought))
