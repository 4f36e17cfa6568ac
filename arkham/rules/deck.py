"""A deck as its player built it, and the circumstances it is judged under."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from arkham.rules.vocabulary import Arrival, Mode


class SheetMark(NamedTuple):
    """Boxes marked on one line of an upgrade sheet, and what was written there.

    ``position`` is the line's number in ArkhamDB's data; ``boxes`` is how many of its
    boxes are marked; ``written`` is the trait, skill, card code or slot recorded.
    """

    position: int
    boxes: int
    written: tuple[str, ...] = ()


class TraumaChoice(NamedTuple):
    """How the trauma that a card gives or heals is divided; ``code`` is the card's."""

    code: str
    physical: int
    mental: int


NONE: Mapping[str, Any] = MappingProxyType({})


class DeckList(NamedTuple):
    """What a player built: an investigator, entries (code to copies), and choices.

    ``front`` and ``back`` are the codes of the sides used, if not the investigator's
    own. ``set_aside`` has the copies that don't count toward deck size (ArkhamDB's
    ``ignoreDeckLimitSlots``). ``choices`` maps the key of a choice to its value;
    ``sheets`` a card code to its marks; ``attachments`` a card code to the cards set
    apart under it; ``side_deck`` is the printed second deck. ``below_zero`` are the
    codes of entries with a negative number, which were read as 0 copies.
    """

    investigator: str
    entries: Mapping[str, int]
    front: str = ""
    back: str = ""
    considered: Mapping[str, int] = NONE
    set_aside: Mapping[str, int] = NONE
    choices: Mapping[str, str] = NONE
    sheets: Mapping[str, tuple[SheetMark, ...]] = NONE
    side_deck: Mapping[str, int] = NONE
    attachments: Mapping[str, Mapping[str, int]] = NONE
    transformed_into: str = ""
    taboo: int | str | None = None
    card_pool: tuple[str, ...] = ()
    name: str = ""
    below_zero: tuple[str, ...] = ()


# The cycles that have an investigator expansion (FAQ 2.5, Campaign Products).
INVESTIGATOR_CYCLES = (
    "dwl", "ptc", "tfa", "tcu", "tde", "tic", "eoe", "tsk", "fhv", "tdc",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Environment:
    """The part of the card pool that a group plays with.

    ``kind`` is ``legacy`` (everything), ``current`` (as of ``date``), ``limited`` (the
    core and three ``cycles``) or ``products`` (the ``packs`` listed).
    """

    kind: str = "legacy"
    date: str = ""
    cycles: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()


LEGACY = Environment()


@dataclass(frozen=True)
class Circumstances:
    """Everything about a table that a deck list does not say.

    None means unknown: the rules then assume the best case and report it.
    ``experience`` is what the deck may spend (``start``) or the total it was built with
    (``standalone``); ``experience_earned`` counts since the campaign began.
    ``experience_carried`` is booked already, and a first deck may spend it too;
    ``arrival`` says how an investigator joined who didn't begin the campaign. ``tasks``
    are the researched tasks recorded in the log, by code of the lower card.
    ``story_cards`` are the codes of all cards granted by scenarios; ``campaign_cards``
    the story and reward cards given by recorded games; ``lost_cards`` the cards that
    the campaign removed permanently, including required cards and basic weaknesses of
    this deck, in order, with a code for each copy. ``given_signatures`` replaced other
    signatures and may be mixed with them; ``banned_titles`` are the allies lost to The
    Scream. ``trauma`` has the player's choices for cards of a first deck that offer
    one. ``players`` is the number of investigators in the game; ``ultimatums`` has ids
    (``highlander``), ``rulings`` the readings chosen (see docs/rulings.md).
    """

    mode: Mode = Mode.CAMPAIGN
    experience: int | None = None
    taboo: int | str | None = None
    no_taboo: bool = False
    environment: Environment | None = None
    ultimatums: frozenset[str] = frozenset()
    experience_earned: int | None = None
    experience_carried: int = 0
    arrival: frozenset[Arrival] = frozenset()
    trauma: tuple[TraumaChoice, ...] = ()
    tasks: frozenset[str] | None = None
    story_cards: frozenset[str] | None = None
    campaign_cards: frozenset[str] = frozenset()
    lost_cards: tuple[str, ...] = ()
    given_signatures: frozenset[str] = frozenset()
    banned_titles: frozenset[str] = frozenset()
    players: int | None = None
    owned: Mapping[str, int] | None = field(default=None, hash=False)
    rulings: tuple[tuple[str, str], ...] = ()


ANY_TABLE = Circumstances()
