"""Our guide of The Dunwich Legacy: checks of the log before and during scenarios."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.conditions import (
    CampaignCheck,
    ConditionOption,
    ConditionOptions,
    LogCheck,
    LogCountCheck,
    PlayerCount,
)
from arkham.rules.campaign.model.guide import Ask, Branch
from arkham.rules.campaign.model.prompts import RandomPlaces
from arkham.rules.campaign.reading.own import open_own_guide
from tests.rules.campaign.helpers.dunwich import scenario
from tests.rules.campaign.helpers.guides import shared_library


def leads_to(scenario_id: str, step_id: str) -> dict[Any, tuple[str, ...]]:
    """Return the steps that follow each answer of a branch; None is any other."""
    step = scenario(scenario_id).steps[step_id]
    assert isinstance(step, Branch)
    condition = step.condition
    assert isinstance(condition, LogCheck | LogCountCheck | PlayerCount | CampaignCheck)
    options = condition.options
    found = {key: option.steps for key, option in options.by_key.items()}
    return found if options.default is None else {**found, None: options.default.steps}


def test_sacrifices_decide_the_number_of_brood() -> None:
    """0 or 1, 2, 3, 4 or more."""
    assert leads_to("undimensioned_and_unseen", "check_sacrificed") == {
        0: ("spawn_two_brood",),
        1: ("spawn_two_brood",),
        2: ("spawn_one_remove_one_brood",),
        3: ("spawn_one_remove_two_brood",),
        None: ("spawn_zero_remove_three_brood",),
    }


def test_each_escaped_brood_adds_a_doom() -> None:
    assert leads_to("where_doom_awaits", "check_escaped_brood") == {
        1: ("add_1_doom",),
        2: ("add_2_doom",),
        3: ("add_3_doom",),
        4: ("add_4_doom",),
        5: ("add_5_doom",),
        None: ("add_0_doom",),
    }


def test_the_log_decides_act_2() -> None:
    """Silas was restored; or the book is missing or stolen; or the third version."""
    assert [
        leads_to("where_doom_awaits", step)
        for step in (
            "check_restored_silas_bishop", "check_necronomicon",
            "check_necronomicon_lost",
        )
    ] == [
        {True: ("act_2_v1",), False: ("check_necronomicon",)},
        {True: ("act_2_v2",), False: ("check_necronomicon_lost",)},
        {True: ("act_2_v2",), False: ("act_2_v3",)},
    ]  # fmt: skip


def test_naomi_gives_clues_by_number_of_players() -> None:
    """1 for one or two, 2 for three or four."""
    assert leads_to("where_doom_awaits", "gain_naomi_award") == {
        1: ("one_clue",),
        2: ("one_clue",),
        3: ("two_clues",),
        4: ("two_clues",),
    }


@pytest.mark.parametrize(
    ("place", "step", "yes", "no"),
    [
        (
            "extracurricular_activity", "faculty_offices",
            "faculty_office_hour_is_late", "faculty_office_night_is_young",
        ),
        ("the_miskatonic_museum", "check_henry_armitage_kidnapped", "part_1", "part_2"),
        ("blood_on_the_altar", "check_delayed", "add_1_doom", ""),
        ("blood_on_the_altar", "check_bone_to_pick", "gather_naomis_crew", ""),
        ("where_doom_awaits", "check_killed_silas_bishop", "killed_silas_bishop", ""),
        ("dwl_epilogue", "check_calmed_townsfolk", "epilogue_1", "epilogue_2"),
    ],
)  # fmt: skip
def test_the_log_decides_setups_and_the_epilogue(
    place: str, step: str, yes: str, no: str
) -> None:
    expected = {True: (yes,), False: (no,)} if no else {True: (yes,)}

    assert leads_to(place, step) == expected


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("armitage", "henry_armitage_kidnapped"),
        ("rice", "warren_rice_kidnapped"),
        ("morgan", "francis_morgan_kidnapped"),
    ],
)
def test_a_kidnapped_ally_is_a_potential_sacrifice(name: str, line: str) -> None:
    step = f"check_{name}_kidnapped"
    yes = ConditionOptions({True: ConditionOption(True, (), (f"{name}_in_pile",))})

    assert scenario("blood_on_the_altar").steps[step] == Branch(
        step, LogCheck("campaign_notes", line, yes)
    )


def test_each_investigator_draws_a_weakness_before_the_brood() -> None:
    """Madness, Injury or Pact."""
    step = scenario("undimensioned_and_unseen").steps["add_weakness"]

    assert step.batch == do.batch(  # type: ignore[union-attr]
        do.AddWeakness("all", "", ("Madness", "Injury", "Pact"))
    )


def test_the_game_continues_after_a_random_location() -> None:
    """One of six; in the app this step cannot be left."""
    told = open_own_guide("dwl").words.step(
        "undimensioned_and_unseen", "choose_random_location"
    )
    field = shared_library().guides["dwl"].scenarios["undimensioned_and_unseen"]
    step = "choose_random_location"

    assert "six" in told["text"]
    own = scenario("undimensioned_and_unseen").steps[step]
    places = RandomPlaces(("02242", "02244", "02246", "02248", "02250", "02252"))
    assert own == field.steps[step] == Ask(step, places)
