"""The next scenario: in order, named, skipped, replayed, on the side or standalone."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import Answer, Changes, Entry, Stated
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import (
    PLAY,
    a_game,
    begun,
    ended,
    folded,
    setting,
    statuses,
    won,
)
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    POLICIES,
    ROLAND,
    Raw,
    a_check,
    a_guide,
    a_note,
    a_scenario,
    a_step,
    notes,
    records,
    starting,
)


def test_scenarios_follow_each_other_and_later_ones_are_locked() -> None:
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


def test_a_scenario_named_as_next_is_next() -> None:
    """The order continues after it."""
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


def test_the_scenario_after_a_skipped_one_is_next() -> None:
    guide = a_guide(
        a_game("one", setting(setting="skip_scenario", scenario="two")),
        a_game("two"),
        a_game("three"),
    )

    assert statuses(folded(guide, *won("one"))) == [
        ("one", "completed"), ("two", "skipped"), ("three", "playable"),
    ]  # fmt: skip


def test_a_replayed_scenario_has_separate_answers() -> None:
    replay_once = a_check(
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
    """The scenario ends at once, without its remaining steps."""
    lose = setting(setting="result", value="lose")
    epilogue = a_scenario("end", a_step(a_note("noted")), type="epilogue")
    guide = a_guide(a_game("one", lose), a_game("two"), epilogue)
    replay = folded(
        guide,
        *begun("one", ROLAND, DAISY),
        {"type": "start_scenario", "scenario": "end"},
    )

    assert statuses(replay) == [
        ("one", "completed"), ("two", "skipped"), ("end", "completed"),
    ]  # fmt: skip
    assert notes(reported(replay)) == ["noted"]


def test_interludes_keep_the_players_of_the_last_game() -> None:
    """They don't ask who plays."""
    earning = a_step({"type": "earn_xp", "investigator": "all", "bonus": 1})
    guide = a_guide(a_game("one"), a_scenario("between", earning, type="interlude"))
    replay = folded(
        guide, *won("one", 0), {"type": "start_scenario", "scenario": "between"}
    )

    assert statuses(replay)[-1] == ("between", "completed")
    assert reported(replay)["investigators"][DAISY] == {"availableXp": 2}


def test_a_continuation_keeps_players_and_lead() -> None:
    """The next scenario doesn't ask who plays."""
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
    lead = a_step(
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


def test_investigators_choose_in_turn_after_a_game() -> None:
    """The lead of the game is first, though the interlude names no lead."""
    choices = [{"id": each, "text": "", "effects": [a_note(each)]} for each in "ab"]
    ask = {
        "type": "investigator_choice",
        "source": "scenario",
        "investigator": "all",
        "special_mode": "sequential",
        "choices": choices,
    }
    step = {"id": "ask", "type": "input", "input": ask}
    game = won("one", 0)
    game[1]["choices"] = {ROLAND: ["chosen"], DAISY: ["chosen"]}
    game[2]["choices"] = {DAISY: ["lead"]}
    guide = a_guide(a_game("one"), a_scenario("two", step, type="interlude"))
    begins: Raw = {"type": "start_scenario", "scenario": "two"}
    first: Raw = {"type": "string_choices", "scenario": "two", "step": "ask"}
    first["choices"] = {DAISY: ["a"]}
    asked = [
        folded(guide, *game, begins, *said).pending for said in ([], [first])
    ]  # fmt: skip

    assert [each and each.codes for each in asked] == [(DAISY,), (ROLAND,)]


def test_changes_by_hand_between_scenarios_are_applied() -> None:
    """Current trauma, a fate, and notes."""
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


def test_a_custom_side_scenario_costs_and_gives_experience() -> None:
    """1 to play it, 3 in the display; then the campaign continues."""
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


def test_side_scenarios_get_the_steps_their_campaign_adds() -> None:
    """A branch before their own, a step before, steps after the resolution."""
    side = a_game("aside", side_scenario_type="side_story")
    guide = a_guide(
        a_game("one"),
        side,
        a_scenario("core", a_step(a_note("before"), step_id="before"),
                   a_step(a_note("after"), step_id="after"), type="core"),
        scenarios=["one"],
        scenario_setup=["before"],
        side_scenario_resolution=["after"],
        side_scenario_steps=[
            {
                "id": "$play_scenario",
                "type": "input",
                "input": {
                    "type": "play_scenario",
                    "branches": [{"id": "m", "text": "", "effects": [a_note("met")]}],
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


def test_a_standalone_scenario_has_its_own_setup() -> None:
    """Weaknesses are drawn first; there is no campaign setup, and nothing follows."""
    own = a_step(a_note("alone"), step_id="alone")
    scenario = a_game("one", a_step(a_note("usual"), step_id="usual"))
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


@pytest.mark.parametrize("is_stated", [False, True])
def test_facts_about_a_lost_game_apply(is_stated: bool) -> None:
    """However it was lost; but not facts about a game begun after it."""
    loses = {"type": "campaign_data", "setting": "result", "value": "lose"}
    lost = [] if is_stated else [a_step(loses, step_id="loses")]
    guide = a_guide(a_game("one", *lost), a_game("two"))
    effects: list[do.Effect] = [do.Trauma("input", physical=2), do.LogLine("n", "a")]
    if is_stated:
        effects.insert(0, course.SetResult("lose"))
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
            continue  # the app has no facts
        people = replay.state.people
        assert {c: p.physical for c, p in people.items() if p.physical} == hurt
        assert replay.state.has_line("n", "a") is is_strict
