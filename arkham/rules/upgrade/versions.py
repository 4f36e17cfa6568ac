"""One version of a card: its cost, and what it can be upgraded from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol
from weakref import WeakKeyDictionary, ref

from arkham.rules.card import Card
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import Standing
from arkham.rules.legality.tally import Concern
from arkham.rules.upgrade.offers import Offers

_ALIKE: dict[tuple[object, ...], int] = {}  # numbers, by everything a price depends on
_MARKS = frozenset({Concern.MODE, Concern.RESEARCHED})


class Leveled(Protocol):
    """What a price depends on; both :class:`Version` and :class:`Standing` have it."""

    @property
    def level(self) -> int | None:
        """The level, counting the boxes marked."""

    @property
    def effective(self) -> int:
        """The level, doubled if exceptional, plus the taboo change."""

    @property
    def exceptional(self) -> bool:
        """True if the card is exceptional under the taboo list in force."""


class Nature(IntEnum):
    """Properties of a card that make a change more than a purchase; one bit each."""

    MODIFIER = 1 << 0  # changes how decks are built
    UNCOUNTED = 1 << 1  # outside the deck size
    MARKED = 1 << 2  # has restrictions on when or how it may be bought


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """A card as something to buy, under the taboo list in force.

    Each card has one in a frame, whichever printing is looked up; ``code`` is the first
    printing's. ``level`` is None for a card that is never bought. ``effective`` is its
    level, doubled if exceptional, plus the taboo change, before any minimum; it may be
    negative. ``price`` is the price of a new copy if nothing changes prices.
    """

    code: str
    title: str
    card: Card
    codes: tuple[str, ...]  # of all printings
    others: tuple[str, ...]  # codes of the other cards of its title
    standing: Standing
    level: int | None
    effective: int
    exceptional: bool
    counts: bool
    price: int
    swappable: bool  # a level 0 card inside the deck size
    involved: bool  # copies interact: a sheet, a myriad or a researched card
    nature: int  # what makes the change of a deck special: bits of Nature
    alike: int  # equal for versions that don't differ in anything that affects prices

    @property
    def traits(self) -> frozenset[str]:
        """Its traits, in lower case."""
        return self.standing.traits


class Versions(dict[str, Version | None]):
    """The versions in decks of one frame, by code of any printing.

    They are compiled on first use; the value is None for a code that is no card's.
    ``plain`` are the offers if nothing in the deck or the window offers more.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__()
        self._frame = ref(frame)  # weak: this is cached by frame
        self._titles = frame.pool.titles
        self._of_title: dict[str, list[Version]] = {}
        rulings = frame.rulings
        self.holes_filled = rulings["prices.filler-after-permanent"] == "free"
        self.plain = Offers(
            least=1 if rulings["prices.discounted-minimum"] == "one" else 0,
            minimum_first=rulings["prices.raised-minimum"] == "first",
            myriad_by_upgrade=rulings["prices.myriad-upgrade"] == "yes",
        )

    def __missing__(self, code: str) -> Version | None:
        frame = self._frame()
        assert frame is not None
        standing = frame.unmarked[code]
        card = standing.card
        if card is None:
            return None
        version = self[card.code] if code != card.code else self._made(card, standing)
        self[code] = version
        return version

    def _made(self, card: Card, standing: Standing) -> Version:
        level = standing.level
        nature = 0
        price = purchase_price(standing, 0, self.plain) if level is not None else 0
        if Concern.MODIFIER in standing.concerns:
            nature |= Nature.MODIFIER
        if not standing.counts:
            nature |= Nature.UNCOUNTED
        if not _MARKS.isdisjoint(standing.concerns):
            nature |= Nature.MARKED
        swappable = level == 0 and standing.counts
        priced_by = (
            *(level, standing.effective, standing.exceptional, price, swappable),
            *(card.myriad, card.researched),
        )
        return Version(
            code=card.code,
            title=standing.title,
            card=card,
            codes=tuple([printing.code for printing in card.printings]),
            others=tuple(
                [
                    printing.code
                    for other in self._titles[card.title]
                    if other is not card
                    for printing in other.printings
                ]
            ),
            standing=standing,
            level=level,
            effective=standing.effective,
            exceptional=standing.exceptional,
            counts=standing.counts,
            price=price,
            swappable=swappable,
            involved=bool(standing.sheet) or card.myriad or card.researched,
            nature=nature,
            alike=_ALIKE.setdefault(priced_by, len(_ALIKE)),
        )

    def of_title(self, title: str) -> list[Version]:
        """Every version of a title, in code order."""
        found = self._of_title.get(title)
        if found is None:
            each = [self[card.code] for card in self._titles.get(title, ())]
            found = [version for version in each if version is not None]
            if found:
                self._of_title[title] = found
        return found


_KEPT: WeakKeyDictionary[Frame, Versions] = WeakKeyDictionary()


def versions_in(frame: Frame) -> Versions:
    """The versions in decks of this frame, cached as long as the frame exists."""
    found = _KEPT.get(frame)
    if found is None:
        found = _KEPT[frame] = Versions(frame)
    return found


def is_upgrade(lower: Leveled, higher: Leveled) -> bool:
    """True if one version of a title can be upgraded into another (XP-08, KW-04)."""
    old, new = lower.level or 0, higher.level or 0
    if new != old:
        return new > old
    return higher.exceptional and higher.effective > lower.effective


def purchase_price(version: Leveled, surcharge: int, offers: Offers) -> int:
    """A new card costs its effective cost, but at least 1 (XP-05, XP-40, XP-46)."""
    price = version.effective + surcharge
    if offers.minimum_first and price > 0 and not version.level:
        return 1 + price
    if offers.least == 0 and version.level:
        return max(price, 0)
    return max(price, 1)


def new_price(version: Version, offers: Offers) -> int:
    """The price of a new copy before reductions."""
    if not offers.surcharge:
        return version.price
    return purchase_price(version, offers.surcharge, offers)


def due_for_nothing(version: Version, offers: Offers) -> int:
    """The price of a level 0 card that refills or is exchanged (TABOO-15)."""
    return max(version.effective, 0) if offers.chained else 0


def upgrade_price(lower: Leveled | None, higher: Leveled) -> int:
    """An upgrade costs the difference, but at least 1 (XP-09, XP-41).

    ``lower`` is None if the lower version is kept and the higher one paid in full.
    """
    paid_before = lower.effective if lower is not None else 0
    difference = higher.effective - paid_before
    return difference if difference > 1 else 1  # faster than max()
