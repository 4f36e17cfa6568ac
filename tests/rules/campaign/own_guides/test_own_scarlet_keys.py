"""Our guide of The Scarlet Keys: its map, time, keys, and resolutions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arkham.rules.campaign.conditions import matches
from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.conditions import (
    ConditionOption,
    ConditionOptions,
    KeyCheck,
)
from arkham.rules.campaign.model.guide import ASIDE, CampaignGuide
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.own_runs import runs_of
from tests.rules.campaign.helpers.scenes import ROLAND, recorded, scene
from tests.rules.campaign.helpers.table import PEOPLE

NOTES = "campaign_notes"
LAST_OF_HIM = "have_not_seen_the_last_of_the_red_gloved_man"
GIVEN: dict[str, Any] = {
    "earn_xp": 3,
    "earn_xp_plus_1": 3,
    "earn_xp_with_chica": 3,
    "earn_xp_plus_targets": 3,
    "ask_targets_on_scenario": 2,
    "ask_rescued_civilians": 3,
    "ask_slain_civilians": 3,
}


def scarlet_keys() -> CampaignGuide:
    return open_own_guide("tskc").guide


def passed(time: int) -> do.Effect:
    """An effect that sets the time passed."""
    return do.LogCount("time", "", do.Tally.SET, time)


def bound(*keys: str) -> tuple[do.Effect, ...]:
    """Effects that give keys to Roland."""
    return tuple(do.BindKey("keys", key, "investigator") for key in keys)


def noted(state: State, *lines: str) -> list[bool]:
    return [state.has_line(NOTES, line) for line in lines]


def test_the_map_matches_the_field() -> None:
    """Every place, its scenario and its paths; one name is corrected."""
    ours, field = scarlet_keys(), shared_library().guides["tskc"]
    kuala_lumpur = replace(field.map["kuala_lampur"], name="Kuala Lumpur")

    assert dict(ours.map) == dict(field.map) | {"kuala_lampur": kuala_lumpur}
    assert ours.fast_card == field.fast_card == "09765"
    assert ours.hidden_scenarios == field.hidden_scenarios
    assert ours.free_side_scenarios
    assert ours.scenario_setup == field.scenario_setup
    assert ours.side_resolution == field.side_resolution
    assert ours.map["arkham_ma"].scenario == ASIDE
    assert ours.map["tunguska"].status == "locked"


@pytest.mark.parametrize(
    ("scenario", "resolution", "time", "expected", "lines"),
    [
        ("riddles_and_rain", "R1", 1, 3, LAST_OF_HIM),
        ("riddles_and_rain", "R4", 2, 3, LAST_OF_HIM),
        ("marrakesh", "R1", 1, 3, "lovers_are_reunited"),
        ("marrakesh", "R3", 2, 3, "amaranth_has_left_the_coterie"),
        ("marrakesh", "R5", 1, 3, "have_not_seen_the_last_of_amaranth"),
        ("buenos_aires", "R1", 1, 5, "have_not_seen_the_last_of_la_chica_roja"),
        ("buenos_aires", "R2", 3, 6, "chica_roja_is_on_your_side"),
        ("istanbul", "R4", 3, 3, "ece_trusts_the_cell"),
        ("istanbul", "R5", 3, 3, "ece_does_not_trust_the_cell"),
        ("havana", "R1", 2, 3, "desi_is_in_your_debt know_the_passphrase"),
        ("alexandria", "R1", 3, 3, "cell_aided_the_knight"),
        ("alexandria", "R3", 1, 3, "cell_failed_to_fend_off_the_beast"),
        ("kuala_lampur", "R1", 1, 4, "tzu_san_niang_is_under_your_sway"),
        ("bermuda_triangle", "R1", 3, 4, "aliki_is_on_your_side"),
    ],
)  # fmt: skip
def test_a_resolution_has_its_results(
    scenario: str, resolution: str, time: int, expected: int, lines: str
) -> None:
    """Time marked, experience earned, and lines of the log."""
    steps = scarlet_keys().scenarios[scenario].resolutions[resolution].steps
    state = scene(
        scarlet_keys(),
        scenario,
        [each for each in steps if each not in ("$upgrade_decks", "$embark")],
        given=GIVEN,
    )

    assert state.number("time", "$count") == time
    assert state.people[ROLAND].experience == expected
    assert all(noted(state, *lines.split()))


@pytest.mark.parametrize(
    ("time", "tokens"), [(6, 0), (7, 1), (15, 2), (24, 3), (35, 4)]
)
def test_status_reports_add_cultists(time: int, tokens: int) -> None:
    """Alpha, beta, gamma and omega: one each, and never twice."""
    steps = ["$check_status_report", "$check_status_report"]
    state = scene(scarlet_keys(), "sydney", steps, before=[passed(time)])

    assert state.bag.get("cultist", 0) == tokens


FIVE = (
    *("eye_of_ravens", "bale_engine", "mirroring_blade"),
    *("ruinous_chime", "shade_reaper"),
)


@pytest.mark.parametrize("stolen", [FIVE[1:3], FIVE[3:]])
def test_two_of_five_keys_are_stolen_and_can_be_regained(
    stolen: tuple[str, ...],
) -> None:
    """At the twentieth time; the right sanctum returns them."""
    given = {
        "steal_2_keys": dict.fromkeys(stolen, ("checked",)),
        "choose_thief": {"rgm": ("checked",)},
        "ask_flip": 1,
    }
    before = [*bound(*FIVE), passed(20)]
    steps = ["$check_status_report"]
    gone = scene(scarlet_keys(), "kabul", steps, before=before, given=given)
    again = scene(
        scarlet_keys(), "kabul", [*steps, "take_keys"], before=before, given=given
    )

    for key in FIVE:
        assert bears(gone, key) is (key not in stolen)
        assert bears(again, key)
    assert "kabul" in gone.map.unlocked


def bears(state: State, key: str) -> bool:
    """Return whether an investigator has a key."""
    options = ConditionOptions({True: ConditionOption(True)})
    return bool(matches(state, KeyCheck(key, "investigator", options)))


def test_a_single_key_is_stolen_from_fewer_than_five() -> None:
    """Without any key, none is stolen."""
    given = {"choose_thief": {"rgm": ("checked",)}}
    one = scene(
        scarlet_keys(),
        "sydney",
        ["$check_status_report"],
        before=[*bound("sable_glass"), passed(20)],
        given=given,
    )
    none = scene(
        scarlet_keys(), "sydney", ["$check_status_report"], before=[passed(20)]
    )

    assert not bears(one, "sable_glass")
    assert one.map.unlocked != none.map.unlocked


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ((), "cell_escaped_the_red_coterie"),
        (("cell_knows_the_true_nature_of_the_coterie",), "red_coterie_spared_the_cell"),
        (
            (
                "thorne_disappeared",
                "have_not_seen_the_last_of_aliki_zoni_uperetria",
            ),
            "red_coterie_was_destroyed_from_within",
        ),
    ],
)
def test_the_log_decides_the_trial(before: tuple[str, ...], line: str) -> None:
    """Condemned, spared, or interrupted."""
    guide = scarlet_keys()
    setup = guide.scenarios["tunguska"].setup
    steps = setup[setup.index("check_cell_aided_the_knight") :]
    steps = steps[: steps.index("check_cell_knows_the_true_nature_of_the_coterie") + 1]
    always = do.LogLine("hidden", "always_true")
    state = scene(
        guide, "tunguska", steps, before=[always, *(recorded(each) for each in before)]
    )

    assert noted(state, line) == [True]


@pytest.mark.parametrize(
    ("line", "position"),
    [
        ("agent_quinn_has_your_back", "cell_was_given_a_permanent_position"),
        ("cell_is_off_mission", "cell_was_dismantled"),
    ],
)
def test_trust_and_deception_decide_the_epilogue(line: str, position: str) -> None:
    steps = scarlet_keys().scenarios["tsk_epilogue"].setup
    state = scene(scarlet_keys(), "tsk_epilogue", steps, before=[recorded(line)])

    assert noted(state, position) == [True]


def test_a_whole_campaign_takes_time() -> None:
    """Journeys take time, from the prologue on."""
    runs, _ = runs_of("tskc", "")
    replay = fold(scarlet_keys(), runs[0].answers, PEOPLE)

    assert replay.state.number("time", "$count") > 10
    assert replay.scenarios[1].id == "riddles_and_rain"
