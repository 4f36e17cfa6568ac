"""The facts of an upgrade that its rules read, and what wakes each rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import IntEnum
from operator import itemgetter

from arkham.rules.card import Card
from arkham.rules.deck import DeckList
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.settled import lazy
from arkham.rules.legality.standing import Standing
from arkham.rules.legality.tally import UNMET_SIZE
from arkham.rules.legality.trauma import TRAUMA_CARDS
from arkham.rules.pool import CardPool
from arkham.rules.upgrade.change import Change
from arkham.rules.upgrade.invoice import InvoiceLine
from arkham.rules.upgrade.price_rules import DEVOURERS, KEPT_LOWER
from arkham.rules.upgrade.versions import Nature, Version
from arkham.rules.upgrade.window import Window


def copies_by_card(copies: Mapping[str, int], pool: CardPool) -> Counter[str]:
    """Copies by the code of the card, over its printings."""
    found: Counter[str] = Counter()
    for code, number in copies.items():
        card = pool.get_card(code)
        found[card.code if card else code] += number
    return found


def granted_with_aside(
    before: DeckList, built: BuiltDeck, window: Window
) -> Mapping[str, int]:
    """What was granted, with the copies that came into the deck set aside.

    A copy that never counted was not bought: an effect or a scenario added it. Of cards
    that an investigator may keep beside a higher version nothing follows from that.
    """
    after = built.deck
    pool = built.frame.pool
    come = copies_by_card(after.entries, pool)
    come.subtract(copies_by_card(before.entries, pool))
    aside = copies_by_card(after.set_aside, pool)
    aside.subtract(copies_by_card(before.set_aside, pool))
    granted = copies_by_card(window.granted, pool)
    upgraded = _aside_and_left(come, aside, window, pool)
    for code, copies in (granted - copies_by_card(after.entries, pool)).items():
        if code in pool:  # given since the last game, and not there
            upgraded[pool[code].title] += copies
    found: dict[str, int] = {}
    for code, more in aside.items():
        copies = min(more, come[code])
        if copies <= granted[code] or _may_be_kept(before, built, code):
            continue
        title = pool[code].title if code in pool else ""
        lower = min(upgraded[title], copies - granted[code])
        upgraded[title] -= lower
        if copies - lower > granted[code]:
            found[code] = copies - lower
    return {**granted, **found} if found else window.granted


def _aside_and_left(
    come: Counter[str], aside: Counter[str], window: Window, pool: CardPool
) -> Counter[str]:
    """Copies that were set aside and are gone, by title, unless something took them.

    What comes set aside of such a title may be what they were upgraded to.
    """
    lost = copies_by_card(window.exiled, pool) + copies_by_card(window.taken, pool)
    left: Counter[str] = Counter()
    for code, copies in aside.items():
        gone = min(-copies, -come[code]) - lost[code]
        if gone > 0 and code in pool:
            left[pool[code].title] += gone
    return left


def _may_be_kept(before: DeckList, built: BuiltDeck, code: str) -> bool:
    """Whether a copy set aside may be one that was there and was kept in an upgrade."""
    pool, story = built.frame.pool, built.circumstances.story_cards or frozenset()
    row, card = KEPT_LOWER.get(built.frame.back.code), pool.get_card(code)
    if row is None or card is None or set(card.traits).isdisjoint(row.traits):
        return False
    if not story.isdisjoint(printing.code for printing in card.printings):
        return False
    return any(
        (held := pool.get_card(listed)) is not None and held.title == card.title
        for listed in before.entries
    )


class Occasion(IntEnum):
    """What about an upgrade can make a rule speak; a bit each."""

    OTHER_INVESTIGATOR = 1 << 0
    OVERSPENT = 1 << 1
    CLOSED = 1 << 2
    ULTIMATUM = 1 << 3
    TRANSFORMED = 1 << 4
    NO_FILLER = 1 << 5  # a card outside the deck size
    SHORT = 1 << 6
    SHEETS = 1 << 7
    MARKED_CARD = 1 << 8  # one with a word on how it may be bought
    DEVOURER = 1 << 9
    MISSING = 1 << 10
    SET_ASIDE = 1 << 11
    BOUNDED = 1 << 12
    TRAUMA = 1 << 13  # a card that gives or heals trauma when it is bought
    WAS_ASIDE = 1 << 14


# Looked up in its enum each time, a member costs ten times as much.
_OVERSPENT, _SHORT = Occasion.OVERSPENT.value, Occasion.SHORT.value
_CARD = itemgetter(InvoiceLine._fields.index("code"))
_PAID = itemgetter(InvoiceLine._fields.index("paid"))


class Upgrade:
    """Two revisions of a deck, the window between them, and what it was had for."""

    def __init__(
        self,
        before: DeckList,
        built: BuiltDeck,
        window: Window,
        changes: tuple[Change, ...],
        lines: tuple[InvoiceLine, ...],
        *,
        bounded: bool = False,
    ) -> None:
        self.before = before
        self.built = built
        self.window = window
        self.changes = changes
        self.lines = lines
        self.total = sum(map(_PAID, lines))  # experience spent
        self.bounded = bounded  # so much changes that there may be a lower price

    @lazy
    def removed(self) -> list[tuple[str, int, Standing]]:
        """Copies that leave other than by exile or instruction."""
        return [
            (version.code, copies, version.standing)
            for change in self.changes
            for version, copies in sorted(change.removed.items(), key=_code)
        ]

    @lazy
    def changed(self) -> bool:
        """Whether anything is different but what was exiled, taken or granted."""
        return (
            bool(self.lines)
            or any(change.removed for change in self.changes)
            or any(change.added for change in self.changes)
        )

    def occasions(self) -> int:
        """The bits of all that is out of the ordinary; mostly none."""
        built, before, window = self.built, self.before, self.window
        deck, frame = built.deck, built.frame
        found = 0
        if before.investigator != deck.investigator:
            found |= Occasion.OTHER_INVESTIGATOR
        available = window.available
        if available is not None and self.total > available:
            found |= _OVERSPENT
        if not (window.spending and window.altering):
            found |= Occasion.CLOSED
        if frame.ultimatums:
            found |= Occasion.ULTIMATUM
        if frame.transformation is not None:
            found |= Occasion.TRANSFORMED
        if before.sheets != deck.sheets:
            found |= Occasion.SHEETS | Occasion.MARKED_CARD
        short = built.unmet & UNMET_SIZE and built.counted < frame.size
        for change in self.changes:
            if short and change.removed:
                found |= _SHORT
            if change.nature:  # mostly there is nothing about the cards
                found |= _by_nature(change.nature)
            if change.missing:
                found |= Occasion.MISSING
        if frame.back.code in DEVOURERS:
            found |= Occasion.DEVOURER
        if deck.set_aside:
            found |= Occasion.SET_ASIDE
        if before.set_aside or window.granted:
            found |= Occasion.WAS_ASIDE
        if self.bounded:
            found |= Occasion.BOUNDED
        if not TRAUMA_CARDS.keys().isdisjoint(map(_CARD, self.lines)):
            found |= Occasion.TRAUMA
        return found

    def standing(self, code: str) -> Standing:
        """How a card stands in the new deck."""
        return self.built.frame.unmarked[code]

    def card(self, code: str) -> Card:
        """The card behind a code of the invoice."""
        return self.built.frame.pool[code]

    def name_of(self, code: str) -> str:
        """What messages call a card, or a code that is no card's."""
        return self.built.name_of(code)

    def lines_named(self, *rules: str) -> Iterator[InvoiceLine]:
        """The lines priced by one of these rules."""
        return (line for line in self.lines if line.rule in rules)


def _by_nature(nature: int) -> int:
    """The occasions that lie in the cards that change."""
    found = 0
    if nature & Nature.UNCOUNTED:
        found |= Occasion.NO_FILLER
    if nature & Nature.MARKED:
        found |= Occasion.MARKED_CARD
    return found


def _code(held: tuple[Version, int]) -> str:
    return held[0].code
