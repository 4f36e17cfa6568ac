"""Defects of the app or of current guides, which folds by the rules don't have.

Recorded runs come from the app, so each case can also be folded as the app does it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from arkham.rules.campaign.by_hand.facts import campaign_facts
from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model.guide import SETUP, Ask
from arkham.rules.campaign.model.prompts import ChooseOne
from arkham.rules.campaign.reading.cursor import Flaw
from arkham.rules.campaign.reading.lint import lint_guide
from arkham.rules.campaign.records import read_answer
from arkham.rules.campaign.state.answers import Answer, Stated
from arkham.rules.chaos.starting import Difficulty
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import PLAY, begun
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.small import (
    DAISY,
    MAP,
    PEOPLE,
    POLICIES,
    ROLAND,
    a_check,
    a_guide,
    a_note,
    a_scenario,
    a_step,
    notes,
    read,
    records,
    settled,
    starting,
    state_of,
)

Raw = dict[str, Any]
ALL: Raw = {"investigator": "all"}
BOTH_WAYS = pytest.mark.parametrize("strict", [True, False])


@BOTH_WAYS
def test_the_defeat_of_a_named_investigator_is_found(strict: bool) -> None:
    """D1: the app never finds it."""
    defeated = a_check(
        {
            "type": "scenario_data",
            "scenario_data": "fixed_investigator_status",
            "fixed_investigator": DAISY,
            "status": "defeated",
        }
    )
    resolution = {"id": "R1", "title": "", "steps": ["when"]}
    guide = a_guide(
        a_scenario(
            "one", PLAY, defeated, setup=["$play_scenario"], resolutions=[resolution]
        )
    )
    answers = starting(ROLAND, DAISY) + records(
        *begun("one", ROLAND, DAISY),
        {"type": "choice", "step": "$play_scenario", "scenario": "one", "choice": -2},
        {
            "type": "decision",
            "step": "$choose_resolution",
            "scenario": "one",
            "decision": True,
        },
        {
            "type": "string_choices",
            "step": "$r_R1*investigator_status",
            "scenario": "one",
            "choices": {ROLAND: ["alive"], DAISY: ["mental"]},
        },
    )

    found = notes(reported(fold(guide, answers, PEOPLE, policy=POLICIES[strict])))
    assert found == (["yes"] if strict else ["no"])


@BOTH_WAYS
def test_trauma_can_be_set_to_zero(strict: bool) -> None:
    """D2: the app ignores 0."""
    step = a_step(
        {"type": "trauma", **ALL, "physical": 2},
        {"type": "trauma", **ALL, "set_physical": 0},
    )

    found = state_of([step], strict=strict)["investigators"][ROLAND]
    assert found == {"physical": 0 if strict else 2}


@BOTH_WAYS
def test_every_token_a_guide_adds_is_kept(strict: bool) -> None:
    """D3: the app's bag has no third −4; by the rules any number is possible."""
    step = a_step({"type": "add_chaos_token", "tokens": ["-4"] * 3})

    assert state_of([step], strict=strict)["chaos_bag"] == {"-4": 3 if strict else 2}


@pytest.mark.parametrize(
    ("token", "most"), [("bless", 10), ("curse", 10), ("frost", 8)]
)
def test_only_blessings_curses_and_frost_are_limited(token: str, most: int) -> None:
    """One token beyond the limit stays out and is reported."""
    replay = settled(
        [a_step({"type": "add_chaos_token", "tokens": [token] * (most + 1)})]
    )

    assert reported(replay)["chaos_bag"] == {token: most}
    assert [(each.rule, each.found) for each in replay.problems] == [
        ("bag.limit", token)
    ]


def test_an_unknown_token_stays_out() -> None:
    """It is reported; the others are added."""
    replay = fold(
        a_guide(),
        [*starting(ROLAND), Stated(SETUP, course.Tokens(("skull", "skill"), 1))],
        PEOPLE,
    )

    assert reported(replay)["chaos_bag"] == {"skull": 1}
    assert [(each.rule, each.found) for each in replay.problems] == [
        ("bag.token", "skill")
    ]


@BOTH_WAYS
def test_redirected_experience_reaches_its_investigators(strict: bool) -> None:
    """D4: the app loses it if the step names them, and forgets the scale."""
    redirect = a_step(
        {
            "type": "campaign_data",
            "setting": "redirect_experience",
            "investigator_count": "memories",
        },
        {
            "type": "earn_xp",
            "investigator": "$fixed_investigator",
            "fixed_investigator": DAISY,
            "bonus": 2,
        },
    )
    doubled = {
        "id": "count",
        "type": "input",
        "input": {
            "type": "counter",
            "text": "",
            "effects": [{"type": "earn_xp", **ALL, "input_scale": 2}],
        },
    }
    state = state_of(
        [redirect, doubled], [{"type": "count", "step": "count", "count": 3}],
        strict=strict,
    )  # fmt: skip
    counts = {
        code: section["entries"][0]["count"]
        for code, section in state["investigator_sections"]["memories"].items()
    }

    assert state["investigators"] == {}
    assert counts == ({ROLAND: 6, DAISY: 8} if strict else {ROLAND: 3, DAISY: 3})


@BOTH_WAYS
def test_a_city_passed_through_is_not_visited(strict: bool) -> None:
    """D5: the app forgets that no one stopped there."""
    guide = a_guide(
        a_scenario("one", {"id": "go", "steps": ["$embark"]}, type="interlude"),
        a_scenario("rome", a_step(), type="interlude"),
        scenarios=["one"],
        map=MAP,
    )
    journey = {
        "previousScenarioId": "one",
        "destination": "rome",
        "departure": "london",
        "time": 2,
        "nextScenario": "rome",
        "fast": False,
        "transit": True,
    }
    answers = starting(ROLAND) + records(
        {"type": "start_scenario", "scenario": "one"},
        {"type": "start_scenario", "scenario": "rome", "embarkData": journey},
    )
    state = reported(fold(guide, answers, PEOPLE, policy=POLICIES[strict]))

    assert state["scarlet"]["location"] == "rome"
    assert state["scarlet"]["visitedLocations"] == ([] if strict else ["rome"])
    assert state["counts"]["time"] == 2
    assert state["scenarios"][1:] == [["one", "completed"], ["rome", "completed"]]


def task_steps(bonus: int) -> list[Raw]:
    """Daisy's task with a progress of 4, and experience for it."""
    pick = {
        "id": "pick",
        "type": "input",
        "input": {
            "type": "investigator_choice",
            "source": "scenario",
            "investigator": "any",
            "choices": [
                {
                    "id": "task",
                    "text": "",
                    "effects": [
                        {
                            "type": "campaign_log_assign_task",
                            "section": "hidden",
                            "id": "toil",
                            "investigator": "$input_value",
                            "task_section": "memories",
                            "task_id": "$count",
                        },
                        {
                            "type": "campaign_log_task",
                            "section": "hidden",
                            "id": "toil",
                            "operation": "set",
                            "value": 4,
                        },
                    ],
                }
            ],
        },
    }
    earn = a_check(
        {"type": "campaign_log_task", "section": "hidden", "id": "toil"},
        options=[
            {
                "boolCondition": True,
                "effects": [
                    {"type": "earn_xp", "investigator": "$input_value", "bonus": bonus}
                ],
            }
        ],
    )
    return [pick, earn]


@pytest.mark.parametrize(
    ("bonus", "strict", "expected"), [(2, True, 2), (2, False, 6), (0, True, 4)]
)
def test_a_bonus_is_not_added_to_the_progress_of_a_task(
    bonus: int, strict: bool, expected: int
) -> None:
    """D6: with a bonus only the bonus is earned, otherwise the progress."""
    guide, flaws = read(
        setup=["who", "pick", "when"],
        steps=[
            {"id": "who", "type": "input", "input": {"type": "scenario_investigators"}},
            *task_steps(bonus),
        ],
    )
    answers = starting(ROLAND, DAISY) + records(
        {"type": "string_choices", "step": "pick", "choices": {DAISY: ["task"]}}
    )
    state = reported(fold(guide, answers, PEOPLE, policy=POLICIES[strict]))

    assert state["investigators"][DAISY] == {"availableXp": expected}
    assert [flaw.rule for flaw in flaws] == ["guide.bonus-and-count"] * bool(bonus)


def flaws_of(*scenarios: Raw, **campaign: Any) -> list[Flaw]:
    """Return the flaws that the linter finds."""
    return lint_guide(read(*scenarios, **campaign)[0])


def test_a_scenario_of_another_campaign_is_reported() -> None:
    """D7: though skipped there, it stays playable here."""
    step = a_step(
        {"type": "campaign_data", "setting": "skip_scenario", "scenario": "elsewhere"}
    )

    assert flaws_of(a_scenario("one", step)) == [
        Flaw("guide.unknown-scenario", "own/one · does", "elsewhere", "one")
    ]


def test_an_unwritten_rule_is_reported() -> None:
    """D8."""
    rules = [{"title": "", "steps": ["locations_rule"]}]

    assert flaws_of(a_scenario("one", a_step(), rules=rules)) == [
        Flaw("guide.unknown-rule", "own/one.rules", "locations_rule", "a step's id")
    ]


def test_a_missing_hidden_scenario_is_reported() -> None:
    """D9."""
    assert flaws_of(a_scenario("one", a_step()), hidden_scenarios=["two"]) == [
        Flaw("guide.unknown-hidden-scenario", "own/campaign.hidden_scenarios", "two")
    ]


@BOTH_WAYS
def test_a_card_condition_for_each_is_met_only_if_an_investigator_has_it(
    strict: bool,
) -> None:
    """D10: among several conditions the app always counts it as met."""
    each = {
        "type": "has_card",
        "investigator": "each",
        "card": "x",
        "options": [{"boolCondition": True}],
    }
    step = a_check({"type": "multi", "count": 1, "conditions": [each]})

    assert notes(state_of([step], strict=strict)) == (["no"] if strict else ["yes"])


@BOTH_WAYS
def test_text_for_an_undeclared_section_is_kept(strict: bool) -> None:
    """D11: the app loses it."""
    step = {
        "id": "ask",
        "type": "input",
        "input": {
            "type": "text_box",
            "effects": [{"type": "campaign_log_text", "section": "glyphs", "id": "g"}],
        },
    }
    answer = {"type": "text", "step": "ask", "text": "A star."}
    sections = state_of([step], [answer], strict=strict)["sections"]

    kept = {"entries": [{"type": "freeform", "id": "g", "text": "A star."}]}
    assert sections.get("glyphs") == (kept if strict else None)


@BOTH_WAYS
def test_another_play_step_is_kept_before_players_are_chosen(strict: bool) -> None:
    """D12: the app keeps it only after a game has begun."""
    hub = a_step(
        {
            "type": "scenario_data",
            "setting": "play_scenario_step_id",
            "step_id": "other",
        }
    )
    again = {"id": "again", "steps": ["$check_continue_play_scenario"]}
    other = {"id": "other", "type": "input", "input": {"type": "play_scenario"}}
    replay = settled([hub, again, other], setup=["does", "again"], strict=strict)
    # The setup has a game as soon as someone plays; an empty one has none.
    guide = a_guide(
        a_scenario("one", hub, again, other, type="interlude", setup=["does", "again"])
    )
    answers = records(
        {"type": "start_scenario"}, {"type": "start_scenario", "scenario": "one"}
    ) + records({"type": "string_choices", "step": "who", "choices": {}})
    fresh = fold(guide, answers, PEOPLE, policy=POLICIES[strict])

    assert replay.pending is not None
    assert fresh.pending is not None
    assert replay.pending.step == "other"
    assert fresh.pending.step == ("other" if strict else "$play_scenario")


@pytest.mark.parametrize(
    ("guide_id", "difficulty"),
    [
        ("ptc", "expert"),
        ("fhv", "expert"),
        ("zdm", "easy"),
        ("zaw", "hard"),
        ("zce", "easy"),
    ],
)
def test_bags_of_campaigns_kept_by_hand_match_the_guides(
    guide_id: str, difficulty: str
) -> None:
    """D13: the app has two tables of bags, and these five differ."""
    facts = campaign_facts(guide_id).bags[Difficulty(difficulty)]
    steps = shared_library().guides[guide_id].setup.steps.values()
    choices = [
        choice
        for step in steps
        if isinstance(step, Ask) and isinstance(step.prompt, ChooseOne)
        for choice in step.prompt.choices
        if choice.id == difficulty
    ]
    tokens = [
        token
        for choice in choices
        for batch in choice.batches
        for effect in batch.plain
        if isinstance(effect, course.Tokens)
        for token in effect.tokens
    ]

    assert len(choices) == 1
    assert Counter(tokens) == {token.value: count for token, count in facts.counts}


def test_recorded_maps_are_read_in_the_order_of_the_app() -> None:
    """D14: whole numbers come first in the app, in numerical order."""
    raw = {
        "type": "string_choices",
        "scenario": SETUP,
        "step": "who",
        "choices": {"01001": ["x"], "60301": ["x"], "09001": ["x"], "51": ["x"]},
    }

    assert list(read_answer(raw, "").value) == ["51", "60301", "01001", "09001"]


def test_a_number_too_large_for_an_index_is_read_in_its_place() -> None:
    """JavaScript's array indexes have 32 bits; longer numbers are read as well."""
    last, beyond, longest = "4294967294", "4294967295", "9" * 5_000
    keys = ("x", longest, beyond, last, "5")
    raw = {
        "type": "string_choices",
        "scenario": SETUP,
        "step": "who",
        "choices": {key: ["x"] for key in keys},
    }

    found = list(read_answer(raw, "").value)

    assert found == ["5", last, "x", longest, beyond]


def test_a_choice_is_read_by_its_id_even_if_its_number_changed() -> None:
    """D15: the number is only its position when it was chosen."""
    choices = [
        {"id": "a", "text": "", "effects": [a_note("a")]},
        {"id": "b", "text": "", "effects": [a_note("b")]},
    ]
    step = {"id": "ask", "type": "input", "input": {"type": "choose_one"}}
    step["input"] = {"type": "choose_one", "choices": choices}
    guide = a_guide(setup=["who", "ask"], steps=[*who(), step])
    named = Answer("choice", SETUP, "ask", 0, 3, "b")
    numbered = Answer("choice", SETUP, "ask", 0, 3)

    def chosen(answer: Answer) -> list[str]:
        return notes(reported(fold(guide, [*starting(ROLAND), answer], PEOPLE)))

    assert chosen(named) == ["b"]
    assert chosen(numbered) == ["a"]
    gone = fold(guide, [*starting(ROLAND), named._replace(choice="c")], PEOPLE)
    assert [(each.rule, each.found) for each in gone.problems] == [
        ("answer.unknown-choice", "c")
    ]
    assert gone.pending is not None
    assert gone.pending.step == "ask"


def who() -> list[Raw]:
    """The first step of every small campaign."""
    return [{"id": "who", "type": "input", "input": {"type": "scenario_investigators"}}]
