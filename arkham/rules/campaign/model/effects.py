"""What can follow from an answer: the closed vocabulary of effects.

Each word is one small class; those on the course of the campaign are in ``course``.

``who`` is whom an effect concerns: ``all`` (everybody alive, the lead investigator
first), ``lead``, ``defeated``, ``not_defeated``, ``resigned``, ``not_resigned``,
``input`` (those the step carries), ``fixed`` (the one named), and for cards also
``choice``, ``any`` and ``any_resigned``: somebody the table names. ``$input_value`` as
an id, a section or a card stands for what the step carries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from arkham.rules.campaign.model.course import (
    Backup,
    Bank,
    BankCards,
    Defeated,
    Embark,
    HubStep,
    JoinScenario,
    Lead,
    MapChange,
    NextScenario,
    Outcome,
    PlayedBefore,
    Players,
    Redirect,
    ReplayScenario,
    ScenarioStatus,
    SetDifficulty,
    SetResult,
    SetScenarios,
    SkipScenario,
    SwapBag,
    Tokens,
    Travel,
)

INPUT = "$input_value"


class Mark(Enum):
    """What is done to lines of the log."""

    RECORD = "record"
    CROSS_OUT = "cross_out"
    RESTORE = "restore"
    CIRCLE = "circle"
    REMOVE = "remove"


class Tally(Enum):
    """What is done to a number in the log."""

    ADD = "add"
    SET = "set"
    ADD_INPUT = "add_input"
    SUBTRACT_INPUT = "subtract_input"
    SET_INPUT = "set_input"
    CROSS_OUT = "cross_out"


@dataclass(frozen=True, slots=True)
class EarnExperience:
    """Experience: ``scale`` times the number carried, plus ``bonus``.

    ``bonus_only`` is set where the number carried is a task's, and a bonus is named:
    by the rules only the bonus is earned, the app adds the task's number.
    ``named_cost`` is what some or all pay besides ``side_scenario_cost``, or are given
    back of it; to the app it is no part of the price. ``victory``:
    the number carried is what the victory display is worth. ``card`` is the code of a
    card that gives it; ``correction``: the table puts right what it has.
    """

    who: str
    fixed: str = ""
    bonus: int = 0
    scale: int = 1
    side_scenario_cost: bool = False
    pool: str = ""
    emptied_pool: str = ""
    bonus_only: bool = False
    victory: bool = False
    card: str = ""
    correction: bool = False
    named_cost: bool = False


@dataclass(frozen=True, slots=True)
class Trauma:
    """Trauma suffered or healed, or a fate; ``either`` is physical or mental.

    ``of_defeat`` is that of being defeated in play, not of a card or a resolution.
    ``source`` is the boon, ultimatum or card that gives it, where a table states that.
    """

    who: str
    fixed: str = ""
    physical: int = 0
    mental: int = 0
    set_physical: int | None = None
    set_mental: int | None = None
    killed: bool = False
    insane: bool = False
    healed: str = ""
    either: int | None = None
    of_defeat: bool = field(default=False, repr=False)
    source: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class AddCard:
    """A card joins decks; ``aside`` is one that is no story asset."""

    who: str
    card: str
    fixed: str = ""
    optional: bool = False
    beyond_limit: bool = False
    aside: bool = False


@dataclass(frozen=True, slots=True)
class RemoveCard:
    """A card leaves decks; of everybody if nobody is named.

    Where it is carried, or exiled, from every deck, no deck may have it again: such are
    cards of the players' own, as those that are sacrificed (CYC-DW1).
    """

    card: str
    who: str = ""
    fixed: str = ""
    aside: bool = False
    exile: bool = False


@dataclass(frozen=True, slots=True)
class ReplaceCard:
    """A story asset becomes another one, for all or for holders of a card."""

    old: str
    new: str
    who: str = ""
    holding: str = ""


@dataclass(frozen=True, slots=True)
class AddWeakness:
    """Somebody draws or is given weaknesses, with these traits if any are named.

    ``count_carried`` says that each draws as many as the step carries, else ``count``.
    """

    who: str
    fixed: str = ""
    traits: tuple[str, ...] = ()
    choose_only: bool = False
    standalone: bool = False
    count_carried: bool = False
    count: int = 1


@dataclass(frozen=True, slots=True)
class CardCount:
    """How many copies of a story card an investigator has, more or fewer."""

    card: str
    quantity: int
    who: str = "input"


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log; without an id the whole section is meant."""

    section: str
    id: str = ""
    mark: Mark = Mark.RECORD
    seat_section: str = ""


@dataclass(frozen=True, slots=True)
class LogCards:
    """Lines of the log that name cards or investigators."""

    section: str
    id: str = ""
    cards: str = ""
    codes: tuple[str, ...] = ()
    mark: Mark = Mark.RECORD


@dataclass(frozen=True, slots=True)
class LogCount:
    """A number in the log: of a section, or of a line if an id is given."""

    section: str
    id: str = ""
    tally: Tally = Tally.ADD
    value: int = 0
    least: int | None = None
    second: bool = False


@dataclass(frozen=True, slots=True)
class SeatCount:
    """A number in the log kept for each investigator."""

    section: str
    id: str
    who: str
    fixed: str = ""
    tally: Tally = Tally.ADD
    value: int = 0
    least: int | None = None


@dataclass(frozen=True, slots=True)
class AssignTask:
    """A task becomes an investigator's, counted in a section of their own."""

    section: str
    id: str
    task_section: str
    task_id: str


@dataclass(frozen=True, slots=True)
class TaskCount:
    """The number of a task, wherever it is counted."""

    section: str
    id: str
    tally: Tally = Tally.ADD
    value: int = 0
    least: int | None = None


@dataclass(frozen=True, slots=True)
class LogText:
    """A line of the log in the table's own words."""

    section: str
    id: str = ""
    scenario: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Retire:
    """Those carried retire: they play no more in this campaign."""


@dataclass(frozen=True, slots=True)
class Banish:
    """A card nobody may have, or choose, again in this campaign."""

    card: str


@dataclass(frozen=True, slots=True)
class GainSupplies:
    """Supplies the carried investigators get."""

    section: str
    supplies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LoseSupplies:
    """A supply everybody loses."""

    section: str
    supply: str


@dataclass(frozen=True, slots=True)
class PartnerStatus:
    """What becomes of a partner: a word gained or lost, elimination, healing."""

    section: str
    status: str
    partner: str = ""
    added: bool = True


@dataclass(frozen=True, slots=True)
class BindKey:
    """Who bears a key: ``investigator``, ``enemy``, ``steal`` or ``return``."""

    section: str
    key: str
    bearer: str
    enemy: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """Something only read or looked up; it changes nothing."""

    steps: tuple[str, ...] = ()


Effect: TypeAlias = (
    EarnExperience
    | Trauma
    | AddCard
    | RemoveCard
    | ReplaceCard
    | AddWeakness
    | CardCount
    | LogLine
    | LogCards
    | LogCount
    | SeatCount
    | AssignTask
    | TaskCount
    | LogText
    | Tokens
    | SwapBag
    | SetResult
    | SetDifficulty
    | NextScenario
    | SkipScenario
    | PlayedBefore
    | ReplayScenario
    | SetScenarios
    | Redirect
    | Embark
    | Travel
    | MapChange
    | Players
    | Lead
    | JoinScenario
    | Outcome
    | Defeated
    | Retire
    | Banish
    | ScenarioStatus
    | HubStep
    | GainSupplies
    | LoseSupplies
    | PartnerStatus
    | BindKey
    | Backup
    | Bank
    | BankCards
    | Shown
)


@dataclass(frozen=True, slots=True)
class Batch:
    """Effects that go together: the plain ones first, then those that need a person."""

    plain: tuple[Effect, ...]
    personal: tuple[Effect, ...] = ()


def batch(*effects: Effect) -> Batch:
    """A batch of effects, sorted into plain and personal ones."""
    return Batch(
        tuple(effect for effect in effects if not is_personal(effect)),
        tuple(effect for effect in effects if is_personal(effect)),
    )


def is_personal(effect: Effect) -> bool:
    """Whether the table has to say who or which, or one person is named."""
    match effect:
        case AddWeakness():
            return True
        case AddCard(who="lead", optional=True):
            return True
        case AddCard(who=who) | RemoveCard(who=who):
            return who in ("choice", "any", "any_resigned", "fixed")
        case Trauma(either=either) if either is not None:
            return True
        case EarnExperience(who="fixed") | Trauma(who="fixed"):
            return True
    return False
