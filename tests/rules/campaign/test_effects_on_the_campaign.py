"""Effects on the campaign: its log, chaos bag, map and scenarios."""

from __future__ import annotations

from typing import get_args

import pytest

from arkham.rules.campaign.effects import APPLY
from arkham.rules.campaign.model import effects as do
from tests.rules.campaign.helpers.small import (
    DAISY,
    MAP,
    ROLAND,
    Raw,
    a_check,
    a_note,
    a_step,
    notes,
    state_of,
)


def test_every_effect_is_applied() -> None:
    """Except random weaknesses: these are asked for first."""
    assert set(get_args(do.Effect)) - set(APPLY) == {do.AddWeakness}


def test_lines_are_recorded_crossed_out_restored_removed_and_circled() -> None:
    """Crossing out affects every line with that id."""
    first = [a_note("a"), a_note("a"), a_note("b")]

    assert notes(state_of([a_step(*first)])) == ["a", "a", "b"]
    crossed = state_of([a_step(*first, a_note("a", cross_out=True))])
    assert notes(crossed) == ["-a", "-a", "b"]
    restored = state_of(
        [a_step(*first, a_note("a", cross_out=True), a_note("a", cross_out=False))]
    )
    assert notes(restored) == ["a", "a", "b"]
    assert notes(state_of([a_step(*first, a_note("a", remove=True))])) == ["b"]
    circled = state_of([a_step(*first, a_note("b", decorate="circle"))])
    assert circled["sections"]["campaign_notes"]["decoration"] == {"b": "circle"}


def test_a_hidden_section_exists_once_it_has_a_line() -> None:
    """A section can be crossed out as a whole, which hides its lines."""
    assert "hidden" not in state_of([a_step()])["sections"]
    written = state_of([a_step(a_note("a", "hidden"))])
    assert written["sections"]["hidden"] == {"entries": [{"type": "basic", "id": "a"}]}
    crossed = state_of(
        [
            a_step(
                a_note("a"),
                {
                    "type": "campaign_log",
                    "section": "campaign_notes",
                    "cross_out": True,
                },
            ),
            a_check({"type": "campaign_log", "section": "campaign_notes", "id": "a"}),
        ]
    )
    assert crossed["sections"]["campaign_notes"] == {
        "entries": [{"type": "basic", "id": "a"}, {"type": "basic", "id": "no"}],
        "sectionCrossedOut": True,
    }


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ({"cards": "$all_investigators"}, [ROLAND, DAISY]),
        ({"cards": "$fixed_codes", "codes": ["x", "y"]}, ["x", "y"]),
        ({}, ["met"]),
    ],
)
def test_lines_name_cards(cards: Raw, expected: list[str]) -> None:
    """One line for each card; without any the id is the card."""
    effect = {
        "type": "campaign_log_cards",
        "section": "campaign_notes",
        "id": "met",
        **cards,
    }
    found = state_of([a_step(effect)])["sections"]["campaign_notes"]["entries"]

    assert found == [
        {"type": "card", "id": "met", "cards": [{"card": card, "count": 1}]}
        for card in expected
    ]


def test_crossing_out_with_cards_affects_only_lines_with_one_of_them() -> None:
    """Daisy's line stays."""
    effect = {
        "type": "campaign_log_cards",
        "section": "campaign_notes",
        "id": "met",
        "cards": "$fixed_codes",
    }
    found = state_of(
        [
            a_step(
                {**effect, "codes": [ROLAND, DAISY]},
                {**effect, "codes": [ROLAND], "cross_out": True},
            )
        ]
    )

    entries = found["sections"]["campaign_notes"]["entries"]
    assert [entry.get("crossedOut") for entry in entries] == [True, None]


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ([{"operation": "add", "value": 2}, {"operation": "add", "value": -1}], 1),
        ([{"operation": "set", "value": 5}, {"operation": "set", "value": 3}], 3),
        ([{"operation": "add", "value": -2, "min": 0}], 0),
        ([{"operation": "add", "value": 1_000_000}] * 1_001, 1_000_000_000),
        ([{"operation": "add", "value": -1_000_000}] * 1_001, -1_000_000_000),
    ],
)
def test_numbers_of_sections_and_lines_are_counted_alike(
    effects: list[Raw], expected: int
) -> None:
    """With a minimum, and with a maximum for all numbers."""
    whole = [{"type": "campaign_log_count", "section": "doubt", **e} for e in effects]
    lines = [{**e, "section": "campaign_notes", "id": "marks"} for e in whole]

    assert state_of([a_step(*whole)])["counts"] == {"doubt": expected}
    assert state_of([a_step(*lines)])["sections"]["campaign_notes"]["entries"] == [
        {"type": "count", "id": "marks", "count": expected}
    ]


def test_a_line_can_have_a_second_number() -> None:
    """It is counted separately."""
    effect = {
        "type": "campaign_log_count",
        "section": "campaign_notes",
        "id": "marks",
        "operation": "set",
        "value": 4,
    }
    found = state_of([a_step(effect, {**effect, "value": 7, "alternate": True})])

    assert found["sections"]["campaign_notes"]["entries"] == [
        {"type": "count", "id": "marks", "count": 4, "otherCount": 7}
    ]


def test_a_task_belongs_to_an_investigator_and_counts_in_a_section() -> None:
    """The line names both."""
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
                    "text": "Take it",
                    "effects": [
                        {
                            "type": "campaign_log_assign_task",
                            "section": "hidden",
                            "id": "toil",
                            "investigator": "$input_value",
                            "task_section": "memories",
                            "task_id": "$count",
                        }
                    ],
                }
            ],
        },
    }
    count = a_step(
        {
            "type": "campaign_log_task",
            "section": "hidden",
            "id": "toil",
            "operation": "add",
            "value": 3,
        },
        step_id="count",
    )
    answer = {"type": "string_choices", "step": "pick", "choices": {DAISY: ["task"]}}
    found = state_of([pick, count], [answer])

    assert found["sections"]["hidden"]["entries"] == [
        {
            "type": "task",
            "id": "toil",
            "investigator": DAISY,
            "task_section": "memories",
            "task_id": "$count",
        }
    ]
    assert found["investigator_sections"]["memories"] == {
        DAISY: {"entries": [{"type": "count", "id": "$count", "count": 3}]}
    }


def test_tokens_are_added_and_removed() -> None:
    """Never below zero."""
    into = {"type": "add_chaos_token", "tokens": ["skull", "skull", "-1"]}
    out = {"type": "remove_chaos_token", "tokens": ["skull", "0"]}

    assert state_of([a_step(into, out)])["chaos_bag"] == {"skull": 1, "-1": 1}


def test_bags_are_exchanged() -> None:
    """The other bag may start empty."""
    into = {"type": "add_chaos_token", "tokens": ["skull"]}
    swap = {"type": "campaign_data", "setting": "swap_chaos_bag"}
    found = state_of([a_step(into, {**swap, "initialize": True})])
    back = state_of([a_step(into, {**swap, "initialize": True}, swap)])

    assert (found["chaos_bag"], found["swap_chaos_bag"]) == ({}, {"skull": 1})
    assert (back["chaos_bag"], back["swap_chaos_bag"]) == ({"skull": 1}, {})


@pytest.mark.parametrize(
    ("setting", "key", "expected"),
    [
        ({"setting": "result", "value": "win"}, "result", "win"),
        ({"setting": "difficulty", "value": "hard"}, "difficulty", "hard"),
        ({"setting": "next_scenario", "scenario": "x"}, "next_scenario_stack", ["x"]),
        ({"setting": "replay_scenario", "scenario": "x"}, "replay_counts", {"x": 1}),
    ],
)
def test_settings_of_the_campaign_are_applied(
    setting: Raw, key: str, expected: object
) -> None:
    """Result, difficulty, the next scenario, and replays."""
    assert state_of([a_step({"type": "campaign_data", **setting})])[key] == expected


def test_a_scenario_is_skipped() -> None:
    found = state_of(
        [a_step({"type": "campaign_data", "setting": "skip_scenario", "scenario": "x"})]
    )

    assert found["scenario_status"] == {"$campaign_setup": "completed", "x": "skipped"}


def test_a_saved_state_can_be_restored() -> None:
    """Everything since then is forgotten."""
    found = state_of(
        [
            a_step(a_note("a"), {"type": "backup_state", "operation": "save"}),
            a_step(a_note("b"), step_id="later"),
            a_step({"type": "backup_state", "operation": "restore"}, step_id="back"),
        ]
    )

    assert notes(found) == ["a"]


def test_a_step_that_is_only_shown_changes_nothing() -> None:
    """The steps that it names are not walked."""
    shown = a_step({"type": "story_step", "steps": ["secret"]})
    secret = a_step(a_note("secret"), step_id="secret")

    assert notes(state_of([shown, secret], setup=["does"])) == []


def test_the_map_is_unlocked_and_keys_have_owners() -> None:
    """A stolen key remembers its owner, who has it again when it is returned."""
    key = {"type": "scarlet_key", "section": "keys", "scarlet_key": "eye"}
    found = state_of(
        [
            a_step(
                {"type": "campaign_data", "setting": "unlock_map"},
                {
                    "type": "campaign_data",
                    "setting": "unlock_location",
                    "value": "rome",
                },
                {"type": "campaign_data", "setting": "unlock_dossier", "value": "d"},
                {"type": "campaign_data", "setting": "hide_dossier", "value": "d"},
                {**key, "bearer_type": "enemy", "enemy_code": "z"},
                {**key, "bearer_type": "return"},
                {**key, "bearer_type": "steal", "enemy_code": "y"},
            )
        ],
        map=MAP,
    )

    assert found["scarlet"] == {
        "visitedLocations": [],
        "unlockedLocations": ["rome"],
        "unlockedDossiers": [],
        "keyStatus": {"eye": {"enemy": "y"}},
        "embark": False,
        "showMap": True,
    }
