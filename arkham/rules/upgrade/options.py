"""The ways to obtain one copy of a card, and the supply for each way.

Each way takes something: a copy that was there, a free place, a reduction. What titles
share is recorded as uses. What copies of one title share is counted, and a count may be
owed until every copy has its source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arkham.rules.upgrade.offers import NOTHING, REFILL, SIDE_REFILL, SWAP, Offers, Uses
from arkham.rules.upgrade.price_rules import PlannedLine, Way, weight_of
from arkham.rules.upgrade.versions import (
    Version,
    due_for_nothing,
    is_upgrade,
    new_price,
    upgrade_price,
)
from arkham.rules.upgrade.window import Pin


def upgrade_lines(
    line: PlannedLine, traits: frozenset[str], offers: Offers
) -> Iterator[tuple[PlannedLine, Uses]]:
    """Yield an upgrade with each set of shared reductions that it may have.

    ``traits`` are those of the lower version.
    """
    firsts, most = offers.firsts, offers.medallion
    traited = bool(offers.first_amount) and offers.first_trait in traits
    if not (firsts or traited or most):
        yield line, NOTHING
        return
    floor = offers.upgrade_floor
    counted = min(1, firsts)
    for first in range(counted + 1):
        for is_traited in (False, True) if traited else (False,):
            uses = Uses(
                upgrades=counted if offers.first_amount else 0,
                firsts=first,
                first_is_traited=bool(first and traited),
                traited=(1 if first else 2) if is_traited else 0,
            )
            by_firsts = (
                ("firsts", first),
                ("first-trait", offers.first_amount if is_traited else 0),
            )
            reduced = _reduced(line, floor, *by_firsts)
            yield reduced, uses
            if most and reduced.paid > floor:
                further = _reduced(line, floor, *by_firsts, ("medallion", most))
                yield further, uses._replace(medallion=1)


def purchase_lines(
    line: PlannedLine, exiled: bool, offers: Offers
) -> Iterator[tuple[PlannedLine, Uses]]:
    """Yield a purchase with each set of reductions that it may have."""
    rebuys, pelts, most = offers.rebuy if exiled else 0, offers.pelt, offers.medallion
    if not (rebuys or pelts or most):
        yield line, NOTHING
        return
    floor = offers.purchase_floor
    room = max(line.gross - floor, 0)
    for rebuy in range(min(rebuys, room) + 1):
        for pelt in (0, pelts) if pelts and rebuy < room else (0,):
            # The next new card is the next card too: both reduce the same one.
            both = most and rebuy + pelt < room and bool(pelt) == bool(pelts)
            for medallion in (0, most) if both else (0,):
                yield (
                    _reduced(
                        line,
                        floor,
                        ("rebuy", rebuy),
                        ("pelt", pelt),
                        ("medallion", medallion),
                    ),
                    Uses(pelt=min(pelt, 1), medallion=min(medallion, 1), rebuys=rebuy),
                )


def _reduced(
    line: PlannedLine, floor: int, *reductions: tuple[str, int]
) -> PlannedLine:
    granted = tuple([each for each in reductions if each[1]])
    if not granted:
        return line
    paid = max(floor, line.gross - sum([amount for _, amount in granted]))
    return line._replace(paid=min(paid, line.gross), reductions=granted)


MYRIAD_MORE = 2  # free copies that come with one bought (KW-11)
LAST = 10**9  # the weight of a way that is used only if there is no other

# What copies of one title share, by kind and code (of a myriad card: by level).
Key = tuple[str, str]
Count = tuple[Key, int]
BASE, ASIDE, EXILED, QUILLS = "base", "aside", "exiled", "quills"
# Copies that stay, from which a higher version may be bought; paid upgrades that
# include a second copy; free copies of a myriad card. These counts may be owed.
KEPT, PAIRED, MYRIAD = "kept", "paired", "myriad"
OWED = frozenset({KEPT, PAIRED, MYRIAD})
BOUGHT = "bought"  # whether a card was bought although older copies of it are left


@dataclass(slots=True)
class Title:
    """The copies of one title before (without those exiled) and after.

    ``stay`` are those in both decks in any case. ``pins`` are the ways that a player
    insists on; ``reduced`` means that some offer may apply to a copy.
    """

    base: Mapping[Version, int]
    after: Mapping[Version, int]
    stay: Mapping[Version, int]
    pins: tuple[Pin, ...] = ()
    side: bool = False  # of the second deck
    reduced: bool = True


class CopySource(NamedTuple):
    """One way to obtain a copy.

    Its line and weight, the shared offers it uses, and counts of its title: it takes
    ``takes``, requires that ``whole`` is all there is, and adds ``adds``.
    """

    line: PlannedLine
    weight: int
    uses: Uses
    takes: tuple[Count, ...] = ()
    adds: tuple[Count, ...] = ()
    whole: tuple[Count, ...] = ()


class CopySources:
    """The ways to obtain a copy of each version of one title.

    ``base`` are the copies that don't stay, by code.
    """

    def __init__(self, title: Title, offers: Offers, base: Mapping[str, int]) -> None:
        self._title = title
        self._offers = offers
        self._base = base
        self._versions = {each.code: each for each in (*title.base, *title.after)}

    def of(self, code: str) -> list[CopySource]:
        """The ways to obtain a copy of one card, in order of preference."""
        title, base = self._title, self._base
        version = self._versions[code]
        sources: list[CopySource] = []
        if base.get(code):
            line = PlannedLine(Way.KEEP, code)
            there, kept = ((BASE, code), 1), ((KEPT, code), 1)
            sources.append(CopySource(line, 0, NOTHING, (there,), (kept,)))
        for source in sorted(base):
            lower = self._versions[source]
            if is_upgrade(lower, version):
                sources += self._upgrades(lower, version)
        sources += self._for_nothing(version)
        sources += self._purchases(version)
        pinned = [
            pin
            for pin in dict.fromkeys(title.pins)
            if pin.code == code and _can_be(pin, sources)
        ]
        if not pinned:
            return sources
        # Other ways are left for copies that can't be obtained as the pins demand.
        return [
            each
            if each.weight >= LAST or any(_suits(each.line, pin) for pin in pinned)
            else each._replace(weight=each.weight + LAST)
            for each in sources
        ]

    def _upgrades(self, lower: Version, version: Version) -> Iterator[CopySource]:
        offers, code, source = self._offers, version.code, lower.code
        if self._base[source]:
            paired = lower.card.subname in offers.paired
            price = upgrade_price(lower, version)
            line = self._line(Way.UPGRADE, code, price, price, source)
            there = ((BASE, source), 1)
            more: tuple[Count, ...] = (((PAIRED, source), 1),) if paired else ()
            if offers.myriad_by_upgrade:
                more = (*more, *self._brought(version))
            yield from self._reduced(line, lower, there, more)
            if paired:
                free = self._line(Way.PAIRED, code, price, 0, source)
                owed = (((PAIRED, source), -1),)
                yield CopySource(free, weight_of(free), NOTHING, (there,), owed)
        if offers.aside.get(source) and offers.kept & lower.traits:
            whole = upgrade_price(None, version)
            line = self._line(Way.KEPT_LOWER, code, whole, whole, source)
            kept = (((KEPT, source), -1),)
            yield from self._reduced(line, lower, ((ASIDE, source), 1), kept)

    def _reduced(
        self, line: PlannedLine, lower: Version, there: Count, more: tuple[Count, ...]
    ) -> Iterator[CopySource]:
        """Yield an upgrade with each set of reductions.

        As many Raven Quills as possible are used of those that name its asset: keeping
        one for another copy would not save more.
        """
        offers, source = self._offers, lower.code
        held, key = offers.quills.get(source, 0), (QUILLS, source)
        for reduced, uses in upgrade_lines(line, lower.traits, offers):
            room = reduced.paid - min(offers.upgrade_floor, reduced.paid)
            for quill in range(min(held, room), -1, -1):
                quilled = with_quills(reduced, quill)
                takes: tuple[Count, ...] = (there,)
                whole: tuple[Count, ...] = ()
                if quill < room and held:
                    whole = ((key, quill),)
                if quill:
                    takes = (there, (key, quill))
                yield CopySource(quilled, weight_of(quilled), uses, takes, more, whole)

    def _for_nothing(self, version: Version) -> Iterator[CopySource]:
        offers, side, code = self._offers, self._title.side, version.code
        price = new_price(version, offers)
        if version.card.myriad:
            along = self._line(Way.MYRIAD, code, price, 0)
            owed = (((MYRIAD, str(version.level)), -1),)
            yield CopySource(along, weight_of(along), NOTHING, (), owed)
        if not version.swappable:
            return
        due = due_for_nothing(version, offers)
        if offers.side_refills if side else offers.refills:
            refill = self._line(Way.REFILL, code, price, due)
            uses = SIDE_REFILL if side else REFILL
            yield CopySource(
                refill, weight_of(refill), uses, (), self._brought(version)
            )
        if offers.swaps and not side:
            swap = self._line(Way.SWAP, code, price, due)
            yield CopySource(swap, weight_of(swap), SWAP)

    def _purchases(self, version: Version) -> Iterator[CopySource]:
        offers, code = self._offers, version.code
        price = new_price(version, offers)
        line = self._line(Way.PURCHASE, code, price, price)
        last = LAST if version.card.researched else 0
        brought = self._brought(version)
        for reduced, uses in purchase_lines(line, code in offers.exiled, offers):
            again: tuple[Count, ...] = ()
            if uses.rebuys:
                again = (((EXILED, code), 1),)
            yield CopySource(reduced, weight_of(reduced) + last, uses, again, brought)

    def _brought(self, version: Version) -> tuple[Count, ...]:
        """Free copies that come with a copy bought, for a myriad card."""
        if not version.card.myriad:
            return ()
        return (((MYRIAD, str(version.level)), MYRIAD_MORE),)

    def _line(
        self, way: Way, code: str, gross: int, paid: int, source: str = ""
    ) -> PlannedLine:
        side = self._title.side
        return PlannedLine(way, code, gross, paid, source=source, side=side)


def with_quills(line: PlannedLine, quills: int) -> PlannedLine:
    """An upgrade reduced by this many Raven Quills, each of which has an effect."""
    if not quills:
        return line
    first = [each for each in line.reductions if each[0] != "medallion"]
    reductions = (*first, ("quill", quills), *line.reductions[len(first) :])
    return line._replace(paid=line.paid - quills, reductions=reductions)


def _can_be(pin: Pin, sources: Iterable[CopySource]) -> bool:
    """True if any copy that comes in can be obtained in the way of the pin."""
    lines = (each.line for each in sources)
    return any(_suits(line, pin) for line in lines if line.way is not Way.KEEP)


def _suits(line: PlannedLine, pin: Pin) -> bool:
    if line.way is Way.KEEP:
        return True
    named = line.way.value.removeprefix("price.")
    return pin.way in ("", named) and pin.source in ("", line.source)


class Supply:
    """The supply for the copies of a title before any of them has its source.

    ``base`` are the older copies that may be kept or upgraded, ``kept`` those that stay
    in any case, by code.
    """

    def __init__(self, title: Title, offers: Offers) -> None:
        stay = title.stay
        self.base = {each.code: n - stay.get(each, 0) for each, n in title.base.items()}
        self.kept = {each.code: n for each, n in stay.items()}
        self._offers = offers
        self._side = title.side
        self._forced = offers.side_forced if title.side else offers.forced
        # Copies of any version of the title.
        titles = {each.title for each in title.base}
        self._forced_in_all = sum(self._forced.get(each, 0) for each in titles)
        # Adaptable exchanges only cards of the main deck.
        base = () if title.side else title.base
        self._swappable = [each.code for each in base if each.swappable]

    def at_start(self, key: Key) -> int:
        """The value of a count before any copy has its source."""
        kind, code = key
        if kind == BASE:
            return self.base[code]
        if kind == KEPT:
            return self.kept.get(code, 0)
        if kind == EXILED:
            return self._offers.exiled.get(code, 0)
        if kind == QUILLS:
            return self._offers.quills.get(code, 0)
        return self._offers.aside.get(code, 0) if kind == ASIDE else 0

    def counted(
        self,
        wanted: Mapping[str, int],
        sources: Mapping[str, list[CopySource]],
        lines: Sequence[PlannedLine],
    ) -> tuple[dict[Key, int], list[int]]:
        """The counts to keep track of: the place of each, and its initial value.

        Counts that are large enough in any case are left out.
        """
        most = sum(wanted.values())
        asked: dict[Key, int] = {}
        for each in sources.values():
            for source in each:
                for key, n in (*source.takes, *source.adds):
                    asked[key] = max(asked.get(key, 0), n)
                for key, n in source.whole:
                    asked[key] = max(asked.get(key, 0), n + 1)
        places: dict[Key, int] = {}
        start: list[int] = []
        for key, n in asked.items():
            have = self.at_start(key)
            if key[0] in (ASIDE, EXILED, QUILLS) and have >= n * most:
                continue
            places[key] = len(start)
            start.append(have)
        anew = {line.code for line in lines}
        for code in wanted:
            # A level 0 copy that is left over may have been exchanged.
            if self.base.get(code) and code not in self._swappable:
                places[BOUGHT, code] = len(start)
                start.append(int(code in anew))
        return places, start

    def with_leftovers(self, uses: Uses, left: Mapping[Key, int]) -> Uses | None:
        """The uses of a plan, with what is left over; None if it is inconsistent."""
        for (kind, code), n in left.items():
            if kind in OWED and n < 0:
                return None
            if kind == BOUGHT and n and left.get((BASE, code), self.base[code]):
                return None  # a copy left over although the same card was bought
        if not (self._offers.swaps or self._forced):
            return uses
        out = short = 0
        forced = self._forced_in_all
        for code, copies in self.base.items():
            over = left.get((BASE, code), copies) - self._forced.get(code, 0)
            short += max(-over, 0)  # upgraded instead of leaving a place
            if code in self._swappable:
                out += max(over, 0)
            else:
                forced -= max(over, 0)
        out -= max(forced, 0)
        short += max(-out, 0)
        if short and self._side:
            uses = uses._replace(side_refills=uses.side_refills + short)
        elif short:
            uses = uses._replace(refills=uses.refills + short)
        out = min(max(out, 0), self._offers.swaps)
        return uses._replace(swapped_out=out) if out else uses
