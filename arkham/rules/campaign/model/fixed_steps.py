"""The steps every campaign has without writing them down."""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import Batch, batch
from arkham.rules.campaign.model.field_words import EARN_EXPERIENCE
from arkham.rules.campaign.model.guide import (
    Ask,
    Plain,
    Resolution,
    Scenario,
    Step,
    SystemStep,
)
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.legality.compiling import PLACEHOLDER

CHOOSE_INVESTIGATORS = "$choose_investigators"
LEAD_INVESTIGATOR = "$lead_investigator"
PLAY = "$play_scenario"
CHOOSE_RESOLUTION = "$choose_resolution"
CONTINUE_PLAY = "$check_continue_play_scenario"
CHANGES = "$inter_scenario_changes"
PROCEED = "$proceed"
PROCEED_OTHERWISE = "$proceed_alt"
DUMMY_END = "$dummy_end_scenario"
DEFEAT = "investigator_defeat"
NOTES = "_campaign_log"  # ends the id of the question which line is written in play
OTHER = "$other"  # words of the table's own instead of the lines on offer
ENTERED = "$entered"  # answered by a table whose campaign began before its log

# Answered in a scenario that is settled as the app has it that recorded it: by the
# rules, questions would be open there that the app never asked.
AS_RECORDED = "$as_recorded"

# What is done at the play step besides the scenario's own branches, by its number.
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
    """What follows from an outcome: trauma or a fate, and what a defeat brings."""
    effects = _OUTCOME_EFFECTS.get(status, ())
    return effects if status in NOT_DEFEATED else (*effects, course.Defeated(status))


def outcome_choice(statuses: tuple[str, ...]) -> to.SeatChoice:
    """How the scenario ended for each investigator, with the trauma of a defeat."""
    return to.SeatChoice(
        "all",
        tuple(
            PromptChoice(
                status,
                batches=(batch(course.Outcome(status), *_after(status)),),
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
        Ask("$save_standalone_decks", to.SaveDecks()),
        Ask(
            "$draw_weakness",
            _seats("choice", "draw_weakness", do.AddWeakness("input")),
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
    """The steps around each resolution of a scenario, and the choice of one."""
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
    """A side scenario that is in no guide: its cost, outcomes, experience and decks."""
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
