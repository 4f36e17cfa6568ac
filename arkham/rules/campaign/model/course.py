"""Effects on the course of a campaign: scenarios and who plays, map, bag, results."""

from __future__ import annotations

from dataclasses import dataclass

# The results of a campaign, outcomes of a game, and statuses of a scenario.
RESULTS = frozenset({"win", "lose", "survived"})
OUTCOMES = frozenset(
    {"alive", "resigned", "physical", "mental", "eliminated", "killed", "insane"}
)
STATUSES = frozenset(
    {"not_started", "skipped", "started", "resolution", "completed", "unlocked"}
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Chaos tokens are added to the bag (``sign`` 1) or removed from it (−1).

    ``$input_value`` among them means each token that the step passes on.
    """

    tokens: tuple[str, ...]
    sign: int


@dataclass(frozen=True, slots=True)
class SwapBag:
    """The bag is swapped with the second one; if ``fresh``, a new bag starts empty."""

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
    """Sets the next scenario; a continuation keeps players and lead investigator."""

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
    """Sets a new order of play."""

    scenarios: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Redirect:
    """From now on experience goes to a count in the log; "" ends the redirection."""

    section: str


@dataclass(frozen=True, slots=True)
class Embark:
    """The group may choose where to travel next."""

    location: str = ""
    may_return: bool = False
    transit: bool = False


@dataclass(frozen=True, slots=True)
class Travel:
    """The journey that was chosen."""

    destination: str
    departure: str
    time: int
    next_scenario: str
    fast: bool
    transit: bool
    returning: bool


@dataclass(frozen=True, slots=True)
class MapChange:
    """A change of the map: ``unlock_location``, ``hide_dossier``, ``unlock_map`` …"""

    change: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Players:
    """Sets who plays the scenario."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Sets the lead investigator of the scenario."""


@dataclass(frozen=True, slots=True)
class JoinScenario:
    """A named investigator joins the players."""

    code: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the scenario ended for these investigators: ``resigned``, ``physical`` …"""

    status: str


@dataclass(frozen=True, slots=True)
class Defeated:
    """What ultimatums and boons add to an outcome, if it is a defeat."""

    status: str


@dataclass(frozen=True, slots=True)
class ScenarioStatus:
    """The scenario's new status: started, resolved or completed."""

    status: str
    resolution: str = ""


@dataclass(frozen=True, slots=True)
class HubStep:
    """Another step becomes the play step of the scenario."""

    step: str


@dataclass(frozen=True, slots=True)
class Backup:
    """Saves a copy of the state, or restores it."""

    restore: bool = False


@dataclass(frozen=True, slots=True)
class Bank:
    """Decks are up to date: all that was earned is settled and can be spent."""

    spent: bool = True


@dataclass(frozen=True, slots=True)
class BankCards:
    """Decks' cards are up to date; experience waits unless ``experience`` is set."""

    experience: bool = False
