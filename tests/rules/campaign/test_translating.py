"""A campaign recorded by the app never stops at a question its table has passed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arkham.rules.campaign.interpreter.replay import Replay, _Folding, fold
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.model.scenario_steps import AS_RECORDED
from arkham.rules.campaign.policy import AS_THE_APP, BY_THE_RULES
from arkham.rules.campaign.records import translated
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.state import State
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.prompts import LOOP, ROUND, asks, chosen, option
from tests.rules.campaign.helpers.small import (
    PEOPLE,
    ROLAND,
    WHO,
    Raw,
    a_check,
    a_guide,
    a_note,
    a_scenario,
    notes,
    records,
    starting,
)

EACH_HAS: Raw = {
    "type": "multi",
    "count": 1,
    "conditions": [
        {
            "type": "has_card",
            "investigator": "each",
            "card": "02016",
            "options": [{"boolCondition": True}],
        }
    ],
}


def _translated(
    guide: CampaignGuide, given: Sequence[Answer]
) -> tuple[list[Answer], Replay]:
    """Return the answers as a log stores them, and their fold by the rules."""

    def by_the_rules(answers: Sequence[Answer], after: Replay | None) -> Replay:
        return fold(guide, answers, PEOPLE, after=after)

    def as_recorded(answers: Sequence[Answer], after: Replay | None) -> Replay:
        return fold(guide, answers, PEOPLE, policy=AS_THE_APP, after=after)

    answers = translated(given, as_recorded, by_the_rules)
    return answers, by_the_rules(answers, None)


def test_answers_to_the_same_questions_are_unchanged() -> None:
    """Except that choices get their ids."""
    ask = asks(
        "choose_one", choices=[option("a", a_note("a")), option("b", a_note("b"))]
    )
    guide = a_guide(setup=["who", "ask"], steps=[WHO, ask])
    given = starting(ROLAND) + records(chosen(1))
    answers, replay = _translated(guide, given)

    assert [each._replace(choice="") for each in answers] == given
    assert answers[-1].choice == "b"
    assert notes(reported(replay)) == ["b"]


def test_each_round_of_a_loop_gets_its_own_answer() -> None:
    """The app has one record for all rounds after the first."""
    guide = a_guide(setup=["who", "loop"], steps=[WHO, LOOP, ROUND])
    given = starting(ROLAND) + records(chosen(2, "ask#undefined"), chosen(0, "ask#NaN"))
    answers, replay = _translated(guide, given)
    rounds = [(each.step, each.choice) for each in answers if "#" in each.step]

    assert rounds == [("ask#undefined", "c"), ("ask#1", "a"), ("ask#2", "b")]
    assert notes(reported(replay)) == ["c", "a", "b"]
    assert replay.pending is None or not replay.pending.step


def test_an_endless_loop_is_left_after_a_maximum_of_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such a file must not keep the server busy."""
    folded: list[str] = []
    again = asks("choose_one", choices=[option("a", a_note("a")), option("b")])
    guide = a_guide(setup=["who", "loop"], steps=[WHO, LOOP, again])
    given = starting(ROLAND) + records(chosen(0, "ask#undefined"), chosen(0, "ask#NaN"))
    begin = _Folding.begun

    def counted(folding: _Folding, state: State, first: str) -> Replay:
        folded.append(first)
        return begin(folding, state, first)

    monkeypatch.setattr(_Folding, "begun", counted)
    answers, replay = _translated(guide, given)

    assert len(answers) == len(given) + 1
    assert AS_RECORDED in {each.step for each in answers}
    assert [each.rule for each in replay.problems] == ["fold.endless"]
    assert len(folded) < 20


def test_a_round_the_app_left_open_stays_open() -> None:
    """The second round has not been answered."""
    guide = a_guide(setup=["who", "loop"], steps=[WHO, LOOP, ROUND])
    given = starting(ROLAND) + records(chosen(2, "ask#undefined"))
    answers, replay = _translated(guide, given)

    assert len(answers) == len(given)
    assert replay.pending is not None
    assert replay.pending.step == "ask#1"


def _asking_otherwise() -> CampaignGuide:
    """Two interludes; in the first the app asks another question than the rules."""
    branch = a_check(
        EACH_HAS,
        options=[
            {"boolCondition": True, "steps": ["app"]},
            {"boolCondition": False, "steps": ["rules"]},
        ],
    )
    first = a_scenario(
        "one",
        branch,
        asks("choose_one", "app", choices=[option("yes", a_note("app"))]),
        asks("choose_one", "rules", choices=[option("yes", a_note("rules"))]),
        type="interlude",
        setup=["when"],
    )
    later = asks("choose_one", "later", choices=[option("yes", a_note("later"))])
    return a_guide(first, a_scenario("two", later, type="interlude"))


def _decided(scenario: str, step: str) -> Raw:
    return {"type": "decision", "scenario": scenario, "step": step, "decision": True}


def test_a_scenario_with_other_questions_by_the_rules_is_folded_as_recorded() -> None:
    """Only that one; the table may undo the mark."""
    guide = _asking_otherwise()
    given = starting(ROLAND) + records(
        {"type": "start_scenario", "scenario": "one"},
        _decided("one", "app"),
        {"type": "start_scenario", "scenario": "two"},
        _decided("two", "later"),
    )
    answers, replay = _translated(guide, given)
    marks = [each.scenario for each in answers if each.step == AS_RECORDED]
    unmarked = [each for each in answers if each.step != AS_RECORDED]
    by_the_rules = fold(guide, unmarked, PEOPLE)

    assert marks == ["one"]
    assert notes(reported(replay)) == ["app", "later"]
    assert replay.state.policy is BY_THE_RULES
    assert by_the_rules.pending is not None
    assert by_the_rules.pending.step == "rules"


def test_an_earlier_part_of_a_log_is_folded_as_recorded_too() -> None:
    """The mark precedes the scenario's answers."""
    guide = _asking_otherwise()
    given = starting(ROLAND) + records(
        {"type": "start_scenario", "scenario": "one"}, _decided("one", "app")
    )
    later = records(
        {"type": "start_scenario", "scenario": "two"}, _decided("two", "later")
    )
    answers, _replay = _translated(guide, given + later)
    earlier = fold(guide, answers[: -len(later)], PEOPLE)

    assert notes(reported(earlier)) == ["app"]


def test_a_question_left_open_in_the_app_needs_no_mark() -> None:
    """The table answers the question of the rules."""
    guide = _asking_otherwise()
    given = starting(ROLAND) + records({"type": "start_scenario", "scenario": "one"})
    answers, replay = _translated(guide, given)

    assert answers == given
    assert replay.pending is not None
    assert replay.pending.step == "rules"
