"""A scenario is played, resolved and followed by the next; journeys, side stories."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.judging.answers import findings_of
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.records.report import reported
from arkham.rules.campaign.state.answers import Answer, Changes, Entry, Stated
from tests.rules.campaign.small import (
    DAISY,
    PEOPLE,
    POLICIES,
    ROLAND,
    SKIDS,
    WHO,
    a_guide,
    a_scenario,
    does,
    line,
    notes,
    records,
    settled,
    starting,
    state_of,
    when,
)

Raw = dict[str, Any]
PLAY: Raw = {
    "id": "$play_scenario",
    "type": "input",
    "input": {"type": "play_scenario"},
}


def victory(step_id: str = "victory") -> Raw:
    """The victory display, counted."""
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
    does(line("lost"), step_id="lost"),
    does(line("won"), step_id="won"),
    does(line("somebody was defeated"), step_id="defeated"),
    victory(),
]


def a_game(scenario_id: str, *steps: Raw, play: Raw = PLAY, **more: Any) -> Raw:
    """A scenario that is played, with two resolutions and one for the defeated."""
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
    """The scenario begins; the first of them leads."""
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
    """The scenario ends at once, with this resolution and these outcomes."""
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
    """Played and won by Roland and Daisy, decks upgraded."""
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
    """The campaign after its set-up and these answers."""
    answers: list[Answer] = starting(ROLAND, DAISY) + records(*raws)
    return fold(guide, answers, PEOPLE, policy=POLICIES[strict], **named)


def statuses(replay: Replay) -> list[tuple[str, str]]:
    """The scenarios and how far they have come, without the set-up."""
    return [(each.id, each.status) for each in replay.scenarios[1:]]


def test_a_resolution_settles_outcomes_trauma_and_experience() -> None:
    """Daisy is defeated by horror: a mental trauma, and words about the defeated."""
    replay = folded(
        a_guide(a_game("one")), *won("one", 2, **{ROLAND: "alive", DAISY: "mental"})
    )
    state = reported(replay)

    assert statuses(replay) == [("one", "completed")]
    assert notes(state) == ["somebody was defeated", "won"]
    assert state["resolutions"] == {"one": "R1"}
    assert state["investigators"] == {
        ROLAND: {"availableXp": 3},
        DAISY: {"availableXp": 3, "mental": 1},
    }


@pytest.mark.parametrize(
    ("outcome", "strict", "expected"),
    [
        ("killed", True, ["yes"]),
        ("mental", True, ["yes"]),
        ("alive", True, ["no"]),
        ("killed", False, ["no"]),
    ],
)
def test_a_defeat_that_killed_is_a_defeat(
    outcome: str, strict: bool, expected: list[str]
) -> None:
    """Was anybody defeated? Who is dead of it was; the app forgets them."""
    defeated = {
        "type": "scenario_data",
        "scenario_data": "investigator_status",
        "investigator": "defeated",
    }
    outcomes = ["alive", "mental", "killed"]
    resolutions = [
        {"id": "R1", "title": "", "steps": []},
        {"id": "R2", "title": "", "steps": ["when"], "investigator_status": outcomes},
    ]
    scenario = a_scenario(
        "one", PLAY, when(defeated), resolutions=resolutions, setup=["$play_scenario"]
    )
    both = {ROLAND: "alive", DAISY: outcome}
    replay = folded(
        a_guide(scenario),
        *begun("one", *both),
        *ended("one", 1, "R2", **both),
        strict=strict,
    )

    assert notes(reported(replay)) == expected


def test_nobody_was_defeated_who_resigned() -> None:
    """Nothing is said of the defeated, and there is no trauma."""
    state = reported(folded(a_guide(a_game("one")), *won("one")))

    assert notes(state) == ["won"]
    assert state["investigators"][DAISY] == {"availableXp": 3}


def test_nobody_is_asked_for_an_outcome_where_there_is_none() -> None:
    """An empty list of outcomes."""
    resolutions = [{"id": "R1", "title": "", "steps": [], "investigator_status": []}]
    scenario = a_scenario("one", PLAY, resolutions=resolutions)
    replay = folded(
        a_guide(scenario),
        *begun("one", ROLAND),
        {"type": "choice", "step": "$play_scenario", "scenario": "one", "choice": -2},
        {
            "type": "decision",
            "step": "$choose_resolution",
            "scenario": "one",
            "decision": True,
        },
    )

    assert statuses(replay) == [("one", "completed")]


def test_another_resolution_takes_place_inside_one() -> None:
    """Its steps, without asking for outcomes again."""
    inner = {"id": "also", "type": "resolution", "resolution": "R1"}
    resolutions = [
        {"id": "R1", "title": "", "steps": ["won"]},
        {"id": "R2", "title": "", "steps": ["also"]},
    ]
    scenario = a_scenario(
        "one", PLAY, inner, *ENDINGS, resolutions=resolutions, setup=["$play_scenario"]
    )
    outcomes = {ROLAND: "alive"}
    state = reported(
        folded(
            a_guide(scenario), *begun("one", ROLAND), *ended("one", 1, "R2", **outcomes)
        )
    )

    assert notes(state) == ["won"]
    assert state["resolutions"] == {"one": "R2"}


def test_branches_of_the_play_step_are_told_apart_by_their_number() -> None:
    """A branch taken twice asks twice; one with a condition is asked once only."""
    ask = {
        "id": "ask",
        "type": "input",
        "input": {
            "type": "choose_one",
            "choices": [
                {"id": "a", "text": "", "effects": [line("a")]},
                {"id": "b", "text": "", "effects": [line("b")]},
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


def test_a_way_the_play_step_has_not_is_told_and_asked_again() -> None:
    """Nothing follows from it."""
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


def test_only_one_of_those_who_resigned_takes_a_card() -> None:
    """The others are not asked."""
    resolutions = [
        {"id": "R1", "title": "", "steps": []},
        {"id": "R2", "title": "", "steps": ["does"]},
    ]
    take = does({"type": "add_card", "investigator": "any_resigned", "card": "02016"})
    scenario = a_scenario(
        "one", PLAY, take, resolutions=resolutions, setup=["$play_scenario"]
    )
    outcomes = {ROLAND: "alive", DAISY: "resigned", SKIDS: "resigned"}
    guide = a_guide(scenario)
    replay = folded(guide, *begun("one", *outcomes), *ended("one", 1, "R2", **outcomes))
    asked = replay.pending
    assert asked is not None
    assert (asked.prompt, asked.codes) == ("who_takes", (DAISY, SKIDS))

    def refused(*codes: str) -> set[str]:
        value = dict.fromkeys(codes, ("takes",))
        given = Answer(asked.kind, asked.scenario, asked.step, value)
        return {each.rule for each in findings_of(given, asked, replay.state)}

    assert refused(ROLAND) == {"answer.person"}
    assert refused(DAISY, SKIDS) == {"answer.how-many"}
    assert refused(SKIDS) == set()


def test_the_companion_of_who_was_defeated_is_defeated_too() -> None:
    """Roland's, not Daisy’s, though he was killed of it (CYC-EE2)."""
    alive = {
        "type": "partner_status",
        "section": "team",
        "partner": "any",
        "operation": "all",
        "status": ["alive"],
        "options": [{"boolCondition": True}],
    }
    lost = {
        "type": "partner_status",
        "section": "team",
        "partner": "any",
        "operation": "any",
        "status": ["investigator_defeated"],
    }
    asked = {"type": "investigator_choice_partner", "condition": alive}
    go = {"id": "go", "type": "input", "input": asked}
    dies = when(
        lost,
        options=[
            {
                "boolCondition": True,
                "effects": [
                    {
                        "type": "partner_status",
                        "section": "team",
                        "partner": "$input_value",
                        "operation": "add",
                        "status": "eliminated",
                    }
                ],
            }
        ],
    )
    resolutions = [
        {"id": "R1", "title": "", "steps": []},
        {
            "id": "R2",
            "title": "",
            "steps": ["when"],
            "investigator_status": ["alive", "killed"],
        },
    ]
    scenario = a_scenario(
        "one", go, PLAY, dies, resolutions=resolutions, setup=["go", "$play_scenario"]
    )
    outcomes = {ROLAND: "killed", DAISY: "alive"}
    replay = folded(
        a_guide(scenario),
        *begun("one", *outcomes),
        {
            "type": "string_choices",
            "step": "go",
            "scenario": "one",
            "choices": {ROLAND: ["p1"], DAISY: ["p2"]},
        },
        *ended("one", 1, "R2", **outcomes),
    )

    assert replay.problems == ()
    assert replay.state.is_eliminated("p1")
    assert not replay.state.is_eliminated("p2")


def test_words_trauma_weaknesses_and_a_new_lead_while_playing() -> None:
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


@pytest.mark.parametrize(
    ("play", "resolution"),
    [({"single_resolution": "R1"}, "R1"), ({"fixed_resolution": "R1"}, "R1")],
)
def test_only_one_resolution_can_be_reached(play: Raw, resolution: str) -> None:
    """Nobody is asked which."""
    step = {**PLAY, "input": {"type": "play_scenario", **play}}
    replay = folded(
        a_guide(a_game("one", play=step)),
        *begun("one", ROLAND),
        {"type": "choice", "step": "$play_scenario", "scenario": "one", "choice": -2},
    )

    assert reported(replay)["resolutions"] == {"one": resolution}


# --- steps


def test_a_loop_goes_on_as_long_as_it_may() -> None:
    """The first round has no number; the records say so in the app's own way."""
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
    later = does(line("later"), step_id="later")
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
def test_a_passage_somebody_may_have_read(
    answers: list[Raw], expected: list[str]
) -> None:
    """Nobody waits for it."""
    border = {
        "id": "border",
        "type": "border",
        "border": True,
        "steps": ["inside"],
        "confirmation_steps": ["read"],
        "confirmation_text": "",
    }
    steps = [border, *(does(line(i), step_id=i) for i in ("inside", "read", "later"))]
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
def test_what_is_only_told_changes_nothing(kind: str) -> None:
    """And nobody is asked."""
    told = {"id": "told", "type": kind, "text": "", "steps": ["secret"]}
    secret = does(line("secret"), step_id="secret")

    assert notes(state_of([told, secret], setup=["told"])) == []


def test_encounter_sets_may_have_effects() -> None:
    """Few do."""
    step = {
        "id": "sets",
        "type": "encounter_sets",
        "encounter_sets": ["rats"],
        "effects": [line("gathered")],
    }

    assert notes(state_of([step])) == ["gathered"]


def test_shared_steps_are_found_after_ones_own() -> None:
    """A scenario's own step of that name comes first."""
    core = a_scenario(
        "core", does(line("shared"), step_id="x"), does(line("y"), step_id="y"),
        type="core",
    )  # fmt: skip
    own = a_scenario("one", does(line("own"), step_id="x"), setup=["x", "y"])
    replay = folded(a_guide(own, core, scenarios=["one"]), *begun("one", ROLAND, DAISY))

    assert notes(reported(replay)) == ["own", "y"]


# --- from one scenario to the next


def test_scenarios_follow_each_other_and_later_ones_wait() -> None:
    """Only the next one can be begun."""
    guide = a_guide(a_game("one"), a_game("two"), a_game("three"))

    before = folded(guide)
    after = folded(guide, *won("one"))
    assert statuses(before) == [
        ("one", "playable"), ("two", "locked"), ("three", "locked"),
    ]  # fmt: skip
    assert statuses(after) == [
        ("one", "completed"), ("two", "playable"), ("three", "locked"),
    ]  # fmt: skip
    assert after.pending is not None
    assert (after.pending.kind, after.pending.scenario) == ("start_scenario", "two")


def setting(**effect: Any) -> Raw:
    """An effect on the campaign."""
    return does({"type": "campaign_data", **effect}, step_id="sets")


def test_a_scenario_named_as_next_is_next() -> None:
    """Then the list goes on."""
    guide = a_guide(
        a_game("one", setting(setting="next_scenario", scenario="three")),
        a_game("two"),
        a_game("three"),
    )
    replay = folded(guide, *won("one"), *won("three"))

    assert statuses(replay) == [
        ("one", "completed"), ("three", "completed"), ("two", "playable"),
    ]  # fmt: skip
    assert reported(replay)["next_scenario_stack"] == []


def test_a_skipped_scenario_is_passed_over() -> None:
    """The one after it can be begun."""
    guide = a_guide(
        a_game("one", setting(setting="skip_scenario", scenario="two")),
        a_game("two"),
        a_game("three"),
    )

    assert statuses(folded(guide, *won("one"))) == [
        ("one", "completed"), ("two", "skipped"), ("three", "playable"),
    ]  # fmt: skip


def test_a_scenario_is_played_again_with_answers_of_its_own() -> None:
    """The second time is another game."""
    replay_once = when(
        {
            "type": "campaign_data",
            "campaign_data": "scenario_replayed",
            "scenario": "one",
        },
        step_id="again",
        options=[
            {
                "boolCondition": False,
                "effects": [
                    {
                        "type": "campaign_data",
                        "setting": "replay_scenario",
                        "scenario": "one",
                    }
                ],
            }
        ],
    )
    guide = a_guide(a_game("one", replay_once), a_game("two"))
    once = folded(guide, *won("one", 1))
    twice = folded(guide, *won("one", 1), *won("one#1", 3))

    assert statuses(once)[:2] == [("one", "completed"), ("one#1", "playable")]
    assert statuses(twice) == [
        ("one", "completed"), ("one#1", "completed"), ("two", "playable"),
    ]  # fmt: skip
    assert reported(twice)["investigators"][ROLAND]["availableXp"] == 6


def test_a_lost_campaign_goes_straight_to_its_epilogue() -> None:
    """What loses it ends the scenario; what follows there does not happen."""
    lose = setting(setting="result", value="lose")
    epilogue = a_scenario("end", does(line("told")), type="epilogue")
    guide = a_guide(a_game("one", lose), a_game("two"), epilogue)
    replay = folded(
        guide,
        *begun("one", ROLAND, DAISY),
        {"type": "start_scenario", "scenario": "end"},
    )

    assert statuses(replay) == [
        ("one", "completed"), ("two", "skipped"), ("end", "completed"),
    ]  # fmt: skip
    assert notes(reported(replay)) == ["told"]


def test_interludes_read_who_played_before() -> None:
    """Nobody is asked again who plays."""
    told = does({"type": "earn_xp", "investigator": "all", "bonus": 1})
    guide = a_guide(a_game("one"), a_scenario("between", told, type="interlude"))
    replay = folded(
        guide, *won("one", 0), {"type": "start_scenario", "scenario": "between"}
    )

    assert statuses(replay)[-1] == ("between", "completed")
    assert reported(replay)["investigators"][DAISY] == {"availableXp": 2}


def test_a_continuation_keeps_players_and_lead() -> None:
    """The next scenario asks nobody who plays."""
    keep = setting(setting="next_scenario", scenario="two", prelude_continuation=True)
    started = {
        "id": "$choose_investigators",
        "effects": [
            {
                "type": "scenario_data",
                "setting": "scenario_status",
                "status": "started",
            }
        ],
    }
    lead = does(
        {"type": "earn_xp", "investigator": "lead_investigator", "bonus": 4},
        step_id="lead",
    )
    second = a_scenario("two", started, lead, PLAY, setup=["lead", "$play_scenario"])
    replay = folded(
        a_guide(a_game("one", keep), second),
        *won("one", 0),
        {"type": "start_scenario", "scenario": "two"},
    )

    assert reported(replay)["investigators"][ROLAND] == {"availableXp": 5}
    assert replay.pending is not None
    assert replay.pending.step == "$play_scenario"


def test_what_is_changed_by_hand_between_scenarios() -> None:
    """Trauma as it is now, a fate, and notes."""
    changed: Raw = {
        "type": "inter_scenario",
        "scenario": "one",
        "investigatorData": {
            ROLAND: {"physical": 2, "mental": 0, "killed": False, "insane": False},
            DAISY: {"physical": 0, "mental": 0, "killed": True, "insane": False},
        },
        "campaignLogEntries": ["We lost the map."],
    }
    outcomes = {ROLAND: "physical", DAISY: "alive"}
    state = reported(
        folded(a_guide(a_game("one")), *won("one", 0, **outcomes), changed)
    )

    assert state["investigators"] == {
        ROLAND: {"physical": 2, "availableXp": 1},
        DAISY: {"availableXp": 1, "killed": True},
    }
    assert state["sections"]["campaign_notes"]["entries"][-1] == {
        "type": "freeform",
        "id": "one$0",
        "text": "We lost the map.",
        "interScenario": {"scenarioId": "one", "index": 0},
    }


def test_a_side_scenario_of_ones_own_costs_and_pays() -> None:
    """1 experience to play it, 3 in the display; then the campaign goes on."""
    aside: list[Raw] = [
        {
            "type": "start_side_scenario",
            "scenario": "ours",
            "previousScenarioId": "one",
            "sideScenarioType": "custom",
            "name": "Ours",
            "xpCost": 1,
        },
        *begun("ours", ROLAND, DAISY)[1:],
        {"type": "choice", "step": "$play_scenario", "scenario": "ours", "choice": -2},
        {
            "type": "string_choices",
            "step": "$end_of_scenario_status",
            "scenario": "ours",
            "choices": {ROLAND: ["alive"], DAISY: ["physical"]},
        },
        {"type": "count", "step": "$earn_xp", "scenario": "ours", "count": 3},
        {
            "type": "decision",
            "step": "$upgrade_decks",
            "scenario": "ours",
            "decision": True,
        },
    ]
    replay = folded(a_guide(a_game("one"), a_game("two")), *won("one", 0), *aside)

    assert statuses(replay) == [
        ("one", "completed"), ("ours", "completed"), ("two", "playable"),
    ]  # fmt: skip
    assert reported(replay)["investigators"] == {
        ROLAND: {"availableXp": 3},
        DAISY: {"availableXp": 3, "physical": 1},
    }


def test_side_scenarios_get_what_their_campaign_adds() -> None:
    """A branch before their own, a step before, steps after the resolution."""
    side = a_game("aside", side_scenario_type="side_story")
    guide = a_guide(
        a_game("one"),
        side,
        a_scenario("core", does(line("before"), step_id="before"),
                   does(line("after"), step_id="after"), type="core"),
        scenarios=["one"],
        scenario_setup=["before"],
        side_scenario_resolution=["after"],
        side_scenario_steps=[
            {
                "id": "$play_scenario",
                "type": "input",
                "input": {
                    "type": "play_scenario",
                    "branches": [{"id": "m", "text": "", "effects": [line("met")]}],
                },
            }
        ],
    )  # fmt: skip
    both = {ROLAND: "alive", DAISY: "alive"}
    replay = folded(
        guide,
        *won("one", 0),
        {
            "type": "start_side_scenario",
            "scenario": "aside",
            "previousScenarioId": "one",
            "sideScenarioType": "official",
        },
        *begun("aside", ROLAND, DAISY)[1:],
        {"type": "choice", "step": "$play_scenario", "scenario": "aside", "choice": 0},
        {
            "type": "choice",
            "step": "$play_scenario#1",
            "scenario": "aside",
            "choice": -2,
        },
        *ended("aside", 0, "no_resolution", **both)[1:],
        {
            "type": "decision",
            "step": "$upgrade_decks",
            "scenario": "aside",
            "decision": True,
        },
    )

    assert notes(reported(replay)) == ["won", "before", "met", "lost", "after"]
    assert statuses(replay)[-1] == ("aside", "completed")


def test_a_scenario_on_its_own_has_its_own_set_up() -> None:
    """Weaknesses are drawn first; no campaign set-up, and nothing comes after."""
    own = does(line("alone"), step_id="alone")
    scenario = a_game("one", does(line("usual"), step_id="usual"))
    scenario["steps"].append(own)
    scenario["standalone_setup"] = ["alone", "$play_scenario"]
    guide = a_guide(scenario, a_game("two"))
    answers = records(
        *begun("one", ROLAND, DAISY),
        {
            "type": "choice_list",
            "step": "$draw_standalone_weakness",
            "scenario": "one",
            "choices": {ROLAND: [1], DAISY: [0]},
        },
        {
            "type": "string_choices",
            "step": "$draw_standalone_weakness_effects_0_weakness",
            "scenario": "one",
            "choices": {ROLAND: ["01097"]},
        },
        {
            "type": "decision",
            "step": "$save_standalone_decks",
            "scenario": "one",
            "decision": True,
        },
    )
    replay = fold(guide, answers, PEOPLE, standalone="one")

    assert notes(reported(replay)) == ["alone"]
    assert [each.id for each in replay.scenarios] == ["one"]
    assert reported(replay)["investigators"] == {
        ROLAND: {
            "addedCards": ["01097"],
            "removedCards": ["01000"],
            "exiledCards": [],
        }
    }


def receive() -> Raw:
    """What the other campaign has decided."""
    return {
        "id": "hear",
        "type": "input",
        "input": {
            "type": "receive_campaign_link",
            "id": "cats",
            "choices": [
                {"id": "came", "text": "", "effects": [line("cats came")]},
                {"id": "stayed", "text": "", "effects": [line("cats stayed")]},
            ],
        },
    }


def test_a_linked_campaign_waits_for_the_other() -> None:
    """Unlinked, the table is asked; linked, the other campaign decides."""
    guide = a_guide(setup=["who", "hear"], steps=[*settled_steps(), receive()])
    told = records({"type": "campaign_link", "step": "cats", "decision": "stayed"})
    waiting = fold(guide, starting(ROLAND), PEOPLE, [])
    asked = fold(
        guide,
        starting(ROLAND) + records({"type": "choice", "step": "hear", "choice": 0}),
        PEOPLE,
    )

    assert waiting.pending is not None
    assert waiting.pending.kind == "campaign_link"
    assert notes(reported(asked)) == ["cats came"]
    linked = fold(guide, starting(ROLAND), PEOPLE, told)
    assert notes(reported(linked)) == ["cats stayed"]


def settled_steps() -> list[Raw]:
    """The steps every small campaign has."""
    return [{"id": "who", "type": "input", "input": {"type": "scenario_investigators"}}]


def test_problems_say_where_they_are() -> None:
    """A resolution the scenario does not have, a step nobody wrote."""
    wrong = {"id": "wrong", "type": "resolution", "resolution": "R9"}
    replay = settled([wrong, does(line("later"))], setup=["wrong", "missing", "does"])

    assert [(each.rule, each.step, each.found) for each in replay.problems] == [
        ("fold.unknown-resolution", "wrong", "R9"),
        ("fold.unknown-step", "missing", ""),
    ]
    assert notes(reported(replay)) == ["later"]


GONE: Raw = {
    "type": "trauma",
    "investigator": "$fixed_investigator",
    "fixed_investigator": DAISY,
    "killed": True,
}


@pytest.mark.parametrize("strict", [True, False])
def test_what_is_said_of_the_defeated_if_the_only_one_is_dead(strict: bool) -> None:
    """By the rules it is said of her too; the app passes over her."""
    guide = a_guide(a_game("one"), setup=["who", "does"], steps=[WHO, does(GONE)])
    replay = folded(
        guide, *won("one", 2, **{ROLAND: "alive", DAISY: "mental"}), strict=strict
    )

    assert notes(reported(replay)) == ["somebody was defeated"] * strict + ["won"]


@pytest.mark.parametrize("strict", [True, False])
def test_who_died_before_the_end_is_one_of_the_defeated(strict: bool) -> None:
    """She is not asked how it ended for her: the app does not reach her then."""
    lost = {"type": "trauma", "investigator": "defeated", "insane": True}
    game = a_game("one", does(GONE, step_id="gone"), does(lost, step_id="lost_mind"))
    game["setup"] = ["gone", "$play_scenario"]
    game["resolutions"][1]["steps"].insert(0, "lost_mind")
    both = begun("one", ROLAND, DAISY)
    rest = won("one", 2, **{ROLAND: "mental"})[3:]
    people = folded(a_guide(game), *both, *rest, strict=strict).state.people

    assert people[ROLAND].insane
    assert people[DAISY].insane is strict


def a_game_that_pays_for_defeats() -> Raw:
    """Who was defeated has one experience for it, as in The Essex County Express."""
    pity: Raw = {"type": "earn_xp", "investigator": "defeated", "bonus": 1}
    game = a_game("one", does(pity, step_id="pity"))
    game["setup"] = ["$play_scenario"]
    game["resolutions"][1]["steps"].insert(0, "pity")
    return game


@pytest.mark.parametrize(
    ("strict", "trauma", "daisy"),
    [
        (True, 0, 1 + 3),
        (True, 4, 0),  # the fifth is as much as her health: she is killed
        (False, 4, 1),  # the app pays the dead
    ],
)
def test_who_was_killed_is_not_paid_for_the_defeat(
    strict: bool, trauma: int, daisy: int
) -> None:
    """XP-29: nobody killed or driven insane earns; Roland has 1 and 2 and a bonus."""
    hurt = does(
        {"type": "trauma", "investigator": "$fixed_investigator",
         "fixed_investigator": DAISY, "physical": trauma},
        step_id="hurt",
    )  # fmt: skip
    guide = a_guide(
        a_game_that_pays_for_defeats(), setup=["who", "hurt"], steps=[WHO, hurt]
    )
    both = {ROLAND: "mental", DAISY: "physical"}
    replay = folded(guide, *won("one", 2, **both), strict=strict)
    people = replay.state.people

    assert (people[ROLAND].experience or 0) == 1 + 3
    assert (people[DAISY].experience or 0) == daisy
    assert replay.state.is_killed(DAISY) is bool(trauma)
    assert replay.problems == ()


def test_a_table_that_pays_the_dead_is_told() -> None:
    """Nothing is earned; what was taken from them is."""
    guide = a_guide(a_game("one"))
    dead = Stated("one", do.Trauma("input", killed=True), (DAISY,), (), "So", 90)
    paid = Stated("one", do.EarnExperience("input", bonus=2), (DAISY,), (), "So", 91)
    taken = Stated("one", do.EarnExperience("input", bonus=-1), (DAISY,), (), "So", 92)
    answers = starting(ROLAND, DAISY) + records(*won("one", 2))
    replay = fold(guide, [*answers, dead, paid, taken], PEOPLE)

    assert [(each.rule, each.found) for each in replay.problems] == [
        ("log.gone", DAISY)
    ]
    assert replay.state.people[DAISY].experience == 3 - 1


@pytest.mark.parametrize("is_stated", [False, True])
def test_what_is_told_of_a_lost_game_holds(is_stated: bool) -> None:
    """However it was lost; but nothing of a game that was begun after it."""
    loses = {"type": "campaign_data", "setting": "result", "value": "lose"}
    lost = [] if is_stated else [does(loses, step_id="loses")]
    guide = a_guide(a_game("one", *lost), a_game("two"))
    effects: list[do.Effect] = [do.Trauma("input", physical=2), do.LogLine("n", "a")]
    if is_stated:
        effects.insert(0, do.SetResult("lose"))
    facts = [Stated("one", each, (ROLAND,), (), "so") for each in effects]
    later = Stated("two", do.Trauma("input", physical=1), (ROLAND,), (), "so")
    by_hand = Answer(
        "inter_scenario", "one", "", Changes(((DAISY, 1, 0, False, False),), ())
    )
    entries: list[Entry] = [
        *starting(ROLAND, DAISY),
        *records(*won("one"), *won("two")),
        by_hand,
        *facts,
        later,
    ]
    for is_strict, hurt in ((True, {ROLAND: 2, DAISY: 1}), (False, {})):
        replay = fold(
            guide,
            [each._replace(sequence=at) for at, each in enumerate(entries, 1)],
            PEOPLE,
            policy=POLICIES[is_strict],
        )
        assert replay.state.campaign_result == "lose"
        assert replay.problems == ()
        if is_stated and not is_strict:
            continue  # the app knows no facts
        people = replay.state.people
        assert {c: p.physical for c, p in people.items() if p.physical} == hurt
        assert replay.state.has_line("n", "a") is is_strict
