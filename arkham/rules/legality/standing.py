"""How does one card stand in a deck: what is it to it, and what does it fit?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from arkham.rules.card import Card, SheetOption, TabooChange
from arkham.rules.deck import SheetMark
from arkham.rules.investigator import DeckOption
from arkham.rules.legality.tally import Concern
from arkham.rules.modifiers import Attachment
from arkham.rules.vocabulary import BoxChoice, Mode, Tag

GENERAL_LIMIT = 2
MYRIAD_LIMIT = 3


class Role(Enum):
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


@dataclass(frozen=True, slots=True)
class Standing:
    """How one card stands in every deck of a frame.

    ``level`` is the level with the boxes marked; ``cost`` the experience one copy
    costs (all copies together where ``cost_once``), ``effective`` the same before any
    minimum and without boxes; ``free`` the index of the first
    unlimited option that admits it (-1: none); ``limited`` a bit for every limited
    option it may use; ``forbidden_by`` the restriction that shuts it out.
    """

    card: Card | None
    role: Role
    title: str = ""
    level: int | None = None
    cost: int = 0
    cost_once: bool = False
    effective: int = 0
    counts: bool = False
    free: int = -1
    limited: int = 0
    forbidden_by: int = -1
    limit: int = GENERAL_LIMIT
    tags: frozenset[Tag] = frozenset()
    traits: frozenset[str] = frozenset()
    slots: tuple[str, ...] = ()
    exceptional: bool = False
    taboo: TabooChange | None = None
    sheet: tuple[SheetOption, ...] = ()
    concerns: tuple[Concern, ...] = ()


# What a demand for cards of a kind counts: a weakness of that type is one as well.
IN_DECK = (Role.ORDINARY, Role.SIGNATURE, Role.STORY, Role.BASIC_WEAKNESS)
UNKNOWN = Standing(
    card=None, role=Role.UNKNOWN, counts=True, concerns=(Concern.UNKNOWN,)
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
        if standing.level is None:
            return False
        if not levels[0] <= standing.level <= levels[1]:
            return False
    return fits_but_for_level(option, card, standing)


def fits_but_for_level(option: DeckOption, card: Card, standing: Standing) -> bool:
    """Whether a card meets every criterion of an option that is not its level."""
    if option.classes or option.neutral:
        of_class = any(each in option.classes for each in card.classes)
        if not of_class and not (option.neutral and card.is_neutral):
            return False
    if option.types and card.type not in option.types:
        return False
    if option.traits and not standing.traits.intersection(option.traits):
        return False
    if option.tags and not standing.tags.intersection(option.tags):
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


def with_sheet(standing: Standing, marks: tuple[SheetMark, ...]) -> Standing:
    """What the completed lines of an upgrade sheet change for deckbuilding."""
    lines = completed(standing.sheet, marks)
    written = {mark.position: mark.written for mark in marks}
    traits, slots, tags = standing.traits, standing.slots, standing.tags
    for line in lines:
        if line.choice is BoxChoice.SLOT:
            gone = written.get(line.position, ())
            slots = tuple(
                slot for place, slot in enumerate(slots) if str(place) not in gone
            )
        traits = frozenset(line.traits) if line.traits is not None else traits
        slots = line.slots if line.slots is not None else slots
        tags |= frozenset(line.tags)
    return replace(standing, traits=traits, slots=slots, tags=tags)


def sheet_limit(
    sheet: tuple[SheetOption, ...], marks: tuple[SheetMark, ...]
) -> int | None:
    """The number of copies a completed line of the sheet allows."""
    limits = [line.deck_limit for line in completed(sheet, marks) if line.deck_limit]
    return max(limits, default=None)
