"""The steps of a scenario: those that every campaign has, and the guide's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.app_names import EARN_EXPERIENCE
from arkham.rules.campaign.model.effects import Batch, batch
from arkham.rules.campaign.model.guide import (
    SETUP,
    Ask,
    CampaignGuide,
    Plain,
    Resolution,
    Scenario,
    Step,
    SystemStep,
)
from arkham.rules.campaign.model.prompts import PlayScenario, PromptChoice
from arkham.rules.legality.compiling import PLACEHOLDER

CHOOSE_INVESTIGATORS = "$choose_investigators"
LEAD_INVESTIGATOR = "$lead_investigator"
PLAY = "$play_scenario"
CHOOSE_RESOLUTION = "$choose_resolution"
CONTINUE_PLAY = "$check_continue_play_scenario"
CHANGES = "$inter_scenario_changes"
PROCEED = "$proceed"
PROCEED_OTHERWISE = "$proceed_alt"
DRAWS = "draw_weakness"  # where a campaign’s first decks draw theirs
SAVE_ALONE = "$save_standalone_decks"
DUMMY_END = "$dummy_end_scenario"
DEFEAT = "investigator_defeat"
NOTES = "_campaign_log"  # suffix of the question for a line recorded in play
OTHER = "$other"  # the players' own text instead of one of the lines
ENTERED = "$entered"  # answered if the campaign began before its log

# Answered in a scenario imported from the app, which is settled as the app does it:
# the rules would ask questions there that the app never asked.
AS_RECORDED = "$as_recorded"

# The numbers of choices at the play step besides the scenario's own branches.
NOTE, FINISH, WEAKNESS, TRAUMA, NEW_LEAD = -1, -2, -3, -4, -5
HUB_STEPS = {
    NOTE: "$campaign_log",
    WEAKNESS: "$draw_weakness",
    TRAUMA: "$record_trauma",
    NEW_LEAD: "$change_lead_investigator",
}


def _completed(step_id: str) -> Step:
    return Plain(step_id, batch(course.ScenarioStatus("completed")))


NOT_DEFEATED = frozenset({"alive", "resigned"})
_OUTCOME_EFFECTS: dict[str, tuple[do.Effect, ...]] = {
    "physical": (do.Trauma("input", physical=1, of_defeat=True),),
    "mental": (do.Trauma("input", mental=1, of_defeat=True),),
    "killed": (do.Trauma("input", killed=True),),
    "insane": (do.Trauma("input", insane=True),),
}


def _after(status: str) -> tuple[do.Effect, ...]:
    """Return the effects of an outcome: trauma or a fate, and those of a defeat."""
    effects = _OUTCOME_EFFECTS.get(status, ())
    return effects if status in NOT_DEFEATED else (*effects, course.Defeated(status))


def outcome_choice(statuses: tuple[str, ...]) -> to.SeatChoice:
    """Return the prompt for each investigator's outcome, with the trauma of defeats."""
    return to.SeatChoice(
        "all",
        tuple(
            PromptChoice(
                status, batches=(batch(course.Outcome(status), *_after(status)),)
            )
            for status in statuses
        ),
    )


def _seats(who: str, choice_id: str, *effects: do.Effect) -> to.SeatChoice:
    return to.SeatChoice(who, (PromptChoice(choice_id, batches=(batch(*effects),)),))


FIXED_STEPS: Mapping[str, Step] = {
    step.id: step
    for step in (
        Ask(
            CHOOSE_INVESTIGATORS,
            to.ChooseInvestigators(
                Batch((course.Lead(), course.ScenarioStatus("started")))
            ),
        ),
        Ask(PLAY, to.PlayScenario()),
        Ask("$upgrade_decks", to.UpgradeDecks()),
        Ask(SAVE_ALONE, to.SaveDecks()),
        Ask(
            "$draw_weakness", _seats("choice", "draw_weakness", do.AddWeakness("input"))
        ),
        Ask(
            "$record_trauma",
            _seats("choice", "record_trauma", do.Trauma("input", either=1)),
        ),
        Ask("$campaign_log", to.TextBox((batch(do.LogText("campaign_notes")),))),
        Ask("$change_lead_investigator", _seats("any", "lead", course.Lead())),
        Ask(
            "$draw_standalone_weakness",
            to.SeatCounter(
                (
                    batch(
                        do.AddWeakness("input", standalone=True, count_carried=True),
                        do.RemoveCard(PLACEHOLDER, "input", aside=True),
                    ),
                ),
                0,
                5,
            ),
        ),
        Plain("$check_tarot_reading"),
        SystemStep(CHANGES, "changes"),
        SystemStep("$embark", "embark"),
        SystemStep("$embark_return", "embark", "return"),
        SystemStep(CONTINUE_PLAY, "continue"),
        SystemStep(DUMMY_END, "end"),
        _completed(PROCEED),
        _completed(PROCEED_OTHERWISE),
    )
}


def resolution_steps(
    scenario: Scenario, side_resolution: tuple[str, ...]
) -> dict[str, Step]:
    """Return the steps around each resolution of a scenario, and the choice of one."""
    found: dict[str, Step] = {}
    offered = []
    for resolution in scenario.resolutions.values():
        found.update(_around(scenario, resolution, side_resolution))
        if resolution.id != DEFEAT:
            offered.append(
                PromptChoice(
                    resolution.id,
                    resolution.condition,
                    steps=(f"$pr_{resolution.id}",),
                    hidden=resolution.hidden,
                )
            )
    found[CHOOSE_RESOLUTION] = Ask(CHOOSE_RESOLUTION, to.ChooseOne(tuple(offered)))
    found["$check_investigator_defeat"] = SystemStep(
        "$check_investigator_defeat", "defeat"
    )
    return found


def _around(
    scenario: Scenario, resolution: Resolution, side_resolution: tuple[str, ...]
) -> dict[str, Step]:
    statuses = f"$r_{resolution.id}*investigator_status"
    first = f"$pr_{resolution.id}"
    text = f"$r_{resolution.id}"
    steps = [statuses] if resolution.statuses else []
    if DEFEAT in scenario.resolutions:
        steps.append("$check_investigator_defeat")
    steps += [text, *resolution.steps, *side_resolution, CHANGES, PROCEED]
    return {
        first: Plain(
            first,
            batch(course.ScenarioStatus("resolution", resolution.id)),
            tuple(steps),
        ),
        statuses: Ask(statuses, outcome_choice(resolution.statuses)),
        text: Plain(text),
    }


def custom_scenario(scenario_id: str, name: str, cost: int) -> Scenario:
    """Return a side scenario that is in no guide: cost, play, outcomes, experience."""
    statuses = ("alive", "resigned", "physical", "mental", "eliminated")
    steps: tuple[Step, ...] = (
        Plain(
            "$pay_cost",
            batch(do.EarnExperience("all", bonus=-cost, side_scenario_cost=True)),
        ),
        Ask(PLAY, to.PlayScenario(no_resolutions=True)),
        Ask("$end_of_scenario_status", outcome_choice(statuses)),
        Ask(
            EARN_EXPERIENCE,
            to.VictoryDisplay((batch(do.EarnExperience("all", victory=True)),)),
        ),
    )
    return Scenario(
        scenario_id,
        name,
        "",
        ("$pay_cost",),
        {step.id: step for step in steps},
        side="custom",
        cost=cost,
    )


CUSTOM = "custom"
PARTS = 100  # a step with up to this many counts as one; the largest today has 1,014


class ScenarioScope:
    """A scenario as one campaign plays it: its first steps, and all it can reach."""

    __slots__ = ("_extra", "first", "scenario", "steps")

    def __init__(
        self, scenario: Scenario, first: tuple[str, ...], steps: Mapping[str, Step]
    ) -> None:
        self.scenario = scenario
        self.first = first
        self.steps = steps
        self._extra: dict[int, int] = {}

    def extra_steps(self, step: Step) -> int:
        """Return how many extra steps a step counts for, given its size."""
        found = self._extra.get(id(step))
        if found is None:
            found = self._extra[id(step)] = _size(step) // PARTS
        return found


def _size(whole: Any) -> int:
    """Return how many parts a step has: conditions, effects, texts and their parts."""
    if is_dataclass(whole):
        return 1 + sum(_size(getattr(whole, each.name)) for each in fields(whole))
    if isinstance(whole, dict):
        return 1 + sum(map(_size, whole.values()))
    if isinstance(whole, tuple | frozenset):
        return 1 + sum(map(_size, whole))
    return 1


class Scopes:
    """The scenarios of one guide, each prepared when first played."""

    def __init__(self, guide: CampaignGuide) -> None:
        self.guide = guide
        self._found: dict[tuple[str, bool], ScenarioScope] = {}

    def scenario(self, scenario_id: str) -> Scenario | None:
        """Return a scenario of the campaign, or else a side scenario."""
        if scenario_id == SETUP:
            return self.guide.setup
        return self.guide.scenarios.get(scenario_id) or self.guide.side.get(scenario_id)

    def scope(self, scenario: Scenario, *, standalone: bool) -> ScenarioScope:
        """Return everything the interpreter needs to know of a scenario."""
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
            **FIXED_STEPS,
            **resolution_steps(scenario, side_resolution),
            **guide.core,
            **own,
        }
        return ScenarioScope(scenario, self._first(scenario, standalone), steps)

    def _is_beside(self, scenario: Scenario) -> bool:
        """Return whether it is a side scenario here, whatever its ``side`` says."""
        guide = self.guide
        return scenario.id in guide.side and scenario.id not in guide.scenarios

    def _first(self, scenario: Scenario, standalone: bool) -> tuple[str, ...]:
        before = self.guide.scenario_setup if scenario.side else ()
        if scenario.side == CUSTOM:
            return (
                CHOOSE_INVESTIGATORS,
                *scenario.setup,
                *before,
                PLAY,
                "$end_of_scenario_status",
                EARN_EXPERIENCE,
                "$upgrade_decks",
                *self.guide.side_resolution,
                CHANGES,
                PROCEED,
            )
        if scenario.is_interlude:
            return (*before, *scenario.setup, CHANGES, PROCEED)
        alone: tuple[str, ...] = ()
        setup = scenario.setup
        if standalone:
            alone = ("$draw_standalone_weakness", SAVE_ALONE)
            if scenario.standalone_setup is not None:
                setup = scenario.standalone_setup
        return (CHOOSE_INVESTIGATORS, *before, *alone, *setup)


def _with_side_steps(
    own: dict[str, Step], side_steps: tuple[Step, ...]
) -> dict[str, Step]:
    """Return a side scenario's steps with those its campaign adds; play steps merge."""
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
