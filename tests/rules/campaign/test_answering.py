"""Which answers are allowed, and the findings about others."""

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
    a_step,
    records,
    settled,
)
from tests.rules.campaign.helpers.table import Table


def test_an_answer_that_no_question_asks_for_is_found() -> None:
    """Another step, another kind of answer, or no question at all."""
    waiting = settled([asks("counter", text="", effects=[])])
    over = settled([a_step()])

    for replay, raw in (
        (waiting, {"type": "count", "step": "other", "count": 1}),
        (waiting, {"type": "text", "step": "ask", "text": "1"}),
        (over, {"type": "count", "step": "ask", "count": 1}),
    ):
        assert findings_about(replay, raw) == [("answer.not-asked", ())]


def test_an_answer_that_is_not_offered_is_found() -> None:
    """A number, an investigator's choice, or a tick."""
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


def test_a_hidden_choice_is_not_offered() -> None:
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
def test_numbers_must_be_within_their_bounds(count: int, expected: int) -> None:
    """From 2 to 4."""
    replay = settled([asks("counter", text="", effects=[], min=2, max=4)])
    raw = {"type": "count", "step": "ask", "count": count}

    assert findings_about(replay, raw) == [("answer.number", ())] * expected


def test_each_investigators_number_must_be_within_its_bounds() -> None:
    """The investigator is named."""
    replay = settled([asks("investigator_counter", text="", effects=[], min=0, max=1)])

    assert findings_about(replay, numbers("ask", {ROLAND: [1], DAISY: [2]})) == [
        ("answer.number", (DAISY,))
    ]


def test_no_more_trauma_is_healed_than_there_is() -> None:
    """Roland has 2 physical trauma, Daisy has none."""
    suffered = {"type": "trauma", "investigator": "$fixed_investigator"}
    replay = settled(
        [
            a_step({**suffered, "fixed_investigator": ROLAND, "physical": 2}),
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
    """A question about cards, each recorded in a section."""
    written = {"type": "campaign_log_cards", "section": section, "id": "$input_value"}
    return asks(
        "card_choice", step_id, query=[query], choices=[option("yes", written)], **more
    )


def caught_first(query: Raw, *answered: Raw, strict: bool = True) -> Replay:
    """First it is answered that 01137 was caught; then it is asked who escaped."""
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
        [strings({"01137": ["yes"]}, "caught"), *answered],
        strict=strict,
    )


@pytest.mark.parametrize(
    "query", [{"code": ["01137", "01138"]}, {"source": "scenario", "unique": True}]
)
def test_cards_already_recorded_in_a_section_are_not_offered(query: Raw) -> None:
    """Those who were caught did not escape."""
    replay = caught_first(query)

    assert findings_about(replay, strings({"01138": ["yes"]})) == []
    assert findings_about(replay, strings({"01137": ["yes"]})) == [
        ("answer.choice", ())
    ]


@pytest.mark.parametrize(
    ("query", "strict", "is_asked"),
    [
        ({"code": ["01137"]}, True, False),
        ({"code": ["01137"]}, False, True),  # the app asks
        ({"source": "scenario", "unique": True}, True, True),  # there may be others
    ],
)
def test_no_question_offers_only_cards_already_recorded(
    query: Raw, strict: bool, is_asked: bool
) -> None:
    """If all were caught, no one escaped."""
    pending = caught_first(query, strict=strict).pending
    assert (pending is not None and pending.step == "ask") is is_asked


def test_an_answer_that_no_card_was_left_for_is_used() -> None:
    """Logs may have one, from the app or from when the question was still asked."""
    replay = caught_first({"code": ["01137"]}, strings({}, "ask"))
    last = replay.used[-1]
    assert isinstance(last, Answer)
    assert last.step == "ask"


ALL: Raw = asks(
    "investigator_choice",
    source="scenario",
    investigator="all",
    choices=[option("a"), option("b")],
)


def test_an_answer_for_an_investigator_who_is_not_asked_is_found() -> None:
    """Skids does not play; Daisy was killed."""
    killed = a_step({"type": "trauma", "investigator": "all", "physical": 5})

    assert findings_about(
        settled([ALL]), strings({ROLAND: ["a"], DAISY: ["a"], SKIDS: ["a"]})
    ) == [("answer.person", (SKIDS,))]
    assert findings_about(
        settled([killed, ALL]), strings({ROLAND: ["a"], DAISY: ["a"]})
    ) == [("answer.person", (DAISY,))]


@pytest.mark.parametrize("taken", [{}, {ROLAND: ["a"]}])
def test_a_single_choice_is_taken_by_some_investigators_or_none(taken: Raw) -> None:
    """Such as those who are poisoned."""
    single = asks(
        "investigator_choice",
        source="scenario",
        investigator="all",
        choices=[option("a")],
    )

    assert findings_about(settled([single]), strings(taken)) == []


def test_a_missing_investigator_makes_an_answer_incomplete() -> None:
    """It isn't illegal."""
    (answer,) = records(strings({ROLAND: ["a"]}))
    replay = settled([ALL])
    (finding,) = findings_of(answer, replay.pending, replay.state)

    assert (finding.rule, finding.severity.word) == ("answer.everybody", "incomplete")
    assert finding.cards == (DAISY,)


def test_the_number_of_answers_must_be_as_asked() -> None:
    """Exactly one of two investigators; at least one item of a checklist."""
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


def test_killed_and_unknown_investigators_cannot_play() -> None:
    """At least one investigator is needed."""
    killed = a_step({"type": "trauma", "investigator": "all", "physical": 5})
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


def test_a_banished_card_cannot_be_chosen() -> None:
    """As the key of an answer, or as its value."""
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
    """And a unique id."""
    ids = [rule.id for rule in ANSWER_RULES]

    assert len(set(ids)) == len(ids)
    assert all(rule.rows and rule.cites and rule.sentence for rule in ANSWER_RULES)


def silent(table: Table, most: int) -> None:
    """Play, and assert that no answer of the table has findings."""
    while len(table.answers) < most:
        pending = table.replay.pending
        if pending is None or not table._is_open(pending):
            break
        answer = table.given(pending)[-1]
        if pending.prompt not in ("embark", "start_scenario"):
            assert findings_of(answer, pending, table.replay.state) == ()
        table.play(len(table.answers) + 1)


@pytest.mark.parametrize("seed", range(4))
def test_legal_answers_have_no_findings(seed: int) -> None:
    silent(Table(SMALL, seed), 80)


@pytest.mark.parametrize("name", ["dwl", "tfa", "eoe", "tdc", "fhv"])
def test_legal_answers_to_shared_guides_have_no_findings(name: str) -> None:
    """With prompts of every kind."""
    silent(Table(shared_library().guides[name], 1), 200)


def test_only_the_next_scenario_can_be_started() -> None:
    replay = Table(SMALL, 1).replay
    start = Answer("start_scenario", "$campaign_setup", "", None)
    other = Answer("start_scenario", "two", "", None)

    assert findings_of(start, replay.pending, replay.state) == ()
    assert [f.rule for f in findings_of(other, replay.pending, replay.state)] == [
        "answer.not-asked"
    ]


def test_each_rule_is_in_the_docs() -> None:
    """With its sentence; rules of the bag too."""
    page = (PROJECT / "docs" / "guides.md").read_text(encoding="utf-8")

    for rule in ANSWER_RULES:
        assert f"| `{rule.id}` | {rule.sentence} |" in page
    assert all(f"`{rule.id}`" in page for rule in BAG_RULES)
