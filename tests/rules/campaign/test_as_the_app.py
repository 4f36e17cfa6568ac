"""The app's records are read as the app reads them.

Where the printed text differs, folds by the rules follow the printed text.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.policy import AS_THE_APP, BY_THE_RULES, Policy
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import (
    PLAY,
    a_game,
    begun,
    ended,
    folded,
    statuses,
    won,
)
from tests.rules.campaign.helpers.prompts import (
    LOOP,
    PARTNER,
    ROUND,
    UPGRADED,
    asks,
    chosen,
    numbers,
    option,
    strings,
)
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    POLICIES,
    ROLAND,
    WHO,
    Raw,
    a_check,
    a_guide,
    a_note,
    a_step,
    notes,
    read,
    records,
    settled,
    starting,
    state_of,
)

BOTH_WAYS = pytest.mark.parametrize("strict", [True, False])
RULES = Path(__file__).resolve().parents[3] / "arkham" / "rules" / "campaign"


def test_every_difference_of_the_policy_is_used() -> None:
    """And folds use no others."""
    text = "".join(path.read_text("utf-8") for path in RULES.rglob("*.py"))
    asked = set(re.findall(r"policy\.(?!policy\b)([a-z_]+)\b(?! import)", text))
    within = set(re.findall(r"self\.([a-z_]+)", inspect.getsource(Policy)))
    named = {each.name for each in fields(Policy)}
    methods = {"token_limit", "healed"}
    assert (asked | within) - methods == named
    assert all(
        getattr(AS_THE_APP, name) is not getattr(BY_THE_RULES, name) for name in named
    )


# --- texts of the table's own


OFFERING: Raw = {
    "id": "$play_scenario",
    "type": "input",
    "input": {
        "type": "play_scenario",
        "campaign_log": [{"id": "rain", "text": "", "effects": [a_note("rain")]}],
    },
}


@BOTH_WAYS
@pytest.mark.parametrize("choice", ["$other", ""])
def test_own_text_can_replace_the_offered_lines(strict: bool, choice: str) -> None:
    """Chosen by its id, as on pages, or by its number, as in records."""
    guide = a_guide(a_game("one", play=OFFERING))
    other = Answer("choice", "one", "$play_scenario_campaign_log", 1, choice=choice)
    asked = folded(
        guide,
        *begun("one", ROLAND),
        {"type": "choice", "step": "$play_scenario", "scenario": "one", "choice": -1},
        strict=strict,
    )
    replay = fold(guide, [*asked.used, other], PEOPLE, policy=POLICIES[strict])
    words = Answer("text", "one", "$campaign_log#1", "It rained.")
    written = fold(guide, [*asked.used, other, words], PEOPLE, policy=POLICIES[strict])

    assert replay.problems == ()
    assert replay.pending is not None
    assert (replay.pending.step, replay.pending.kind) == ("$campaign_log#1", "text")
    assert notes(reported(written)) == ["It rained."]


@BOTH_WAYS
def test_choices_with_the_same_id_are_distinguished_by_number(
    strict: bool,
) -> None:
    """Some guides give two choices the same id."""
    twice = {
        **PLAY,
        "input": {
            "type": "play_scenario",
            "branches": [
                {"id": "fate", "text": "", "effects": [a_note("first")]},
                {"id": "fate", "text": "", "effects": [a_note("second")]},
            ],
        },
    }
    guide = a_guide(a_game("one", play=twice))
    known = folded(guide, *begun("one", ROLAND), strict=strict)
    chosen_one = Answer("choice", "one", "$play_scenario", 1, choice="fate")
    replay = fold(guide, [*known.used, chosen_one], PEOPLE, policy=POLICIES[strict])

    assert notes(reported(replay)) == ["second"]


# --- lines that name cards


@BOTH_WAYS
def test_a_line_in_an_investigators_section_names_them(strict: bool) -> None:
    """The section belongs to them; the line is their fate."""
    lost = {"type": "campaign_log_cards", "section": "$input_value", "id": "lost"}
    guide, _flaws = read(
        setup=["who", "ask"],
        steps=[
            WHO,
            asks(
                "prologue_randomizer",
                prompt="",
                choices=[option("05046"), option("05047")],
                options=[{"condition": "0", "effects": [lost]}],
            ),
        ],
    )
    given = starting(ROLAND) + records(strings({"05046": ["0"], "05047": ["0"]}))
    found = reported(fold(guide, given, PEOPLE, policy=POLICIES[strict]))["sections"]

    for code in ("05046", "05047"):
        assert found[code]["entries"] == [
            {"type": "card", "id": "lost", "cards": [{"card": code, "count": 1}]}
        ]


@BOTH_WAYS
@pytest.mark.parametrize(
    ("copies", "expected"), [([0], "no"), ([], "no"), ([2], "yes")]
)
def test_a_card_with_no_copies_is_not_recorded(
    strict: bool, copies: list[int], expected: str
) -> None:
    """It has no line, and no condition finds it."""
    stash = {
        "type": "campaign_log_cards",
        "section": "campaign_notes",
        "id": "stash",
        "cards": "$input_value",
    }
    prompt = asks(
        "card_choice",
        include_counts=True,
        query=[{"code": ["01010"]}],
        choices=[option("stashed", stash)],
    )
    there = a_check(
        {"type": "campaign_log_cards", "section": "campaign_notes", "id": "stash"}
    )
    found = state_of(
        [prompt, there], [numbers("ask", {"01010": copies})], strict=strict
    )

    assert expected in notes(found)


# --- partners


@BOTH_WAYS
@pytest.mark.parametrize("chosen_none", [{}, {DAISY: []}, {DAISY: ["none"]}])
def test_an_investigator_who_chose_no_partner_has_none(
    strict: bool, chosen_none: dict[str, list[str]]
) -> None:
    """A partner of an earlier game does not die with an investigator who goes alone."""
    go = asks("investigator_choice_partner", "go", condition=PARTNER, prompt="")
    again = {**go, "id": "again"}
    found = state_of(
        [go, again],
        [
            strings({ROLAND: ["p1"], DAISY: ["p2"]}, "go"),
            strings({ROLAND: ["p1"], **chosen_none}, "again"),
        ],
        strict=strict,
    )
    lines = found["sections"]["team"]["entries"]

    assert [each["cards"][0]["card"] for each in lines if DAISY in each["id"]] == [
        "p2",
        "none",
    ]


# --- supplies


PACK = asks(
    "supplies",
    "pack",
    section="supplies",
    points=[9, 9, 9, 9],
    supplies=[
        {"id": each, "name": each, "cost": 1, "multiple": True}
        for each in ("canteen", "food")
    ],
)


def _packed(**supplies: int) -> Raw:
    return {"type": "supplies", "step": "pack", "supplies": {ROLAND: supplies}}


@BOTH_WAYS
def test_supplies_that_were_not_packed_are_not_recorded(strict: bool) -> None:
    """There is no line for zero."""
    found = state_of([PACK], [_packed(canteen=1, food=0)], strict=strict)
    entries = found["investigator_sections"]["supplies"][ROLAND]["entries"]

    assert entries == [{"type": "count", "id": "canteen", "count": 1}]


@pytest.mark.parametrize(("strict", "expected"), [(True, [ROLAND]), (False, [])])
def test_only_by_the_rules_the_owner_of_a_supply_is_named(
    strict: bool, expected: list[str]
) -> None:
    """The app only knows that an investigator has it."""
    named = {
        "type": "campaign_log_cards",
        "section": "campaign_notes",
        "id": "clue",
        "cards": "$input_value",
    }
    check = a_check(
        {
            "type": "check_supplies",
            "section": "supplies",
            "investigator": "any",
            "id": "canteen",
            "name": "Canteen",
        },
        options=[{"boolCondition": True, "effects": [named]}],
    )
    found = state_of([PACK, check], [_packed(canteen=1)], strict=strict)
    lines = found["sections"]["campaign_notes"]["entries"]

    assert [each["cards"][0]["card"] for each in lines] == expected


@pytest.mark.parametrize(("strict", "expected"), [(True, 1), (False, -1)])
def test_supplies_are_never_negative_by_the_rules(strict: bool, expected: int) -> None:
    """In the app they can be; by the rules it is asked again how many are used."""
    use = asks(
        "use_supplies",
        "use",
        section="supplies",
        id="food",
        name="Food",
        investigator="choice",
        min=0,
        max=4,
        choices=[],
    )
    given = [_packed(food=1), numbers("use", {ROLAND: [2]})]
    found = state_of([PACK, use], given, strict=strict)
    entries = found["investigator_sections"]["supplies"][ROLAND]["entries"]

    assert entries == [{"type": "count", "id": "food", "count": expected}]


@pytest.mark.parametrize(("strict", "expected"), [(True, 1), (False, 3)])
def test_crossed_out_supplies_still_count_in_the_app(
    strict: bool, expected: int
) -> None:
    """Later gains are added to the old number."""
    lose = {
        "type": "lose_supplies",
        "section": "supplies",
        "supply": "food",
        "investigator": "all",
    }
    gain = {
        "type": "gain_supplies",
        "section": "supplies",
        "investigator": "$input_value",
        "supplies": [{"id": "food", "name": "Food", "cost": 0, "multiple": False}],
    }
    find = asks(
        "investigator_choice",
        "find",
        investigator="any",
        source="scenario",
        choices=[option("found", gain)],
    )
    given = [_packed(food=2), strings({ROLAND: ["found"]}, "find")]
    found = state_of([PACK, a_step(lose), find], given, strict=strict)
    (entry,) = found["investigator_sections"]["supplies"][ROLAND]["entries"]

    assert entry["count"] == expected


# --- decks


@pytest.mark.parametrize(
    ("strict", "copies", "story", "counted"),
    [
        (True, 1, ["08723"], 1),
        (False, 1, [], 2),
        (True, 2, [], 0),
        (False, 2, [], 0),
    ],
)
def test_losing_a_copy_of_a_counted_story_card_loses_the_card_in_the_app(
    strict: bool, copies: int, story: list[str], counted: int
) -> None:
    """By the rules the other copy stays."""
    gain = {"id": "gain", "type": "input", "input": {"type": "upgrade_decks"}}
    given = [
        numbers(f"gain#{ROLAND}", {"story#08723": [2]}),
        {**UPGRADED, "step": "gain"},
        numbers(f"ask#{ROLAND}", {"08723": [copies]}),
        UPGRADED,
    ]
    found = state_of([gain, asks("upgrade_decks")], given, strict=strict)

    assert found["investigators"][ROLAND] == {
        "storyAssets": story,
        "cardCounts": {"08723": counted},
    }


@pytest.mark.parametrize(("strict", "expected"), [(True, 2), (False, None)])
def test_in_the_app_deck_changes_apply_all_at_once(
    strict: bool, expected: int | None
) -> None:
    """By the rules experience can be spent at once."""
    told = [numbers(f"ask#{ROLAND}", {"xp": [2]})]
    waiting = state_of([asks("upgrade_decks")], told, strict=strict)
    done = state_of([asks("upgrade_decks")], [*told, UPGRADED], strict=strict)

    assert waiting["investigators"].get(ROLAND, {}).get("availableXp") == expected
    assert done["investigators"][ROLAND]["availableXp"] == 2


def test_the_app_reads_one_answer_for_later_rounds_of_a_loop() -> None:
    """Their steps have the same name in its records."""
    answers = [chosen(2, "ask#undefined"), chosen(0, "ask#NaN")]
    found = settled([LOOP, ROUND], answers, setup=["loop"], strict=False)

    assert notes(reported(found)) == ["c", "a", "b"]
    assert found.problems == ()


def test_by_the_rules_every_round_of_a_loop_is_asked() -> None:
    """Each under its number."""
    answers = [chosen(2, "ask#undefined"), chosen(1, "ask#1")]
    found = settled([LOOP, ROUND], answers, setup=["loop"])

    assert notes(reported(found)) == ["c", "b"]
    assert found.pending is not None
    assert found.pending.step == "ask#2"


# --- side scenarios


@BOTH_WAYS
@pytest.mark.parametrize("kind", ["", "side_story"])
def test_any_side_scenario_gets_the_campaigns_branches(strict: bool, kind: str) -> None:
    """Whatever kind it has, it isn't one of the campaign's own scenarios."""
    more: Raw = {"side_scenario_type": kind} if kind else {}
    branch = {"id": "m", "text": "", "effects": [a_note("met")]}
    play = {"type": "play_scenario", "branches": [branch]}
    beside = a_guide(a_game("aside", **more), scenarios=[])
    guide = replace(
        a_guide(
            a_game("one"),
            side_scenario_steps=[
                {"id": "$play_scenario", "type": "input", "input": play}
            ],
        ),
        side=beside.scenarios,
    )
    hub = {"type": "choice", "scenario": "aside"}
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
        {**hub, "step": "$play_scenario", "choice": 0},
        {**hub, "step": "$play_scenario#1", "choice": -2},
        *ended("aside", 0, "no_resolution", **{ROLAND: "alive", DAISY: "alive"})[1:],
        strict=strict,
    )

    assert "met" in notes(reported(replay))
    assert ("aside", "started") in statuses(replay)


def test_steps_of_a_newer_version_are_not_asked_in_an_older_campaign() -> None:
    """Even if the campaign is older than the first version."""
    newer = {"type": "campaign_data", "campaign_data": "version", "min_version": 0}
    guide = a_guide(setup=["who", "when"], steps=[WHO, a_check(newer)])

    for version, expected in ((-1, "no"), (0, "yes")):
        replay = fold(
            guide, starting(ROLAND), PEOPLE, version=version, policy=AS_THE_APP
        )
        assert notes(reported(replay)) == [expected]


# --- lists without options

NEVER: Raw = {
    "type": "campaign_log",
    "section": "campaign_notes",
    "id": "never",
    "options": [{"boolCondition": True}],
}


@pytest.mark.parametrize(("strict", "asked"), [(True, ""), (False, "ask")])
@pytest.mark.parametrize("kind", ["checklist", "investigator_choice"])
def test_a_prompt_without_options_is_skipped_by_the_rules(
    kind: str, strict: bool, asked: str
) -> None:
    """The app shows an empty list; a later answer may still apply."""
    choices = [{**option(each, a_note(each)), "condition": NEVER} for each in "ab"]
    ask = asks(kind, choices=choices, investigator="choice")
    replay = settled([ask], strict=strict)
    assert (replay.pending.step if replay.pending else "") == asked

    told = strings({ROLAND if kind[0] == "i" else "a": ["a"]})
    written = fold(
        replay.state.guide, [*replay.used, *records(told)], PEOPLE,
        policy=POLICIES[strict], after=replay,
    )  # fmt: skip
    assert notes(reported(written)) == ["a"]
