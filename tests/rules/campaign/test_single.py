"""Standalone scenarios, simulated scenarios, and side scenarios."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arkham.rules.campaign.by_hand.facts import SIDE, known_campaigns
from arkham.rules.campaign.by_hand.guide import guide_by_hand
from arkham.rules.campaign.by_hand.scenarios import led_up_to
from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.judging import findings_of
from arkham.rules.campaign.judging.side_scenarios import SIDE_RULES
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import (
    Answer,
    Entry,
    Retracted,
    SideScenario,
    UltimatumChosen,
)
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import a_game, begun, ended, folded, won
from tests.rules.campaign.helpers.guides import PROJECT
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    POLICIES,
    ROLAND,
    a_guide,
    a_note,
    a_scenario,
    a_step,
    notes,
    records,
    starting,
)

Raw = dict[str, Any]
HURT = a_step(
    {"type": "trauma", "investigator": "all", "mental": 1},
    a_note("hurt"),
    step_id="hurt",
)
SKULL = a_step({"type": "add_chaos_token", "tokens": ["skull"]}, step_id="skull")


def first_game() -> Raw:
    """A game whose first resolution causes trauma and adds a token."""
    game = a_game("one")
    game["steps"] += [HURT, SKULL]
    game["resolutions"][1]["steps"] = [
        "won", "victory", "hurt", "skull", "$upgrade_decks",
    ]  # fmt: skip
    return game


GUIDE = a_guide(first_game(), a_game("two"), a_game("three"))
BOTH = {ROLAND: "physical", DAISY: "alive"}
AFTERWARDS: list[Raw] = [
    {
        "type": "choice_list",
        "step": "$draw_standalone_weakness",
        "scenario": "two",
        "choices": {},
    },
    {
        "type": "decision",
        "step": "$save_standalone_decks",
        "scenario": "two",
        "decision": True,
    },
]


def simulated(*raws: Raw) -> Replay:
    """Simulate the campaign up to its second game."""
    answers = starting(ROLAND, DAISY) + records(*raws)
    return fold(GUIDE, answers, PEOPLE, simulated="two")


def without_upgrades(raws: list[Raw]) -> list[Raw]:
    """Leave out upgrades, which are not asked for without experience."""
    return [raw for raw in raws if raw.get("step") != "$upgrade_decks"]


def test_earlier_resolutions_are_simulated() -> None:
    """Their lines, tokens and trauma apply; experience and defeats do not."""
    one = without_upgrades(won("one", 3, **BOTH))
    replay = simulated(*one)
    state = reported(replay)

    assert notes(state) == ["one was defeated", "won", "hurt"]
    assert state["chaos_bag"] == {"skull": 1}
    assert state["investigators"] == {ROLAND: {"mental": 1}, DAISY: {"mental": 1}}
    assert [(each.id, each.status) for each in replay.scenarios] == [
        (SETUP, "completed"),
        ("one", "completed"),
        ("two", "playable"),
    ]


def test_a_simulation_ends_with_its_scenario() -> None:
    both = without_upgrades([*won("one", 3, **BOTH), *won("two", 2, **BOTH)])
    replay = simulated(*both)

    assert [each.id for each in replay.scenarios] == [SETUP, "one", "two"]
    assert replay.pending is None
    assert replay.problems == ()


@pytest.mark.parametrize(
    ("strict", "expected"),
    [(True, {}), (False, {ROLAND: {"physical": 1, "availableXp": 3},
                          DAISY: {"availableXp": 3}})],
)  # fmt: skip
def test_a_standalone_scenario_gives_no_trauma_and_no_experience(
    strict: bool, expected: Raw
) -> None:
    """STAND-10, XP-24; in the app there are both."""
    raws: list[Raw] = [
        *begun("two", ROLAND, DAISY),
        {
            "type": "choice_list",
            "step": "$draw_standalone_weakness",
            "scenario": "two",
            "choices": {ROLAND: [0], DAISY: [0]},
        },
        {
            "type": "decision",
            "step": "$save_standalone_decks",
            "scenario": "two",
            "decision": True,
        },
        *won("two", 2, **BOTH)[3:],
    ]
    replay = fold(
        GUIDE, records(*raws), PEOPLE, standalone="two", policy=POLICIES[strict]
    )
    state = reported(replay)

    assert replay.scenarios[0].id == "two"
    assert notes(state) == ["one was defeated", "won"]
    assert state["investigators"] == expected


def test_a_standalone_scenario_can_be_replayed() -> None:
    """If its resolution says so; nothing else follows."""
    game = a_game("two")
    again = {"type": "campaign_data", "setting": "replay_scenario", "scenario": "two"}
    game["steps"].append(a_step(again, step_id="again"))
    game["resolutions"][1]["steps"] = ["again"]
    guide = a_guide(a_game("one"), game, a_game("three"))
    raws = [*begun("two", ROLAND), *ended("two", 1, "R1", **{ROLAND: "alive"})]

    replay = fold(guide, records(*raws, *AFTERWARDS), PEOPLE, standalone="two")
    assert replay.pending is not None
    assert replay.pending.scenario == "two#1"
    assert [each.id for each in replay.scenarios] == ["two", "two#1"]


def test_a_resolution_may_give_trauma_in_a_standalone() -> None:
    raws = [*begun("one", ROLAND), *ended("one", 1, "R1", **{ROLAND: "mental"})]
    raws += [
        {"type": "count", "step": "victory", "scenario": "one", "count": 3},
        {
            "type": "choice_list",
            "step": "$draw_standalone_weakness",
            "scenario": "one",
            "choices": {},
        },
    ]
    replay = fold(GUIDE, records(*raws), PEOPLE, standalone="one")

    assert reported(replay)["investigators"] == {ROLAND: {"mental": 1}}


def test_campaign_only_ultimatums_cannot_be_chosen_for_one_scenario() -> None:
    """Neither in a standalone nor after a simulation."""
    entries: list[Entry] = [
        *starting(ROLAND),
        UltimatumChosen(SETUP, "finality", sequence=9),
    ]
    replay = fold(GUIDE, entries, PEOPLE, simulated="two")

    assert [each.rule for each in replay.problems] == ["oath.campaign-only"]
    assert replay.state.ultimatums == {}


# -- side scenarios --


OPEN = folded(a_guide(a_game("one"), a_game("two")), *won("one", 2))


def aside(
    scenario: str = "ours", previous: str = "one", name: str = "Ours", cost: int = 2
) -> Answer:
    """A custom side scenario."""
    value = SideScenario(previous, "custom", name, cost)
    return Answer("start_side_scenario", scenario, "", value)


@pytest.mark.parametrize(
    ("answer", "unspent", "expected"),
    [
        (aside(), {ROLAND: 2, DAISY: 3}, []),
        (aside(), {ROLAND: 2, DAISY: 1}, ["side.cost"]),
        (aside(), None, []),
        (aside(name=""), None, ["side.known"]),
        (aside(cost=0), None, []),
        (aside(cost=-1), None, ["side.price"]),
        (aside(previous="two"), None, ["side.after"]),
        (aside(scenario="one"), None, ["side.once"]),
        (aside(scenario="two#1"), None, ["side.known"]),
        (aside(scenario="o" * 80), None, []),
        (aside(scenario="o" * 81), None, ["side.known"]),
        (
            Answer(
                "start_side_scenario", "nowhere", "", SideScenario("one", "official")
            ),
            None,
            ["side.known"],
        ),
    ],
)
def test_an_invalid_side_scenario_is_found(
    answer: Answer, unspent: dict[str, int] | None, expected: list[str]
) -> None:
    """By exactly these rules."""
    assert [each.rule for each in findings_of(answer, OPEN, (), unspent)] == expected


def test_no_side_scenario_is_inserted_between_two_parts() -> None:
    state = OPEN.state.copy()
    state.no_side_scenario = True
    found = findings_of(aside(), OPEN._replace(state=state))

    assert [each.rule for each in found] == ["side.open"]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"type": "interlude"}, ["side.place"]),
        ({"type": "epilogue"}, ["side.place"]),
        ({"type": "interlude", "allow_side_scenario": True}, []),
        ({}, []),
    ],
)
def test_no_side_scenario_is_inserted_before_an_interlude(
    more: Raw, expected: list[str]
) -> None:
    """Unless the interlude allows it."""
    after = a_scenario("after", a_step(a_note("noted"), step_id="noted"), **more)
    replay = folded(a_guide(a_game("one"), after), *won("one", 2))

    assert [each.rule for each in findings_of(aside(), replay)] == expected


def test_no_side_scenario_is_inserted_before_the_first_game() -> None:
    begun_only = folded(OPEN.state.guide)
    found = findings_of(aside(previous=SETUP), begun_only)

    assert [each.rule for each in found] == ["side.place"]


@pytest.mark.parametrize(
    ("guide", "upgraded", "cost", "expected"),
    [
        ("tic", "", 2, ["side.closed"]),
        ("rttic", "", 2, ["side.closed"]),
        ("tic", "one", 2, []),
        ("tic", "", 0, []),
        ("core", "", 2, []),
    ],
)
def test_in_innsmouth_side_scenarios_cannot_be_paid_while_spending_is_closed(
    guide: str, upgraded: str, cost: int, expected: list[str]
) -> None:
    """XP-22: it opens when decks are upgraded after the last game."""
    state = folded(a_guide(a_game("one"), a_game("two"), id=guide), *won("one")).state
    state.upgraded = upgraded
    found = findings_of(aside(cost=cost), OPEN._replace(state=state))

    assert [each.rule for each in found] == expected


@pytest.mark.parametrize(("cost", "expected"), [(2, ["side.closed"]), (0, [])])
def test_side_scenarios_cannot_be_paid_between_the_parts_of_the_elders(
    cost: int, expected: list[str]
) -> None:
    """XP-21."""
    part = "heart_of_the_elders_part_1"
    replay = folded(a_guide(a_game(part), a_game("two"), id="tfa"), *won(part))
    state = replay.state.copy()
    state.upgraded = ""
    found = findings_of(aside(cost=cost, previous=part), replay._replace(state=state))

    assert [each.rule for each in found] == expected


def test_the_state_names_the_scenario_after_which_decks_were_upgraded() -> None:
    assert OPEN.state.upgraded == "one"


@pytest.mark.parametrize(("cost", "expected"), [(0, []), (2, ["side.induction"])])
def test_side_scenarios_cannot_be_paid_under_induction(
    cost: int, expected: list[str]
) -> None:
    """XP-25."""
    state = OPEN.state.copy()
    state.ultimatums["induction"] = ""
    found = findings_of(aside(cost=cost), OPEN._replace(state=state))

    assert [each.rule for each in found] == expected


def test_no_side_scenario_is_inserted_during_a_game() -> None:
    playing = folded(OPEN.state.guide, *won("one", 2), *begun("two", ROLAND, DAISY))

    assert [each.rule for each in findings_of(aside(), playing)] == ["side.after"]


def test_every_kind_of_entry_is_judged() -> None:
    """Answers, ultimatums and retractions; facts are up to the table."""
    wrong = Answer("count", "one", "nowhere", 1)
    log = (UltimatumChosen(SETUP, "agony", sequence=3),)

    assert [each.rule for each in findings_of(wrong, OPEN)] == ["answer.not-asked"]
    assert [each.rule for each in findings_of(Retracted(3), OPEN, log)] == [
        "oath.permanent"
    ]
    assert findings_of(Retracted(1), OPEN, log) == ()


def test_each_rule_is_in_the_docs() -> None:
    """With its sentence; it has rows and a citation."""
    page = (PROJECT / "docs" / "guides.md").read_text(encoding="utf-8")

    for rule in SIDE_RULES:
        assert f"| `{rule.id}` | {rule.sentence} |" in page
    assert all(rule.rows and rule.cites for rule in SIDE_RULES)


@pytest.mark.parametrize("campaign", known_campaigns())
def test_a_campaign_can_be_simulated_up_to_each_later_scenario(campaign: str) -> None:
    guide = guide_by_hand(campaign)
    for scenario in led_up_to(guide):
        begun = [Answer("start_scenario", SETUP, "", None, 1)]
        replay = fold(guide, begun, PEOPLE, simulated=scenario)
        assert not replay.problems
        assert scenario in [each.id for each in replay.scenarios]


def test_no_scenario_is_simulated_before_a_side_scenario() -> None:
    """Even if a package lists its scenarios in an order."""
    package = replace(guide_by_hand("core"), id=SIDE)
    assert led_up_to(guide_by_hand("core")) == ("arkham", "tentacles")
    assert led_up_to(package) == ()
