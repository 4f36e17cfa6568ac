"""Effects on the course of a campaign: scenarios and who plays, map, bag, results."""

from __future__ import annotations

from dataclasses import dataclass

# The words there are for a campaign's result, a game's outcome, a scenario's status.
RESULTS = frozenset({"win", "lose", "survived"})
OUTCOMES = frozenset(
    {"alive", "resigned", "physical", "mental", "eliminated", "killed", "insane"}
)
STATUSES = frozenset(
    {"not_started", "skipped", "started", "resolution", "completed", "unlocked"}
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Chaos tokens put into the bag (``sign`` 1) or taken out of it (−1).

    ``$input_value`` among them stands for each token the step carries.
    """

    tokens: tuple[str, ...]
    sign: int


@dataclass(frozen=True, slots=True)
class SwapBag:
    """The bag is exchanged for the other one, which may begin empty."""

    fresh: bool = False


@dataclass(frozen=True, slots=True)
class SetResult:
    """The campaign is won, lost or survived."""

    value: str


@dataclass(frozen=True, slots=True)
class SetDifficulty:
    """The difficulty of the campaign."""

    value: str


@dataclass(frozen=True, slots=True)
class NextScenario:
    """Which scenario comes next; a continuation keeps players and lead."""

    scenario: str
    continuation: bool = False


@dataclass(frozen=True, slots=True)
class SkipScenario:
    """A scenario that will not be played."""

    scenario: str


@dataclass(frozen=True, slots=True)
class PlayedBefore:
    """A scenario that was played before the log begins."""

    scenario: str


@dataclass(frozen=True, slots=True)
class ReplayScenario:
    """A scenario that is to be played again."""

    scenario: str


@dataclass(frozen=True, slots=True)
class SetScenarios:
    """The order of play, anew."""

    scenarios: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Redirect:
    """Experience goes to a count of the log from here on; no section: no more."""

    section: str


@dataclass(frozen=True, slots=True)
class Embark:
    """The table may choose where to travel next."""

    location: str = ""
    may_return: bool = False
    transit: bool = False


@dataclass(frozen=True, slots=True)
class Travel:
    """The journey that was chosen, as its record says."""

    destination: str
    departure: str
    time: int
    next_scenario: str
    fast: bool
    transit: bool
    returning: bool


@dataclass(frozen=True, slots=True)
class MapChange:
    """What the map shows: ``unlock_location``, ``hide_dossier``, ``unlock_map`` …"""

    change: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Players:
    """Who plays the scenario."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Who leads the scenario."""


@dataclass(frozen=True, slots=True)
class JoinScenario:
    """Somebody named joins those who play."""

    code: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the scenario ended for those carried: ``resigned``, ``physical`` …"""

    status: str


@dataclass(frozen=True, slots=True)
class Defeated:
    """What ultimatums and boons make of an outcome, if it is a defeat."""

    status: str


@dataclass(frozen=True, slots=True)
class ScenarioStatus:
    """The scenario is started, resolved or completed."""

    status: str
    resolution: str = ""


@dataclass(frozen=True, slots=True)
class HubStep:
    """Another step is the scenario's play step from now on."""

    step: str


@dataclass(frozen=True, slots=True)
class Backup:
    """The state is kept aside, or what was kept aside holds again."""

    restore: bool = False


@dataclass(frozen=True, slots=True)
class Bank:
    """Decks are up to date: all that was earned is settled, and may be spent now."""

    spent: bool = True


@dataclass(frozen=True, slots=True)
class BankCards:
    """Decks are up to date as to cards; experience waits, unless it is set."""

    experience: bool = False
