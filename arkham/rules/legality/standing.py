"""One entry of a deck list, resolved, with all that judging needs of it."""

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
    """What a card is to the deck that lists it."""

    ORDINARY = "ordinary"
    SIGNATURE = "signature"  # required by the investigator
    UNLISTED = "unlisted"  # a signature of this investigator not asked for here
    BASIC_WEAKNESS = "basic weakness"
    STORY = "story"  # earned in play: assets and weaknesses alike
    FOREIGN = "foreign"  # another investigator's signature
    OUTSIDE = "outside"  # nothing a deck can hold
    UNKNOWN = "unknown"

    # There is one of each, and each is looked up more often than anything else.
    __hash__ = object.__hash__


class Standing(NamedTuple):
    """How one card stands in every deck built on the same terms.

    ``name`` is what messages call it; ``level`` the level with the boxes marked;
    ``cost`` the experience one copy costs (all copies together where ``cost_once``),
    ``effective`` the same before any minimum and without boxes; ``free`` the index of
    the first unlimited option that admits it (-1: none); ``limited`` a bit for every
    limited option it may use; ``forbidden_by`` the restriction that shuts it out.
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
    # What the terms of a deck can change of an ordinary card.
    limit: int = GENERAL_LIMIT
    concerns: tuple[Concern, ...] = ()
    free: int = -1
    limited: int = 0
    forbidden_by: int = -1


# What a demand for cards of a kind counts: a weakness of that type is one as well.
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
    """Whether a card is one of the events that a hunch deck is made of."""
    return (
        standing.role in IN_DECK
        and standing.card is not None
        and standing.card.type in hunch.types
        and not standing.traits.isdisjoint(hunch.traits)
    )


def fits(option: DeckOption, card: Card, standing: Standing, mode: Mode) -> bool:
    """Whether a card falls into a category of deckbuilding options (FAQ 1.15, 1.16)."""
    levels = option.levels
    if mode is Mode.START and option.start_levels is not None:
        levels = option.start_levels
    if levels is not None:
        level = standing.level
        if level is None or not levels[0] <= level <= levels[1]:
            return False
    return fits_but_for_level(option, card, standing)


def fits_but_for_level(option: DeckOption, card: Card, standing: Standing) -> bool:
    """Whether a card meets every criterion of an option that is not its level."""
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
    """Some copies of a card and the option (or other ground) that admits them."""

    option: str
    copies: int


# Never changed once made; a frozen one takes three times as long to make.
@dataclass(slots=True)
class Line:
    """One entry of a deck list. ``copies`` leaves out those set aside.

    ``title`` is the one copies are counted by, ``tally`` what the entry adds to that of
    the deck; ``shares`` hold where no card may use one limited option or another.
    ``written`` is for those who write verdicts to keep code and shares as text.
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
        """The card; only lines of known cards are asked."""
        assert self.standing.card is not None
        return self.standing.card

    @property
    def role(self) -> CardRole:
        """What the card is to this deck."""
        return self.standing.role


class Assignment(Mapping[str, tuple[Share, ...]]):
    """What admits the copies of each entry, by code, where the entry itself says it.

    Most verdicts are only written, entry by entry; others look up.
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
