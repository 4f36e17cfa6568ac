"""The steps a scenario runs, and where each is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from arkham.rules.campaign.model import fixed_steps
from arkham.rules.campaign.model.field_words import EARN_EXPERIENCE
from arkham.rules.campaign.model.guide import SETUP, Ask, CampaignGuide, Scenario, Step
from arkham.rules.campaign.model.prompts import PlayScenario

CUSTOM = "custom"
PARTS = 100  # of a step that counts as one; few have more, the largest today 1,014


class ScenarioScope:
    """A scenario as one campaign plays it: its first steps, and all it can reach."""

    __slots__ = ("_beyond", "first", "scenario", "steps")

    def __init__(
        self, scenario: Scenario, first: tuple[str, ...], steps: Mapping[str, Step]
    ) -> None:
        self.scenario = scenario
        self.first = first
        self.steps = steps
        self._beyond: dict[int, int] = {}

    def beyond_one(self, step: Step) -> int:
        """How many steps more a step of this scope counts for, by the parts it has."""
        found = self._beyond.get(id(step))
        if found is None:
            found = self._beyond[id(step)] = _size(step) // PARTS
        return found


def _size(whole: Any) -> int:
    """How many parts a step has: conditions, effects, words, and what is in them."""
    if is_dataclass(whole):
        return 1 + sum(_size(getattr(whole, each.name)) for each in fields(whole))
    if isinstance(whole, dict):
        return 1 + sum(map(_size, whole.values()))
    if isinstance(whole, tuple | frozenset):
        return 1 + sum(map(_size, whole))
    return 1


class Scopes:
    """The scenarios of one guide, each prepared when it is first played."""

    def __init__(self, guide: CampaignGuide) -> None:
        self.guide = guide
        self._found: dict[tuple[str, bool], ScenarioScope] = {}

    def scenario(self, scenario_id: str) -> Scenario | None:
        """A scenario of the campaign, or else a side scenario."""
        if scenario_id == SETUP:
            return self.guide.setup
        return self.guide.scenarios.get(scenario_id) or self.guide.side.get(scenario_id)

    def scope(self, scenario: Scenario, *, standalone: bool) -> ScenarioScope:
        """Everything the interpreter needs of a scenario."""
        if scenario.side == CUSTOM:
            return self._prepared(scenario, standalone)
        key = scenario.id, standalone
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._prepared(scenario, standalone)
        return found

    def _prepared(self, scenario: Scenario, standalone: bool) -> ScenarioScope:
        guide = self.guide
        own: dict[str, Step] = dict(scenario.steps)
        side_resolution: tuple[str, ...] = ()
        if scenario.side or self._is_beside(scenario):
            own = _with_side_steps(own, guide.side_steps)
            side_resolution = guide.side_resolution
        steps: dict[str, Step] = {
            **fixed_steps.FIXED_STEPS,
            **fixed_steps.resolution_steps(scenario, side_resolution),
            **guide.core,
            **own,
        }
        return ScenarioScope(scenario, self._first(scenario, standalone), steps)

    def _is_beside(self, scenario: Scenario) -> bool:
        """Whether it is no scenario of the campaign, whatever kind it says it is."""
        guide = self.guide
        return scenario.id in guide.side and scenario.id not in guide.scenarios

    def _first(self, scenario: Scenario, standalone: bool) -> tuple[str, ...]:
        before = self.guide.scenario_setup if scenario.side else ()
        if scenario.side == CUSTOM:
            return (
                fixed_steps.CHOOSE_INVESTIGATORS,
                *scenario.setup,
                *before,
                fixed_steps.PLAY,
                "$end_of_scenario_status",
                EARN_EXPERIENCE,
                "$upgrade_decks",
                *self.guide.side_resolution,
                fixed_steps.CHANGES,
                fixed_steps.PROCEED,
            )
        if scenario.is_interlude:
            return (*before, *scenario.setup, fixed_steps.CHANGES, fixed_steps.PROCEED)
        alone: tuple[str, ...] = ()
        setup = scenario.setup
        if standalone:
            alone = ("$draw_standalone_weakness", "$save_standalone_decks")
            if scenario.standalone_setup is not None:
                setup = scenario.standalone_setup
        return (fixed_steps.CHOOSE_INVESTIGATORS, *before, *alone, *setup)


def _with_side_steps(
    own: dict[str, Step], side_steps: tuple[Step, ...]
) -> dict[str, Step]:
    """A side scenario's steps with those its campaign adds; its play step with more."""
    whole = dict(own)
    for step in side_steps:
        below = own.get(step.id)
        if (
            isinstance(step, Ask)
            and isinstance(step.prompt, PlayScenario)
            and isinstance(below, Ask)
            and isinstance(below.prompt, PlayScenario)
        ):
            whole[step.id] = Ask(
                step.id,
                replace(
                    below.prompt,
                    branches=step.prompt.branches + below.prompt.branches,
                    log_choices=step.prompt.log_choices + below.prompt.log_choices,
                ),
            )
        else:
            whole[step.id] = step
    return whole
