"""A campaign guide: scenarios, log sections, map and steps; limits of the chaos bag."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from arkham.rules.campaign.model.conditions import Condition
from arkham.rules.campaign.model.effects import Batch
from arkham.rules.campaign.model.prompts import Prompt
from arkham.rules.chaos.bag import LIMITS, Token
from arkham.rules.vocabulary import is_digits

TOKEN_KINDS = frozenset(token.value for token in Token)
# By the rules: bless, curse and frost (BAG-05, BAG-06, BAG-10).
RULED_LIMITS = {token.value: most for token, most in LIMITS.items()}
# They leave the bag when a game is cleaned up, before any interlude (BAG-09).
PASSING_TOKENS = (Token.BLESS.value, Token.CURSE.value)
# The number of tokens of each kind in one set of the game.
COMMON_LIMITS = {
    "+1": 3, "0": 4, "-1": 5, "-2": 4, "-3": 3, "-4": 2, "-5": 2, "-6": 2, "-7": 1,
    "-8": 1, "skull": 4, "cultist": 4, "tablet": 4, "elder_thing": 4, "auto_fail": 2,
    "elder_sign": 2, "frost": 8,
}  # fmt: skip
SETUP = "$campaign_setup"
# In place of a scenario, on a map: the interlude of a place passed without a stop, and
# a place where the players may insert a side scenario.
PASSING, ASIDE = "travelling", "$side_scenario"


def replay_number(encoded: str) -> int:
    """Return which playing of a scenario an encoded id means; 0 is the first."""
    number = encoded.partition("#")[2]
    return int(number) if is_digits(number) else 0


@dataclass(frozen=True, slots=True)
class Partner:
    """A character who accompanies an investigator, with other values once resolute."""

    code: str
    health: int
    sanity: int
    resolute_health: int
    resolute_sanity: int

    def limits(self, *, resolute: bool) -> tuple[int, int]:
        """Return the damage and the horror that defeat the partner."""
        if resolute:
            return self.resolute_health, self.resolute_sanity
        return self.health, self.sanity


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the campaign log; ``kind`` is "" for a list of lines."""

    id: str
    title: str = ""
    kind: str = ""
    hidden: bool = False
    partners: tuple[Partner, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """A resolution of a scenario and the outcomes (``statuses``) it allows.

    If ``statuses`` is empty, players aren't asked for outcomes.
    """

    id: str
    steps: tuple[str, ...]
    statuses: tuple[str, ...]
    condition: Condition | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Discount:
    """A discount: those with one of the ``cards`` pay ``less``; ``step`` asks who has.

    ``name`` is the name of the cards, if the facts of a campaign give one.
    """

    cards: tuple[str, ...]
    less: int
    step: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario, interlude or epilogue; ``kind`` is "" for a scenario.

    ``follows`` is the side scenario of which this is a later part. ``named_costs`` are
    what certain investigators pay besides ``cost``; ``discount`` says who pays less.
    One of the ``leaders`` is lead investigator if they play.
    """

    id: str
    name: str
    kind: str
    setup: tuple[str, ...]
    steps: Mapping[str, Step]
    standalone_setup: tuple[str, ...] | None = None
    resolutions: Mapping[str, Resolution] = field(default_factory=dict)
    side: str = ""
    cost: int | None = None
    allow_side_scenario: bool = False
    rules: tuple[str, ...] = ()
    follows: str = ""
    named_costs: tuple[tuple[str, int], ...] = ()
    discount: Discount | None = None
    leaders: tuple[str, ...] = ()

    @property
    def is_epilogue(self) -> bool:
        """Whether it is an epilogue, which is read even if the campaign was lost."""
        return self.kind == "epilogue"

    @property
    def is_interlude(self) -> bool:
        """Whether it needs no choice of investigators: an interlude or epilogue."""
        return self.kind in ("interlude", "epilogue")


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A place on the map; ``status`` is ``locked``, ``standard`` or ``side``.

    ``name`` is the name printed on the map.
    """

    id: str
    name: str
    scenario: str
    status: str
    hidden: bool
    connections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Achievement:
    """An achievement to tick, count or list."""

    id: str
    title: str
    kind: str
    most: int | None = None
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CampaignGuide:
    """The guide of one campaign, ready to be played."""

    id: str
    name: str
    version: int
    kind: str
    order: tuple[str, ...]
    sections: tuple[Section, ...]
    setup: Scenario
    scenarios: Mapping[str, Scenario]
    core: Mapping[str, Step]
    side: Mapping[str, Scenario] = field(default_factory=dict)
    scenario_setup: tuple[str, ...] = ()
    side_steps: tuple[Step, ...] = ()
    side_resolution: tuple[str, ...] = ()
    free_side_scenarios: bool = False
    map: Mapping[str, MapPlace] = field(default_factory=dict)
    fast_card: str = ""
    hidden_scenarios: tuple[str, ...] = ()
    achievements: tuple[Achievement, ...] = ()
    cards: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    digest: str = ""

    @property
    def partners(self) -> dict[str, Partner]:
        """The partners of all sections by code."""
        return {each.code: each for one in self.sections for each in one.partners}

    def is_game(self, encoded: str) -> bool:
        """Return whether decks are played there: not in the setup or an interlude.

        A scenario that is in no guide counts as a game: it is a custom one.
        """
        base = encoded.partition("#")[0]
        scenario = self.scenarios.get(base) or self.side.get(base)
        return base != SETUP and (scenario is None or not scenario.is_interlude)


@dataclass(frozen=True, slots=True)
class GuideLibrary:
    """All guides, and the side scenarios that every campaign may play."""

    guides: Mapping[str, CampaignGuide]
    side: CampaignGuide | None = None


@dataclass(frozen=True, slots=True)
class Plain:
    """A text, and what follows from it."""

    id: str
    batch: Batch | None = None
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """A step whose consequences depend on the state of the campaign."""

    id: str
    condition: Condition
    loop: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the players."""

    id: str
    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Border:
    """A framed passage, with steps for players who say that they have read it."""

    id: str
    steps: tuple[str, ...]
    confirmed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolve:
    """A jump to another resolution of the scenario."""

    id: str
    resolution: str
    batch: Batch | None = None


@dataclass(frozen=True, slots=True)
class SystemStep:
    """A step that every campaign has, implemented in code."""

    id: str
    action: str
    value: str = ""


Step: TypeAlias = Plain | Branch | Ask | Border | Resolve | SystemStep
