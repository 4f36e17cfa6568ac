"""Our guide of The Path to Carcosa: the results of its resolutions and choices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.conditions import ConditionOptions
from arkham.rules.campaign.model.guide import Ask, Branch, CampaignGuide
from arkham.rules.campaign.model.prompts import PlayScenario
from arkham.rules.campaign.model.scenario_steps import Scopes
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.dunwich import NOTES, Left, left
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, recorded, scene

CLASP, LOST_SOUL = "03142", "03227"
# The victory display is always worth 3; no VIP is in it, nothing was stolen.
GIVEN: dict[str, Any] = {
    **dict.fromkeys(("earn_xp", "earn_1_xp", "earn_xp_triumph", "earn_xp_truth"), 3),
    "earn_clue_xp": {},
    "vips_interviewed": {},
    "vips_slain": {},
    "stole_from_box_office": False,
    "ask_mid_game_tokens": False,
    "chasing_the_stranger": 1,
    "ask_conviction_or_doubt_resolution": 2,
    "record_possessed_investigators": {},
    "prompt_sebastien_moreau": False,
    "prompt_constance_dumaine": False,
    "prompt_jordan_perry": False,
    "prompt_ishimaru_haruko": False,
    "prompt_ashleigh_clarke": False,
}
ONE_EACH = "cultist tablet elder_thing"
OVERRUN = Left("carcosa_merged", fate="insane", result="lose")
RESOLUTIONS = {
    "curtain_call": {
        "no_resolution": Left("stranger_is_on_to_you", 3),
        "R1": Left("tried_to_warn_police stranger_is_on_to_you", 3),
        "R2": Left("chose_not_to_warn_police stranger_is_on_to_you", 3),
    },
    "the_last_king": {
        "no_resolution_resigned": Left("", 3),
        "no_resolution_defeated": Left("", 3, ONE_EACH),
        "R1": Left("", 3),
        "R2": Left("", 3, ONE_EACH),
        "R3": Left("", 3, ONE_EACH),
    },
    "echoes_of_the_past": {
        "no_resolution": Left("followers_of_sign_found_way", 4, ONE_EACH),
        "R1": Left("took_onyx_clasp", 3, "cultist cultist"),
        "R2": Left("left_onyx_clasp", 3, "elder_thing elder_thing"),
        "R3": Left("destroyed_the_oathspeaker", 3, "tablet tablet"),
        "R4": Left("followers_of_sign_found_way", 4, ONE_EACH),
    },
    "the_unspeakable_oath": {
        "R2": Left("attacked_as_you_escaped_arkham", 3, "tablet tablet", (1, 0)),
        "R3": Left("escaped_the_asylum", 3, "elder_thing elder_thing"),
    },
    "a_phantom_of_truth": {
        "no_resolution": Left("did_not_escape_gaze", 3, "elder_thing elder_thing"),
        "R1": Left("found_nigels_home", 3, "cultist cultist"),
        "R2": Left("found_nigel_engram", 5, "tablet tablet", (0, 1)),
        "R3": Left("unable_to_find_nigel", 3, "elder_thing elder_thing"),
    },
    "the_pallid_mask": {
        "R1": Left("know_site_of_gate", 3, "cultist cultist"),
        "R2": Left("know_site_of_gate", 3, "tablet tablet"),
    },
    "black_stars_rise": {
        "no_resolution": OVERRUN,
        "R1": Left("opened_path_below", 3, "cultist cultist tablet tablet"),
        "R2": Left("opened_path_above", 3, "cultist cultist elder_thing elder_thing"),
        "R3": OVERRUN,
    },
    "dim_carcosa": {
        "no_resolution": OVERRUN,
        "R1": Left("prevented_hasturs_escape", 8, trauma=(2, 2), result="win"),
        "R2": Left("prevented_hasturs_escape", 8, trauma=(0, 2), result="win"),
        "R3": Left("prevented_hasturs_escape", 8, trauma=(2, 0), result="win"),
        "R4": OVERRUN,
        "R5": Left("hastur_has_you", fate="insane", result="lose"),
    },
}


def carcosa() -> CampaignGuide:
    return open_own_guide("ptc").guide


def tally(state: State) -> tuple[int, int, int]:
    """Return Doubt, Conviction, and how far the Stranger was chased."""
    sections = ("doubt", "conviction", "chasing_the_stranger")
    doubt, conviction, chased = (state.number(each, "$count") for each in sections)
    return doubt, conviction, chased


@pytest.mark.parametrize("scenario_id", RESOLUTIONS)
def test_a_resolution_has_its_results(scenario_id: str) -> None:
    """Lines of the log, experience, tokens, trauma, fates, the campaign's result."""
    found = {
        resolution: left(
            scene(
                carcosa(),
                scenario_id,
                resolution=resolution,
                before=[do.EarnExperience("input")],
                given=GIVEN,
            )
        )
        for resolution in RESOLUTIONS[scenario_id]
    }

    assert found == RESOLUTIONS[scenario_id]


@pytest.mark.parametrize(
    ("scenario_id", "resolution", "expected"),
    [
        ("curtain_call", "no_resolution", (0, 0, 1)),
        ("curtain_call", "R1", (0, 1, 2)),
        ("curtain_call", "R2", (1, 0, 2)),
        ("echoes_of_the_past", "R1", (0, 1, 0)),
        ("echoes_of_the_past", "R2", (1, 0, 0)),
        ("the_pallid_mask", "no_resolution", (0, 0, 0)),
        ("the_pallid_mask", "R1", (0, 2, 0)),
        ("the_pallid_mask", "R2", (2, 0, 2)),
    ],
)
def test_resolutions_add_doubt_conviction_and_the_chase(
    scenario_id: str, resolution: str, expected: tuple[int, int, int]
) -> None:
    state = scene(carcosa(), scenario_id, resolution=resolution, given=GIVEN)

    assert tally(state) == expected


def test_marks_of_act_2_of_the_pallid_mask_are_not_added_again() -> None:
    """They were recorded when it happened."""
    marked = recorded("tpm_conviction_or_doubt", "hidden")
    for resolution in ("no_resolution", "R1", "R2"):
        state = scene(
            carcosa(),
            "the_pallid_mask",
            resolution=resolution,
            before=[marked],
            given=GIVEN,
        )
        assert tally(state)[:2] == (0, 0)


def test_the_king_claims_the_defeated_and_the_others_continue() -> None:
    """The Unspeakable Oath without a resolution; another one takes the clasp."""
    state = scene(
        carcosa(),
        "the_unspeakable_oath",
        ["defeated_insane", "resolution_1"],
        before=[recorded("took_onyx_clasp")],
        outcomes={ROLAND: "mental", DAISY: "physical"},
        given={
            **GIVEN,
            "choose_new_investigators": {"01003": ("chosen",)},
            "take_onyx_clasp_effects_investigator": {"01003": ("chosen_investigator",)},
        },
    )

    assert state.is_insane(ROLAND)
    assert state.is_insane(DAISY)
    assert state.people["01003"].story == (CLASP,)
    assert [line.id for line in state.sections[NOTES].lines] == [
        "took_onyx_clasp",
        "king_claimed_victims",
    ]
    assert state.campaign_result == ""


@pytest.mark.parametrize("interlude", ["ptc_interlude1", "ptc_interlude1_reprint"])
@pytest.mark.parametrize(
    ("choice", "line", "tokens", "marked"),
    [
        (0, "intruded_on_secret_meeting", "elder_thing elder_thing", (1, 0, 0)),
        (1, "fled_dinner_party", "tablet tablet", (0, 0, 0)),
        (2, "slayed_the_monsters", "cultist cultist", (0, 1, 0)),
    ],
)
def test_the_first_interlude_is_the_same_in_either_printing(
    interlude: str, choice: int, line: str, tokens: str, marked: tuple[int, int, int]
) -> None:
    """The fire slays all five."""
    state = scene(
        carcosa(),
        interlude,
        ["house_choice"],
        before=[do.EarnExperience("input")],
        given={"house_choice": choice},
    )

    assert left(state) == Left(line, tokens=tokens)
    assert tally(state) == marked
    slain = state.sections.get("vips_slain")
    assert len(slain.lines if slain else ()) == (5 if choice == 2 else 0)


@pytest.mark.parametrize(
    ("daniel", "warning", "experience", "marked"),
    [
        (0, 0, 2, (2, 0, 0)),
        (0, 1, 3, (0, 2, 0)),
        (1, 1, 1, (0, 2, 0)),
        (2, 0, 0, (2, 0, 0)),
    ],
)
def test_the_second_interlude_has_its_results(
    daniel: int, warning: int, experience: int, marked: tuple[int, int, int]
) -> None:
    """A surviving Daniel is worth 2 experience, and his warning 1."""
    state = scene(
        carcosa(),
        "ptc_interlude2",
        ["daniel_choice", "warning_choice"],
        before=[do.EarnExperience("input")],
        given={"daniel_choice": daniel, "warning_choice": warning},
    )

    assert state.people[ROLAND].experience == experience
    assert tally(state) == marked


@pytest.mark.parametrize(
    ("line", "trauma"),
    [("fled_dinner_party", 0), ("slayed_the_monsters", 1), ("king_claimed_victims", 0)],
)
def test_dreams_cause_trauma_after_the_fire_only(line: str, trauma: int) -> None:
    """A lost soul is gained in any case."""
    state = scene(
        carcosa(),
        "a_phantom_of_truth",
        ["dream_1", "earn_lost_soul", "dream_2", "dream_2_test"],
        before=[recorded(line)],
    )

    assert (state.people[ROLAND].mental or 0) == trauma
    assert state.people[ROLAND].story == (LOST_SOUL,)


def options(scenario_id: str, step_id: str) -> ConditionOptions:
    """Return the options of a branch."""
    step = carcosa().scenarios[scenario_id].steps[step_id]
    assert isinstance(step, Branch)
    found = getattr(step.condition, "options", None)
    assert isinstance(found, ConditionOptions)
    return found


def test_doubt_and_conviction_are_compared() -> None:
    """The result decides act 1 in Paris, act 2 and the end in Carcosa."""
    paris = options("a_phantom_of_truth", "check_doubt_and_conviction").by_key
    act_2 = options("dim_carcosa", "compare_conviction_and_doubt").by_key
    end = options("dim_carcosa", "no_resolution_check_conviction_and_doubt").by_key

    assert {key: option.steps[-1] for key, option in paris.items()} == {
        -1: "act_1_v2",
        0: "act_1_v1",
        1: "act_1_v1",
    }
    assert {key: option.steps for key, option in act_2.items()} == {
        -1: ("act_2_v3",),
        0: ("act_2_choice",),
        1: ("act_2_v2",),
    }
    assert {key: option.steps for key, option in end.items()} == {
        -1: ("resolution_4",),
        0: ("resolution_4",),
        1: ("resolution_5",),
    }


def test_little_doubt_and_conviction_choose_the_first_act_2() -> None:
    """At most 5 together."""
    both = options("dim_carcosa", "select_act_2")

    assert both.default is not None
    assert both.default.steps == ("compare_conviction_and_doubt",)
    assert [*both.by_key] == [0, 1, 2, 3, 4, 5]
    assert {option.steps for option in both.by_key.values()} == {("act_2_v1",)}


@pytest.mark.parametrize(
    ("scenario_id", "tokens"),
    [
        (
            "the_unspeakable_oath",
            {"easy": "-2", "standard": "-3", "hard": "-4", "expert": "-5"},
        ),
        (
            "black_stars_rise",
            {"easy": "-3", "standard": "-5", "hard": "-6", "expert": "-7"},
        ),
    ],
)
def test_setup_adds_a_token_by_difficulty(
    scenario_id: str, tokens: dict[str, str]
) -> None:
    for difficulty, token in tokens.items():
        state = scene(
            carcosa(),
            scenario_id,
            ["add_chaos_token"],
            before=[course.SetDifficulty(difficulty)],
        )
        assert {each: count for each, count in state.bag.items() if count} == {token: 1}


@pytest.mark.parametrize("printing", ["original", "reprint"])
def test_the_printing_decides_which_first_interlude_is_played(printing: str) -> None:
    """The later printing's interlude has the name that the FAQ gives it."""
    state = scene(
        carcosa(),
        "$campaign_setup",
        ["ask_reprint"],
        given={"ask_reprint": ["original", "reprint"].index(printing)},
    )
    interlude = {"original": "ptc_interlude1", "reprint": "ptc_interlude1_reprint"}

    assert state.order is not None
    assert len(state.order) == 12
    assert interlude[printing] in state.order
    assert carcosa().scenarios["ptc_interlude1_reprint"].name == "Skeptic's Reward"


def test_the_stranger_can_be_defeated_in_a_side_scenario() -> None:
    """It is in its bearer's deck there, too."""
    guide = carcosa()
    beside = replace(guide.scenarios["curtain_call"], id="aside", side="side")
    scope = Scopes(guide).scope(beside, standalone=False)
    play = scope.steps["$play_scenario"]

    assert isinstance(play, Ask)
    assert isinstance(play.prompt, PlayScenario)
    assert [each.id for each in play.prompt.branches] == [
        "mitpm_defeated",
        "add_chaos_token",
    ]
    words = open_own_guide("ptc").words
    assert words.choice("aside", "$play_scenario", "mitpm_defeated")
    assert words.step("aside", "mitpm_defeated")["text"]


def test_all_symbols_are_removed_whatever_their_number() -> None:
    """A side scenario or the table may have added more of them."""
    more = course.Tokens(("cultist",) * 3 + ("tablet",) * 7, 1)
    state = scene(
        carcosa(), "echoes_of_the_past", resolution="R2", before=[more], given=GIVEN
    )

    assert {token: n for token, n in state.bag.items() if n} == {"elder_thing": 2}
