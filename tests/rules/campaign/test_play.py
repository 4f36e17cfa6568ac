"""Playing a scenario: play step, loops, passages, shared steps."""

from __future__ import annotations

import pytest

from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import a_game, begun, folded
from tests.rules.campaign.helpers.small import (
    DAISY,
    ROLAND,
    Raw,
    a_guide,
    a_note,
    a_scenario,
    a_step,
    notes,
    settled,
    state_of,
)


def test_branches_of_the_play_step_are_distinguished_by_their_number() -> None:
    """A branch taken twice asks twice; a branch with a condition is asked only once."""
    ask = {
        "id": "ask",
        "type": "input",
        "input": {
            "type": "choose_one",
            "choices": [
                {"id": "a", "text": "", "effects": [a_note("a")]},
                {"id": "b", "text": "", "effects": [a_note("b")]},
            ],
        },
    }
    always = {
        "type": "campaign_data",
        "campaign_data": "standalone",
        "options": [{"boolCondition": False}],
    }
    play = {
        "id": "$play_scenario",
        "type": "input",
        "input": {
            "type": "play_scenario",
            "branches": [
                {"id": "ask", "text": "", "steps": ["ask"]},
                {"id": "once", "text": "", "steps": ["ask"], "condition": always},
            ],
        },
    }
    scenario = a_scenario("one", play, ask, setup=["$play_scenario"])
    replay = folded(
        a_guide(scenario),
        *begun("one", ROLAND),
        *[
            {"scenario": "one", "type": "choice", "step": step, "choice": choice}
            for step, choice in [
                ("$play_scenario", 0),
                ("ask#1", 0),
                ("$play_scenario#1", 0),
                ("ask#2", 1),
                ("$play_scenario#2", 1),
                ("ask", 0),
            ]
        ],
    )

    assert notes(reported(replay)) == ["a", "b", "a"]
    assert replay.pending is not None
    assert replay.pending.step == "$play_scenario#3"


def test_an_unknown_branch_of_the_play_step_is_reported_and_asked_again() -> None:
    """It has no effect."""
    replay = folded(
        a_guide(a_game("one")),
        *begun("one", ROLAND),
        {"type": "choice", "step": "$play_scenario", "scenario": "one", "choice": 7},
    )

    assert (replay.problems[0].rule, replay.problems[0].found) == (
        "answer.out-of-range",
        "7",
    )
    assert replay.pending is not None
    assert replay.pending.step == "$play_scenario"


def test_texts_trauma_weaknesses_and_a_new_lead_can_be_recorded_while_playing() -> None:
    """Each under the number of the play step."""
    given: list[Raw] = [
        {"type": "choice", "step": "$play_scenario", "choice": -1},
        {"type": "text", "step": "$campaign_log#1", "text": "It rained."},
        {"type": "choice", "step": "$play_scenario#1", "choice": -4},
        {
            "type": "string_choices",
            "step": "$record_trauma#2",
            "choices": {DAISY: ["record_trauma"]},
        },
        {
            "type": "string_choices",
            "step": "$record_trauma#2_effects_trauma",
            "choices": {DAISY: ["physical"]},
        },
        {"type": "choice", "step": "$play_scenario#2", "choice": -3},
        {
            "type": "string_choices",
            "step": "$draw_weakness#3",
            "choices": {ROLAND: ["draw_weakness"]},
        },
        {
            "type": "string_choices",
            "step": "$draw_weakness#3_effects_weakness",
            "choices": {ROLAND: ["01097"]},
        },
        {"type": "choice", "step": "$play_scenario#3", "choice": -5},
        {
            "type": "string_choices",
            "step": "$change_lead_investigator#4",
            "choices": {DAISY: ["lead"]},
        },
    ]
    replay = folded(
        a_guide(a_game("one")),
        *begun("one", ROLAND, DAISY),
        *[{"scenario": "one", **raw} for raw in given],
    )
    state = reported(replay)

    assert notes(state) == ["It rained."]
    assert state["investigators"] == {
        DAISY: {"physical": 1},
        ROLAND: {"addedCards": ["01097"]},
    }
    assert replay.state.lead == DAISY
    assert replay.pending is not None
    assert replay.pending.step == "$play_scenario#4"


def test_a_loop_repeats_while_its_condition_is_met() -> None:
    """The first round has no number; records number later rounds in the app's way."""
    loop = {
        "id": "loop",
        "type": "branch",
        "loop": True,
        "condition": {
            "type": "math",
            "operation": "compare",
            "opA": {"type": "campaign_log_count", "section": "doubt"},
            "opB": {"type": "constant", "value": 2},
            "options": [{"numCondition": -1, "steps": ["ask"]}],
        },
    }
    ask = {
        "id": "ask",
        "type": "input",
        "input": {
            "type": "counter",
            "text": "",
            "effects": [
                {
                    "type": "campaign_log_count",
                    "section": "doubt",
                    "operation": "add_input",
                }
            ],
        },
    }
    answers = [
        {"type": "count", "step": "ask#undefined", "count": 1},
        {"type": "count", "step": "ask#1", "count": 1},
    ]
    later = a_step(a_note("later"), step_id="later")
    found = state_of([loop, ask, later], answers, setup=["loop", "later"])

    assert found["counts"] == {"doubt": 2}
    assert notes(found) == ["later"]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([], ["inside", "later"]),
        ([{"decision": True}], ["inside", "read", "later"]),
        ([{"decision": False}], ["inside", "later"]),
    ],
)
def test_a_passage_may_be_confirmed_as_read(
    answers: list[Raw], expected: list[str]
) -> None:
    """It is optional."""
    border = {
        "id": "border",
        "type": "border",
        "border": True,
        "steps": ["inside"],
        "confirmation_steps": ["read"],
        "confirmation_text": "",
    }
    steps = [
        border,
        *(a_step(a_note(i), step_id=i) for i in ("inside", "read", "later")),
    ]
    given = [
        {"type": "decision", "step": "border_read_the_thing", **each}
        for each in answers
    ]

    assert notes(state_of(steps, given, setup=["border", "later"])) == expected


@pytest.mark.parametrize(
    "kind",
    [
        "story", "rule_reminder", "location_setup", "table", "travel_cost",
        "investigator_setup", "xp_count", "location_connectors",
    ],
)  # fmt: skip
def test_a_text_alone_changes_nothing(kind: str) -> None:
    """No question is asked."""
    told = {"id": "told", "type": kind, "text": "", "steps": ["secret"]}
    secret = a_step(a_note("secret"), step_id="secret")

    assert notes(state_of([told, secret], setup=["told"])) == []


def test_encounter_sets_may_have_effects() -> None:
    step = {
        "id": "sets",
        "type": "encounter_sets",
        "encounter_sets": ["rats"],
        "effects": [a_note("gathered")],
    }

    assert notes(state_of([step])) == ["gathered"]


def test_own_steps_take_precedence_over_shared_steps() -> None:
    core = a_scenario(
        "core", a_step(a_note("shared"), step_id="x"), a_step(a_note("y"), step_id="y"),
        type="core",
    )  # fmt: skip
    own = a_scenario("one", a_step(a_note("own"), step_id="x"), setup=["x", "y"])
    replay = folded(a_guide(own, core, scenarios=["one"]), *begun("one", ROLAND, DAISY))

    assert notes(reported(replay)) == ["own", "y"]


def test_problems_have_their_place() -> None:
    """An unknown resolution, and an unknown step."""
    wrong = {"id": "wrong", "type": "resolution", "resolution": "R9"}
    replay = settled(
        [wrong, a_step(a_note("later"))], setup=["wrong", "missing", "does"]
    )

    assert [(each.rule, each.step, each.found) for each in replay.problems] == [
        ("fold.unknown-resolution", "wrong", "R9"),
        ("fold.unknown-step", "missing", ""),
    ]
    assert notes(reported(replay)) == ["later"]
