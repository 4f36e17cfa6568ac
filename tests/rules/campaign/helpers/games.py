"""Scenarios of a small guide, and answers that play them."""

from __future__ import annotations

import copy
from typing import Any

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.state.answers import Answer
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    POLICIES,
    ROLAND,
    Raw,
    a_note,
    a_scenario,
    a_step,
    records,
    starting,
)

PLAY: Raw = {
    "id": "$play_scenario",
    "type": "input",
    "input": {"type": "play_scenario"},
}


def victory(step_id: str = "victory") -> Raw:
    """A step that counts the victory display."""
    return {
        "id": step_id,
        "type": "input",
        "input": {
            "type": "counter",
            "text": "",
            "effects": [{"type": "earn_xp", "investigator": "all", "bonus": 1}],
        },
    }


RESOLUTIONS: list[Raw] = [
    {
        "id": "no_resolution",
        "title": "",
        "steps": ["lost", "$upgrade_decks"],
    },
    {"id": "R1", "title": "", "steps": ["won", "victory", "$upgrade_decks"]},
    {
        "id": "investigator_defeat",
        "title": "",
        "steps": ["defeated"],
    },
]
ENDINGS: list[Raw] = [
    a_step(a_note("lost"), step_id="lost"),
    a_step(a_note("won"), step_id="won"),
    a_step(a_note("one was defeated"), step_id="defeated"),
    victory(),
]


def a_game(scenario_id: str, *steps: Raw, play: Raw = PLAY, **more: Any) -> Raw:
    """A scenario with a play step, two resolutions and one if all are defeated."""
    return a_scenario(
        scenario_id,
        *steps,
        copy.deepcopy(play),
        *copy.deepcopy(ENDINGS),
        setup=[*(step["id"] for step in steps), "$play_scenario"],
        resolutions=copy.deepcopy(RESOLUTIONS),
        **more,
    )


def begun(scenario: str, *codes: str) -> list[Raw]:
    """Answers that begin a scenario; the first investigator leads."""
    return [
        {"type": "start_scenario", "scenario": scenario},
        {
            "type": "string_choices",
            "step": "$choose_investigators",
            "scenario": scenario,
            "choices": {code: ["chosen"] for code in codes},
        },
        {
            "type": "string_choices",
            "step": "$lead_investigator",
            "scenario": scenario,
            "choices": {codes[0]: ["lead"]},
        },
    ]


def ended(scenario: str, number: int, resolution: str, **outcomes: str) -> list[Raw]:
    """Answers that end a scenario at once, with this resolution and these outcomes."""
    return [
        {
            "type": "choice",
            "step": "$play_scenario",
            "scenario": scenario,
            "choice": -2,
        },
        {
            "type": "choice",
            "step": "$choose_resolution",
            "scenario": scenario,
            "choice": number,
        },
        {
            "type": "string_choices",
            "step": f"$r_{resolution}*investigator_status",
            "scenario": scenario,
            "choices": {code: [outcome] for code, outcome in outcomes.items()},
        },
    ]


def won(scenario: str, count: int = 2, **outcomes: str) -> list[Raw]:
    """Answers with which Roland and Daisy win a scenario and upgrade their decks."""
    both = outcomes or {ROLAND: "alive", DAISY: "resigned"}
    return [
        *begun(scenario, *both),
        *ended(scenario, 1, "R1", **both),
        {"type": "count", "step": "victory", "scenario": scenario, "count": count},
        {
            "type": "decision",
            "step": "$upgrade_decks",
            "scenario": scenario,
            "decision": True,
        },
    ]


def folded(
    guide: CampaignGuide, *raws: Raw, strict: bool = True, **named: Any
) -> Replay:
    """Fold the campaign after its setup and these answers."""
    answers: list[Answer] = starting(ROLAND, DAISY) + records(*raws)
    return fold(guide, answers, PEOPLE, policy=POLICIES[strict], **named)


def statuses(replay: Replay) -> list[tuple[str, str]]:
    """Return the ids and statuses of the scenarios, without the setup."""
    return [(each.id, each.status) for each in replay.scenarios[1:]]


def setting(**effect: Any) -> Raw:
    """A step with an effect on the campaign."""
    return a_step({"type": "campaign_data", **effect}, step_id="sets")
