"""Our guides of Guardians of the Abyss and Fortune and Folly: their results."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.reading.own import open_own_guide
from tests.rules.campaign.helpers.dunwich import NOTES, Left, left
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, recorded, scene

# The victory display is always worth 3; seven tasks of the heist were done.
GIVEN: dict[str, Any] = {
    "earn_xp": 3,
    "record_dreamers_in_abyss": 2,
    "record_escaped_brotherhood": {},
    "ask_completed_tasks": 7,
    "bad_token_swap": 0,
}
RESOLUTIONS = {
    ("gob", "the_eternal_slumber"): {
        "no_resolution": Left(
            "tes_dreamers_in_the_abyss tes_brotherhood_schemes_continue", 3
        ),
        "R1": Left("tes_curse_of_slumber_lifted tes_dreamers_in_the_abyss", 3),
        "R2": Left("tes_aware_of_xzharahs_plan tes_dreamers_in_the_abyss", 3),
    },
    ("gob", "the_nights_usurper"): {
        "no_resolution": Left("tnu_day_of_reckoning_is_coming", 3),
        "R1": Left("tnu_day_of_reckoning_is_coming", 3),
        "R2": Left("tnu_the_abyss_was_saved", 3),
        "R3": Left("tnu_joined_xzharah", 3),
    },
    ("fof", "fortune_and_folly_part_2"): {
        "no_resolution": Left("fof_bound_with_bad_luck", 6, "-1"),
        "R1": Left("", 6, "+1"),
        "R2": Left("fof_bound_with_bad_luck", 6, "-1"),
        "R3": Left("fof_bound_with_bad_luck", 6, "-1"),
    },
}


def guide(guide_id: str) -> CampaignGuide:
    return open_own_guide(guide_id).guide


@pytest.mark.parametrize(("guide_id", "scenario_id"), RESOLUTIONS)
def test_a_resolution_has_its_results(guide_id: str, scenario_id: str) -> None:
    """Lines of the log, experience and tokens."""
    expected = RESOLUTIONS[guide_id, scenario_id]
    bag = [course.Tokens(("+1",), 1)] if guide_id == "fof" else []
    found = {
        resolution: left(
            scene(
                guide(guide_id),
                scenario_id,
                resolution=resolution,
                before=[*bag, do.EarnExperience("input")],
                given=GIVEN,
            )
        )
        for resolution in expected
    }

    assert found == expected


def test_investigators_taken_by_the_abyss_are_crossed_out() -> None:
    """When the curse is lifted, and for both scenarios when the Abyss is saved."""
    taken = [
        do.LogCards(NOTES, line, "$fixed_codes", (DAISY,))
        for line in ("tes_taken_by_the_abyss", "tnu_taken_by_the_abyss")
    ]
    for scenario_id, resolution, crossed_out in (
        ("the_eternal_slumber", "R1", ["tes_taken_by_the_abyss"]),
        (
            "the_nights_usurper",
            "R2",
            ["tes_taken_by_the_abyss", "tnu_taken_by_the_abyss"],
        ),
    ):
        state = scene(
            guide("gob"), scenario_id, resolution=resolution, before=taken, given=GIVEN
        )
        lines = state.sections[NOTES].lines
        assert [line.id for line in lines if line.crossed_out] == crossed_out


@pytest.mark.parametrize(
    ("tasks", "skipped", "experience"),
    [(3, False, 0), (4, False, 0), (5, False, 1), (8, False, 4), (3, True, 1)],
)
def test_tasks_of_the_heist_give_experience(
    tasks: int, skipped: bool, experience: int
) -> None:
    """1 for each after the fourth; if part I was skipped two more of them count."""
    before = [recorded("fof_skip_part_1", "hidden")] if skipped else []
    state = scene(
        guide("fof"),
        "fortune_and_folly_part_2",
        resolution="R1",
        before=[*before, do.EarnExperience("input")],
        given={**GIVEN, "earn_xp": 0, "ask_completed_tasks": tasks},
    )

    assert state.people[ROLAND].experience == experience
