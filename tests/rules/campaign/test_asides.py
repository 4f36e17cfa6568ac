"""Side scenarios in a campaign: which can be inserted, and what follows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.judging import findings_of
from arkham.rules.campaign.judging.side_scenarios import may_come, side_cost
from arkham.rules.campaign.model.guide import CampaignGuide, Discount
from arkham.rules.campaign.state.answers import (
    Answer,
    Entry,
    Retracted,
    SideScenario,
)
from arkham.rules.campaign.state.ledger import COST
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import a_game, begun, ended, folded, won
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    ROLAND,
    Raw,
    a_guide,
    a_note,
    a_scenario,
    a_step,
    notes,
    records,
    starting,
)
from tests.rules.campaign.helpers.travelling import WORLD_GUIDE


def _beside(*sides: Raw, **campaign: Any) -> CampaignGuide:
    """A campaign of two games with these side scenarios."""
    guide = a_guide(
        a_game("one"), a_game("two"), *sides, scenarios=["one", "two"], **campaign
    )
    names = [each["id"] for each in sides if each.get("type") != "core"]
    own = {key: each for key, each in guide.scenarios.items() if key not in names}
    return replace(
        guide, scenarios=own, side={key: guide.scenarios[key] for key in names}
    )


def _put_in(scenario: str) -> Answer:
    return Answer(
        "start_side_scenario", scenario, "", SideScenario("one", "official"), 99
    )


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"side_scenario_type": "side_story"}, []),
        ({}, []),
        ({"side_scenario_type": "standalone"}, ["side.known"]),
        ({"side_scenario_type": "side_story", "main_scenario_id": "main"},
         ["side.known"]),
        ({"side_scenario_type": "side_story", "main_scenario_id": "aside"}, []),
    ],
)  # fmt: skip
def test_only_some_side_scenarios_can_be_inserted(
    more: Raw, expected: list[str]
) -> None:
    """No later part of another one, and none for standalone play only."""
    replay = folded(_beside(a_game("aside", **more)), *won("one", 2))
    found = findings_of(_put_in("aside"), replay)

    assert [each.rule for each in found] == expected


def test_a_side_scenario_is_inserted_after_the_last_game() -> None:
    """After an earlier one it would replace what was played then."""
    sides = _beside(a_game("aside"), a_game("other"))
    both = {ROLAND: "alive", DAISY: "alive"}
    given = [
        *starting(ROLAND, DAISY),
        *records(*won("one", 2)),
        _put_in("aside"),
        *records(
            *begun("aside", ROLAND, DAISY)[1:],
            *ended("aside", 0, "no_resolution", **both),
        ),
        Answer("decision", "aside", "$upgrade_decks", True),
    ]
    replay = fold(sides, given, PEOPLE)
    other = _put_in("other")
    after = other._replace(value=SideScenario("aside", "official"))
    found = findings_of(other, replay)

    assert [(each.rule, each.actual, each.expected) for each in found] == [
        ("side.after", "one", "aside")
    ]
    assert findings_of(after, replay) == ()


def test_a_restored_side_scenario_precedes_a_game_begun_meanwhile() -> None:
    """However the log was folded before."""
    guide = _beside(a_game("aside"))
    given: list[Entry] = [
        *starting(ROLAND, DAISY),
        *records(*won("one", 2)),
        _put_in("aside"),
        Retracted(99, 100),
        *records(*begun("two", ROLAND, DAISY)),
    ]
    waiting = fold(guide, given, PEOPLE)
    assert waiting.begun[-1] == "two"

    again: list[Entry] = [*given, Retracted(100, 101)]
    anew = fold(guide, again, PEOPLE)
    assert anew.begun[-2:] == ("aside", "two")
    going_on = fold(guide, again, PEOPLE, after=waiting)
    assert going_on.scenarios == anew.scenarios
    assert going_on.pending == anew.pending


def test_no_experience_is_needed_if_the_price_is_redirected() -> None:
    """As to the memories in one campaign."""
    replay = folded(_beside(a_game("aside", xp_cost=3)), *won("one", 2))
    poor = {ROLAND: 1, DAISY: 3}
    asked = [each.rule for each in findings_of(_put_in("aside"), replay, (), poor)]
    assert asked == ["side.cost"]

    state = replay.state.copy()
    state.redirect = "memories"
    replay = replay._replace(state=state)
    assert findings_of(_put_in("aside"), replay, (), poor) == ()


def test_a_side_scenario_of_the_guide_without_a_price_is_free() -> None:
    """A price in the answer is ignored."""
    guide = _beside(a_game("aside"))
    dear = _put_in("aside")._replace(value=SideScenario("one", "official", "", 3))
    replay = folded(guide, *won("one", 2))
    before = replay.state.people[ROLAND].experience or 0

    assert side_cost(guide, dear) == 0
    assert findings_of(dear, replay, (), {ROLAND: 0}) == ()
    given = [*starting(ROLAND, DAISY), *records(*won("one", 2)), dear]
    after = fold(guide, [*given, *records(*begun("aside", ROLAND, DAISY)[1:])], PEOPLE)
    assert after.state.people[ROLAND].experience == before


PRICE: Raw = a_step(
    {"type": "earn_xp", "investigator": "all", "bonus": -1, "side_scenario_cost": True},
    {"type": "earn_xp", "investigator": "$fixed_investigator",
     "fixed_investigator": ROLAND, "bonus": -2},
    step_id="price",
)  # fmt: skip


def _priced() -> CampaignGuide:
    game = a_game("aside", xp_cost=1)
    return _beside(
        {
            **game,
            "setup": ["price", *game["setup"]],
            "steps": [PRICE, *game["steps"]],
        }
    )


def test_a_named_investigator_needs_more_experience() -> None:
    """As the investigator of a challenge scenario does."""
    replay = folded(_priced(), *won("one", 2))
    found = findings_of(_put_in("aside"), replay, (), {ROLAND: 2, DAISY: 1})
    assert [(each.rule, each.cards, each.expected) for each in found] == [
        ("side.cost", (ROLAND,), 3)
    ]
    assert findings_of(_put_in("aside"), replay, (), {ROLAND: 3, DAISY: 1}) == ()


OLIVE = "04197"
SURCHARGE: Raw = a_step(
    {"type": "earn_xp", "investigator": "all", "bonus": -1, "side_scenario_cost": True},
    {"type": "earn_xp", "investigator": "all", "bonus": -1},
    step_id="price",
)
WHO_HAS_IT: Raw = {
    "id": "who_has_it",
    "type": "input",
    "input": {
        "type": "investigator_choice",
        "source": "scenario",
        "investigator": "all",
        "choices": [
            {
                "id": "has",
                "text": "",
                "effects": [
                    {"type": "earn_xp", "investigator": "$input_value", "bonus": 1}
                ],
            }
        ],
    },
}


def _challenge(**campaign: Any) -> CampaignGuide:
    """A scenario that costs 1 less for investigators with Olive McBride."""
    game = a_game(
        "aside", xp_cost=1, challenge={"card_discount": [OLIVE], "xp_cost": 1}
    )
    steps = [SURCHARGE, WHO_HAS_IT]
    return _beside(
        {
            **game,
            "setup": [*(step["id"] for step in steps), *game["setup"]],
            "steps": [*steps, *game["steps"]],
        },
        **campaign,
    )


def test_a_card_in_the_deck_lowers_the_price_of_a_challenge() -> None:
    """From 2 to 1."""
    guide = _challenge()
    assert side_cost(guide, _put_in("aside")) == 2
    assert guide.side["aside"].discount == Discount((OLIVE,), 1, "who_has_it")
    replay = folded(guide, *won("one", 2))
    unspent, cards = {ROLAND: 1, DAISY: 1}, {ROLAND: {OLIVE: 1}, DAISY: {"01030": 2}}
    found = findings_of(_put_in("aside"), replay, (), unspent, (), cards)
    assert [(each.rule, each.cards, each.expected) for each in found] == [
        ("side.cost", (DAISY,), 2)
    ]
    assert findings_of(_put_in("aside"), replay, (), {DAISY: 2}, (), cards) == ()


@pytest.mark.parametrize(("free", "expected"), [(False, (-1, -2)), (True, (0, 0))])
def test_the_discount_of_a_card_applies_to_the_price_only(
    free: bool, expected: tuple[int, int]
) -> None:
    """If side scenarios are free, nothing is given back either."""
    guide = replace(_challenge(), free_side_scenarios=free)
    has = {"type": "string_choices", "step": "who_has_it", "scenario": "aside"}
    given = [
        *starting(ROLAND, DAISY),
        *records(*won("one", 2)),
        _put_in("aside"),
        *records(*begun("aside", ROLAND, DAISY)[1:]),
        *records({**has, "choices": {ROLAND: ["has"]}}),
    ]
    before = folded(guide, *won("one", 2)).state.people
    after = fold(guide, given, PEOPLE).state
    paid = {
        code: (after.people[code].experience or 0) - (before[code].experience or 0)
        for code in (ROLAND, DAISY)
    }
    assert tuple(paid.values()) == expected
    costs = [each for each in after.changes if each.origin == COST]
    assert sum(each.value for each in costs if isinstance(each.value, int)) == sum(
        expected
    )


def test_the_campaigns_steps_follow_a_side_scenario_without_a_kind() -> None:
    """As after every side scenario."""
    core = a_scenario("core", a_step(a_note("after"), step_id="after"), type="core")
    guide = _beside(a_game("aside"), core, side_scenario_resolution=["after"])
    both = {ROLAND: "alive", DAISY: "alive"}
    given = [
        *starting(ROLAND, DAISY),
        *records(*won("one", 0)),
        _put_in("aside"),
        *records(
            *begun("aside", ROLAND, DAISY)[1:],
            *ended("aside", 0, "no_resolution", **both),
        ),
        Answer("decision", "aside", "$upgrade_decks", True),
    ]
    assert "after" in notes(reported(fold(guide, given, PEOPLE)))


def _lost_on_the_way() -> Replay:
    """A campaign lost in a side scenario just before a journey."""
    lose = a_step({"type": "campaign_data", "setting": "result", "value": "lose"})
    side = a_scenario("aside", lose, type="interlude")
    guide = a_guide(side)
    guide = replace(WORLD_GUIDE, side={"aside": guide.scenarios["aside"]})
    given = [
        *starting(ROLAND),
        *records({"type": "start_scenario"}, scenario="rome"),
        Answer(
            "start_side_scenario", "aside", "", SideScenario("rome", "official"), 99
        ),
    ]
    return fold(replace(guide, order=("rome",)), given, PEOPLE)


def test_a_lost_campaign_does_not_travel() -> None:
    """Otherwise the question would be asked forever."""
    replay = _lost_on_the_way()

    assert replay.state.map.embark
    assert replay.state.campaign_result == "lose"
    assert replay.pending is None


def test_no_side_scenario_follows_a_lost_campaign() -> None:
    replay = folded(_beside(a_game("aside")), *won("one", 2))
    assert may_come(replay)

    state = replay.state.copy()
    state.campaign_result = "lose"
    lost = replay._replace(state=state)
    assert not may_come(lost)
    found = findings_of(_put_in("aside"), lost)
    assert [each.rule for each in found] == ["side.place"]


def test_a_free_side_scenario_needs_no_experience() -> None:
    """Even if more was spent than there is."""
    replay = folded(_beside(a_game("aside", xp_cost=0)), *won("one", 2))
    assert findings_of(_put_in("aside"), replay, (), {ROLAND: -3, DAISY: 0}) == ()


def test_no_side_scenario_follows_the_last_game() -> None:
    """A campaign that is over doesn't continue."""
    replay = folded(_beside(a_game("aside")), *won("one", 2), *won("two", 2))
    last = SideScenario("two", "official")
    found = findings_of(Answer("start_side_scenario", "aside", "", last, 99), replay)

    assert replay.pending is None
    assert [each.rule for each in found] == ["side.place"]
    assert not may_come(replay)
