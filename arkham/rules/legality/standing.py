"""The standing of a card in a deck, and the entries of a deck list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from arkham.rules.card import Card, SheetOption, TabooChange
from arkham.rules.deck import SheetMark
from arkham.rules.investigator import DeckOption
from arkham.rules.legality.tally import Concern
from arkham.rules.modifiers import Attachment
from arkham.rules.vocabulary import Mode, Tag

GENERAL_LIMIT = 2
MYRIAD_LIMIT = 3


class CardRole(Enum):
    """A card's role in the deck that lists it."""

    ORDINARY = "ordinary"
    SIGNATURE = "signature"  # required by the investigator
    UNLISTED = "unlisted"  # this investigator's signature, not required here
    BASIC_WEAKNESS = "basic weakness"
    STORY = "story"  # earned in play: assets and weaknesses
    FOREIGN = "foreign"  # another investigator's signature
    OUTSIDE = "outside"  # can't be in any deck
    UNKNOWN = "unknown"

    # Members are singletons and often looked up: hash by identity, which is fast.
    __hash__ = object.__hash__


class Standing(NamedTuple):
    """A card's role, level, price and limit in every deck built on the same terms.

    ``name`` is used in messages; ``level`` counts the boxes marked; ``cost`` is the
    experience for one copy (for all copies together if ``cost_once``), ``effective``
    the same before any minimum and without boxes; ``free`` the index of the first
    unlimited option that admits it (-1: none); ``limited`` has a bit for every limited
    option it may use; ``forbidden_by`` is the index of a restriction (-1: none).
    """

    card: Card | None
    role: CardRole
    title: str = ""
    name: str = ""
    level: int | None = None
    cost: int = 0
    cost_once: bool = False
    effective: int = 0
    counts: bool = False
    tags: frozenset[Tag] = frozenset()
    traits: frozenset[str] = frozenset()
    slots: tuple[str, ...] = ()
    exceptional: bool = False
    taboo: TabooChange | None = None
    sheet: tuple[SheetOption, ...] = ()
    # The fields of an ordinary card that the terms of a deck can change.
    limit: int = GENERAL_LIMIT
    concerns: tuple[Concern, ...] = ()
    free: int = -1
    limited: int = 0
    forbidden_by: int = -1


# Roles that count if a card demands cards of a kind, such as skills: weaknesses do.
IN_DECK = (
    CardRole.ORDINARY,
    CardRole.SIGNATURE,
    CardRole.STORY,
    CardRole.BASIC_WEAKNESS,
)
UNKNOWN = Standing(
    card=None, role=CardRole.UNKNOWN, counts=True, concerns=(Concern.UNKNOWN,)
)


def is_hunch(hunch: Attachment, standing: Standing) -> bool:
    """True if a card is one of the events that a hunch deck consists of."""
    return (
        standing.role in IN_DECK
        and standing.card is not None
        and standing.card.type in hunch.types
        and not standing.traits.isdisjoint(hunch.traits)
    )


def fits(option: DeckOption, card: Card, standing: Standing, mode: Mode) -> bool:
    """True if a card falls into a deckbuilding option's category (FAQ 1.15, 1.16)."""
    levels = option.levels
    if mode is Mode.START and option.start_levels is not None:
        levels = option.start_levels
    if levels is not None:
        level = standing.level
        if level is None or not levels[0] <= level <= levels[1]:
            return False
    return fits_but_for_level(option, card, standing)


def fits_but_for_level(option: DeckOption, card: Card, standing: Standing) -> bool:
    """True if a card meets all criteria of an option, apart from the level."""
    classes = option.classes
    if classes or option.neutral:
        for each in card.classes:
            if each in classes:
                break
        else:
            if not option.neutral or card.classes or not card.is_neutral:
                return False
    if option.traits and standing.traits.isdisjoint(option.traits):
        return False
    if option.types and card.type not in option.types:
        return False
    if option.tags and standing.tags.isdisjoint(option.tags):
        return False
    if option.uses and card.uses not in option.uses:
        return False
    if option.slots and not set(option.slots).intersection(standing.slots):
        return False
    return option.permanent is None or option.permanent == card.permanent


def completed(
    sheet: tuple[SheetOption, ...], marks: tuple[SheetMark, ...]
) -> tuple[SheetOption, ...]:
    """The lines of a sheet whose boxes are all marked (CUST-04)."""
    marked = {mark.position: mark.boxes for mark in marks}
    return tuple(
        line
        for line in sheet
        if line.position in marked and marked[line.position] >= line.boxes
    )


class Share(NamedTuple):
    """Some copies of a card, and the option (or other reason) that admits them."""

    option: str
    copies: int


# Never changed once created; a frozen dataclass takes three times as long to create.
@dataclass(slots=True)
class Line:
    """One entry of a deck list; ``copies`` excludes those set aside.

    ``title`` is what copies are counted by; ``tally`` is added to that of the deck;
    ``shares`` are valid unless cards may use more than one limited option. In
    ``written`` writers of verdicts cache the code and shares as text.
    """

    code: str
    copies: int
    set_aside: int
    standing: Standing
    marks: tuple[SheetMark, ...]
    title: str = ""
    tally: int = 0
    shares: tuple[Share, ...] = ()
    written: str = ""

    @property
    def card(self) -> Card:
        """The card; call this only for lines of known cards."""
        assert self.standing.card is not None
        return self.standing.card

    @property
    def role(self) -> CardRole:
        """The card's role in this deck."""
        return self.standing.role


class Assignment(Mapping[str, tuple[Share, ...]]):
    """A lazy mapping from code to what admits its copies, if each line knows its own.

    Most verdicts are only written out line by line; a dict is built on first look-up.
    """

    __slots__ = ("_shares", "lines")

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self._shares: dict[str, tuple[Share, ...]] | None = None

    def _by_code(self) -> dict[str, tuple[Share, ...]]:
        if self._shares is None:
            self._shares = {line.code: line.shares for line in self.lines}
        return self._shares

    def __getitem__(self, code: str) -> tuple[Share, ...]:
        return self._by_code()[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_code())

    def __len__(self) -> int:
        return len(self.lines)

    def __repr__(self) -> str:
        return repr(self._by_code())
