"""Our guide of The Circle Undone: its interludes, checks of the log, and chance."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.conditions import matches
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import Branch
from arkham.rules.campaign.reading.own import open_own_guide
from tests.rules.campaign.helpers.circle import happens, lines, logged
from tests.rules.campaign.helpers.dunwich import NOTES, Left, left
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, guide_of, recorded, scene

BLACK_BOOK, PUZZLE_BOX, GAVRIELLA = "05150", "05228", "05258"
PROLOGUE = "disappearance_at_the_twilight_estate"
MISSING = ("05046", "05047", "05048", "05049")
SANFORD = "carl_sanford_possesses_the_secrets_of_the_universe"
POSSESSED = "anette_mason_is_possessed_by_evil"


@pytest.mark.parametrize(
    ("josef", "more", "lodge", "expected"),
    [
        (0, 0, 0, Left("josef_disappeared_into_the_mist enemies_of_the_lodge")),
        (1, 0, 0, Left("rescued_josef enemies_of_the_lodge", 2)),
        (1, 0, 1, Left("rescued_josef members_of_the_lodge", 2, "cultist")),
        (
            *(2, 2, 2),
            Left(
                "josef_is_alive members_of_the_lodge deceiving_the_lodge", 0, "cultist"
            ),
        ),
        (2, 1, 0, Left("josef_disappeared_into_the_mist enemies_of_the_lodge")),
    ],
)
def test_the_price_of_progress_has_its_results(
    josef: int, more: int, lodge: int, expected: Left
) -> None:
    """Where Josef is decides, or where more of his enemies are; then you choose."""
    state = happens(
        "the_price_of_progress",
        "check_josef_meiger",
        given={
            "check_josef_meiger": josef,
            "check_silver_twilight": more,
            "choose_lodge": lodge,
        },
    )

    assert left(state) == expected


def test_the_black_book_comes_with_a_skull() -> None:
    state = happens(
        "the_secret_name",
        "choose_black_book",
        given={
            "choose_black_book": True,
            "choose_black_book_effects_investigator": {DAISY: ("chosen_investigator",)},
        },
    )

    assert state.people[DAISY].story == (BLACK_BOOK,)
    assert left(state).tokens == "skull"


@pytest.mark.parametrize("josef", ["rescued_josef", "josef_is_alive"])
def test_the_inner_circle_inducts_those_who_rescued_josef(josef: str) -> None:
    """If they gave up all mementos and revealed the coven."""
    state = happens(
        "the_inner_circle",
        "choose_to_share_info",
        before=[
            *logged(josef, "told_lodge_about_coven"),
            recorded("gilmans_journal", "mementos"),
        ],
        given={
            "choose_to_share_info": 0,
            "ask_first_question": 0,
            "ask_second_question": 0,
            "ask_third_question": 0,
        },
    )

    assert lines(state, "mementos") == []
    inducted = josef == "rescued_josef"
    assert ("inducted_into_the_inner_circle" in lines(state)) is inducted
    answered = ["answer_1", "answer_2", "answer_3"] if inducted else []
    assert lines(state, "hidden") == answered


@pytest.mark.parametrize(
    ("known", "act"),
    [
        ("sided_with_the_lodge deceiving_the_lodge", "act_3_v1"),
        (
            "sided_with_the_coven deceiving_the_lodge inducted_into_the_inner_circle",
            "act_3_v2",
        ),
        (
            "sided_with_the_coven hid_knowledge_of_coven kept_mementos_hidden",
            "act_3_v3",
        ),
        ("sided_with_the_coven deceiving_the_lodge", "act_3_v4"),
    ],
)
def test_the_log_decides_act_3(known: str, act: str) -> None:
    """The second version also has an effect on the bag."""
    state = happens(
        "union_and_disillusion", "check_sided_with_lodge", before=logged(*known.split())
    )
    words = open_own_guide("tcu").words.step("union_and_disillusion", act)

    assert (lines(state, "hidden") == ["act_3_v2"]) is (act == "act_3_v2")
    assert "Beyond the Mist" in words["text"]


@pytest.mark.parametrize(
    ("known", "heretics", "expected"),
    [
        ("witches_spell_cast josef_disappeared_into_the_mist", 0, POSSESSED),
        ("witches_spell_cast rescued_josef", 2, POSSESSED),
        ("witches_spell_broken josef_disappeared_into_the_mist", 2, POSSESSED),
        ("witches_spell_cast josef_is_alive", 1, SANFORD),
        ("witches_spell_broken rescued_josef", 4, SANFORD),
        ("witches_spell_broken josef_disappeared_into_the_mist", 1, SANFORD),
    ],
)
def test_two_of_three_facts_decide_how_the_rite_ends(
    known: str, heretics: int, expected: str
) -> None:
    """The spell, Josef, and at least 2 heretics."""
    count = do.LogCount(NOTES, "heretics_released", do.Tally.SET, heretics)
    state = happens(
        "union_and_disillusion",
        resolution="R5",
        before=[*logged(*known.split()), count],
    )

    assert lines(state)[-1] == expected


def test_missing_investigators_return_if_you_are_on_their_trail() -> None:
    """The others who took part are dead."""
    state = happens(
        "union_and_disillusion",
        resolution="R8",
        before=[
            do.AddCard("input", PUZZLE_BOX),
            recorded("disappeared_into_the_mist", "05046"),
            recorded("on_gavriellas_trail", "05046"),
            recorded("disappeared_into_the_mist", "05047"),
            do.LogLine("05048", "", mark=do.Mark.CROSS_OUT),
        ],
        given={
            "check_gavriella_alive_effects_investigator": {
                ROLAND: ("chosen_investigator",)
            }
        },
    )

    assert "alive" in lines(state, "05046")
    assert "dead" in lines(state, "05047")
    assert lines(state, "05048") == []
    assert lines(state, "05049") == ["dead"]
    assert state.people[ROLAND].story == (GAVRIELLA,)


@pytest.mark.parametrize(
    ("known", "mementos", "marks"),
    [
        ("", 0, 0),
        ("accepted_fate", 3, 2),
        ("asked_anette_for_assistance", 5, 3),
        ("accepted_fate asked_sanford_for_assistance", 6, 5),
        ("accepted_fate doom_draws_ever_closer", 2, 3),
    ],
)
def test_the_path_has_its_marks(known: str, mementos: int, marks: int) -> None:
    """Fate, help, mementos and doom each add to them."""
    found = [recorded(f"memento_{number}", "mementos") for number in range(mementos)]
    setup = happens.guide.scenarios["twist_of_fate"].setup
    state = happens(
        "twist_of_fate", *setup[:-1], before=[*logged(*known.split()), *found]
    )

    assert state.number(NOTES, "path_winds_before_you") == marks


@pytest.mark.parametrize(
    ("difficulty", "token"),
    [("easy", "-3"), ("standard", "-4"), ("hard", "-5"), ("expert", "-7")],
)
def test_help_adds_a_token_by_difficulty(difficulty: str, token: str) -> None:
    """As in the FAQ."""
    state = happens(
        "twist_of_fate",
        "check_asked_anette_for_assistance",
        before=[
            course.SetDifficulty(difficulty),
            recorded("asked_anette_for_assistance"),
        ],
    )

    assert left(state).tokens == token


@pytest.mark.parametrize("guide", [lambda: guide_of("tcu")])
def test_without_a_prologue_only_those_who_take_part_draw_a_card(guide: Any) -> None:
    """One player: three of the four are crossed out and leave nothing behind."""
    state = scene(
        guide(),
        PROLOGUE,
        ["ask_player_count", "randomizer_new"],
        given={
            "ask_player_count": 0,
            "new_missing_investigators_1": {"05048": ("chosen",)},
        },
    )

    assert [code for code in MISSING if lines(state, code)] == ["05048"]


def test_a_tarot_card_decides_fate_and_evidence() -> None:
    """Four draws, each with its pieces of evidence."""
    drawn = {"05046": ("0",), "05047": ("3",), "05048": ("17",), "05049": ("21",)}
    state = happens(PROLOGUE, "randomizer_new", given={"randomizer_new": drawn})

    assert {code: lines(state, code) for code in MISSING} == {
        "05046": ["disappeared_into_the_mist"],
        "05047": ["claimed_by_specters"],
        "05048": ["pulled_into_the_spectral_realm"],
        "05049": ["taken_by_the_watcher"],
    }
    assert state.number(NOTES, "pieces_of_evidence") == 2 + 3 + 6 + 5


def test_the_end_of_the_prologue_asks_for_each_fate_not_yet_reported() -> None:
    """Gavriella’s was reported in play; Jerome is crossed out; two are still asked."""
    state = happens(
        PROLOGUE,
        resolution="no_resolution",
        before=[
            recorded("05046_fate_decided", "hidden"),
            do.LogLine("05047", mark=do.Mark.CROSS_OUT),
        ],
        given={"choose_05048_fate": 0, "choose_05049_fate": 2},
    )

    assert {code: lines(state, code) for code in MISSING} == {
        "05046": [],
        "05047": [],
        "05048": ["taken_by_the_watcher"],
        "05049": ["disappeared_into_the_mist"],
    }


@pytest.mark.parametrize(
    ("left_behind", "read"), [(0, []), (3, ["remove_pieces_of_evidence"])]
)
def test_no_clue_is_removed_for_no_evidence(left_behind: int, read: list[str]) -> None:
    guide = open_own_guide("tcu").guide
    evidence = do.LogCount(NOTES, "pieces_of_evidence", value=left_behind)
    state = scene(guide, "at_deaths_doorstep", before=[evidence])
    step = guide.scenarios["at_deaths_doorstep"].steps["list_pieces_of_evidence"]
    assert isinstance(step, Branch)
    found = matches(state, step.condition)
    assert [each for match in found for each in match.option.steps] == read
