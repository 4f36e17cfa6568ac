"""A deck as its player built it, and the circumstances it is judged under."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from arkham.rules.vocabulary import Arrival, Mode


class SheetMark(NamedTuple):
    """Boxes marked on one line of an upgrade sheet, and what was written there.

    ``position`` is the line's place in the field's formats; ``boxes`` how many of
    its boxes are marked; ``written`` the trait, skill, card code or slot recorded.
    """

    position: int
    boxes: int
    written: tuple[str, ...] = ()


class TraumaChoice(NamedTuple):
    """How the trauma a card gives or heals is shared out; ``code`` is the card's."""

    code: str
    physical: int
    mental: int


NONE: Mapping[str, Any] = MappingProxyType({})


class DeckList(NamedTuple):
    """What a player built: an investigator, entries (code to copies), and choices.

    ``front`` and ``back`` are codes of the sides in use where they are not the
    investigator's own. ``set_aside`` counts the copies that do not count (as the
    field's ``ignoreDeckLimitSlots``). ``choices`` maps the key of a choice to its
    value; ``sheets`` a card code to its marks; ``attachments`` a card code to the
    cards set apart under it; ``side_deck`` is the printed second deck. ``below_zero``
    are the codes of entries with a number below 0, which were read as none.
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


# The cycles that an investigator expansion stands for (FAQ 2.5, Campaign Products).
INVESTIGATOR_CYCLES = (
    "dwl", "ptc", "tfa", "tcu", "tde", "tic", "eoe", "tsk", "fhv", "tdc",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Environment:
    """The part of the card pool a group plays with.

    ``kind`` is ``legacy`` (everything), ``current`` (at ``date``), ``limited``
    (``cycles``, three of them, and the core) or ``products`` (the ``packs`` listed).
    """

    kind: str = "legacy"
    date: str = ""
    cycles: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()


LEGACY = Environment()


@dataclass(frozen=True)
class Circumstances:
    """Everything about a table that a deck list does not say.

    None means unknown: it is then assumed in the player's favour, and reported.
    ``experience`` is what the deck may spend (``start``) or the total it was built
    with (``standalone``); ``experience_earned`` counts since the campaign began.
    ``experience_carried`` is booked already and may be spent by a first deck as well;
    ``arrival`` says how an investigator came who did not begin with the campaign.
    ``tasks`` are the researched tasks recorded in the log, by code of the lower card;
    ``story_cards`` the codes a scenario granted, all of them; ``campaign_cards`` story
    and reward cards that recorded games gave; ``lost_cards`` cards that the campaign
    took for good, required ones and basic weaknesses of this deck among them, in order
    and each code once a copy;
    ``given_signatures`` the signatures it gave in place of others, which may then be
    mixed; ``banned_titles`` the allies lost to The Scream.
    ``trauma`` is what the player chose where cards of a first deck leave a choice.
    ``players`` is the number of investigators in the game. ``ultimatums`` holds ids
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
