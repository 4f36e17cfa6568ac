"""Which answers each of several investigators may give, and findings about others."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import UltimatumChosen
from tests.rules.campaign.helpers.games import a_game, begun, ended
from tests.rules.campaign.helpers.prompts import (
    PARTNER,
    asks,
    findings_about,
    numbers,
    option,
    strings,
)
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    ROLAND,
    SKIDS,
    WHO,
    a_guide,
    a_note,
    a_step,
    records,
    settled,
    starting,
)

Raw = dict[str, Any]
GUIDE = a_guide(a_game("one"))
STATUSES = "$r_R1*investigator_status"


def at_the_end() -> Replay:
    """The first scenario was won; the outcomes are still asked for."""
    before = records(
        {"type": "start_scenario"},
        strings({ROLAND: ["chosen"], DAISY: ["chosen"]}, "who"),
        *begun("one", ROLAND, DAISY),
        *ended("one", 1, "R1")[:2],
    )
    return fold(GUIDE, before, PEOPLE)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["physical"], []),
        (["physical", "mental"], [("answer.each-one", (ROLAND,))]),
        (["alive", "resigned"], [("answer.each-one", (ROLAND,))]),
        (["physical", "physical"], [("answer.each-one", (ROLAND,))]),
        ([], [("answer.each-one", (ROLAND,))]),
    ],
)
def test_each_investigator_has_one_outcome(said: list[str], expected: Any) -> None:
    """ELIM-14, TRA-02: for damage and horror at once, one trauma is chosen."""
    raw = strings({ROLAND: said, DAISY: ["alive"]}, STATUSES)

    assert findings_about(at_the_end(), {**raw, "scenario": "one"}) == expected


def test_each_draws_as_many_weaknesses_as_are_due() -> None:
    """STAND-02: two for Roland, one for Daisy, none for others."""
    alone = [
        *begun("one", ROLAND, DAISY),
        {
            **numbers("$draw_standalone_weakness", {ROLAND: [2], DAISY: [1]}),
            "scenario": "one",
        },
    ]
    first = "$draw_standalone_weakness_effects_0_weakness"
    second = "$draw_standalone_weakness_effects_1_weakness"
    replay = fold(GUIDE, records(*alone), PEOPLE, standalone="one")
    pending = replay.pending
    assert pending is not None

    assert (pending.step, pending.codes, pending.many) == (first, (ROLAND,), 2)
    for cards, expected in (
        (["01097"], [("answer.each-one", (ROLAND,))]),
        (["01097", "01098"], []),
    ):
        raw = {**strings({ROLAND: cards}, first), "scenario": "one"}
        assert findings_about(replay, raw) == expected
    drawn = {**strings({ROLAND: ["01097", "01098"]}, first), "scenario": "one"}
    replay = fold(GUIDE, records(*alone, drawn), PEOPLE, standalone="one")
    assert replay.pending is not None
    assert (replay.pending.step, replay.pending.many) == (second, 1)


def test_exactly_one_player_leads() -> None:
    alone = [strings({ROLAND: ["chosen"], DAISY: ["chosen"]}, "$choose_investigators")]
    replay = fold(
        GUIDE,
        records({"type": "start_scenario"}, *alone, scenario="one"),
        PEOPLE,
        standalone="one",
    )

    for chosen, expected in (
        ({}, ["answer.how-many"]),
        ({ROLAND: ["lead"]}, []),
        ({ROLAND: ["lead"], DAISY: ["lead"]}, ["answer.how-many"]),
        ({SKIDS: ["lead"]}, ["answer.person"]),
    ):
        raw = {**strings(chosen, "$lead_investigator"), "scenario": "one"}
        assert [rule for rule, _cards in findings_about(replay, raw)] == expected


@pytest.mark.parametrize(("who", "expected"), [("any", 1), ("choice", 0)])
def test_a_card_that_is_not_optional_must_be_taken(who: str, expected: int) -> None:
    """TRAP-24: unless an investigator “may” take it, one of them must."""
    replay = settled(
        [a_step({"type": "add_card", "investigator": who, "card": "01117"})]
    )

    assert findings_about(replay, strings({}, "does_effects_investigator")) == (
        [("answer.how-many", ())] * expected
    )
    assert (
        findings_about(replay, strings({DAISY: ["x"]}, "does_effects_investigator"))
        == []
    )


def test_a_unique_choice_is_taken_once() -> None:
    """Of these two roles, one may be taken by several investigators."""
    roles = asks(
        "investigator_choice",
        source="scenario",
        investigator="all",
        unique=True,
        choices=[option("face"), option("none", allow_duplicates=True)],
    )
    replay = settled([roles])

    assert findings_about(replay, strings({ROLAND: ["face"], DAISY: ["face"]})) == [
        ("answer.once", ())
    ]
    assert findings_about(replay, strings({ROLAND: ["face"], DAISY: ["none"]})) == []
    assert findings_about(replay, strings({ROLAND: ["none"], DAISY: ["none"]})) == []


PACKING: Raw = asks(
    "supplies",
    section="supplies",
    points=[5, 4],
    supplies=[
        {"id": "food", "name": "", "cost": 1, "multiple": True},
        {"id": "rope", "name": "", "cost": 3},
    ],
)


@pytest.mark.parametrize(
    ("packed", "expected"),
    [
        ({"food": 1, "rope": 1}, []),
        ({"food": 4}, []),
        ({}, []),
        ({"food": 5}, ["answer.supplies"]),  # two players have 4 points
        ({"rope": 2}, ["answer.supplies", "answer.supplies"]),  # too many, too costly
        ({"food": -1, "rope": 1}, ["answer.supplies"]),
        ({"lamp": 1}, ["answer.supplies"]),
    ],
)
def test_supplies_are_packed_within_the_points(
    packed: dict[str, int], expected: list[str]
) -> None:
    """CYC-FA1."""
    raw = {"type": "supplies", "step": "ask", "supplies": {ROLAND: packed}}

    assert [
        rule for rule, _cards in findings_about(settled([PACKING]), raw)
    ] == expected


def packed_food(roland: int, daisy: int) -> Raw:
    """An answer that packs food."""
    both = {ROLAND: {"food": roland}, DAISY: {"food": daisy}}
    return {"type": "supplies", "step": "ask", "supplies": both}


EATING: Raw = asks(
    "use_supplies",
    "eat",
    section="supplies",
    id="food",
    name="",
    investigator="all",
    choices=[{"boolCondition": False, "effects": [a_note("hungry")]}],
)


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        ({ROLAND: [1], DAISY: [1]}, []),
        ({ROLAND: [2]}, []),
        ({ROLAND: [1]}, ["answer.number"]),  # there is food for both
        ({ROLAND: [3]}, ["answer.number"] * 2),  # more than he has or is eaten
        ({ROLAND: [3], DAISY: [-1]}, ["answer.number"] * 2),
        ({SKIDS: [2]}, ["answer.person"]),
    ],
)
def test_supplies_are_used_by_those_who_have_them(
    used: dict[str, list[int]], expected: list[str]
) -> None:
    """Each has two; one for each of the two is eaten, as long as there is any."""
    replay = settled([PACKING, EATING], [packed_food(2, 2)])

    assert [
        rule for rule, _ in findings_about(replay, numbers("eat_used", used))
    ] == expected


def test_as_many_go_hungry_as_there_is_food_missing() -> None:
    """There was food for one of the two."""
    replay = settled(
        [PACKING, EATING], [packed_food(1, 0), numbers("eat_used", {ROLAND: [1]})]
    )

    assert findings_about(replay, strings({DAISY: ["1"]}, "eat")) == []
    for hungry in ({}, {ROLAND: ["1"], DAISY: ["1"]}):
        assert [rule for rule, _ in findings_about(replay, strings(hungry, "eat"))] == [
            "answer.how-many"
        ]


def test_no_more_is_subtracted_than_is_recorded() -> None:
    """From a number that each investigator has in a section."""
    three: Raw = {
        "type": "campaign_log_investigator_count",
        "section": "memories",
        "id": "$count",
        "investigator": "all",
        "operation": "add",
        "value": 3,
    }
    replay = settled(
        [
            a_step(three),
            asks(
                "investigator_counter",
                text="",
                effects=[],
                investigator_count_min="memories",
            ),
        ]
    )

    assert findings_about(replay, numbers("ask", {ROLAND: [-3], DAISY: [2]})) == []
    assert findings_about(replay, numbers("ask", {ROLAND: [-4]})) == [
        ("answer.number", (ROLAND,))
    ]


def test_companions_go_with_one_investigator_each() -> None:
    """CYC-EE1: each has one of the team or none, and no one twice."""
    replay = settled(
        [asks("investigator_choice_partner", condition=PARTNER, prompt="")]
    )

    for chosen, expected in (
        ({ROLAND: ["p1"], DAISY: ["p2"]}, []),
        ({ROLAND: ["none"], DAISY: ["none"]}, []),
        ({ROLAND: ["p1"], DAISY: ["p1"]}, ["answer.once"]),
        ({ROLAND: ["p3"], DAISY: ["p1"]}, ["answer.thing"]),
        ({ROLAND: [], DAISY: ["p1"]}, ["answer.each-one"]),
    ):
        assert [rule for rule, _ in findings_about(replay, strings(chosen))] == expected


def test_partners_cannot_suffer_negative_damage() -> None:
    replay = settled([asks("partner_trauma", section="team")])

    assert findings_about(replay, numbers("ask", {"p1": [1, 0], "p2": [0, 2]})) == []
    assert findings_about(replay, numbers("ask", {"p1": [1, -1]})) == [
        ("answer.number", ("p1",))
    ]


def test_partners_suffer_no_more_than_they_have_left() -> None:
    """Health 3 and sanity 2, then what the first answer left of them."""
    team = [asks("partner_trauma", one, section="team") for one in ("ask", "again")]
    first = settled(team)
    assert first.pending is not None
    assert first.pending.limits[:2] == (("p1.damage", 0, 3), ("p1.horror", 0, 2))
    for harm, expected in (([3, 2], []), ([4, 0], ["p1"]), ([0, 3], ["p1"])):
        found = findings_about(first, numbers("ask", {"p1": harm}))
        assert found == [("answer.number", (code,)) for code in expected]

    later = settled(team, [numbers("ask", {"p1": [1, 1]})])
    assert findings_about(later, numbers("again", {"p1": [2, 1]})) == []
    assert findings_about(later, numbers("again", {"p1": [0, 2]})) == [
        ("answer.number", ("p1",))
    ]


def test_a_random_option_is_drawn_for_every_choice() -> None:
    """One of the options for each choice, and for nothing else."""
    replay = settled(
        [
            asks(
                "prologue_randomizer",
                choices=[{"id": "who", "text": ""}, {"id": "where", "text": ""}],
                options=[{"condition": "north"}, {"condition": "south"}],
            )
        ]
    )

    for cast, expected in (
        ({"who": ["north"], "where": ["south"]}, []),
        ({"who": ["north"]}, ["answer.all-things"]),
        ({"who": ["up"], "where": ["south"]}, ["answer.thing"]),
        (
            {"who": ["north"], "where": ["south"], "when": ["north"]},
            ["answer.choice"],
        ),
    ):
        assert [rule for rule, _ in findings_about(replay, strings(cast))] == expected


@pytest.mark.parametrize(
    ("sworn", "expected"),
    [("induction", [("answer.paid", (ROLAND,))]), ("failure", [])],
)
def test_no_choice_that_costs_experience_is_allowed_under_induction(
    sworn: str, expected: Any
) -> None:
    """XP-25: whatever deck the investigators have."""
    healed = option(
        "healed",
        {"type": "earn_xp", "investigator": "$input_value", "bonus": -5},
        {"type": "trauma", "investigator": "$input_value", "physical": -1},
    )
    step = asks("investigator_choice", investigator="choice", choices=[healed])
    guide = a_guide(setup=["who", "ask"], steps=[WHO, step])
    replay = fold(guide, [UltimatumChosen(SETUP, sworn), *starting(ROLAND)], PEOPLE)

    assert findings_about(replay, strings({ROLAND: ["healed"]})) == expected
    assert findings_about(replay, strings({})) == []
