"""Which option each condition chooses, and the value it passes on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.campaign.helpers.small import (
    DAISY,
    ROLAND,
    a_check,
    a_note,
    a_step,
    notes,
    settled,
    state_of,
)

Raw = dict[str, Any]
NOTES: Raw = {"section": "campaign_notes"}
ALL: Raw = {"investigator": "all"}
CARDS: Raw = {
    "type": "campaign_log_cards",
    **NOTES,
    "id": "met",
    "cards": "$fixed_codes",
    "codes": [DAISY],
}


def said(first: list[Raw], condition: Raw, **named: Any) -> list[str]:
    """Return which of yes and no is recorded after these effects."""
    found = notes(state_of([a_step(*first), a_check(condition)], **named))
    return [each for each in found if each in ("yes", "no")]


@pytest.mark.parametrize(
    ("first", "condition", "expected"),
    [
        ([a_note("a")], {"type": "campaign_log", **NOTES, "id": "a"}, "yes"),
        ([], {"type": "campaign_log", **NOTES, "id": "a"}, "no"),
        (
            [a_note("a"), a_note("a", cross_out=True)],
            {"type": "campaign_log", **NOTES, "id": "a"},
            "no",
        ),
        ([], {"type": "campaign_log_section_exists", "section": "hidden"}, "no"),
        (
            [a_note("a", "hidden")],
            {"type": "campaign_log_section_exists", "section": "hidden"},
            "yes",
        ),
        ([CARDS], {"type": "campaign_log_cards", **NOTES, "id": "met"}, "yes"),
        ([], {"type": "campaign_log_cards", **NOTES, "id": "met"}, "no"),
        ([], {"type": "campaign_log_task", "section": "hidden", "id": "toil"}, "no"),
        (
            [{"type": "add_card", **ALL, "card": "x"}],
            {"type": "has_card", "investigator": "any", "card": "x"},
            "yes",
        ),
        ([], {"type": "has_card", "investigator": "any", "card": "x"}, "no"),
        (
            [{"type": "trauma", **ALL, "killed": True}],
            {"type": "trauma", **ALL, "trauma": "killed"},
            "yes",
        ),
        ([], {"type": "trauma", **ALL, "trauma": "insane"}, "no"),
        (
            [],
            {
                "type": "check_supplies",
                "investigator": "any",
                "section": "supplies",
                "id": "rope",
                "name": "",
            },
            "no",
        ),
        (
            [],
            {
                "type": "campaign_data",
                "campaign_data": "version",
                "min_version": 3,
            },
            "yes",
        ),
        (
            [],
            {"type": "campaign_data", "campaign_data": "version", "min_version": 4},
            "no",
        ),
        ([], {"type": "campaign_data", "campaign_data": "standalone"}, "no"),
        ([], {"type": "campaign_data", "campaign_data": "linked_campaign"}, "no"),
        ([], {"type": "campaign_data", "campaign_data": "next_scenario"}, "no"),
        (
            [{"type": "campaign_data", "setting": "next_scenario", "scenario": "x"}],
            {"type": "campaign_data", "campaign_data": "next_scenario"},
            "yes",
        ),
        (
            [],
            {
                "type": "campaign_data",
                "campaign_data": "investigator_status",
                "status": "not_eliminated",
            },
            "yes",
        ),
        (
            [],
            {
                "type": "campaign_data",
                "campaign_data": "scenario_completed",
                "scenario": "x",
            },
            "no",
        ),
        ([], {"type": "scenario_data", "scenario_data": "has_resolution"}, "no"),
        (
            [],
            {
                "type": "math",
                "operation": "equals",
                "opA": {"type": "constant", "value": 2},
                "opB": {"type": "scenario_data", "scenario_data": "player_count"},
            },
            "yes",
        ),
        ([], {"type": "location", "status": "visited", "location": "rome"}, "no"),
        ([], {"type": "scarlet_key", "scarlet_key": "e", "status": "enemy"}, "no"),
        (
            [
                {
                    "type": "scarlet_key",
                    "section": "keys",
                    "scarlet_key": "e",
                    "bearer_type": "enemy",
                    "enemy_code": "z",
                }
            ],
            {"type": "scarlet_key", "scarlet_key": "e", "status": "enemy"},
            "yes",
        ),
    ],
)
def test_a_condition_is_met_or_not(
    first: list[Raw], condition: Raw, expected: str
) -> None:
    """Exactly one of the two is recorded."""
    assert said(first, condition) == [expected]


def numbered(*keys: int | str, name: str = "numCondition") -> list[Raw]:
    """Options that record their keys."""
    return [{name: key, "effects": [a_note(f"is {key}")]} for key in keys]


@pytest.mark.parametrize(
    ("condition", "options", "expected"),
    [
        (
            {"type": "campaign_log_count", "section": "doubt", "id": "$count"},
            numbered(0, 2),
            "is 2",
        ),
        (
            {"type": "campaign_log_count", **NOTES, "id": "$num_entries"},
            numbered(0, 1),
            "is 1",
        ),
        (
            {"type": "scenario_data", "scenario_data": "player_count"},
            numbered(1, 2, 3),
            "is 2",
        ),
        (
            {"type": "campaign_data", "campaign_data": "chaos_bag", "token": "skull"},
            numbered(1, 2),
            "is 1",
        ),
        (
            {"type": "campaign_data", "campaign_data": "difficulty"},
            numbered("easy", "standard", name="condition"),
            "is standard",
        ),
        (
            {"type": "campaign_data", "campaign_data": "cycle"},
            numbered("core", "own", name="condition"),
            "is own",
        ),
        (
            {
                "type": "campaign_data",
                "campaign_data": "investigator",
                "investigator_data": "trait",
            },
            numbered("criminal", "miskatonic", name="condition"),
            "is miskatonic",
        ),
        (
            {
                "type": "campaign_data",
                "campaign_data": "investigator",
                "investigator_data": "trait",
            },
            numbered("Criminal", "Miskatonic", name="condition"),
            "is Miskatonic",
        ),
        (
            {"type": "scarlet_key_count", "status": "investigator"},
            numbered(0, 1),
            "is 0",
        ),
        (
            {"type": "campaign_log_cards_switch", **NOTES, "id": "met"},
            numbered(ROLAND, DAISY, name="condition"),
            f"is {DAISY}",
        ),
        (
            {
                "type": "math",
                "operation": "compare",
                "opA": {"type": "campaign_log_count", "section": "doubt"},
                "opB": {"type": "chaos_bag", "token": "skull"},
            },
            numbered(-1, 0, 1),
            "is 1",
        ),
        (
            {
                "type": "math",
                "operation": "sum",
                "opA": {"type": "campaign_log_count", "section": "doubt"},
                "opB": {"type": "constant", "value": 3},
            },
            numbered(4, 5),
            "is 5",
        ),
        (
            {
                "type": "math",
                "operation": "divide",
                "opA": {"type": "constant", "value": 7},
                "opB": {"type": "campaign_log_count", "section": "doubt"},
            },
            numbered(3, 4),
            "is 3",
        ),
        (
            {
                "type": "math",
                "operation": "compare",
                "opA": {"type": "most_xp_earned"},
                "opB": {"type": "constant", "value": 4},
            },
            numbered(-1, 0, 1),
            "is 0",
        ),
    ],
)
def test_a_value_chooses_its_option(
    condition: Raw, options: list[Raw], expected: str
) -> None:
    """2 doubt, one skull, 4 experience, and Daisy's name in the notes."""
    first = a_step(
        {
            "type": "campaign_log_count",
            "section": "doubt",
            "operation": "set",
            "value": 2,
        },
        {"type": "add_chaos_token", "tokens": ["skull"]},
        {"type": "earn_xp", **ALL, "bonus": 4},
        CARDS,
    )
    found = state_of([first, a_check(condition, options=options)])

    assert notes(found) == ["met", expected]


def test_any_other_value_chooses_the_default_option() -> None:
    """Without one, nothing follows."""
    condition = {"type": "campaign_log_count", "section": "doubt", "id": "$count"}
    options = numbered(3)
    default = {"default_option": {"effects": [a_note("else")]}}

    assert notes(state_of([a_check(condition, options=options)])) == []
    assert notes(state_of([a_check({**condition, **default}, options=options)])) == [
        "else"
    ]


def test_the_number_found_is_passed_to_effects() -> None:
    """Experience equal to the count, scaled if the effect says so."""
    first = a_step(
        {
            "type": "campaign_log_count",
            "section": "doubt",
            "operation": "set",
            "value": 2,
        }
    )
    condition = {"type": "campaign_log_count", "section": "doubt", "id": "$count"}
    effect = {"type": "earn_xp", **ALL, "bonus": 1, "input_scale": 3}
    step = a_check(condition, options=[{"numCondition": 2, "effects": [effect]}])

    assert state_of([first, step])["investigators"][ROLAND] == {"availableXp": 7}


@pytest.mark.parametrize(("needed", "expected"), [(1, "yes"), (2, "yes"), (3, "no")])
def test_a_number_of_conditions_must_be_met(needed: int, expected: str) -> None:
    """Two of these three are; one with a single option is met if that applies."""
    conditions = [
        {
            "type": "campaign_log",
            **NOTES,
            "id": "a",
            "options": [{"boolCondition": True}],
        },
        {
            "type": "campaign_log",
            **NOTES,
            "id": "b",
            "options": [{"boolCondition": False}],
        },
        {
            "type": "campaign_log",
            **NOTES,
            "id": "b",
            "options": [{"boolCondition": True}],
        },
    ]
    condition = {"type": "multi", "count": needed, "conditions": conditions}

    assert said([a_note("a")], condition) == [expected]


def test_a_condition_can_apply_to_each_investigator() -> None:
    """Those with and without trauma follow different options."""
    hurt = {
        "id": "hurt",
        "type": "input",
        "input": {
            "type": "investigator_choice",
            "source": "scenario",
            "investigator": "choice",
            "choices": [
                {
                    "id": "hurt",
                    "text": "",
                    "effects": [
                        {
                            "type": "trauma",
                            "investigator": "$input_value",
                            "physical": 1,
                        }
                    ],
                }
            ],
        },
    }
    earn = {"type": "earn_xp", "investigator": "$input_value"}
    step = a_check(
        {"type": "trauma", "investigator": "each", "trauma": "physical"},
        options=[
            {"boolCondition": True, "effects": [{**earn, "bonus": 2}]},
            {"boolCondition": False, "effects": [{**earn, "bonus": 1}]},
        ],
    )
    answer = {"type": "string_choices", "step": "hurt", "choices": {DAISY: ["hurt"]}}
    found = state_of([hurt, step], [answer])["investigators"]

    assert found[DAISY]["availableXp"] == 2
    assert found[ROLAND]["availableXp"] == 1


def test_conditions_find_partners_by_status() -> None:
    """Alive or hurt; also as a number of partners."""
    hurt = {
        "type": "partner_status",
        "section": "team",
        "partner": "$fixed_partner",
        "fixed_partner": "p2",
        "operation": "add",
        "status": "eliminated",
    }
    check = {
        "type": "partner_status",
        "section": "team",
        "partner": "any",
        "operation": "all",
        "status": ["alive"],
    }
    compare = {
        "type": "math",
        "operation": "equals",
        "opA": {**check, "options": [{"boolCondition": True}]},
        "opB": {"type": "constant", "value": 1},
    }
    named = {**check, "partner": "$fixed_partner", "fixed_partner": "p2"}

    assert said([hurt], compare) == ["yes"]
    assert said([], compare) == ["no"]
    assert said([hurt], named) == ["no"]
    assert said([], named) == ["yes"]


def test_a_supply_is_found_while_there_is_one() -> None:
    """With any investigator."""
    pack = {
        "id": "pack",
        "type": "input",
        "input": {
            "type": "supplies",
            "section": "supplies",
            "points": [4, 3],
            "supplies": [{"id": "rope", "name": "", "description": "", "cost": 1}],
        },
    }
    check = a_check(
        {
            "type": "check_supplies",
            "investigator": "any",
            "section": "supplies",
            "id": "rope",
            "name": "",
        }
    )
    some = {"type": "supplies", "step": "pack", "supplies": {DAISY: {"rope": 1}}}
    none = {"type": "supplies", "step": "pack", "supplies": {DAISY: {"rope": 0}}}

    assert notes(state_of([pack, check], [some])) == ["yes"]
    assert notes(state_of([pack, check], [none])) == ["no"]


@pytest.mark.parametrize(("is_there", "read"), [(True, ["when"]), (False, [])])
def test_the_text_of_a_condition_is_shown_if_it_has_consequences(
    is_there: bool, read: list[str]
) -> None:
    """The text of an option without steps and effects is not."""
    options = [
        {"boolCondition": True, "effects": [a_note("yes")]},
        {"boolCondition": False},
    ]
    asked = {"type": "campaign_log", **NOTES, "id": "a", "options": options}
    first = [a_note("a")] if is_there else []
    texts = settled([a_step(*first), a_check(asked)]).state.texts

    assert [each.step for each in texts if each.step == "when"] == read
