"""The facts of an upgrade that its rules read, and what wakes each rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import IntEnum
from itertools import groupby
from operator import attrgetter, itemgetter

from arkham.rules.card import Card
from arkham.rules.deck import DeckList
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.lines import title_limit
from arkham.rules.legality.settled import lazy
from arkham.rules.legality.standing import CardRole, Standing
from arkham.rules.legality.tally import UNMET_SIZE, Concern
from arkham.rules.legality.trauma import TRAUMA_CARDS
from arkham.rules.pool import CardPool
from arkham.rules.ultimatums import UltimatumEffect, under
from arkham.rules.upgrade.change import Change
from arkham.rules.upgrade.conditions import BARRING
from arkham.rules.upgrade.invoice import InvoiceLine
from arkham.rules.upgrade.price_rules import DEVOURERS, KEPT_LOWER
from arkham.rules.upgrade.versions import Nature, Version, versions_in
from arkham.rules.upgrade.window import Window


def copies_by_card(copies: Mapping[str, int], pool: CardPool) -> Counter[str]:
    """Sum copies by the code of the card, over its printings."""
    found: Counter[str] = Counter()
    for code, number in copies.items():
        card = pool.get_card(code)
        found[card.code if card else code] += number
    return found


def lost_copies(window: Window, pool: CardPool) -> Counter[str]:
    """Copies exiled or taken since the last game, by card."""
    return copies_by_card(window.exiled, pool) + copies_by_card(window.taken, pool)


def with_lost_grants(
    before: DeckList, after: DeckList, window: Window, pool: CardPool
) -> tuple[DeckList, Window]:
    """Move copies that were granted and then lost into the old deck, set aside.

    They come back only if they are bought; a copy still set aside wasn't lost.
    """
    had, has = (copies_by_card(deck.set_aside, pool) for deck in (before, after))
    granted, lost = copies_by_card(window.granted, pool), lost_copies(window, pool)
    for copies in (before.entries, before.side_deck):
        lost -= copies_by_card(copies, pool)
    moved = (granted - (has - had)) & lost
    if not moved:
        return before, window
    entries, aside = moved + Counter(before.entries), moved + Counter(before.set_aside)
    return (
        before._replace(entries=entries, set_aside=aside),
        window._replace(granted=granted - moved),
    )


def granted_with_aside(
    before: DeckList, built: BuiltDeck, window: Window
) -> Mapping[str, int]:
    """The copies granted, including those that came into the deck set aside.

    A copy that never counted was not bought: an effect or a scenario added it. The
    exception is a card that the investigator may keep when buying a higher version.
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
        if code in pool:  # given since the last game, but not in the deck
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

    Copies of the same title that come in set aside may be upgrades of them.
    """
    lost = lost_copies(window, pool)
    left: Counter[str] = Counter()
    for code, copies in aside.items():
        gone = min(-copies, -come[code]) - lost[code]
        if gone > 0 and code in pool:
            left[pool[code].title] += gone
    return left


def _may_be_kept(before: DeckList, built: BuiltDeck, code: str) -> bool:
    """True if a copy set aside may be an old copy that was kept in an upgrade."""
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
    """Properties of an upgrade that wake rules; one bit each."""

    OTHER_INVESTIGATOR = 1 << 0
    OVERSPENT = 1 << 1
    CLOSED = 1 << 2
    ULTIMATUM = 1 << 3
    TRANSFORMED = 1 << 4
    NO_FILLER = 1 << 5  # a card outside the deck size
    SHORT = 1 << 6
    SHEETS = 1 << 7
    MARKED_CARD = 1 << 8  # with restrictions on how it may be bought
    DEVOURER = 1 << 9
    MISSING = 1 << 10
    SET_ASIDE = 1 << 11
    BOUNDED = 1 << 12
    TRAUMA = 1 << 13  # a card that gives or heals trauma when bought
    WAS_ASIDE = 1 << 14
    CHOSEN = 1 << 15  # the lists differ in choices of deck creation


# Enum members are ten times slower to look up each time.
_OVERSPENT, _SHORT = Occasion.OVERSPENT.value, Occasion.SHORT.value
_CARD = itemgetter(InvoiceLine._fields.index("code"))
_PAID = itemgetter(InvoiceLine._fields.index("paid"))


class Upgrade:
    """Two revisions of a deck, the window between them, and the invoice lines."""

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
        """Copies that leave, except by exile or instruction."""
        return [
            (version.code, copies, version.standing)
            for change in self.changes
            for version, copies in sorted(change.removed.items(), key=_code)
        ]

    @lazy
    def changed(self) -> bool:
        """True if anything changed, apart from what was exiled, taken or granted."""
        return (
            bool(self.lines)
            or any(change.removed for change in self.changes)
            or any(change.added for change in self.changes)
        )

    def occasions(self) -> int:
        """The bits of everything unusual about the upgrade; mostly none."""
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
        if before.choices != deck.choices:
            found |= Occasion.CHOSEN
        if before.sheets != deck.sheets:
            found |= Occasion.SHEETS | Occasion.MARKED_CARD
        short = built.unmet & UNMET_SIZE and built.counted < frame.size
        for change in self.changes:
            if short and change.removed:
                found |= _SHORT
            if change.nature:  # mostly the cards have nothing unusual
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

    def chosen_differently(self) -> Iterator[tuple[list[str], list[str]]]:
        """Yield choices of deck creation, old and new, that contradict each other.

        A choice that one list leaves open is read from the other. Backs with other
        choices, and choices that a taboo list fixed, are skipped.
        """
        frame, before = self.built.frame, self.before
        back = frame.pool.get_card(before.back or before.investigator)
        if back is None or back.code != frame.back.code:
            return
        taboo = frame.pool.taboo_list(before.taboo or "")
        change = taboo.changes.get(back.code) if taboo else None
        fixed = change.drops_choices if change else ()
        asked = (each for each in frame.printed_back.choices if each.key not in fixed)
        for _, several in groupby(asked, key=attrgetter("kind")):
            alike = tuple(several)
            was, now = (
                {made[each.key] for each in alike if made.get(each.key) in each.offers}
                for made in (self.before.choices, self.built.deck.choices)
            )
            if len(was | now) > len(alike):
                yield sorted(was), sorted(now)

    def standing(self, code: str) -> Standing:
        """A card's standing in the new deck."""
        return self.built.frame.unmarked[code]

    @property
    def is_level_0_only(self) -> bool:
        """True if an ultimatum allows cards of level 0 only."""
        ultimatums = self.built.frame.ultimatums
        return bool(under(ultimatums, UltimatumEffect.LEVEL_0_ONLY))

    def may_not_stay(self, code: str, copies: int) -> int:
        """Of these copies that left, those that the deck may not have.

        Copies set aside may stay, unless the taboo list forbids the card.
        """
        standing, frame = self.standing(code), self.built.frame
        if Concern.FORBIDDEN in standing.concerns:
            return copies
        beside = copies_by_card(self.before.set_aside, frame.pool)
        beside -= copies_by_card(self.built.deck.set_aside, frame.pool)
        copies = max(copies - beside[code], 0)
        if (self.is_level_0_only and standing.level) or not BARRING.isdisjoint(
            standing.concerns
        ):
            return copies
        if standing.role is not CardRole.ORDINARY:
            return 0
        of_title = versions_in(frame).of_title(standing.title)
        had, has = (sum(each.values()) for each in self.changes[0].whole(of_title))
        return min(max(had - max(has, title_limit(frame, standing)), 0), copies)

    def card(self, code: str) -> Card:
        """The card for a code of the invoice."""
        return self.built.frame.pool[code]

    def name_of(self, code: str) -> str:
        """The name of a card in messages, or the code itself if it is no card's."""
        return self.built.name_of(code)

    def lines_named(self, *rules: str) -> Iterator[InvoiceLine]:
        """The lines priced by one of these rules."""
        return (line for line in self.lines if line.rule in rules)


def _by_nature(nature: int) -> int:
    """The occasions that result from the nature of the changed cards."""
    found = 0
    if nature & Nature.UNCOUNTED:
        found |= Occasion.NO_FILLER
    if nature & Nature.MARKED:
        found |= Occasion.MARKED_CARD
    return found


def _code(held: tuple[Version, int]) -> str:
    return held[0].code


def given_and_gone(upgrade: Upgrade) -> dict[str, int]:
    """Copies given since the last game that would count and are not in the deck.

    Copies that came of the same title may be upgrades of them.
    """
    pool = upgrade.built.frame.pool
    lost = lost_copies(upgrade.window, pool)
    lost -= copies_by_card(upgrade.before.set_aside, pool)
    gone = given_and_not_there(upgrade) - lost
    come = Counter(upgrade.card(line.code).title for line in upgrade.lines)
    found: dict[str, int] = {}
    for code, copies in sorted((+gone).items()):
        standing = upgrade.standing(code)
        if standing.card is None or standing.role is not CardRole.ORDINARY:
            continue
        upgraded = min(come[standing.title], copies)
        come[standing.title] -= upgraded
        if standing.counts and copies > upgraded:
            found[code] = copies - upgraded
    return found


def given_and_not_there(upgrade: Upgrade) -> Counter[str]:
    """Copies given since the last game that are not in the new deck."""
    pool, deck = upgrade.built.frame.pool, upgrade.built.deck
    gone = given_copies(upgrade)
    for entries in (deck.entries, deck.side_deck):
        gone.subtract(copies_by_card(entries, pool))
    return +gone


def given_copies(upgrade: Upgrade) -> Counter[str]:
    """Copies given since the last game, by card."""
    return copies_by_card(upgrade.window.granted, upgrade.built.frame.pool)


def weaknesses_that_came(upgrade: Upgrade) -> Counter[str]:
    """Copies of weaknesses that came into the deck, given or not."""
    come = given_copies(upgrade)
    for change in upgrade.changes:
        for version, copies in change.added.items():
            come[version.code] += copies
    pool = upgrade.built.frame.pool
    cards = ((pool.get_card(code), copies) for code, copies in come.items())
    return Counter({it.code: n for it, n in cards if it and it.weakness is not None})
