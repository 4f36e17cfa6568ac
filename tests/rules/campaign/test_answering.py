"""Which answers may be given, and what is said of those that may not."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.asking import Offer, Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.judging.answers import ANSWER_RULES, findings_of
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.chaos.bag import BAG_RULES
from tests.rules.campaign.helpers.guides import PROJECT, shared_library
from tests.rules.campaign.helpers.laws import SMALL
from tests.rules.campaign.helpers.prompts import (
    asks,
    findings_about,
    numbers,
    option,
    strings,
)
from tests.rules.campaign.helpers.small import (
    DAISY,
    ROLAND,
    SKIDS,
    Raw,
    does,
    records,
    settled,
)
from tests.rules.campaign.helpers.table import Table


def test_what_nobody_asks() -> None:
    """Another step, another form, or nothing at all."""
    waiting = settled([asks("counter", text="", effects=[])])
    over = settled([does()])

    for replay, raw in (
        (waiting, {"type": "count", "step": "other", "count": 1}),
        (waiting, {"type": "text", "step": "ask", "text": "1"}),
        (over, {"type": "count", "step": "ask", "count": 1}),
    ):
        assert findings_about(replay, raw) == [("answer.not-asked", ())]


def test_what_is_not_offered() -> None:
    """A number, somebody's choice, or a tick."""
    one = settled([asks("choose_one", choices=[option("a"), option("b")])])
    each = settled(
        [
            asks(
                "investigator_choice",
                source="scenario",
                investigator="choice",
                choices=[option("a")],
            )
        ]
    )
    ticks = settled([asks("checklist", text="", choices=[option("a")])])

    assert findings_about(one, {"type": "choice", "step": "ask", "choice": 1}) == []
    assert findings_about(one, {"type": "choice", "step": "ask", "choice": 2}) == [
        ("answer.choice", ())
    ]
    assert findings_about(each, strings({DAISY: ["b"]})) == [
        ("answer.choice", (DAISY,))
    ]
    assert findings_about(ticks, strings({"b": ["checked"]})) == [("answer.choice", ())]


def test_what_only_other_steps_lead_to_is_not_offered() -> None:
    """By its number or its id."""
    choices = [option("a", hidden=True), option("b"), option("c")]
    replay = settled([asks("choose_one", choices=choices)])

    for number, expected in ((0, 1), (1, 0), (2, 0)):
        raw = {"type": "choice", "step": "ask", "choice": number}
        assert findings_about(replay, raw) == [("answer.choice", ())] * expected
    named = Answer("choice", SETUP, "ask", 1, choice="a")
    found = findings_of(named, replay.pending, replay.state)
    assert [(each.rule, each.expected) for each in found] == [("answer.choice", "b, c")]


@pytest.mark.parametrize(("count", "expected"), [(1, 1), (2, 0), (4, 0), (5, 1)])
def test_numbers_within_their_bounds(count: int, expected: int) -> None:
    """2 to 4 are allowed."""
    replay = settled([asks("counter", text="", effects=[], min=2, max=4)])
    raw = {"type": "count", "step": "ask", "count": count}

    assert findings_about(replay, raw) == [("answer.number", ())] * expected


def test_numbers_of_each_investigator() -> None:
    """Who is over is named."""
    replay = settled([asks("investigator_counter", text="", effects=[], min=0, max=1)])

    assert findings_about(replay, numbers("ask", {ROLAND: [1], DAISY: [2]})) == [
        ("answer.number", (DAISY,))
    ]


def test_no_more_trauma_is_healed_than_there_is() -> None:
    """Roland has 2 physical trauma, Daisy none: nobody pays for what nobody has."""
    suffered = {"type": "trauma", "investigator": "$fixed_investigator"}
    replay = settled(
        [
            does({**suffered, "fixed_investigator": ROLAND, "physical": 2}),
            asks(
                "investigator_counter",
                text="",
                effects=[],
                investigator_max="physical_trauma",
            ),
        ]
    )

    assert findings_about(replay, numbers("ask", {ROLAND: [2]})) == []
    assert findings_about(replay, numbers("ask", {ROLAND: [3], DAISY: [1]})) == [
        ("answer.number", (ROLAND,)),
        ("answer.number", (DAISY,)),
    ]


def cards(step_id: str, section: str, query: Raw, **more: Any) -> Raw:
    """A question which cards there are, each written into a section."""
    written = {"type": "campaign_log_cards", "section": section, "id": "$input_value"}
    return asks(
        "card_choice", step_id, query=[query], choices=[option("yes", written)], **more
    )


def caught_first(query: Raw) -> Replay:
    """Who was caught is told; who got away, none of those, is asked."""
    unless_caught = {
        "type": "campaign_log_cards",
        "section": "hidden",
        "id": "$input_value",
        "options": [{"boolCondition": False}],
    }
    return settled(
        [
            cards("caught", "hidden", query),
            cards("ask", "team", query, campaign_log_condition=unless_caught),
        ],
        [strings({"01137": ["yes"]}, "caught")],
    )


@pytest.mark.parametrize(
    "query", [{"code": ["01137", "01138"]}, {"source": "scenario", "unique": True}]
)
def test_cards_that_stand_in_a_section_are_not_meant(query: Raw) -> None:
    """Who was caught did not get away."""
    replay = caught_first(query)

    assert findings_about(replay, strings({"01138": ["yes"]})) == []
    assert findings_about(replay, strings({"01137": ["yes"]})) == [
        ("answer.choice", ())
    ]


ALL: Raw = asks(
    "investigator_choice",
    source="scenario",
    investigator="all",
    choices=[option("a"), option("b")],
)


def test_somebody_who_is_not_asked() -> None:
    """Skids does not play; Daisy was killed."""
    killed = does({"type": "trauma", "investigator": "all", "physical": 5})

    assert findings_about(
        settled([ALL]), strings({ROLAND: ["a"], DAISY: ["a"], SKIDS: ["a"]})
    ) == [("answer.person", (SKIDS,))]
    assert findings_about(
        settled([killed, ALL]), strings({ROLAND: ["a"], DAISY: ["a"]})
    ) == [("answer.person", (DAISY,))]


@pytest.mark.parametrize("taken", [{}, {ROLAND: ["a"]}])
def test_a_single_choice_is_taken_by_whom_it_concerns(taken: Raw) -> None:
    """Who is poisoned, say: some of them, or nobody."""
    single = asks(
        "investigator_choice",
        source="scenario",
        investigator="all",
        choices=[option("a")],
    )

    assert findings_about(settled([single]), strings(taken)) == []


def test_somebody_who_has_not_answered() -> None:
    """Unfinished, not illegal."""
    (answer,) = records(strings({ROLAND: ["a"]}))
    replay = settled([ALL])
    (finding,) = findings_of(answer, replay.pending, replay.state)

    assert (finding.rule, finding.severity.word) == ("answer.everybody", "incomplete")
    assert finding.cards == (DAISY,)


def test_as_many_as_are_asked_for() -> None:
    """Exactly one of two; a checklist of one at least."""
    one = settled(
        [
            asks(
                "investigator_choice",
                source="scenario",
                investigator="any",
                choices=[option("a")],
            )
        ]
    )
    ticks = settled(
        [asks("checklist", text="", min=1, max=1, choices=[option("a"), option("b")])]
    )

    assert findings_about(one, strings({})) == [("answer.how-many", ())]
    assert findings_about(one, strings({ROLAND: ["a"], DAISY: ["a"]})) == [
        ("answer.how-many", ())
    ]
    assert findings_about(one, strings({DAISY: ["a"]})) == []
    assert findings_about(ticks, strings({"a": ["checked"], "b": ["checked"]})) == [
        ("answer.how-many", ())
    ]


def test_who_may_play() -> None:
    """Neither the killed nor strangers; nobody at all is too few."""
    killed = does({"type": "trauma", "investigator": "all", "physical": 5})
    again = asks("scenario_investigators")
    replay = settled([killed, again])

    assert findings_about(replay, strings({ROLAND: ["chosen"]})) == []
    assert findings_about(
        replay, strings({DAISY: ["chosen"], "stranger": ["chosen"]})
    ) == [
        ("answer.players", (DAISY,)),
        ("answer.players", ("stranger",)),
    ]
    assert findings_about(replay, strings({})) == [("answer.players", ())]


def test_what_is_lost_is_not_chosen_again() -> None:
    """A card named in an answer, or given one."""
    asked = Pending("one", "cards", "string_choices", "card_choice", others=True)
    asked = asked._replace(offers=(Offer(0, "kept"), Offer(1, "01019")))
    state = Table(SMALL, 1).replay.state.copy()
    fine = Answer("string_choices", "one", "cards", {"01018": ("kept",)})
    state.banished = {"01019": None}

    assert findings_of(fine, asked, state) == ()
    state.banished = {"01018": None}
    assert [each.rule for each in findings_of(fine, asked, state)] == [
        "answer.banished"
    ]


def test_each_rule_has_rows_and_a_sentence() -> None:
    """And ids of their own."""
    ids = [rule.id for rule in ANSWER_RULES]

    assert len(set(ids)) == len(ids)
    assert all(rule.rows and rule.cites and rule.sentence for rule in ANSWER_RULES)


def silent(table: Table, most: int) -> None:
    """Play; nothing is said of any answer the table gives."""
    while len(table.answers) < most:
        pending = table.replay.pending
        if pending is None or not table._is_open(pending):
            break
        answer = table.given(pending)[-1]
        if pending.prompt not in ("embark", "start_scenario"):
            assert findings_of(answer, pending, table.replay.state) == ()
        table.play(len(table.answers) + 1)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_said_of_legal_answers(seed: int) -> None:
    """Silence, answer after answer."""
    silent(Table(SMALL, seed), 80)


@pytest.mark.parametrize("name", ["dwl", "tfa", "eoe", "tdc", "fhv"])
def test_nothing_is_said_of_legal_answers_to_shared_guides(name: str) -> None:
    """Also where prompts of every kind are asked."""
    silent(Table(shared_library().guides[name], 1), 200)


def test_a_start_is_an_answer_like_others() -> None:
    """Only the scenario that can be begun."""
    replay = Table(SMALL, 1).replay
    start = Answer("start_scenario", "$campaign_setup", "", None)
    other = Answer("start_scenario", "two", "", None)

    assert findings_of(start, replay.pending, replay.state) == ()
    assert [f.rule for f in findings_of(other, replay.pending, replay.state)] == [
        "answer.not-asked"
    ]


def test_each_rule_stands_in_the_docs() -> None:
    """With its sentence; so do the rules of the bag."""
    page = (PROJECT / "docs" / "guides.md").read_text(encoding="utf-8")

    for rule in ANSWER_RULES:
        assert f"| `{rule.id}` | {rule.sentence} |" in page
    assert all(f"`{rule.id}`" in page for rule in BAG_RULES)
