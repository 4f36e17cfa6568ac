"""Our guide of The Drowned City: the results of its resolutions, tasks and choices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.state.state import State
from arkham.rules.snapshot import embedded_pool
from tests.rules.campaign.helpers.dunwich import NOTES, Left, left
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, recorded, scene

WEST, EAST = "expedition_headed_west", "expedition_headed_east"
TASKS = "task_progress"
# The victory display is worth 3; no progress is marked, no artifact was controlled.
GIVEN: dict[str, Any] = {
    "earn_xp": 3,
    "earn_xp_pilgrims": 3,
    "earn_xp_10": 3,
    "earn_xp_plus_5": 3,
    "earn_xp_bonus": 3,
    "$ask_completed_task": {},
    "ask_discovered_an_alien_language": False,
    "ask_ancient_relic": False,
    "ask_grisly_mask": True,
    "ask_tidal_tablet": True,
    "ask_shard": True,
    "ask_obsidian_claw": True,
}
ANNIHILATED = "cthulhu_annihilated_the_city_of_arkham"
DESTROYED = "cthulhu_was_banished_but_arkham_was_destroyed"


def drowned_city() -> CampaignGuide:
    return open_own_guide("tdc").guide


def has_task(task: str, progress: int) -> tuple[do.Effect, ...]:
    """Effects that give Roland a task and some progress."""
    return (
        do.AssignTask("hidden", task, TASKS, "$count"),
        do.SeatCount(TASKS, "$count", "fixed", ROLAND, do.Tally.SET, progress),
    )


def progress(state: State) -> int:
    return state.seat_sections[TASKS][ROLAND].number("$count")


@pytest.mark.parametrize(
    ("scenario", "resolution", "heads", "expected"),
    [
        ("one_last_job", "no_resolution", "", Left("ruby_won_the_bet", 3)),
        ("one_last_job", "R1", "", Left("ruby_lost_the_bet", 3)),
        ("the_western_wall", "R1", WEST, Left(WEST, 3)),
        ("the_western_wall", "R2", EAST, Left(EAST, 3)),
        ("the_drowned_quarter", "R1", WEST, Left(WEST, 3)),
        ("the_drowned_quarter", "R2", WEST, Left(f"{WEST} the_power_was_diverted", 5)),
        ("the_apiary", "R1", WEST, Left(f"{WEST} pilgrims_were_saved", 5)),
        ("the_apiary", "R2", WEST, Left(f"{WEST} pilgrims_were_devoured", 3)),
        (
            *("the_apiary", "R3", EAST),
            Left(f"{EAST} exterminated_the_alien_parasites", 3),
        ),
        ("the_grand_vault", "R1", WEST, Left(WEST, 3)),
        ("court_of_the_ancients", "R2", EAST, Left(EAST, 3)),
        ("obsidian_canyons", "R1", WEST, Left(WEST, 3)),
        (
            *("sepulchre_of_the_sleeper", "R1", ""),
            Left("halted_cthulhus_awakening", 13, trauma=(0, 2), result="win"),
        ),
        (
            *("the_doom_of_arkham_part_2", "no_resolution", ""),
            Left(ANNIHILATED, fate="killed", result="lose"),
        ),
        (
            *("the_doom_of_arkham_part_2", "R1", ""),
            Left("cthulhu_was_driven_away", 3, trauma=(3, 3), result="win"),
        ),
        (
            *("the_doom_of_arkham_part_2", "R2", ""),
            Left("cthulhu_was_banished", 3, trauma=(1, 1), result="win"),
        ),
        (
            *("the_doom_of_arkham_part_2", "R3", ""),
            Left(DESTROYED, 8, trauma=(2, 2), result="win"),
        ),
    ],
)
def test_a_resolution_has_its_results(
    scenario: str, resolution: str, heads: str, expected: Left
) -> None:
    """Lines of the log, experience, trauma, the campaign's result."""
    before = [recorded(heads)] if heads else []
    given = GIVEN | {"$upgrade_decks": True, "$upgrade_decks_no_progress": True}
    assert (
        left(
            scene(
                drowned_city(),
                scenario,
                resolution=resolution,
                before=before,
                given=given,
            )
        )
        == expected
    )


def _scene(
    scenario: str,
    steps: Iterable[str],
    before: Iterable[do.Effect],
    **given: Any,
) -> State:
    return scene(drowned_city(), scenario, steps, before=before, given=GIVEN | given)


@pytest.mark.parametrize(
    ("scenario", "task", "choice", "least", "most"),
    [
        (
            "the_drowned_quarter",
            "no_place_like_home",
            "no_place_like_home_choice",
            0,
            3,
        ),
        ("the_apiary", "walk_in_faith", "walking_in_faith_choice", 0, 3),
        ("the_grand_vault", "toe_the_line", "toe_the_line_choice", 0, 3),
        ("the_grand_vault", "good_money", "good_money_choice", 0, 3),
        ("court_of_the_ancients", "plumb_the_depths", "plumb_the_depths_choice", 0, 3),
        (
            *("obsidian_canyons", "dreams_of_destruction"),
            *("dreams_of_destruction_choice", 0, 3),
        ),
    ],
)
def test_a_choice_changes_the_progress_of_a_task(
    scenario: str, task: str, choice: str, least: int, most: int
) -> None:
    """One option erases 1 progress, the other marks 2."""
    for value, expected in ((0, least), (1, most)):
        state = _scene(scenario, [choice], has_task(task, 1), **{choice: value})
        assert progress(state) == expected


def test_dreams_of_destruction_earn_two_whatever_the_progress() -> None:
    """The bonus is not added to the progress of the task."""
    dreams = "dreams_of_destruction"
    state = _scene(
        *("obsidian_canyons", [f"{dreams}_choice"], has_task(dreams, 4)),
        dreams_of_destruction_choice=0,
    )
    assert left(state) == Left("", 2, trauma=(0, 1))


def test_an_investigator_who_did_not_help_with_the_ropes_earns_less() -> None:
    """All except the one with the task earn 1."""
    state = _scene(
        *("obsidian_canyons", ["check_prove_your_worth_resolution"]),
        has_task("prove_your_worth", 2),
    )
    assert progress(state) == 1
    assert left(state) == Left("", 0, trauma=(0, 1))
    assert state.people[DAISY].experience == 1


@pytest.mark.parametrize(("done", "card"), [(4, None), (5, "11756b")])
def test_a_task_is_resolved_at_the_end(done: int, card: str | None) -> None:
    """Five progress complete it; each is worth 1 experience either way."""
    before = (*has_task("good_money", done), do.AddCard("fixed", "11756a", ROLAND))
    state = _scene("return_to_arkham", ["check_good_money"], before)
    person = state.people[ROLAND]
    assert person.experience == done
    assert list(person.story or ()) == ([card] if card else [])
    assert (person.physical or 0) == (0 if card else 1)


def test_the_sleeper_is_found_only_with_everything() -> None:
    """Five artifacts, 26 glyphs and the way in."""
    artifacts = ("barrier_node", "grisly_mask", "tidal_tablet", "shard")
    glyphs = [recorded(f"tdc_rune_{each}", "glyphs") for each in LETTERS]
    unsealed = recorded("the_inner_sanctum_was_unsealed")
    have = [*(recorded(each, "artifacts_earned") for each in artifacts), *glyphs]
    step = "actually_check_artifacts_1"

    lacking = _scene("sepulchre_of_the_sleeper", [step], [*have, unsealed])
    assert lacking.bag == {"0": 1}
    claw = recorded("obsidian_claw", "artifacts_earned")
    whole = _scene(
        *("sepulchre_of_the_sleeper", [step], [*have, claw, unsealed]),
        choose_to_play_or_skip=0,
    )
    notes = [line.id for line in whole.sections[NOTES].lines]
    assert notes[-1] == "did_not_confront_the_nightmare"
    assert whole.bag == {}


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def test_artifacts_that_were_not_controlled_are_lost() -> None:
    """The Horror in Clay is earned by the investigator who controls it."""
    before = [
        recorded("barrier_node", "artifacts_earned"),
        recorded("shard", "artifacts_earned"),
    ]
    state = scene(
        drowned_city(),
        "the_doom_of_arkham_part_1",
        resolution="R1",
        before=before,
        given=GIVEN
        | {
            "ask_controlled_artifacts": {"fragment": (1,), "clay": (1,)},
            "ask_flooded_locations": {},
            "ask_continue": 0,
        },
    )
    lines = state.sections["artifacts_earned"].lines
    assert {line.id: bool(line.crossed_out) for line in lines} == {
        "barrier_node": True,
        "shard": False,
        "clah_horror": False,
    }


def test_the_awakening_changes_the_bag() -> None:
    """Two of each symbol with an artifact, fewer without."""
    bag = [course.Tokens(("cultist", "tablet", "tablet", "elder_thing"), 1)]
    artifact = recorded("shard", "artifacts_earned")
    step = ["check_at_least_one_artifact"]
    bad = _scene("the_awakening", step, [*bag, artifact])
    okay = _scene("the_awakening", step, bag)
    assert dict(bad.bag) == {"cultist": 2, "tablet": 2, "elder_thing": 2}
    assert dict(okay.bag) == {"cultist": 1, "tablet": 1, "elder_thing": 2}


def test_each_glyph_is_named_by_the_card_that_has_it() -> None:
    """Its sign is no letter: the card is what a table has in hand."""
    words = open_own_guide("tdc").words
    asked = words.step("the_apiary", "$ask_glyphs")["choices"]
    assert asked["v"] == "Shattered Ruins (rune V)"
    named = {text.partition(" (")[0] for text in asked.values()} - {"Rune A"}
    assert len(named) == len(asked) - 1 == 25
    runes = {
        card.name.partition(" [")[0]
        for card in embedded_pool().values()
        if "[tdc_rune" in card.name
    }
    assert {name.partition(",")[0] for name in named} <= runes
