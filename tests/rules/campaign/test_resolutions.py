"""Resolutions: outcomes, trauma, experience and the defeated."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.judging.answers import findings_of
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.prompts.decks import held_cards
from arkham.rules.campaign.state.answers import Answer, Stated
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import (
    ENDINGS,
    PLAY,
    a_game,
    begun,
    ended,
    folded,
    statuses,
    won,
)
from tests.rules.campaign.helpers.prompts import asks
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    ROLAND,
    SKIDS,
    WHO,
    Raw,
    a_check,
    a_guide,
    a_scenario,
    a_step,
    notes,
    records,
    starting,
)


def test_a_resolution_settles_outcomes_trauma_and_experience() -> None:
    """Daisy is defeated by horror: a mental trauma, and a line about the defeated."""
    replay = folded(
        a_guide(a_game("one")), *won("one", 2, **{ROLAND: "alive", DAISY: "mental"})
    )
    state = reported(replay)

    assert statuses(replay) == [("one", "completed")]
    assert notes(state) == ["one was defeated", "won"]
    assert state["resolutions"] == {"one": "R1"}
    assert state["investigators"] == {
        ROLAND: {"availableXp": 3},
        DAISY: {"availableXp": 3, "mental": 1},
    }


def test_effects_follow_from_the_answer_that_led_to_their_step() -> None:
    """Those of a resolution from its choice, though more was asked in between."""
    replay = folded(a_guide(a_game("one")), *won("one", 1, **{DAISY: "mental"}))
    asked = {each.sequence: getattr(each, "step", "") for each in replay.used}
    state = replay.state
    found = {
        (change.what, state.causes[change.cause].step): asked[
            state.causes[change.cause].answer
        ]
        for change in state.changes
        if state.causes[change.cause].scenario == "one"
    }
    status = "$r_R1*investigator_status"
    assert found["mental", status] == found["line", "defeated"] == status
    assert found["experience", "victory"] == "victory"
    assert found["line", "won"] == found["scenario", "$proceed"] == "$choose_resolution"


@pytest.mark.parametrize(
    ("outcome", "strict", "expected"),
    [
        ("killed", True, ["yes"]),
        ("mental", True, ["yes"]),
        ("alive", True, ["no"]),
        ("killed", False, ["no"]),
    ],
)
def test_a_killed_investigator_was_defeated(
    outcome: str, strict: bool, expected: list[str]
) -> None:
    """The app forgets them."""
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
        "one",
        PLAY,
        a_check(defeated),
        resolutions=resolutions,
        setup=["$play_scenario"],
    )
    both = {ROLAND: "alive", DAISY: outcome}
    replay = folded(
        a_guide(scenario),
        *begun("one", *both),
        *ended("one", 1, "R2", **both),
        strict=strict,
    )

    assert notes(reported(replay)) == expected


def test_an_investigator_who_resigned_was_not_defeated() -> None:
    """There is no line about the defeated and no trauma."""
    state = reported(folded(a_guide(a_game("one")), *won("one")))

    assert notes(state) == ["won"]
    assert state["investigators"][DAISY] == {"availableXp": 3}


def test_outcomes_are_not_asked_for_if_the_resolution_has_none() -> None:
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


def test_a_resolution_can_include_another() -> None:
    """Its steps are walked, but outcomes are not asked for again."""
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


@pytest.mark.parametrize(("strict", "once"), [(True, 1), (False, 2)])
def test_decks_are_upgraded_once_where_a_guide_leads_there_twice(
    strict: bool, once: int
) -> None:
    """As in The Essex County Express, without a resolution; the app counts it twice."""
    game = a_game("one", {"id": "into", "type": "resolution", "resolution": "R1"})
    game["setup"] = ["$play_scenario"]
    game["resolutions"][0]["steps"] = ["into", "$upgrade_decks"]
    for_roland: Raw = {
        "type": "choice_list",
        "scenario": "one",
        "step": f"$upgrade_decks#{ROLAND}",
        "choices": {"xp": [1], "physical": [1]},
    }
    answers = [
        *begun("one", ROLAND, DAISY),
        *ended("one", 0, "no_resolution", **{ROLAND: "resigned", DAISY: "resigned"}),
        {"type": "count", "scenario": "one", "step": "victory", "count": 2},
        for_roland,
        {
            "type": "decision",
            "scenario": "one",
            "step": "$upgrade_decks",
            "decision": True,
        },
    ]
    replay = folded(a_guide(game), *answers, strict=strict)

    assert statuses(replay) == [("one", "completed")]
    assert reported(replay)["investigators"][ROLAND] == {
        "availableXp": 3 + once,
        "physical": once,
    }


def test_cards_that_come_after_decks_were_saved_are_saved_too() -> None:
    """By the same step, without asking again."""
    gifts = [
        a_step({"type": "add_card", "investigator": "all", "card": card}, step_id=card)
        for card in ("02016", "02022")
    ]
    game = a_game("one", *gifts, asks("save_decks", "keep"))
    game["setup"] = ["$play_scenario"]
    game["resolutions"][0]["steps"] = ["02016", "keep", "02022", "keep"]
    replay = folded(
        a_guide(game),
        *begun("one", ROLAND, DAISY),
        *ended("one", 0, "no_resolution", **{ROLAND: "resigned", DAISY: "resigned"}),
        {"type": "decision", "scenario": "one", "step": "keep", "decision": True},
        strict=True,
    )

    assert statuses(replay) == [("one", "completed")]
    assert held_cards(replay.state.banked[ROLAND]) == {"02016": 1, "02022": 1}


def test_only_one_of_those_who_resigned_takes_a_card() -> None:
    """The others are not asked."""
    resolutions = [
        {"id": "R1", "title": "", "steps": []},
        {"id": "R2", "title": "", "steps": ["does"]},
    ]
    take = a_step({"type": "add_card", "investigator": "any_resigned", "card": "02016"})
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


def test_the_partner_of_a_defeated_investigator_is_defeated_too() -> None:
    """Roland's, but not Daisy’s, even if he was killed (CYC-EE2)."""
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
    dies = a_check(
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


@pytest.mark.parametrize(
    ("play", "resolution"),
    [({"single_resolution": "R1"}, "R1"), ({"fixed_resolution": "R1"}, "R1")],
)
def test_a_single_resolution_is_not_asked_for(play: Raw, resolution: str) -> None:
    step = {**PLAY, "input": {"type": "play_scenario", **play}}
    replay = folded(
        a_guide(a_game("one", play=step)),
        *begun("one", ROLAND),
        {"type": "choice", "step": "$play_scenario", "scenario": "one", "choice": -2},
    )

    assert reported(replay)["resolutions"] == {"one": resolution}


GONE: Raw = {
    "type": "trauma",
    "investigator": "$fixed_investigator",
    "fixed_investigator": DAISY,
    "killed": True,
}


@pytest.mark.parametrize("strict", [True, False])
def test_the_only_defeated_investigator_may_be_dead(strict: bool) -> None:
    """By the rules there is a line about her; the app has none."""
    game = a_game("one", a_step(GONE, step_id="gone"))
    game["setup"].insert(-1, "gone")
    outcomes = {ROLAND: "alive", DAISY: "mental"}
    replay = folded(a_guide(game), *won("one", 2, **outcomes), strict=strict)

    assert notes(reported(replay)) == ["one was defeated"] * strict + ["won"]


def test_an_investigator_who_died_before_the_game_is_not_defeated() -> None:
    """By the rules she doesn't play it, whatever was answered."""
    guide = a_guide(a_game("one"), setup=["who", "does"], steps=[WHO, a_step(GONE)])
    replay = folded(guide, *won("one", 2, **{ROLAND: "alive", DAISY: "mental"}))

    assert notes(reported(replay)) == ["won"]


@pytest.mark.parametrize("strict", [True, False])
def test_an_investigator_who_died_before_the_end_is_defeated(strict: bool) -> None:
    """She is not asked for an outcome; the app forgets her."""
    lost = {"type": "trauma", "investigator": "defeated", "insane": True}
    game = a_game(
        "one", a_step(GONE, step_id="gone"), a_step(lost, step_id="lost_mind")
    )
    game["setup"] = ["gone", "$play_scenario"]
    game["resolutions"][1]["steps"].insert(0, "lost_mind")
    both = begun("one", ROLAND, DAISY)
    rest = won("one", 2, **{ROLAND: "mental"})[3:]
    people = folded(a_guide(game), *both, *rest, strict=strict).state.people

    assert people[ROLAND].insane
    assert people[DAISY].insane is strict


def a_game_that_pays_for_defeats() -> Raw:
    """A game with 1 experience for each defeat, as in The Essex County Express."""
    pity: Raw = {"type": "earn_xp", "investigator": "defeated", "bonus": 1}
    game = a_game("one", a_step(pity, step_id="pity"))
    game["setup"] = ["$play_scenario"]
    game["resolutions"][1]["steps"].insert(0, "pity")
    return game


@pytest.mark.parametrize(
    ("strict", "trauma", "daisy"),
    [
        (True, 0, 1 + 3),
        (True, 4, 0),  # the fifth equals her health: she is killed
        (False, 4, 1),  # the app pays the dead
    ],
)
def test_a_killed_investigator_earns_nothing_for_the_defeat(
    strict: bool, trauma: int, daisy: int
) -> None:
    """XP-29: no one killed or insane earns; Roland has 1 and 2 and a bonus."""
    hurt = a_step(
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


def test_experience_stated_for_a_dead_investigator_is_reported() -> None:
    """Nothing is earned, but experience can be taken away."""
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
