"""The effects that an answer or a step can have, one small class each.

Effects on the course of the campaign are in ``course``.

``who`` says whom an effect concerns: ``all`` (everyone alive, the lead investigator
first), ``lead``, ``defeated``, ``not_defeated``, ``resigned``, ``not_resigned``,
``input`` (those the step passes on), ``fixed`` (the named one), and for cards also
``choice``, ``any`` and ``any_resigned`` (the players choose). ``$input_value`` as an
id, a section or a card means whatever the step passes on.
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

Codes: TypeAlias = tuple[str, ...]  # that a step passes on: of investigators or cards
Numbers: TypeAlias = tuple[int, ...]  # that a step passes on with them


class Mark(Enum):
    """What an effect does to lines of the log."""

    RECORD = "record"
    CROSS_OUT = "cross_out"
    RESTORE = "restore"
    CIRCLE = "circle"
    REMOVE = "remove"


class Tally(Enum):
    """What an effect does to a number in the log."""

    ADD = "add"
    SET = "set"
    ADD_INPUT = "add_input"
    SUBTRACT_INPUT = "subtract_input"
    SET_INPUT = "set_input"
    CROSS_OUT = "cross_out"


@dataclass(frozen=True, slots=True)
class EarnExperience:
    """Experience: ``scale`` times the number passed on, plus ``bonus``.

    ``bonus_only``: the number passed on is a task's and a bonus is given; by the rules
    only the bonus is earned, the app adds the number. ``named_cost``: some or all pay
    it besides ``side_scenario_cost``, or get it back; the app does not count it as part
    of the price. ``victory``: the number is the value of the victory display. ``card``
    is the code of a card that gives the experience. ``correction``: the players correct
    what they have.
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
    """Trauma suffered or healed, or a fate; ``either`` is physical or mental by choice.

    ``of_defeat``: it is suffered for a defeat in play, not by a card or resolution.
    ``source`` is the boon, ultimatum or card that gives it, if the players state one.
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
    """A card is added to decks; ``aside`` marks a card that isn't a story asset."""

    who: str
    card: str
    fixed: str = ""
    optional: bool = False
    beyond_limit: bool = False
    aside: bool = False


@dataclass(frozen=True, slots=True)
class RemoveCard:
    """A card is removed from decks, from all of them if no ``who`` is given.

    If it is passed on by the step, or exiled, from every deck, no deck may have it
    again: players' own cards that are sacrificed, for instance (CYC-DW1). ``count``:
    how many decks lose it, if the players choose them.
    """

    card: str
    who: str = ""
    fixed: str = ""
    aside: bool = False
    exile: bool = False
    count: int | None = None


@dataclass(frozen=True, slots=True)
class ReplaceCard:
    """A story asset is replaced, for all or for those who have the ``holding`` card."""

    old: str
    new: str
    who: str = ""
    holding: str = ""


@dataclass(frozen=True, slots=True)
class AddWeakness:
    """Investigators draw or are given weaknesses, if need be with one of the traits.

    With ``count_carried`` each draws the number passed on by the step, else ``count``.
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
    """A change in the number of copies of a story card."""

    card: str
    quantity: int
    who: str = "input"


@dataclass(frozen=True, slots=True)
class LogLine:
    """A change of a line of the log, or of the whole section if there is no id."""

    section: str
    id: str = ""
    mark: Mark = Mark.RECORD
    seat_section: str = ""


@dataclass(frozen=True, slots=True)
class LogCards:
    """A change of lines of the log that name cards or investigators."""

    section: str
    id: str = ""
    cards: str = ""
    codes: tuple[str, ...] = ()
    mark: Mark = Mark.RECORD


@dataclass(frozen=True, slots=True)
class LogCount:
    """A change of a number in the log: a section's, or a line's if an id is given."""

    section: str
    id: str = ""
    tally: Tally = Tally.ADD
    value: int = 0
    least: int | None = None
    second: bool = False


@dataclass(frozen=True, slots=True)
class SeatCount:
    """A change of a number in the log that each investigator has of their own."""

    section: str
    id: str
    who: str
    fixed: str = ""
    tally: Tally = Tally.ADD
    value: int = 0
    least: int | None = None


@dataclass(frozen=True, slots=True)
class AssignTask:
    """An investigator is given a task, which is counted in a section of their own."""

    section: str
    id: str
    task_section: str
    task_id: str


@dataclass(frozen=True, slots=True)
class TaskCount:
    """A change of the number of a task, no matter who has it."""

    section: str
    id: str
    tally: Tally = Tally.ADD
    value: int = 0
    least: int | None = None


@dataclass(frozen=True, slots=True)
class LogText:
    """A line of the log in the players' own words."""

    section: str
    id: str = ""
    scenario: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Retire:
    """The given investigators retire from this campaign."""


@dataclass(frozen=True, slots=True)
class Banish:
    """No deck may have or choose this card again in this campaign."""

    card: str


@dataclass(frozen=True, slots=True)
class GainSupplies:
    """The given investigators get these supplies."""

    section: str
    supplies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LoseSupplies:
    """Everyone loses a supply."""

    section: str
    supply: str


@dataclass(frozen=True, slots=True)
class PartnerStatus:
    """A change of a partner: a status gained or lost, elimination, healing."""

    section: str
    status: str
    partner: str = ""
    added: bool = True


@dataclass(frozen=True, slots=True)
class BindKey:
    """A new bearer of a key: ``investigator``, ``enemy``, ``steal`` or ``return``."""

    section: str
    key: str
    bearer: str
    enemy: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that is only shown; it changes nothing."""

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
    """Effects applied together: plain ones first, then those that need a person."""

    plain: tuple[Effect, ...]
    personal: tuple[Effect, ...] = ()


def batch(*effects: Effect) -> Batch:
    """Return a batch of these effects, split into plain and personal ones."""
    return Batch(
        tuple(effect for effect in effects if not is_personal(effect)),
        tuple(effect for effect in effects if is_personal(effect)),
    )


def is_personal(effect: Effect) -> bool:
    """Return whether players must choose someone or something, or someone is named."""
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
