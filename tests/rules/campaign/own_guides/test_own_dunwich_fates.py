"""Our guide of The Dunwich Legacy: interludes, and the fates of people and things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.state.answers import Answer
from tests.rules.campaign.helpers.dunwich import (
    ARMITAGE,
    EARL,
    GIVEN,
    MORGAN,
    NECRONOMICON,
    NOTES,
    POWDER,
    RICE,
    SPACE_AND_TIME,
    ZEBULON,
    dunwich,
    left,
)
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.own_runs import runs_of
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, named, recorded, scene


@pytest.mark.slow
def test_the_first_two_scenarios_can_be_played_in_either_order() -> None:
    """The prologue decides; Interlude I follows the second."""
    runs, _ = runs_of("dwl", "")
    orders = {
        tuple(each.id for each in run.replay.scenarios if each.status == "completed")[
            1:5
        ]
        for run in runs
    }

    house, university = "the_house_always_wins", "extracurricular_activity"
    assert {order for order in orders if "armitages_fate" in order} == {
        ("dwl_prologue", university, house, "armitages_fate"),
        ("dwl_prologue", house, university, "armitages_fate"),
    }


# --- interludes


@pytest.mark.parametrize("unconscious", [True, False])
def test_lost_hours_decide_armitages_fate(unconscious: bool) -> None:
    """He is kidnapped if hours were lost, for 2 experience."""
    state = scene(
        dunwich(),
        "armitages_fate",
        ["check_unconscious"],
        before=[recorded("unconscious_for_several_hours")] if unconscious else [],
        given={
            "earn_henry_armitage_effects_investigator": {
                ROLAND: ("chosen_investigator",)
            }
        },
    )

    assert state.has_line(NOTES, "henry_armitage_kidnapped") is unconscious
    assert state.has_line(NOTES, "henry_armitage_rescued") is not unconscious
    roland = state.people[ROLAND]
    assert (roland.experience or 0) == (2 if unconscious else 0)
    assert (roland.story or ()) == (() if unconscious else (ARMITAGE,))


SURVIVORS = {
    ARMITAGE: "henry_armitage",
    RICE: "warren_rice",
    MORGAN: "francis_morgan",
    ZEBULON: "zebulon_whateley",
    EARL: "earl_sawyer",
}


@pytest.mark.parametrize(
    "sacrificed", [(), *((card,) for card in SURVIVORS), tuple(SURVIVORS)]
)
def test_those_who_were_not_sacrificed_survived(sacrificed: tuple[str, ...]) -> None:
    """Each may be taken; the powder too, if someone from Arkham is left."""
    checks = [f"check_{name}" for name in SURVIVORS.values()]
    taken = {ROLAND: ("chosen_investigator",)}
    cards = [*SURVIVORS.values(), "powder"]
    state = scene(
        dunwich(),
        "dwl_interlude2",
        checks,
        before=[
            do.EarnExperience("input"),
            *(named(card, "sacrificed") for card in sacrificed),
        ],
        given={f"earn_{name}_effects_investigator": taken for name in cards},
    )

    alive = [card for card in SURVIVORS if card not in sacrificed]
    for card, name in SURVIVORS.items():
        assert state.has_line(NOTES, f"{name}_survived") is (card in alive)
    powder = {POWDER} if set(alive) & {ARMITAGE, RICE, MORGAN} else set()
    assert set(state.people[ROLAND].story or ()) == {*alive, *powder}


@pytest.mark.parametrize("card", [ARMITAGE, RICE, MORGAN])
def test_an_ally_already_in_a_deck_is_not_offered(card: str) -> None:
    """This applies to the three from Arkham and to the powder."""
    taken = {DAISY: ("chosen_investigator",)}
    name = SURVIVORS[card]
    state = scene(
        dunwich(),
        "dwl_interlude2",
        [f"check_{name}"],
        before=[do.AddCard("input", card), do.AddCard("input", POWDER)],
        given={f"earn_{each}_effects_investigator": taken for each in (name, "powder")},
    )

    assert state.people[ROLAND].story == (card, POWDER)
    assert DAISY not in state.people or not state.people[DAISY].story


# --- The Essex County Express


def test_investigators_defeated_on_the_train_gain_a_weakness() -> None:
    """And 1 experience; the book is stolen, their companions are kidnapped."""
    cards = (NECRONOMICON, ARMITAGE, MORGAN, RICE)
    state = scene(
        dunwich(),
        "essex_county_express",
        resolution="investigator_defeat",
        before=[do.AddCard("input", card) for card in cards],
        outcomes={ROLAND: "physical", DAISY: "alive"},
    )

    assert {line.id for line in state.sections[NOTES].lines} == {
        "necronomicon_stolen", "henry_armitage_kidnapped", "francis_morgan_kidnapped",
        "warren_rice_kidnapped",
    }  # fmt: skip
    assert state.people[ROLAND].story == (SPACE_AND_TIME,)
    assert state.people[ROLAND].experience == 1
    assert not state.people[DAISY].story
    assert not state.people[DAISY].experience


def test_investigators_not_defeated_on_the_train_lose_nothing() -> None:
    """Although another was defeated."""
    cards = (NECRONOMICON, ARMITAGE, MORGAN, RICE)
    state = scene(
        dunwich(),
        "essex_county_express",
        resolution="investigator_defeat",
        before=[do.AddCard("input", card) for card in cards],
        outcomes={ROLAND: "alive", DAISY: "mental"},
    )

    assert state.sections[NOTES].lines == ()
    assert state.people[ROLAND].story == cards
    assert state.people[DAISY].story == (SPACE_AND_TIME,)


@pytest.mark.parametrize(
    ("difficulty", "train", "hill"),
    [
        ("easy", "-2", "-3"),
        ("standard", "-3", "-5"),
        ("hard", "-4", "-6"),
        ("expert", "-5", "-7"),
    ],
)
def test_setup_adds_a_token_by_difficulty(
    difficulty: str, train: str, hill: str
) -> None:
    """On the train and on the hill."""
    for place, token in (("essex_county_express", train), ("where_doom_awaits", hill)):
        state = scene(
            dunwich(),
            place,
            ["add_chaos_token"],
            before=[course.SetDifficulty(difficulty)],
        )
        assert {each: count for each, count in state.bag.items() if count} == {token: 1}


# --- Blood on the Altar


@pytest.mark.parametrize("sacrificed", [True, False])
def test_err_08_armitage_survives_unless_he_was_sacrificed(sacrificed: bool) -> None:
    """Without a resolution, as the FAQ adds; the guide cites it."""
    given: dict[str, Any] = {**GIVEN}
    if sacrificed:
        given["record_sacrificed"] = {ARMITAGE: ("sacrificed",)}
    state = scene(
        dunwich(), "blood_on_the_altar", resolution="no_resolution", given=given
    )

    assert state.has_line(NOTES, "henry_armitage_survived") is not sacrificed
    told = open_own_guide("dwl").words.step(
        "blood_on_the_altar", "check_henry_armitage"
    )
    assert told["cites"] == [
        "Blood on the Altar, no resolution",
        "FAQ 2.5, erratum to Blood on the Altar, no resolution",
    ]


def test_sacrificed_allies_leave_the_decks() -> None:
    """The card is recorded in the list."""
    state = scene(
        dunwich(),
        "blood_on_the_altar",
        resolution="R1",
        before=[do.AddCard("input", RICE), do.AddCard("input", MORGAN)],
        given={**GIVEN, "record_sacrificed": {RICE: ("sacrificed",)}},
    )

    assert [line.id for line in state.sections["sacrificed"].lines] == [RICE]
    assert state.people[ROLAND].story == (MORGAN,)


@pytest.mark.parametrize(
    ("resolution", "outcome", "stolen"),
    [
        ("no_resolution", "physical", True),
        ("R1", "mental", True),
        ("R3", "eliminated", True),
        ("R2", "physical", False),
        ("R1", "resigned", False),
        ("R1", "alive", False),
    ],
)
def test_the_book_is_stolen_from_a_defeated_investigator(
    resolution: str, outcome: str, stolen: bool
) -> None:
    """But not if it was used to restore Silas."""
    state = scene(
        dunwich(),
        "blood_on_the_altar",
        resolution=resolution,
        before=[do.AddCard("input", NECRONOMICON)],
        outcomes={ROLAND: outcome, DAISY: "alive"},
        given=GIVEN,
    )

    assert state.has_line(NOTES, "necronomicon_stolen") is stolen
    assert state.people[ROLAND].story == (() if stolen else (NECRONOMICON,))


def test_interlude_ii_is_skipped_only_without_a_resolution() -> None:
    skipped = {
        resolution: scene(
            dunwich(), "blood_on_the_altar", resolution=resolution, given=GIVEN
        ).statuses
        for resolution in ("no_resolution", "R1", "R2", "R3")
    }

    assert skipped == {
        "no_resolution": {"dwl_interlude2": "skipped"}, "R1": {}, "R2": {}, "R3": {},
    }  # fmt: skip


# --- the later scenarios


@pytest.mark.parametrize(
    ("choice", "line"), [(0, "calmed_townsfolk"), (1, "warned_townsfolk")]
)
def test_the_townsfolk_are_calmed_or_warned(choice: int, line: str) -> None:
    """The log has one of the two lines."""
    state = scene(
        dunwich(),
        "undimensioned_and_unseen",
        ["warn_or_calm_choice"],
        given={"warn_or_calm_choice": choice},
    )

    assert [each.id for each in state.sections[NOTES].lines] == [line]


def test_the_powder_is_lost_and_the_brood_are_counted() -> None:
    """Up to 5 escape."""
    state = scene(
        dunwich(),
        "undimensioned_and_unseen",
        resolution="R1",
        before=[do.AddCard("input", POWDER), do.AddCard("input", RICE)],
        given={**GIVEN, "brood_escaped": 4},
    )

    assert state.number(NOTES, "brood_escaped") == 4
    assert state.people[ROLAND].story == (RICE,)


@pytest.mark.parametrize(
    ("act", "fate", "result"),
    [
        (0, "insane", "lose"),
        (1, "insane", "lose"),
        (2, "insane", "lose"),
        (3, "alive", "win"),
    ],
)
def test_the_act_decides_the_end_without_a_resolution(
    act: int, fate: str, result: str
) -> None:
    """Resolution 4 up to act 3, Resolution 2 in act 4."""
    state = scene(
        dunwich(),
        "lost_in_time_and_space",
        resolution="no_resolution",
        before=[do.EarnExperience("input")],
        given={"check_final_act": act},
    )

    found = left(state)
    assert (found.fate, found.result) == (fate, result)


def test_investigators_defeated_beyond_the_gate_are_killed() -> None:
    """Before the resolution; the others are not."""
    state = scene(
        dunwich(),
        "lost_in_time_and_space",
        resolution="investigator_defeat",
        outcomes={ROLAND: "mental", DAISY: "alive"},
    )

    assert state.people[ROLAND].killed
    assert not state.is_killed(DAISY)


@pytest.mark.parametrize(
    ("place", "resolution", "told"),
    [
        ("where_doom_awaits", "R2", False),
        ("lost_in_time_and_space", "R4", False),
        ("lost_in_time_and_space", "R1", True),
        ("lost_in_time_and_space", "R2", True),
        ("lost_in_time_and_space", "R3", True),
    ],
)
def test_a_campaign_that_is_lost_has_no_epilogue(
    place: str, resolution: str, told: bool
) -> None:
    """A campaign that is won has one."""
    state = scene(dunwich(), place, resolution=resolution, given=GIVEN)

    assert ("dwl_epilogue" not in state.statuses) is told


@pytest.mark.parametrize("who", ["harold", "adam"])
def test_a_tablet_joins_the_bag_when_harold_or_adam_leaves_play(who: str) -> None:
    """Harold Walsted or Adam Lynch."""
    choice = {"harold": 0, "adam": 1}[who]
    state = scene(
        dunwich(),
        "the_miskatonic_museum",
        ["add_chaos_token"],
        given={"add_chaos_token": choice},
    )

    assert {token: count for token, count in state.bag.items() if count} == {
        "tablet": 1
    }


# --- defects of the field's guide


@pytest.mark.parametrize("guide", [dunwich, lambda: shared_library().guides["dwl"]])
def test_decks_are_upgraded_once_after_the_train(
    guide: Callable[[], CampaignGuide],
) -> None:
    """The field’s guide leads to the upgrade twice."""
    added = Answer(
        "choice_list", "essex_county_express", f"$upgrade_decks#{ROLAND}", {"xp": (2,)}
    )
    state = scene(
        guide(),
        "essex_county_express",
        resolution="no_resolution",
        given=GIVEN,
        corrected=[added],
    )

    assert state.people[ROLAND].experience == 5
    assert state.people[DAISY].experience == 3
