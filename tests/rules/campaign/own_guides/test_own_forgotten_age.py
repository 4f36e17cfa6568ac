"""Our guide of The Forgotten Age: the results of its resolutions and checks."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.interpreter.replay import START, fold
from arkham.rules.campaign.judging.between_games import closed_by
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.conditions import (
    CampaignCheck,
    ConditionOption,
    ConditionOptions,
    LogCountCheck,
)
from arkham.rules.campaign.model.guide import Branch
from arkham.rules.campaign.state.answers import Answer
from tests.rules.campaign.helpers.dunwich import NOTES, Left, left
from tests.rules.campaign.helpers.forgotten import (
    EARNED,
    ELDERS,
    GIVEN,
    angered,
    fury,
    happens,
)
from tests.rules.campaign.helpers.own_runs import runs_of
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, scene
from tests.rules.campaign.helpers.table import PEOPLE

LOST = "relic_is_missing alejandro_is_missing ichtaca_in_the_dark"
UNWOVEN = Left("fabric_of_time_unwoven", fate="insane", result="lose")
RESOLUTIONS = {
    "wilds": {
        "no_resolution": Left(
            "wait_for_additional_supplies ichtaca_observed_progress"
            " alejandro_followed_to_ruins",
            3,
        ),
        "R1": Left(
            "cleared_path_to_temple alejandro_remained_at_camp earned_ichtacas_trust",
            3,
            "cultist",
        ),
        "R2": Left(
            "cleared_path_to_temple alejandro_followed_to_ruins ichtaca_is_wary",
            3,
            "tablet",
        ),
    },
    "eztli": {
        "R1": Left("investigators_recovered_relic", 3),
        "R2": Left("alejandro_recovered_relic", 3),
        "R3": Left("investigators_recovered_relic", 3),
        "R4": Left(""),
        "R5": Left("investigators_recovered_relic", 3),
        "no_resolution_resigned": Left("investigators_recovered_relic", 3),
    },
    "threads_of_fate": {"no_resolution": Left(LOST, 5), "R1": Left(LOST, 5)},
    "the_boundary_beyond": {
        "no_resolution": Left("paths_known", 6),
        "R1": Left("paths_known ichtaca_has_confidence", 6),
        "R2": Left("paths_known", 6),
    },
    ELDERS: {"no_resolution": Left("paths_known"), "R1": Left("", 3)},
    "heart_of_the_elders_part_2": {"R1": Left("", 3), "R2": Left("", 3)},
    "the_city_of_archives": {
        "no_resolution": Left("had_memories_expunged", fate="insane", result="lose"),
        "R1": Left("process_was_perfected", 7),
    },
    "the_depths_of_yoth": {
        "no_resolution": Left("fell_into_depths", 7),
        "R1": Left("fell_into_depths", 7),
        "R2": Left("nexus_is_near", 9),
    },
    "shattered_aeons": {
        "no_resolution": UNWOVEN,
        "R1": Left("mended_tear_in_time", 8, trauma=(2, 2), result="win"),
        "R2": Left("investigators_saved_serpents", result="win"),
        "R3": Left("investigators_saved_yithians", result="win"),
        "R4": UNWOVEN,
        "R5": Left("turned_back_time", 3),
    },
    "turn_back_time": {
        "no_resolution": UNWOVEN,
        "R1": Left("sealed_relic_of_ages_forever", 3, result="win"),
    },
}


@pytest.mark.parametrize("scenario_id", RESOLUTIONS)
def test_a_resolution_has_its_results(scenario_id: str) -> None:
    """Lines of the log, experience, tokens, trauma, fates, the campaign's result."""
    found = {
        resolution: left(happens(scenario_id, resolution=resolution, before=[EARNED]))
        for resolution in RESOLUTIONS[scenario_id]
    }

    assert found == RESOLUTIONS[scenario_id]


# --- Yig's fury


@pytest.mark.parametrize(
    ("before", "after", "killed", "leads_to"),
    [(3, 18, False, "investigators_recovered_relic"),
     (4, 6, True, "alejandro_recovered_relic")],
)  # fmt: skip
def test_yigs_fury_decides_the_fate_of_the_defeated(
    before: int, after: int, killed: bool, leads_to: str
) -> None:
    """The Doom of Eztli: with up to 3 marks they are spared, and 3 are added."""
    state = happens(
        "eztli",
        "check_yigs_fury",
        before=[angered(before)],
        outcomes={ROLAND: "physical", DAISY: "mental"},
        resolution="",
    )
    assert fury(state) == (before if killed else 6)

    guide = happens.guide
    steps = guide.scenarios["eztli"].resolutions["investigator_defeat"].steps
    ended = scene(
        guide,
        "eztli",
        steps,
        before=[
            angered(before),
            course.ScenarioStatus("resolution", "no_resolution_defeated"),
        ],
        given=GIVEN,
        outcomes={ROLAND: "physical", DAISY: "mental"},
    )
    assert ended.is_killed(ROLAND) is ended.is_killed(DAISY) is killed
    assert ended.has_line(NOTES, leads_to)
    assert fury(ended) == after


@pytest.mark.parametrize(
    ("marks", "agenda"),
    [(0, "fury_0"), (5, "fury_1_to_5"), (6, "fury_6_to_10"), (14, "fury_11_to_14"),
     (17, "fury_15_to_17"), (18, "fury_18_to_20"), (21, "fury_21"), (40, "fury_21")],
)  # fmt: skip
def test_yigs_fury_decides_the_agenda_of_the_depths(marks: int, agenda: str) -> None:
    state = happens("the_depths_of_yoth", "check_yigs_fury", before=[angered(marks)])
    hidden = {"fury_18_to_20": {"agenda_5"}, "fury_21": {"agenda_5", "agenda_6"}}
    begun = {line.id for line in state.section("hidden").lines}

    assert begun == hidden.get(agenda, set())
    step = happens.guide.scenarios["the_depths_of_yoth"].steps["check_yigs_fury"]
    assert isinstance(step, Branch)
    assert isinstance(step.condition, LogCountCheck)
    options = step.condition.options
    found = options.by_key.get(marks, options.default)
    assert found is not None
    assert found.steps == (agenda,)


# --- replays


def played(scenario_id: str, number: int) -> list[Answer]:
    """Return the answers of a run up to the ``number``-th start of a scenario."""
    for run in runs_of("tfa", "")[0]:
        starts = [
            place
            for place, each in enumerate(run.answers)
            if each.kind == START and each.scenario.partition("#")[0] == scenario_id
        ]
        if len(starts) >= number:
            return list(run.answers[: starts[number - 1] + 1])
    raise AssertionError(scenario_id)


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", ["eztli", ELDERS])
def test_a_replay_is_a_scenario_of_its_own(scenario_id: str) -> None:
    """From its setup, as often as necessary."""
    replay = fold(happens.guide, played(scenario_id, 3), PEOPLE)

    assert replay.state.replays[scenario_id] == 2
    assert replay.pending is not None
    assert replay.pending.scenario == f"{scenario_id}#2"
    assert replay.pending.prompt == "choose_investigators"


def test_a_replay_after_resolution_4_has_extra_doom() -> None:
    """And no experience was earned."""
    again = {True: ConditionOption(True, (), ("extra_doom",))}
    asked = CampaignCheck("scenario_replayed", ConditionOptions(again), "eztli")
    step = happens.guide.scenarios["eztli"].steps["check_extra_doom"]
    assert step == Branch("check_extra_doom", asked)
    state = happens("eztli", resolution="R4", before=[EARNED])

    assert state.replays == {"eztli": 1}
    assert state.people[ROLAND].experience == 0


def test_the_first_part_is_skipped_with_all_paths_known() -> None:
    """It has Resolution 1; nothing watches from the jungle."""
    known = do.LogCount(NOTES, "paths_known", do.Tally.SET, 6)
    state = happens(ELDERS, "check_paths_known", before=[known])

    assert state.games[ELDERS].resolution == "R1"
    assert state.people[ROLAND].experience == 3
    assert not state.has_line(NOTES, "jungle_watches")


def test_decks_are_closed_between_the_parts_of_the_elders() -> None:
    """XP-21: from the end of the first part to the end of the second."""
    answers = played("the_city_of_archives", 1)
    starts = [place for place, each in enumerate(answers) if each.kind == START]
    second = next(
        place
        for place in starts
        if answers[place].scenario == "heart_of_the_elders_part_2"
    )
    between = closed_by(fold(happens.guide, answers[:second], PEOPLE))
    chosen = closed_by(fold(happens.guide, answers[: second + 1], PEOPLE))

    assert between is not None
    assert between.rule == "spending.parts"
    assert chosen is not None
    assert chosen.rule == "spending.parts"
    assert closed_by(fold(happens.guide, answers[:-1], PEOPLE)) is None
