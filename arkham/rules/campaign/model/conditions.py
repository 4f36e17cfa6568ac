"""The conditions that guides branch on, the options they select, and operands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from arkham.rules.campaign.model.effects import Batch

Key: TypeAlias = bool | int | str | None


@dataclass(frozen=True, slots=True)
class ConditionOption:
    """What follows if the condition's value is ``key``: batches first, then steps."""

    key: Key
    batches: tuple[Batch, ...] = ()
    steps: tuple[str, ...] = ()
    repeatable: bool = False


@dataclass(frozen=True, slots=True)
class ConditionOptions:
    """The options of a condition by key, and the default for any other value."""

    by_key: dict[Any, ConditionOption]
    default: ConditionOption | None = None


@dataclass(frozen=True, slots=True)
class LogCheck:
    """Whether a line is in the log and not crossed out."""

    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class SectionCheck:
    """Whether a section is in the log and not crossed out."""

    section: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class LogCardsCheck:
    """Whether a line is in the log; the cards it names are passed on."""

    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class LogCardsSwitch:
    """Selects the first option whose card a line of the log names."""

    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class LogCountCheck:
    """A number in the log."""

    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class TaskCheck:
    """Whether an investigator who was not killed has the task."""

    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class SeatCountCheck:
    """The number of each investigator, or one that any of them has."""

    section: str
    each: bool
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class SeatLogCards:
    """The investigators whom a line of the log names, or does not name."""

    section: str
    id: str
    option: ConditionOption


@dataclass(frozen=True, slots=True)
class Multi:
    """Whether at least ``count`` of these conditions are met."""

    conditions: tuple[Condition, ...]
    count: int
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class Math:
    """The result of two numbers: ``compare``, ``equals``, ``sum`` or ``divide``."""

    operation: str
    first: Operand
    second: Operand
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class HasCard:
    """Who has a story asset: ``any`` investigator, a ``defeated`` one, or ``each``."""

    who: str
    card: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class TraumaCheck:
    """Whether ``each`` has some trauma, or ``lead`` or ``all`` are killed or insane."""

    who: str
    trauma: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class SuppliesCheck:
    """Whether ``any`` investigator, or each (``all``), has a supply."""

    who: str
    section: str
    id: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class PartnerCheck:
    """Which partners, or whether a named one, have any or all of these statuses."""

    section: str
    partner: str
    statuses: tuple[str, ...]
    every: bool
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class PlayerCount:
    """The number of players."""

    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class ResolutionCheck:
    """The resolution that was reached, or, with ``any_at_all``, whether one was."""

    any_at_all: bool
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class OutcomeCheck:
    """Whether anyone, or the named investigator, ended the scenario this way."""

    status: str
    fixed: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class CampaignCheck:
    """A fact of the campaign itself: ``difficulty``, ``cycle``, ``standalone`` …

    ``value`` is the scenario for ``scenario_completed`` and ``scenario_replayed``,
    ``least`` the version for ``version``.
    """

    question: str
    options: ConditionOptions
    value: str = ""
    least: int = 0


@dataclass(frozen=True, slots=True)
class BagCheck:
    """The number of tokens of a kind in the bag."""

    token: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class InvestigatorCheck:
    """Whether an investigator has a ``trait``, ``class`` or ``code``.

    With ``each`` it is checked for each investigator, else for the group as a whole.
    """

    data: str
    each: bool
    excluded: frozenset[str]
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class LocationCheck:
    """Whether a location was ``visited``, or is the ``current`` one."""

    status: str
    location: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """Whether an investigator, or an enemy, bears this key."""

    key: str
    status: str
    options: ConditionOptions


@dataclass(frozen=True, slots=True)
class KeyCount:
    """The number of keys that investigators, or enemies, bear."""

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
    """A printed number."""

    value: int


@dataclass(frozen=True, slots=True)
class LogCountOperand:
    """A number in the log."""

    section: str
    id: str


@dataclass(frozen=True, slots=True)
class TaskOperand:
    """The progress of a task; 0 if no one has it."""

    section: str
    id: str


@dataclass(frozen=True, slots=True)
class BagOperand:
    """The number of tokens of a kind in the bag."""

    token: str


@dataclass(frozen=True, slots=True)
class PlayersOperand:
    """The number of players."""


@dataclass(frozen=True, slots=True)
class MostExperience:
    """The most experience any living investigator earned since the last upgrade."""


@dataclass(frozen=True, slots=True)
class PartnerOperand:
    """The number of partners that match an option."""

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
