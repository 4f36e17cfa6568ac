"""The printed facts of a card that decks and campaigns need."""

from __future__ import annotations

from dataclasses import dataclass, field

from arkham.rules.investigator import DeckOption, InvestigatorFacts, Requirement
from arkham.rules.vocabulary import (
    BoxChoice,
    CardClass,
    CardType,
    SignatureKind,
    Tag,
    WeaknessKind,
)


@dataclass(frozen=True, slots=True)
class Printing:
    """One appearance of a card in a product: ``quantity`` copies at ``position``."""

    code: str
    pack: str
    position: int
    quantity: int


@dataclass(frozen=True, slots=True)
class SheetOption:
    """One line of an upgrade sheet.

    ``id`` is ours and stable; ``position`` is the line's place in the field's data
    formats. ``boxes`` is 0 for a choice that is always there. ``choice`` and
    ``picks`` say what must be written down; ``card_types`` and ``card_traits``
    narrow a card choice. ``tags``, ``traits``, ``slots`` and ``deck_limit`` are what
    the completed line changes for deckbuilding; ``surcharge`` is experience on top
    of the boxes when the line is bought (FAQ 2.5, Taboo).
    """

    id: str
    name: str
    position: int
    boxes: int
    choice: BoxChoice | None = None
    picks: int = 0
    card_types: tuple[CardType, ...] = ()
    card_traits: tuple[str, ...] = ()
    tags: tuple[Tag, ...] = ()
    traits: tuple[str, ...] | None = None
    slots: tuple[str, ...] | None = None
    deck_limit: int | None = None
    surcharge: int = 0


@dataclass(frozen=True, slots=True)
class Restriction:
    """Who alone may hold the card; empty parts do not restrict.

    ``investigators`` are base codes (a signature); ``traits`` are lower case and any
    one on the investigator's front is enough; ``classes`` likewise.
    """

    investigators: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    classes: tuple[CardClass, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A card, once, whatever the number of products it was printed in.

    ``level`` is None where none is printed (weaknesses, signatures, story cards,
    bonded cards), which is not level 0. ``cost`` is None for "no cost"; X is -2.
    ``traits`` are lower case. ``deck_limit`` is the printed number of copies by
    title, None where the general rule holds.
    """

    code: str
    name: str
    type: CardType
    printings: tuple[Printing, ...]
    subname: str = ""
    classes: tuple[CardClass, ...] = ()
    scenario: bool = False  # mythos back: neither class nor neutral
    weakness: WeaknessKind | None = None
    level: int | None = None
    cost: int | None = None
    icons: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    slots: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    health: int | None = None
    sanity: int | None = None
    victory: int | None = None
    unique: bool = False
    permanent: bool = False
    exceptional: bool = False
    myriad: bool = False
    researched: bool = False
    researched_from: tuple[str, ...] = ()
    task: str = ""
    deck_limit: int | None = None
    limit_by_subname: bool = False
    uses: str = ""
    tags: tuple[tuple[Tag, str], ...] = ()
    bonded_to: tuple[str, ...] = ()  # titles
    encounter_set: str = ""
    encounter_position: int | None = None
    restriction: Restriction | None = None
    signature: SignatureKind | None = None
    creation_only: bool = False
    campaign_only: bool = False
    multiplayer_only: bool = False
    reward: bool = False
    hidden: bool = False
    in_decks: bool = True  # false: bonded, partner, back side, scenario's own
    back_code: str = ""
    sheet: tuple[SheetOption, ...] = ()
    skills: tuple[int, int, int, int] | None = None  # of investigators
    investigator: InvestigatorFacts | None = None
    errata: tuple[tuple[str, str], ...] = ()  # FAQ version, what it concerns

    @property
    def title(self) -> str:
        """The title copies are counted by: events and treacheries drop a subtitle.

        Source: Rules Reference "Copy"; FAQ 2.21.
        """
        if self.type in (CardType.EVENT, CardType.TREACHERY):
            bare, bracket, _ = self.name.partition(" (")
            return bare if bracket else self.name
        return self.name

    @property
    def is_neutral(self) -> bool:
        """A card with no class that is no weakness and no scenario card."""
        return not self.classes and not self.weakness and not self.scenario


@dataclass(frozen=True, slots=True)
class TabooChange:
    """What one taboo list changes on one card; None and empty change nothing."""

    code: str
    experience: int = 0
    exceptional: bool | None = None
    deck_limit: int | None = None  # 0 forbids the card
    campaign_only: bool = False
    sheet: tuple[SheetOption, ...] | None = None
    size: int | None = None
    options: tuple[DeckOption, ...] | None = None
    requirements: tuple[Requirement, ...] | None = None
    drops_choices: tuple[str, ...] = ()
    text_only: bool = False


@dataclass(frozen=True, slots=True)
class TabooList:
    """One edition of the taboo list, complete in itself."""

    id: int
    date: str  # ISO date it took effect
    changes: dict[str, TabooChange] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pack:
    """A product. ``holds`` lists the packs a repackaged product contains."""

    code: str
    name: str
    cycle: str
    position: int
    released: str  # ISO date, "" if unknown
    chapter: int
    holds: tuple[str, ...] = ()
    holds_type: str = ""  # player | campaign


@dataclass(frozen=True, slots=True)
class Cycle:
    """A cycle of products, in order of appearance."""

    code: str
    name: str
    position: int
