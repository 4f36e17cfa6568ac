"""Our guide of The Dunwich Legacy: the results of each resolution."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.model import effects as do
from tests.rules.campaign.helpers.dunwich import (
    GIVEN,
    MORGAN,
    NECRONOMICON,
    RICE,
    Left,
    dunwich,
    left,
    scenario,
)
from tests.rules.campaign.helpers.scenes import DAISY, scene

RESOLUTIONS = {
    "extracurricular_activity": {
        "no_resolution": Left(
            "warren_rice_kidnapped failed_to_save_students", 4, "tablet"
        ),
        "R1": Left("warren_rice_rescued failed_to_save_students", 3, "tablet"),
        "R2": Left("warren_rice_kidnapped students_rescued", 3),
        "R3": Left("warren_rice_kidnapped experiment_defeated", 3),
        "R4": Left(
            "unconscious_for_several_hours warren_rice_kidnapped"
            " failed_to_save_students",
            4,
            "tablet",
        ),
    },
    "the_house_always_wins": {
        "no_resolution": Left("bone_to_pick francis_morgan_kidnapped", 4),
        "R1": Left("bone_to_pick francis_morgan_kidnapped", 4),
        "R2": Left("bone_to_pick francis_morgan_rescued", 3),
        "R3": Left("naomi_has_back francis_morgan_kidnapped", 3),
        "R4": Left(
            "bone_to_pick francis_morgan_kidnapped unconscious_for_several_hours",
            4,
            trauma=(1, 0),
        ),
    },
    "the_miskatonic_museum": {
        "no_resolution": Left("failed_to_recover_necronomicon", 3),
        "R1": Left("destroyed_necronomicon", 3),
        "R2": Left("took_necronomicon", 3, "elder_thing"),
    },
    "essex_county_express": {
        "no_resolution": Left("investigators_delayed", 3),
        "R1": Left("", 3),
        "R2": Left("investigators_delayed", 3),
    },
    "blood_on_the_altar": {
        "no_resolution": Left("ritual_completed henry_armitage_survived", 5),
        "R1": Left("killed_silas_bishop", 5),
        "R2": Left("restored_silas_bishop", 5),
        "R3": Left("banished_silas_bishop", 5),
    },
    "undimensioned_and_unseen": {
        "no_resolution": Left("brood_escaped", 3),
        "R1": Left("brood_escaped", 3),
        "R2": Left("no_brood_escaped", 3),
    },
    "where_doom_awaits": {
        "no_resolution": Left("yog_sothoth_escaped", fate="insane", result="lose"),
        "R1": Left("entered_the_gate", 3),
        "R2": Left("yog_sothoth_escaped", fate="insane", result="lose"),
    },
    "lost_in_time_and_space": {
        "R1": Left("closed_tear", 8, trauma=(2, 2), result="win"),
        "R2": Left("", result="win"),
        "R3": Left("yog_sothoth_fled", fate="killed", result="win"),
        "R4": Left("yog_sothoth_became_one_with_reality", fate="insane", result="lose"),
    },
}


@pytest.mark.parametrize("scenario_id", RESOLUTIONS)
def test_a_resolution_has_its_results(scenario_id: str) -> None:
    """Lines of the log, experience, tokens, trauma, fates, the campaign's result."""
    found = {
        resolution: left(
            scene(
                dunwich(),
                scenario_id,
                resolution=resolution,
                before=[do.EarnExperience("input")],
                given=GIVEN,
            )
        )
        for resolution in RESOLUTIONS[scenario_id]
    }

    assert found == RESOLUTIONS[scenario_id]


def test_every_resolution_is_tested() -> None:
    """Except those that only kill or ask which one applies; these are tested below."""
    listed = {
        (each.id, resolution)
        for each in dunwich().scenarios.values()
        for resolution in each.resolutions
    }

    assert listed - {
        (scenario_id, resolution)
        for scenario_id, found in RESOLUTIONS.items()
        for resolution in found
    } == {
        ("essex_county_express", "investigator_defeat"),
        ("lost_in_time_and_space", "investigator_defeat"),
        ("lost_in_time_and_space", "no_resolution"),
    }


@pytest.mark.parametrize(
    ("scenario_id", "resolution", "card"),
    [
        ("extracurricular_activity", "R1", RICE),
        ("the_house_always_wins", "R2", MORGAN),
        ("the_miskatonic_museum", "R2", NECRONOMICON),
    ],
)
@pytest.mark.parametrize("taken", [True, False])
def test_a_card_may_be_taken_by_an_investigator(
    scenario_id: str, resolution: str, card: str, taken: bool
) -> None:
    """Or by no one."""
    steps = scenario(scenario_id).resolutions[resolution].steps
    given = {
        f"{step}_effects_investigator": {DAISY: ("chosen_investigator",)}
        if taken
        else {}
        for step in steps
    }
    state = scene(
        dunwich(), scenario_id, resolution=resolution, given={**GIVEN, **given}
    )

    assert {
        code for code, held in state.people.items() if card in (held.story or ())
    } == ({DAISY} if taken else set())


@pytest.mark.parametrize("cheated", [True, False])
def test_cheating_adds_an_elder_thing_to_the_bag(cheated: bool) -> None:
    """In The House Always Wins, whatever the resolution."""
    for resolution in ("no_resolution", "R1", "R2", "R3", "R4"):
        state = scene(
            dunwich(),
            "the_house_always_wins",
            resolution=resolution,
            given={**GIVEN, "cheated": cheated},
        )
        assert state.bag.get("elder_thing", 0) == int(cheated)
