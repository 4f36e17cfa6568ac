"""Our guide of Return to The Forgotten Age: its changes to the original."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.interpreter.replay import START, fold
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.conditions import CampaignCheck
from arkham.rules.campaign.model.guide import Branch
from arkham.rules.campaign.reading.own import open_own_guide
from tests.rules.campaign.helpers.dunwich import NOTES
from tests.rules.campaign.helpers.forgotten import (
    EARNED,
    GIVEN,
    POISONED,
    bears,
    fury,
    packed,
    supply,
)
from tests.rules.campaign.helpers.own_runs import runs_of
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, Scenes
from tests.rules.campaign.helpers.table import PEOPLE

ELDERS = "return_to_heart_of_the_elders_part_1"
THREADS = "return_to_threads_of_fate"
VEDA = "53037"


returned = Scenes("rttfa", GIVEN)


# --- the Resupply Point


def for_acts(points: int) -> do.Effect:
    return do.EarnExperience("input", bonus=points, pool="resupply_points")


def test_each_completed_act_is_worth_a_resupply_point() -> None:
    """In the fourth deck too, whose end brings help."""
    step = "earn_veda_whitsley_effects_investigator"
    state = returned(
        THREADS,
        "check_act_ab",
        "check_act_gh",
        before=[EARNED],
        given={
            "check_act_ab": 1,
            "check_act_gh": 3,
            step: {ROLAND: ("chosen_investigator",)},
        },
    )

    assert state.pool(ROLAND, "resupply_points") == 1 + 3
    assert state.people[ROLAND].experience == 0
    assert state.has_line(NOTES, "relic_is_missing")
    assert state.has_line(NOTES, "recruited_help_of_another_expedition")
    assert state.people[ROLAND].story == (VEDA,)


def test_the_hospital_takes_resupply_points_first() -> None:
    """7 points and 6 experience, for Poisoned and two trauma."""
    state = returned(
        THREADS,
        "choose_to_heal_poison",
        "choose_to_heal_physical_trauma",
        "choose_to_heal_mental_trauma",
        before=[
            bears(POISONED),
            for_acts(7),
            do.EarnExperience("input", bonus=9),
            do.Trauma("input", physical=1, mental=2),
        ],
        given={
            "choose_to_heal_poison": {ROLAND: ("remove_poison",)},
            "choose_to_heal_physical_trauma": {ROLAND: (1,)},
            "choose_to_heal_mental_trauma": {ROLAND: (1,)},
        },
    )
    person = state.people[ROLAND]

    assert state.pool(ROLAND, "resupply_points") == 0
    assert (person.experience, person.story) == (9 - 6, ())
    assert (person.physical, person.mental) == (0, 1)


def test_supply_points_can_be_bought() -> None:
    """For 2 each; without them both investigators have 5."""
    state = returned(
        THREADS,
        "buy_supply_points",
        "buy_supplies",
        before=[for_acts(3), do.EarnExperience("input", bonus=4)],
        given={
            "buy_supply_points": {ROLAND: (2,)},
            "buy_supplies": {ROLAND: {"medicine": 3, "provisions": 1}, DAISY: {}},
        },
    )

    assert state.pool(ROLAND, "resupply_points") == 0
    assert state.people[ROLAND].experience == 4 - 1
    assert supply(state, "medicine") == 3


def test_a_standalone_has_four_act_decks_too() -> None:
    setup = open_own_guide("rttfa").guide.scenarios[THREADS].standalone_setup

    assert setup is not None
    assert {"intro_7", "setup_act_gh"} <= {*setup}


# --- finds


@pytest.mark.parametrize("goop", [True, False])
def test_the_goop_becomes_a_key(goop: bool) -> None:
    """For an investigator the table chooses, if one of them has it."""
    state = returned(
        "return_to_the_depths_of_yoth",
        "ask_collected_strange_liquid",
        before=[EARNED, packed(*["sticky_goop"] * goop, "map")],
        given={
            "ask_collected_strange_liquid": True,
            "gain_key_of_eztli": {ROLAND: ("gain_key_of_eztli",)},
        },
    )

    assert supply(state, "key_of_eztli") == goop


# --- Heart of the Elders


@pytest.mark.parametrize("paths", range(6))
def test_entering_without_all_paths_angers_yig(paths: int) -> None:
    """2 marks for each missing path; poison for some, trauma for others."""
    known = do.LogCount(NOTES, "paths_known", do.Tally.SET, paths)
    state = returned(ELDERS, resolution="R2", before=[EARNED, bears(POISONED), known])

    assert fury(state) == 2 * (6 - paths)
    assert state.people[ROLAND].mental == 1
    assert not state.people[DAISY].mental
    assert state.people[DAISY].story == (POISONED,)
    assert state.people[ROLAND].experience == 3  # as in Resolution 1


def test_a_replay_of_the_first_part_skips_its_introduction() -> None:
    """As often as necessary."""
    guide = open_own_guide("rttfa").guide
    step = guide.scenarios[ELDERS].steps["maybe_do_intro"]
    assert isinstance(step, Branch)
    assert isinstance(step.condition, CampaignCheck)
    assert step.condition.value == ELDERS
    for run in runs_of("rttfa", "")[0]:
        starts = [
            place
            for place, each in enumerate(run.answers)
            if each.kind == START and each.scenario == f"{ELDERS}#1"
        ]
        if starts:
            break
    replay = fold(guide, run.answers[: starts[0] + 1], PEOPLE)

    assert replay.state.replays[ELDERS] == 1
    assert replay.pending is not None
    assert replay.pending.scenario == f"{ELDERS}#1"


# --- later


@pytest.mark.parametrize("tasks", [6, 7, 8])
def test_six_or_more_tasks_perfect_the_process(tasks: int) -> None:
    state = returned(
        "return_to_the_city_of_archives",
        "record_number_of_tasks",
        "check_number_of_tasks",
        before=[EARNED],
        given={"record_number_of_tasks": tasks},
    )

    assert state.has_line(NOTES, "process_was_perfected")
    assert state.people[ROLAND].experience == 4


def test_turning_back_time_leads_to_the_last_scenario_of_the_return() -> None:
    """Its log forgets the help, too."""
    back = do.LogLine(NOTES, "turned_back_time")
    help_found = do.LogLine(NOTES, "recruited_help_of_another_expedition")
    state = returned("tfa_epilogue", "check_turned_back_time", before=[back])
    later = returned(
        "return_to_turn_back_time", "cross_off_new_things", before=[help_found]
    )

    assert state.next_scenarios == ("return_to_turn_back_time",)
    assert not later.has_line(NOTES, "recruited_help_of_another_expedition")
