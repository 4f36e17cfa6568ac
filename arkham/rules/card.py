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
    """A card's appearance in a product: ``quantity`` copies at number ``position``."""

    code: str
    pack: str
    position: int
    quantity: int


@dataclass(frozen=True, slots=True)
class SheetOption:
    """One line of an upgrade sheet.

    ``id`` is Orne's own and stable; ``position`` is the line's number in ArkhamDB's
    data. ``boxes`` is 0 for a choice that needs no boxes. ``choice`` and ``picks`` say
    what must be written down; ``card_types`` and ``card_traits`` limit a choice of
    cards. ``tags``, ``traits``, ``slots`` and ``deck_limit`` are what the completed
    line changes for deckbuilding; ``surcharge`` is experience it costs beyond its boxes
    (FAQ 2.5, Taboo).
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
    """The investigators who may include a card; empty fields don't restrict.

    ``investigators`` are base codes (of a signature's owners). Of ``traits`` (in lower
    case) and ``classes`` the investigator's front must have one each.
    """

    investigators: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    classes: tuple[CardClass, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A card, listed once even if it was printed in several products.

    ``level`` is None if none is printed (weaknesses, signatures, story cards, bonded
    cards), which isn't level 0. ``cost`` is None for "no cost" and -2 for X. ``traits``
    are in lower case. ``deck_limit`` is the printed number of copies by title, None if
    the general rule applies.
    """

    code: str
    name: str
    type: CardType
    printings: tuple[Printing, ...]
    subname: str = ""
    classes: tuple[CardClass, ...] = ()
    scenario: bool = False  # has a scenario back: neither class nor neutral
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
    in_decks: bool = True  # False: bonded, partner, back side, scenario's own
    back_code: str = ""
    sheet: tuple[SheetOption, ...] = ()
    skills: tuple[int, int, int, int] | None = None  # investigators only
    investigator: InvestigatorFacts | None = None
    errata: tuple[tuple[str, str], ...] = ()  # pairs of FAQ version and subject

    @property
    def title(self) -> str:
        """The title that counts copies: events and treacheries drop a subtitle.

        Source: Rules Reference "Copy"; FAQ 2.21.
        """
        if self.type in (CardType.EVENT, CardType.TREACHERY):
            bare, bracket, _ = self.name.partition(" (")
            return bare if bracket else self.name
        return self.name

    @property
    def plays(self) -> bool:
        """True if this is an investigator that a deck can be built for."""
        return self.investigator is not None and self.investigator.playable

    def printed_in(self, pack: Pack | None) -> str:
        """The code of the card's printing in a product, or ""."""
        packs = (pack.code, *pack.holds) if pack else ()
        return next((each.code for each in self.printings if each.pack in packs), "")

    @property
    def is_neutral(self) -> bool:
        """True for a card without a class that is no weakness and no scenario card."""
        return not self.classes and not self.weakness and not self.scenario


@dataclass(frozen=True, slots=True)
class TabooChange:
    """One taboo list's changes to one card; None or empty means no change."""

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
    """One edition of the taboo list, complete by itself."""

    id: int
    date: str  # ISO date on which it took effect
    changes: dict[str, TabooChange] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pack:
    """A product; ``holds`` lists the packs that a repackaged product contains."""

    code: str
    name: str
    cycle: str
    position: int
    released: str  # ISO date, or "" if unknown
    chapter: int
    holds: tuple[str, ...] = ()
    holds_type: str = ""  # player | campaign


@dataclass(frozen=True, slots=True)
class Cycle:
    """A cycle of products; ``position`` orders cycles by release."""

    code: str
    name: str
    position: int
