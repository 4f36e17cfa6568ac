"""Our guide of The Feast of Hemlock Vale: the results of its days and nights."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.conditions import (
    CampaignCheck,
    SeatCountCheck,
    SeatLogCards,
)
from arkham.rules.campaign.model.guide import Ask, Branch, CampaignGuide, Plain
from arkham.rules.campaign.model.prompts import ChooseInvestigators, ChooseOne
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.reading.references import parts
from tests.rules.campaign.helpers.dunwich import Left, left
from tests.rules.campaign.helpers.scenes import recorded, scene

RESIDENTS = ["rachel", "leah", "simeon", "william", "river", "gideon", "judith", "theo"]


def vale() -> CampaignGuide:
    return open_own_guide("fhv").guide


def day(number: int) -> do.Effect:
    return do.LogCount("hidden", "day", do.Tally.SET, number)


GIVEN: dict[str, Any] = {
    "$upgrade_decks": True,
    "earn_xp": 3,
    "ask_prismatic_shard": False,
    "ask_controlled_river": False,
    "ask_thing_victory_display": False,
}


@pytest.mark.parametrize(
    ("scenario", "resolution", "line", "experience", "trauma"),
    [
        ("written_in_rock", "R5", "survived_the_horrors_in_the_rock", 3, (0, 0)),
        ("the_silent_heath", "R4", "", 3, (0, 0)),
        ("the_lost_sister", "R3", "elizabeth_peters_was_saved", 5, (0, 0)),
        ("the_thing_in_the_depths", "R1", "chelydran_hybrid_perished", 4, (0, 0)),
        ("the_thing_in_the_depths", "R2", "chelydran_hybrid_lived", 6, (0, 0)),
        ("the_thing_in_the_depths", "R3", "chelydran_hybrid_devoured", 4, (0, 1)),
        (
            "the_thing_in_the_depths",
            "R4",
            "thing_in_the_depths_was_defeated",
            3,
            (0, 0),
        ),
    ],
)
def test_a_survey_has_its_results(
    scenario: str,
    resolution: str,
    line: str,
    experience: int,
    trauma: tuple[int, int],
) -> None:
    """A line of the log, experience and trauma."""
    state = scene(vale(), scenario, resolution=resolution, before=[day(2)], given=GIVEN)

    assert left(state) == Left(line, experience, trauma=trauma)


@pytest.mark.parametrize(
    ("before", "after"),
    [(1, "day_1_night"), (2, "day_2_day"), (3, "day_2_night"), (4, "day_3_day")],
)
def test_time_advances_after_a_survey(before: int, after: str) -> None:
    """A day, then its night."""
    state = scene(
        vale(), "the_silent_heath", resolution="R4", before=[day(before)], given=GIVEN
    )

    assert state.sections["hidden"].number("day") == before + 1
    assert [each.id for each in state.sections["current_day"].lines] == [after]


def test_river_shares_ambitions_in_their_own_notes() -> None:
    """The field's guide has them in the campaign notes."""
    step = vale().scenarios["the_first_evening"].steps["river_shared_their_ambitions"]

    assert isinstance(step, Plain)
    assert step.batch == do.batch(do.LogLine("river", "river_shared_their_ambitions"))


def test_every_resident_has_a_relationship() -> None:
    """A section with a number."""
    kinds = {each.id: each.kind for each in vale().sections}

    assert [kinds[each] for each in RESIDENTS] == ["relationship"] * 8
    assert kinds["areas_surveyed"] == "checklist"


def test_conditions_that_only_this_guide_uses_are_read() -> None:
    """Who a line names, a number of any investigator, and whether anyone survived."""
    steps = vale().scenarios["dawn_of_the_second_day"].steps
    last = vale().scenarios["fhv_epilogue"].steps["check_any_survived"]
    eaten, hungry = steps["check_hemlock_curse"], steps["check_gnawing_hunger"]
    read = steps["check_read_codex_17_curse"]

    assert isinstance(eaten, Branch)
    assert isinstance(hungry, Branch)
    assert isinstance(read, Branch)
    assert isinstance(last, Branch)
    assert isinstance(eaten.condition, SeatLogCards)
    assert isinstance(hungry.condition, SeatLogCards)
    assert (eaten.condition.option.key, hungry.condition.option.key) == (True, False)
    assert isinstance(read.condition, SeatCountCheck)
    assert not read.condition.each
    assert isinstance(last.condition, CampaignCheck)
    assert last.condition.question == "investigator_status"


def test_the_last_evening_can_be_replayed() -> None:
    """From the state before the table's choice."""
    steps = vale().scenarios["the_final_evening"].steps
    choice, again = steps["intro_choice"], steps["check_replay"]

    assert course.Backup() in list(parts(choice))
    assert course.Backup(restore=True) in list(parts(again))
    assert course.ReplayScenario("the_final_evening") in list(parts(again))


def test_investigators_are_chosen_at_night_only() -> None:
    """A scenario by day keeps those of its prelude."""
    names = vale().core["$actually_choose_investigators"]

    assert isinstance(names, Ask)
    assert isinstance(names.prompt, ChooseInvestigators)
    assert names.prompt.lead == do.batch(
        course.Lead(), course.ScenarioStatus("started")
    )


def test_codex_entries_are_conditional_except_one() -> None:
    """Codex 14 of the prologue is always offered."""
    codex = vale().scenarios["fhv_prologue"].steps["codex"]

    assert isinstance(codex, Ask)
    assert isinstance(codex.prompt, ChooseOne)
    always = [each.id for each in codex.prompt.choices if each.condition is None]
    assert always == ["codex 14"]


def test_judith_remodels_from_eight_locations_on() -> None:
    """Hemlock House, Resolution 2: she has to be under control at the end."""
    given = GIVEN | {
        "ask_seals_in_play": 0,
        "ask_enemy_locations_in_victory_display": 8,
        "ask_control_judith_at_end": True,
    }
    before = [day(5), recorded("hemlock_house_judith_is_remodeling", "hidden")]
    state = scene(vale(), "hemlock_house", resolution="R2", before=before, given=given)

    assert state.sections["judith"].number("$relationship") == 1


def test_a_resident_who_danced_may_die_for_the_investigators() -> None:
    """The Longest Night, Resolution 1: River is crossed out."""
    danced = recorded("river_shared_a_dance", "river")
    given = GIVEN | {"ask_agenda_flip": 1, "ask_sacrificed_resident": 0}
    state = scene(
        vale(),
        "the_longest_night",
        resolution="R1",
        before=[day(4), danced],
        given=given,
    )

    assert state.sections["river"].crossed_out


def test_a_resolved_william_joins_the_investigators() -> None:
    """The Final Evening, Codex 13: he is an asset, and the entry is done."""
    state = scene(
        vale(),
        "the_final_evening",
        ["codex_13_choice"],
        before=[day(6), recorded("william_is_resolved", "william")],
        given=GIVEN | {"codex_13_choice": 0},
    )

    hidden = [each.id for each in state.sections["hidden"].lines]
    assert "fhv_final_evening_codex_13" in hidden
    assert "the_hemlocks_are_hashing_it_out" not in hidden
