"""Cards as changed by a taboo list and by the boxes marked on their upgrade sheets.

No investigator, environment or ultimatum affects this half of a card's standing, so it
is computed once for all decks (see :mod:`standings`).
"""

from __future__ import annotations

from functools import lru_cache, partial
from sys import getrefcount
from typing import Any, NamedTuple, TypeVar

from arkham.rules.card import Card, SheetOption, TabooChange, TabooList
from arkham.rules.deck import SheetMark
from arkham.rules.legality import tally
from arkham.rules.legality.sheets import MOST_BOXES, boxes_of, is_sound, open_choices
from arkham.rules.legality.standing import (
    GENERAL_LIMIT,
    MYRIAD_LIMIT,
    CardRole,
    Standing,
    completed,
)
from arkham.rules.legality.tally import Concern
from arkham.rules.modifiers import DECK_MODIFIERS, TRAIT_LIMITS
from arkham.rules.pool import CardPool
from arkham.rules.rulings import Rulings
from arkham.rules.vocabulary import BoxChoice, CardType, Tag, WeaknessKind

DECK_TYPES = frozenset({CardType.ASSET, CardType.EVENT, CardType.SKILL})
PLACEHOLDER = "01000"  # ArkhamDB's placeholder for a random basic weakness
MOST_EFFECTIVE = 4_096  # boxes can be marked in endlessly many ways
_LIMITED_TRAITS = frozenset(row.trait for row in TRAIT_LIMITS)
_ROLE_CONCERNS: dict[CardRole, tuple[Concern, ...]] = {
    CardRole.UNLISTED: (Concern.SIGNATURE,),
    CardRole.STORY: (Concern.STORY,),
    CardRole.FOREIGN: (Concern.FOREIGN,),
    CardRole.OUTSIDE: (Concern.OUTSIDE,),
}

Shared = TypeVar("Shared")
# A code in a deck list, with the number of its card's taboo change if it has one.
Key = str | tuple[str, int]


class PriceRulings(NamedTuple):
    """The rulings that a card's price depends on."""

    least: int  # minimum for a card with a level
    taboo_doubled: bool  # if the card is exceptional

    @classmethod
    def of(cls, rulings: Rulings) -> PriceRulings:
        """Pick the rulings on prices out of all of a table's rulings."""
        return cls(
            least=1 if rulings["prices.discounted-minimum"] == "one" else 0,
            taboo_doubled=rulings["prices.exceptional-taboo"] == "doubled",
        )


class EffectiveCards:
    """A pool's cards under every taboo list, computed on first use.

    Most of what a taboo list changes was in earlier lists already. Equal changes share
    a number, so that decks under different lists share all cards the lists agree on.
    """

    def __init__(self, pool: CardPool) -> None:
        self.pool = pool
        self._changes: list[TabooChange | None] = [None]  # by number
        self._altered: dict[int, dict[str, Key]] = {}
        numbers: dict[str, int] = {}  # of the latest change seen, by card code
        for each in pool.taboo_lists:
            self._altered[each.id] = self._number_changes(each, numbers)
        # The arguments: code, number of the change, marks, rulings on prices.
        self._shared: dict[tuple[object, ...], Any] = {}
        work_out = partial(_standing, pool, self._changes)
        self.standing = lru_cache(MOST_EFFECTIVE)(work_out)

    def _number_changes(
        self, taboo: TabooList, numbers: dict[str, int]
    ) -> dict[str, Key]:
        altered: dict[str, Key] = {}
        for code, change in taboo.changes.items():
            number = numbers.get(code)
            if number is None or self._changes[number] != change:
                number = numbers[code] = len(self._changes)
                self._changes.append(change)
            card = self.pool.get_card(code)
            if card is not None and card.code == code:
                for printing in card.printings:
                    altered[printing.code] = printing.code, number
        return altered

    def shared(self, key: tuple[object, ...], made: Shared) -> Shared:
        """Return what was made for this key before, or else this.

        Of seven standings on different terms, and of three lines, one differs.
        """
        found: Shared = self._shared.setdefault(key, made)
        return found

    def forget_unused(self) -> None:
        """Drop what nothing else has any more: lines first, then their standings."""
        for key in reversed([*self._shared]):
            if getrefcount(self._shared.get(key)) == 2:  # the cache and this call
                self._shared.pop(key, None)  # unless another thread did

    def change(self, number: int) -> TabooChange | None:
        """The taboo change with this number; None for 0."""
        return self._changes[number]

    def altered(self, taboo: TabooList | None) -> dict[str, Key]:
        """The keys of the codes whose cards a taboo list changes."""
        return self._altered[taboo.id] if taboo is not None else {}


def _standing(
    pool: CardPool,
    changes: list[TabooChange | None],
    code: str,
    number: int,
    marks: tuple[SheetMark, ...],
    prices: PriceRulings,
) -> Standing:
    """A card's standing, independent of any deck."""
    card, change = pool[code], changes[number]
    role = printed_role(card)
    if role is CardRole.ORDINARY:
        return _ordinary(pool, prices, card, change, marks)
    return printed_standing(pool, card, change, role)


def printed_role(card: Card) -> CardRole:
    """A card's role in decks whose investigator has no connection with it."""
    if card.restriction is not None and card.restriction.investigators:
        return CardRole.FOREIGN
    if not card.in_decks:
        return CardRole.OUTSIDE
    if card.weakness is WeaknessKind.BASIC:
        return CardRole.BASIC_WEAKNESS
    if card.weakness is not None:
        return CardRole.STORY
    if card.type not in DECK_TYPES:
        # A transformation that lasts for the campaign is kept as a permanent card.
        lasting = card.permanent and card.type is CardType.INVESTIGATOR
        return CardRole.STORY if lasting else CardRole.OUTSIDE
    return CardRole.STORY if card.level is None else CardRole.ORDINARY


def printed_standing(
    pool: CardPool, card: Card, change: TabooChange | None, role: CardRole
) -> Standing:
    """The standing of a card that needs no option: no level, no price, no sheet."""
    limit = tally.MOST_COPIES
    if role is CardRole.BASIC_WEAKNESS or role is CardRole.STORY:
        limit = most_outside_options(card)
    return Standing(
        card,
        role,
        card.title,
        pool.called(card),
        tags=frozenset(tag for tag, _ in card.tags),
        traits=frozenset(card.traits),
        slots=card.slots,
        exceptional=card.exceptional,
        taboo=change,
        limit=limit,
        concerns=_ROLE_CONCERNS.get(role, ()) + _printed_concerns(card, change),
    )


def _printed_concerns(card: Card, change: TabooChange | None) -> tuple[Concern, ...]:
    concerns = []
    if change is not None and change.deck_limit == 0:
        concerns.append(Concern.FORBIDDEN)
    if card.code in DECK_MODIFIERS:
        concerns.append(Concern.MODIFIER)
    if card.code == PLACEHOLDER:
        concerns.append(Concern.PLACEHOLDER)
    of_a_mode = card.campaign_only or card.multiplayer_only or card.creation_only
    if of_a_mode or card.reward:
        concerns.append(Concern.MODE)
    return tuple(concerns)


def _ordinary(
    pool: CardPool,
    prices: PriceRulings,
    card: Card,
    change: TabooChange | None,
    marks: tuple[SheetMark, ...],
) -> Standing:
    """The standing of an ordinary card: level, price, limit after taboo and sheet."""
    sheet = card.sheet
    exceptional = card.exceptional
    if change is not None:
        sheet = change.sheet if change.sheet is not None else sheet
        exceptional = (
            change.exceptional if change.exceptional is not None else exceptional
        )
    done = completed(sheet, marks) if marks else ()
    tags, traits, slots = _with_sheet(card, done, marks)
    boxes = boxes_of(sheet, marks) if marks else 0
    level = card.level
    if marks:
        level = (min(boxes, MOST_BOXES) + 1) // 2
    raised = change.experience if change is not None else 0
    effective = _effective_cost(card, exceptional, raised, prices)
    if boxes:
        # A customizable card with marks costs its boxes, once for all copies (CUST-11).
        cost = boxes + sum(line.surcharge for line in done) + raised
        cost_once = True
    else:
        # A myriad card is paid for once (KW-11, XP-40).
        cost = max(effective, prices.least if level else 0)
        cost_once = card.myriad
    concerns = _printed_concerns(card, change)
    if card.researched:
        concerns += (Concern.RESEARCHED,)
    if sheet:
        if not is_sound(sheet, marks, card.slots, pool):
            concerns += (Concern.CUSTOMIZED,)
        if any(open_choices(sheet, marks)):
            concerns += (Concern.UNWRITTEN,)
    if not traits.isdisjoint(_LIMITED_TRAITS):
        concerns += (Concern.TRAIT_LIMIT,)
    return Standing(
        card,
        CardRole.ORDINARY,
        card.title,
        pool.called(card),
        level,
        cost,
        cost_once,
        effective,
        counts=not card.permanent,
        tags=tags,
        traits=traits,
        slots=slots,
        exceptional=exceptional,
        taboo=change,
        sheet=sheet,
        limit=_title_limit(card, change, exceptional, done),
        concerns=concerns,
    )


def _with_sheet(
    card: Card, done: tuple[SheetOption, ...], marks: tuple[SheetMark, ...]
) -> tuple[frozenset[Tag], frozenset[str], tuple[str, ...]]:
    """Tags, traits and slots after the completed lines of an upgrade sheet."""
    tags = frozenset(tag for tag, _ in card.tags)
    traits, slots = frozenset(card.traits), card.slots
    if not done:
        return tags, traits, slots
    written = {mark.position: mark.written for mark in marks}
    for line in done:
        if line.choice is BoxChoice.SLOT:
            gone = written.get(line.position, ())
            slots = tuple(
                slot for place, slot in enumerate(slots) if str(place) not in gone
            )
        traits = frozenset(line.traits) if line.traits is not None else traits
        slots = line.slots if line.slots is not None else slots
        tags |= frozenset(line.tags)
    return tags, traits, slots


def _title_limit(
    card: Card,
    change: TabooChange | None,
    exceptional: bool,
    done: tuple[SheetOption, ...],
) -> int:
    if exceptional:
        return 1
    if change is not None and change.deck_limit:
        return change.deck_limit
    # A completed line of the sheet may allow a different number of copies.
    limits = [line.deck_limit for line in done if line.deck_limit]
    return max(limits) if limits else most_copies(card)


def _effective_cost(
    card: Card, exceptional: bool, raised: int, prices: PriceRulings
) -> int:
    """The level, doubled if exceptional, plus the taboo change (XP-39, TABOO-06)."""
    times = 2 if exceptional else 1
    if prices.taboo_doubled:
        raised *= times
    return (card.level or 0) * times + raised


def most_outside_options(card: Card) -> int:
    """The most copies of a weakness or story card: those that exist, or its limit."""
    there_are = copies_there_are(card)
    if card.weakness is not None and card.deck_limit is not None:
        return min(there_are, max(card.deck_limit, 1))
    return there_are


def most_copies(card: Card) -> int:
    """The most copies by the card's printed limit, whatever the deck."""
    if card.exceptional:
        return 1
    if card.deck_limit is not None:
        return card.deck_limit
    return MYRIAD_LIMIT if card.myriad else GENERAL_LIMIT


def copies_there_are(card: Card) -> int:
    """Copies in one of each of the card's products: the most a deck can include."""
    if card.code == PLACEHOLDER:
        return tally.MOST_COPIES
    return max(sum(printing.quantity for printing in card.printings), 1)
