"""Our guides of both halves of The Dream-Eaters, each played alone."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.interpreter.replay import START, fold
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.state import Printed
from tests.rules.campaign.helpers.dreams import (
    ALONE,
    AWAKENING,
    EARNED,
    HALVES,
    RANDOLPH,
    guide_of,
    happens,
)
from tests.rules.campaign.helpers.dunwich import NOTES, Left, left
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, recorded

SAILED = "travelled_to_the_cold_wastes randolph_survived_the_voyage"
CARRIED = "carried_to_the_cold_wastes randolph_did_not_survive_the_voyage"
RESOLUTIONS = {
    ("tdea", "beyond_the_gates_of_sleep"): {
        "no_resolution": Left("saved_by_randolph_carter", 3),
        "R1": Left("cats_collected_their_tribute", 3, "skull skull skull"),
        "R2": Left("parleyed_with_zoogs", 3, "skull skull skull"),
    },
    ("tdea", "the_search_for_kadath"): {
        "no_resolution_resigned": Left(
            "virgil_was_captured randolph_eluded_capture", 3
        ),
        "no_resolution_defeated": Left("virgil_was_captured randolph_was_captured", 3),
        "R1": Left("virgil_was_captured randolph_eluded_capture", 3),
    },
    ("tdea", "dark_side_of_the_moon"): {
        "no_resolution_defeated": Left(CARRIED, 3),
        "R1": Left(SAILED, 3),
    },
    ("tdea", "where_gods_dwell"): {
        "no_resolution_defeated": Left(
            "nyarlathoteps_invasion_has_begun", result="lose"
        ),
        "R1": Left(
            "dreamers_escaped_nyarlathoteps_grasp dreamers_awoke",
            3,
            trauma=(0, 2),
            result="win",
        ),
        "R2": Left(
            "dreamers_banished_nyarlathotep dreamers_awoke",
            8,
            trauma=(0, 2),
            result="win",
        ),
    },
    ("tdeb", "waking_nightmare"): {
        "no_resolution_resigned": Left(
            "doctors_fate_unknown randolph_escaped_hospital_alone", 3
        ),
        "no_resolution_defeated": Left(
            "doctor_is_missing randolph_escaped_hospital_alone", 3, trauma=(0, 1)
        ),
        "R1": Left("doctor_is_alive randolph_escaped_hospital_with_investigators", 3),
        "R2": Left(
            "doctor_is_missing randolph_escaped_hospital_with_investigators",
            3,
            trauma=(0, 1),
        ),
        "R3": Left("doctor_is_alive randolph_escaped_hospital_with_investigators", 3),
    },
    ("tdeb", "a_thousand_shapes_of_horror"): {
        "R1": Left("randolph_survived_descent possess_silver_key", 3, "skull"),
    },
    ("tdeb", "point_of_no_return"): {"R1": Left("", 3), "R2": Left("", 3)},
    ("tdeb", "weaver_of_the_cosmos"): {
        "no_resolution": Left("bridge_was_completed", fate="killed", result="lose"),
        "R1": Left(
            "bridge_was_destroyed still_in_the_dreamlands",
            8,
            trauma=(2, 0),
            result="win",
        ),
        "R2": Left("bridge_was_completed", fate="insane", result="lose"),
    },
}


@pytest.mark.parametrize(("half", "scenario_id"), RESOLUTIONS)
def test_a_resolution_has_its_results(half: str, scenario_id: str) -> None:
    """Lines of the log, experience, tokens, trauma, fates, the campaign's result."""
    expected = RESOLUTIONS[half, scenario_id]
    found = {
        resolution: left(
            happens(half, scenario_id, resolution=resolution, before=[EARNED, ALONE])
        )
        for resolution in expected
    }

    assert found == expected


# --- The Dream-Quest


def test_a_dream_needs_its_class_or_trait() -> None:
    """Every investigator can have a neutral dream."""
    people = {
        ROLAND: Printed(9, 5, "guardian", ("hunter", "veteran", "wayfarer")),
        DAISY: Printed(5, 9, "seeker", ("assistant", "scholar")),
    }
    offered = {}
    for code in people:
        answers = [
            Answer(START, "$campaign_setup", "", None),
            Answer("choice", "$campaign_setup", "ask_8_part_campaign", 1),
            _chosen("choose_investigators", code, "chosen"),
            Answer("choice", "$campaign_setup", "difficulty_choice", 1),
            _chosen("draw_weakness", code, "rbw"),
            _chosen("draw_weakness_effects_weakness", code, "01096"),
            Answer("decision", "$campaign_setup", "save_decks", True),
            Answer(START, "tde_prologue", "", None),
            Answer(START, "beyond_the_gates_of_sleep", "", None),
            _chosen(
                "$choose_investigators", code, "chosen", "beyond_the_gates_of_sleep"
            ),
        ]
        asked = fold(guide_of("tdea"), answers, people).pending
        assert asked is not None
        assert asked.step.partition("#")[0] == "choose_dreams"
        offered[code] = dict(asked.by_code)[code]

    neutral = ("neutral_1", "neutral_2")
    assert offered == {
        ROLAND: ("guardian", "hunter", "veteran", "wayfarer", *neutral),
        DAISY: ("seeker", "medic", "miskatonic", *neutral),
    }


def _chosen(
    step: str, code: str, choice: str, scenario: str = "$campaign_setup"
) -> Answer:
    return Answer("string_choices", scenario, step, {code: (choice,)})


@pytest.mark.parametrize("exchanged", [True, False])
def test_the_drifters_dream_exchanges_a_weakness_for_trauma(exchanged: bool) -> None:
    """1 trauma of the drifter's choice, if they want it."""
    state = happens(
        "tdea",
        "beyond_the_gates_of_sleep",
        "ask_replace_weakness",
        before=[
            EARNED,
            do.LogCards("hidden", "drifter_dream", "$fixed_codes", (ROLAND,)),
        ],
        given={
            "ask_replace_weakness": exchanged,
            "drifter_replace_weakness_effects_trauma": {ROLAND: ("mental",)},
        },
    )

    assert (state.people[ROLAND].mental or 0) == int(exchanged)


@pytest.mark.parametrize(
    ("before", "temple", "evidence", "experience"),
    [("parleyed_with_zoogs", 0, 0, None), ("parleyed_with_zoogs", 1, 2, 2),
     ("saved_by_randolph_carter", 1, 1, None),
     ("cats_collected_their_tribute", 0, 1, None)],
)  # fmt: skip
def test_the_temple_contains_evidence_of_kadath(
    before: str, temple: int, evidence: int, experience: int | None
) -> None:
    """The cats let you in; without them you may break in."""
    state = happens(
        "tdea",
        "the_search_for_kadath",
        "check_zoogs",
        before=[recorded(before), EARNED],
        given={"choose_temple": temple},
    )

    assert state.number("evidence_of_kadath", "$count") == evidence
    assert (state.people[ROLAND].experience or None) == experience


@pytest.mark.parametrize("resigned", [True, False])
def test_randolph_moves_to_an_investigator_who_resigned(resigned: bool) -> None:
    """His owner is captured; if all are, he stays where he is."""
    card = {"transfer_randolph_carter_effects_investigator": {DAISY: ("chosen",)}}
    state = happens(
        "tdea",
        "the_search_for_kadath",
        resolution="investigator_defeat",
        before=[do.AddCard("input", RANDOLPH)],
        outcomes={ROLAND: "physical", DAISY: "resigned" if resigned else "mental"},
        given=card if resigned else {},
    )

    holders = [c for c, p in state.people.items() if RANDOLPH in (p.story or ())]
    assert holders == [DAISY if resigned else ROLAND]
    captured = state.sections[NOTES].named("captured")
    assert [code for line in captured for code, _ in line.cards] == (
        [ROLAND] if resigned else [ROLAND, DAISY]
    )


def test_the_defeated_lose_randolph_and_gain_a_weakness() -> None:
    """Dark Side of the Moon without a resolution."""
    state = happens(
        "tdea",
        "dark_side_of_the_moon",
        resolution="no_resolution_defeated",
        before=[ALONE, do.AddCard("input", RANDOLPH)],
    )

    assert state.people[ROLAND].story == (AWAKENING,)


@pytest.mark.parametrize(
    ("difficulty", "token"),
    [("easy", "-3"), ("standard", "-4"), ("hard", "-5"), ("expert", "-7")],
)
def test_weaker_dreamers_add_a_token(difficulty: str, token: str) -> None:
    state = happens(
        "tdea",
        "the_great_ones",
        "check_difficulty",
        before=[course.SetDifficulty(difficulty), recorded("dreamers_grow_weaker")],
    )

    assert state.bag[token] == 1


@pytest.mark.parametrize(
    ("ends", "row", "fates"),
    [("nyarlathoteps_invasion_has_begun", 0, ("alive", "lose")),
     ("nyarlathoteps_invasion_has_begun", 1, ("alive", "")),
     ("dreamers_awoke", 0, ("killed", "")),
     ("dreamers_awoke", 1, ("alive", "win")),
     ("dreamers_stayed_in_dreamlands_forever", 0, ("alive", "")),
     ("dreamers_traveled_beneath_the_monastery", 0, ("insane", "")),
     ("dreamers_traveled_beneath_the_monastery", 2, ("alive", "win"))],
)  # fmt: skip
def test_the_epilogue_depends_on_both_logs(
    ends: str, row: int, fates: tuple[str, str]
) -> None:
    """Epilogues 5 and 13 affect this group."""
    state = happens(
        "tdea",
        "tde_epilogue",
        "check_nyarlathoteps_invasion_has_begun",
        before=[EARNED, recorded(ends)],
        given={f"{ends}_row": row},
    )

    found = left(state)
    assert (found.fate, found.result) == fates


def test_breaking_the_law_of_ulthar_is_punished() -> None:
    """Only the investigator who broke it is killed."""
    broken = do.LogCards(NOTES, "broken_the_law_of_ulthar", "$fixed_codes", (ROLAND,))
    state = happens(
        "tdea", "tde_epilogue", "check_broken_the_law_of_ulthar", before=[broken]
    )

    assert state.is_killed(ROLAND)
    assert not state.is_killed(DAISY)


# --- The Web of Dreams


@pytest.mark.parametrize(
    ("before", "last"),
    [("found_a_way_out_of_the_underworld", "returned_to_reality"),
     ("trapped_in_atlach_nachas_realm", "never_escaped"),
     ("", "still_in_the_dreamlands")],
)  # fmt: skip
def test_the_log_decides_the_end_of_the_destroyers_of_the_bridge(
    before: str, last: str
) -> None:
    """The way out takes precedence over the trap."""
    lines = [recorded(before)] if before else []
    if last == "returned_to_reality":
        lines.append(recorded("trapped_in_atlach_nachas_realm"))
    state = happens(
        "tdeb", "weaver_of_the_cosmos", resolution="R1", before=[ALONE, *lines]
    )

    assert state.sections[NOTES].lines[-1].id == last
    assert state.people[ROLAND].insane is (last == "never_escaped")


def test_an_overrun_hospital_makes_eight_steps_of_the_bridge() -> None:
    """In Resolution 4; without a resolution the steps are counted."""
    counts = [
        happens("tdeb", "waking_nightmare", resolution=name, before=[ALONE]).number(
            "steps_of_the_bridge", "$count"
        )
        for name in ("R4", "no_resolution_defeated")
    ]

    assert counts == [8, 2]


def test_the_return_of_the_cat_is_recorded() -> None:
    """The Great Ones: a tablet in the bag, and the line of the log."""
    state = happens(
        "tdeb",
        "the_great_ones",
        "check_great_ones_decision",
        before=[course.Tokens(("elder_thing", "elder_thing"), 1)],
        given={"check_great_ones_decision": 1},
    )

    assert state.bag["tablet"] == 1
    assert state.has_line(NOTES, "black_cat_at_your_side_2")


# --- each half on its own


@pytest.mark.parametrize("half", HALVES)
def test_a_half_played_alone_skips_two_interludes_and_the_epilogue(half: str) -> None:
    skipped = set()
    for scenario_id in guide_of(half).order:
        steps = guide_of(half).scenarios[scenario_id].steps
        for step in ("maybe_skip_interlude", "maybe_win_campaign"):
            if step in steps:
                state = happens(half, scenario_id, step, before=[ALONE])
                skipped |= {k for k, v in state.statuses.items() if v == "skipped"}

    assert skipped == {"the_oneironauts", "the_great_ones", "tde_epilogue"}
