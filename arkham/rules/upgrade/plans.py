"""In which ways can the copies of one title be had, and at what price?

Every copy of a title in the new deck has one source: it was there already (*keep*),
an older copy was upgraded, or it was bought, refilled, swapped in or came along with
another. All ways to give each copy a source are listed; those that use the same
shared offers (refills, swaps, reductions) are reduced to the cheapest. What is shared
by titles is decided in ``assembly``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.versions import (
    Version,
    is_upgrade,
    purchase_price,
    upgrade_price,
)
from arkham.rules.upgrade.window import Pin

MOST_UNITS = 6  # copies of one title that are weighed against each other
MYRIAD_MORE = 2  # copies that come along with one bought (KW-11)
_FIRM = ("base", "aside", "exiled", "quills")  # what cannot be owed till later
LAST = 10**9  # the weight of a way taken only where there is no other
SCALE = 1_000  # a plan's weight is its price times this, and then what breaks ties


class Way(Enum):
    """How a copy came to be in the deck; the value names the rule of its price."""

    KEEP = "keep"
    UPGRADE = "price.upgrade"
    KEPT_LOWER = "price.kept-lower"
    PAIRED = "price.second-copy"
    REFILL = "price.refill"
    SWAP = "price.swap"
    MYRIAD = "price.myriad"
    PURCHASE = "price.purchase"
    BOXES = "price.boxes"
    SHEET = "price.sheet"
    WITH_SHEET = "price.with-sheet"
    REGAINED = "price.regained"
    WITH_BOX = "price.with-box"


# Of ways that cost the same: the one a player would name first.
TIE = {
    Way.KEEP: 0,
    Way.UPGRADE: 1,
    Way.KEPT_LOWER: 1,
    Way.PAIRED: 1,
    Way.MYRIAD: 1,
    Way.WITH_BOX: 1,
    Way.WITH_SHEET: 1,
    Way.REFILL: 2,
    Way.SWAP: 3,
    Way.BOXES: 4,
    Way.SHEET: 4,
    Way.REGAINED: 4,
    Way.PURCHASE: 4,
}


class Line(NamedTuple):
    """One copy (or sheet) and what is paid for it.

    ``gross`` is the price before reductions, ``reductions`` names each by the kind of
    offer with its amount. ``source`` is the code upgraded from.
    """

    way: Way
    code: str
    gross: int = 0
    paid: int = 0
    source: str = ""
    reductions: tuple[tuple[str, int], ...] = ()
    boxes: int = 0
    side: bool = False  # of the second deck


class Uses(NamedTuple):
    """What a plan takes of the offers that titles share.

    ``outs`` are level 0 copies left over to be swapped away. ``first_is_traited``:
    one of the first upgrades has the trait of the other "first"; ``traited`` is that
    upgrade: 1 among the first ones, 2 not, 0 none.
    """

    refills: int = 0
    side_refills: int = 0
    swaps: int = 0
    outs: int = 0
    upgrades: int = 0
    firsts: int = 0
    first_is_traited: bool = False
    traited: int = 0
    pelt: int = 0
    medallion: int = 0
    rebuys: int = 0


NOTHING = Uses()


class Plan(NamedTuple):
    """One way to have all copies of a title."""

    weight: int
    uses: Uses
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Title:
    """The copies of one title before (what was exiled left out) and after, by code.

    ``versions`` know every code of either. ``pins`` name the ways a player insists on.
    """

    base: Mapping[str, int]
    after: Mapping[str, int]
    versions: Mapping[str, Version]
    pins: tuple[Pin, ...] = ()
    side: bool = False  # of the second deck


def joined(one: Uses, other: Uses, offers: Offers) -> Uses | None:
    """What two plans take together; None if that is more than there is."""
    refills = one.refills + other.refills
    side_refills = one.side_refills + other.side_refills
    swaps = one.swaps + other.swaps
    firsts = one.firsts + other.firsts
    rebuys = one.rebuys + other.rebuys
    if (
        refills > offers.refills
        or side_refills > offers.side_refills
        or swaps > offers.swaps
        or firsts > offers.firsts
        or rebuys > offers.rebuys
        or (one.traited and other.traited)
        or (one.pelt and other.pelt)
        or (one.medallion and other.medallion)
    ):
        return None
    return Uses(
        refills,
        side_refills,
        swaps,
        min(one.outs + other.outs, offers.swaps),
        min(one.upgrades + other.upgrades, offers.firsts),
        firsts,
        one.first_is_traited or other.first_is_traited,
        one.traited or other.traited,
        one.pelt or other.pelt,
        one.medallion or other.medallion,
        rebuys,
    )


def is_lawful(uses: Uses, offers: Offers) -> bool:
    """Whether the shared offers are taken as they may be.

    A copy swapped in sends one out. The first upgrades are all there are, up to the
    number reduced; if one of them has the trait, the first of that trait is one too.
    """
    if uses.swaps > uses.outs:
        return False
    if uses.firsts < uses.upgrades and offers.first_amount:
        return False
    return not (uses.first_is_traited and uses.traited == 2)


# -- the lines a copy may be had by --


def _reduced(line: Line, floor: int, *reductions: tuple[str, int]) -> Line:
    told = tuple(each for each in reductions if each[1])
    paid = max(floor, line.gross - sum(amount for _, amount in told))
    return line._replace(paid=min(paid, line.gross), reductions=told)


def upgrade_lines(
    line: Line, lower: Version, offers: Offers, quill: int = 0
) -> Iterator[tuple[Line, Uses]]:
    """An upgrade with each set of shared reductions it may have, and ``quill`` less."""
    traited = bool(offers.first_amount) and offers.first_trait in lower.traits
    counted = Uses(upgrades=min(1, offers.firsts))
    for first in range(min(1, offers.firsts) + 1):
        for is_traited in (False, True) if traited else (False,):
            for medallion in (0, 1) if offers.medallion else (0,):
                uses = counted._replace(
                    firsts=first,
                    first_is_traited=bool(first and traited),
                    traited=(1 if first else 2) if is_traited else 0,
                    medallion=medallion,
                )
                yield (
                    _reduced(
                        line,
                        offers.upgrade_floor,
                        ("firsts", first),
                        ("first-trait", offers.first_amount if is_traited else 0),
                        ("quill", quill),
                        ("medallion", offers.medallion if medallion else 0),
                    ),
                    uses,
                )


def purchase_lines(
    line: Line, exiled: bool, offers: Offers
) -> Iterator[tuple[Line, Uses]]:
    """A new purchase with each set of reductions it may have."""
    for rebuy in range((offers.rebuy if exiled else 0) + 1):
        for pelt in (0, 1) if offers.pelt else (0,):
            for medallion in (0, 1) if offers.medallion else (0,):
                yield (
                    _reduced(
                        line,
                        offers.purchase_floor,
                        ("rebuy", rebuy),
                        ("pelt", offers.pelt if pelt else 0),
                        ("medallion", offers.medallion if medallion else 0),
                    ),
                    Uses(pelt=pelt, medallion=medallion, rebuys=rebuy),
                )


# -- the plans of an ordinary title --

Change = tuple[str, str, int]  # which count of a weighing, its key, by how much


class Option(NamedTuple):
    """One way to have a copy: its line, what it takes, and what it leaves."""

    line: Line
    uses: Uses
    changes: tuple[Change, ...] = ()
    last: bool = False  # only where there is no other way


class Weighing:
    """Every way to give each copy of one title a source."""

    def __init__(self, title: Title, offers: Offers) -> None:
        self._title = title
        self._offers = offers
        self._counts: dict[str, dict[str, int]] = {
            "base": dict(title.base),
            "aside": dict(offers.aside),
            "exiled": dict(offers.exiled),
            "quills": dict(offers.quills),
            "kept": {},  # copies that stay, from which a higher version may be bought
            "paired": {},  # paid upgrades that bring a second one, by source
            "myriad": {},  # copies that come along with a purchase, by level
        }
        self._one_refill = Uses(side_refills=1) if title.side else Uses(refills=1)
        self._options: dict[str, list[Option]] = {}
        self._best: dict[Uses, Plan] = {}

    def plans(self) -> list[Plan]:
        """The lightest plan for each use of the shared offers, lightest first."""
        units = self._units()
        rest = tuple(self._plain(code) for code in units[MOST_UNITS:])
        self._give(units[:MOST_UNITS], 0, 0, rest, NOTHING, sum(map(_weight, rest)))
        return sorted(self._best.values(), key=lambda plan: (plan.weight, plan.uses))

    def _units(self) -> list[str]:
        """The copies that need a source, one by one.

        Where nothing is reduced or free, a copy that was there is best kept: to
        upgrade it and buy it again costs no less. Not so with myriad cards, of which
        others come along, and researched ones, which must be upgraded, and where a
        player insists on something.
        """
        units: list[str] = []
        base = self._counts["base"]
        versions = self._title.versions.values()
        special = any(each.myriad or each.researched for each in versions)
        pinned = any(pin.code in self._title.versions for pin in self._title.pins)
        kept_best = self._offers.plain and not special and not pinned
        for code, copies in sorted(self._title.after.items()):
            kept = 0
            if kept_best:
                kept = min(copies, base.get(code, 0))
                base[code] = base.get(code, 0) - kept
                self._counts["kept"][code] = kept
            units.extend([code] * (copies - kept))
        return units

    def _give(
        self,
        units: list[str],
        at: int,
        first: int,
        lines: tuple[Line, ...],
        uses: Uses,
        weight: int,
    ) -> None:
        """Try every option for the copy at ``at`` and those after it."""
        if at == len(units):
            self._weighed(lines, uses, weight)
            return
        code = units[at]
        if code not in self._options:
            self._options[code] = list(self._options_of(self._title.versions[code]))
        alike = at + 1 < len(units) and units[at + 1] == code
        for number, option in enumerate(self._options[code][first:], first):
            taken = joined(uses, option.uses, self._offers)
            if taken is None or not self._take(option.changes):
                continue
            self._give(
                units,
                at + 1,
                number if alike else 0,  # copies of one card are told apart by nothing
                (*lines, option.line),
                taken,
                weight + _weight(option.line) + (LAST if option.last else 0),
            )
            self._put_back(option.changes)

    def _take(self, changes: tuple[Change, ...]) -> bool:
        for count, key, by in changes:
            counts = self._counts[count]
            counts[key] = counts.get(key, 0) + by
        if all(self._counts[c].get(k, 0) >= 0 for c, k, _ in changes if c in _FIRM):
            return True
        self._put_back(changes)
        return False

    def _put_back(self, changes: tuple[Change, ...]) -> None:
        for count, key, by in changes:
            self._counts[count][key] -= by

    def _weighed(self, lines: tuple[Line, ...], uses: Uses, weight: int) -> None:
        """Keep the plan if it holds together and is the lightest of its uses."""
        counts, base = self._counts, self._counts["base"]
        owed = (counts["kept"], counts["paired"], counts["myriad"])
        if any(min(each.values(), default=0) < 0 for each in owed):
            return
        if any(base.get(line.code, 0) and line.way is not Way.KEEP for line in lines):
            return  # a copy left over and the same card bought
        outs = 0
        if self._offers.swaps:
            versions = self._title.versions
            outs = sum(n for code, n in base.items() if versions[code].swappable)
        uses = uses._replace(outs=min(outs, self._offers.swaps))
        known = self._best.get(uses)
        if known is None or weight < known.weight:
            kept = tuple(line for line in lines if line.way is not Way.KEEP)
            self._best[uses] = Plan(weight, uses, kept)

    def _plain(self, code: str) -> Line:
        """A copy beyond those weighed: bought, without reductions."""
        offers = self._offers
        price = purchase_price(
            self._title.versions[code], offers.surcharge, offers.least
        )
        return Line(Way.PURCHASE, code, price, price)

    # -- the options of one card --

    def _options_of(self, version: Version) -> Iterator[Option]:
        title, code = self._title, version.code
        options = list(self._sources(version))
        pinned = [pin for pin in title.pins if pin.code == code]
        for each in options:
            suits = not pinned or any(_suits(each, pin) for pin in pinned)
            # What nobody insists on is left for copies that cannot be had otherwise.
            yield each if suits else each._replace(last=True)

    def _sources(self, version: Version) -> Iterator[Option]:
        code = version.code
        if code in self._title.base:
            kept = (("base", code, -1), ("kept", code, 1))
            yield Option(Line(Way.KEEP, code), NOTHING, kept)
        yield from self._upgrades(version)
        yield from self._for_nothing(version)
        yield from self._purchases(version)

    def _upgrades(self, version: Version) -> Iterator[Option]:
        offers = self._offers
        for source in sorted(self._title.base):
            lower = self._title.versions[source]
            if not is_upgrade(lower, version):
                continue
            paired = lower.subname in offers.paired
            price = upgrade_price(lower, version)
            line = Line(Way.UPGRADE, version.code, price, price, source)
            taken: tuple[Change, ...] = (("base", source, -1),)
            more: tuple[Change, ...] = (("paired", source, 1),) if paired else ()
            if offers.myriad_by_upgrade:
                more = (*more, *_brought(version))
            for reduced, uses, quills in self._reduced(line, lower):
                yield Option(reduced, uses, (*taken, *more, *quills))
            if paired:
                free = Line(Way.PAIRED, version.code, price, 0, source)
                yield Option(free, NOTHING, (*taken, ("paired", source, -1)))
            if offers.aside.get(source) and offers.kept & lower.traits:
                whole = upgrade_price(None, version)
                line = Line(Way.KEPT_LOWER, version.code, whole, whole, source)
                for reduced, uses, quills in self._reduced(line, lower):
                    aside = (("aside", source, -1), ("kept", source, -1))
                    yield Option(reduced, uses, (*aside, *quills))

    def _reduced(
        self, line: Line, lower: Version
    ) -> Iterator[tuple[Line, Uses, tuple[Change, ...]]]:
        """An upgrade with each set of reductions; a Raven Quill serves one copy."""
        offers, source = self._offers, lower.code
        for quill in range(offers.quills.get(source, 0), -1, -1):
            taken: tuple[Change, ...] = (("quills", source, -quill),) if quill else ()
            for reduced, uses in upgrade_lines(line, lower, offers, quill):
                yield reduced, uses, taken

    def _for_nothing(self, version: Version) -> Iterator[Option]:
        offers = self._offers
        price = purchase_price(version, offers.surcharge, offers.least)
        if version.myriad:
            along = Line(Way.MYRIAD, version.code, price, 0)
            yield Option(along, NOTHING, (("myriad", str(version.level), -1),))
        if version.swappable:
            due = max(version.effective, 0) if offers.chained else 0
            refill = Line(Way.REFILL, version.code, price, due)
            yield Option(refill, self._one_refill, _brought(version))
            if offers.swaps:
                swap = Line(Way.SWAP, version.code, price, due)
                yield Option(swap, Uses(swaps=1))

    def _purchases(self, version: Version) -> Iterator[Option]:
        offers, code = self._offers, version.code
        price = purchase_price(version, offers.surcharge, offers.least)
        line = Line(Way.PURCHASE, code, price, price)
        brought = _brought(version)
        exiled = bool(offers.exiled.get(code))
        for reduced, uses in purchase_lines(line, exiled, offers):
            changes = brought
            if uses.rebuys:
                changes = (*brought, ("exiled", code, -1))
            yield Option(reduced, uses, changes, last=version.researched)


def _brought(version: Version) -> tuple[Change, ...]:
    """What comes along with a copy bought: further ones of a myriad card."""
    if not version.myriad:
        return ()
    return (("myriad", str(version.level), MYRIAD_MORE),)


def _weight(line: Line) -> int:
    return line.paid * SCALE + TIE[line.way]


def _suits(option: Option, pin: Pin) -> bool:
    line = option.line
    if line.way is Way.KEEP:
        return True
    named = line.way.value.removeprefix("price.")
    return pin.way in ("", named) and pin.source in ("", line.source)
