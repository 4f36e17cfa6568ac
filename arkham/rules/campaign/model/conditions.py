"""What a step may ask of a campaign: conditions, the options they choose from, sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from arkham.rules.campaign.model.effects import Batch

Key: TypeAlias = bool | int | str | None


@dataclass(frozen=True, slots=True)
class ConditionOption:
    """What follows if the condition gives ``key``: batches, in order, then steps."""

    key: Key
    batches: tuple[Batch, ...] = ()
    steps: tuple[str, ...] = ()
    repeatable: bool = False


@dataclass(frozen=True, slots=True)
class ConditionOptions:
    """The options of a condition by their key, and the one for any other value."""

    by_key: dict[Any, ConditionOption]
    default: ConditionOption | None = None


@dataclass(frozen=True, slots=True)
class LogCheck:
    """Is this line in the log, and not crossed out?"""

    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class SectionCheck:
    """Is there such a section, and is it not crossed out?"""

    section: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class LogCardsCheck:
    """Is this line in the log? The cards it names are carried on."""

    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class LogCardsSwitch:
    """Which of these cards does a line of the log name?"""

    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class LogCountCheck:
    """What number stands in the log?"""

    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class TaskCheck:
    """Is the task somebody's who has not been killed?"""

    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class SeatCountCheck:
    """What number has each investigator, or any of them?"""

    section: str
    each: bool
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class SeatLogCards:
    """Which investigators does a line of the log name, or not name?"""

    section: str
    id: str
    option: ConditionOption


@dataclass(frozen=True, slots=True)
class Multi:
    """Are at least ``count`` of these conditions met?"""

    conditions: tuple[Condition, ...]
    count: int
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class Math:
    """What do two numbers make: ``compare``, ``equals``, ``sum`` or ``divide``?"""

    operation: str
    first: Operand
    second: Operand
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class HasCard:
    """Who has a story asset: ``any``, somebody ``defeated``, or ``each``?"""

    who: str
    card: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class TraumaCheck:
    """Has ``each`` trauma of a kind; is the ``lead``, or ``all``, killed or insane?"""

    who: str
    trauma: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class SuppliesCheck:
    """Has ``any`` investigator, or each (``all``), a supply?"""

    who: str
    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class PartnerCheck:
    """Which partners, or does the one named, have any or all of these states?"""

    section: str
    partner: str
    statuses: tuple[str, ...]
    every: bool
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class PlayerCount:
    """How many play?"""

    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class ResolutionCheck:
    """Which resolution was reached; with ``any_at_all``: has one been?"""

    any_at_all: bool
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class OutcomeCheck:
    """Did anybody, or the one named, end the scenario so?"""

    status: str
    fixed: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class CampaignCheck:
    """A question to the campaign itself: ``difficulty``, ``cycle``, ``standalone`` …

    ``value`` is the scenario meant by ``scenario_completed`` and ``scenario_replayed``,
    ``least`` the version meant by ``version``.
    """

    question: str
    options: ConditionOptions
    value: str = ""
    least: int = 0


@dataclass(frozen=True, slots=True)
class BagCheck:
    """How many tokens of this kind are in the bag?"""

    token: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class InvestigatorCheck:
    """Does an investigator have a ``trait``, ``class`` or ``code``?

    ``each`` asks one investigator (a choice's condition), else the whole group.
    """

    data: str
    each: bool
    excluded: frozenset[str]
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class LocationCheck:
    """Has a place been ``visited``, or is it the ``current`` one?"""

    status: str
    location: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """Does an investigator, or an enemy, bear this key?"""

    key: str
    status: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class KeyCount:
    """How many keys do investigators, or enemies, bear?"""

    status: str
    options: ConditionOptions


Condition: TypeAlias = (
    LogCheck
    | SectionCheck
    | LogCardsCheck
    | LogCardsSwitch
    | LogCountCheck
    | TaskCheck
    | SeatCountCheck
    | SeatLogCards
    | Multi
    | Math
    | HasCard
    | TraumaCheck
    | SuppliesCheck
    | PartnerCheck
    | PlayerCount
    | ResolutionCheck
    | OutcomeCheck
    | CampaignCheck
    | BagCheck
    | InvestigatorCheck
    | LocationCheck
    | KeyCheck
    | KeyCount
)


@dataclass(frozen=True, slots=True)
class Constant:
    """A number that is printed."""

    value: int


@dataclass(frozen=True, slots=True)
class LogCountOperand:
    """A number of the log."""

    section: str
    id: str


@dataclass(frozen=True, slots=True)
class TaskOperand:
    """How far a task has come; nothing if it is nobody's."""

    section: str
    id: str


@dataclass(frozen=True, slots=True)
class BagOperand:
    """How many tokens of a kind are in the bag."""

    token: str


@dataclass(frozen=True, slots=True)
class PlayersOperand:
    """How many play."""


@dataclass(frozen=True, slots=True)
class MostExperience:
    """The most experience anybody alive has earned since decks were upgraded."""


@dataclass(frozen=True, slots=True)
class PartnerOperand:
    """How many partners match an option."""

    check: PartnerCheck


Operand: TypeAlias = (
    Constant
    | LogCountOperand
    | TaskOperand
    | BagOperand
    | PlayersOperand
    | MostExperience
    | PartnerOperand
)
