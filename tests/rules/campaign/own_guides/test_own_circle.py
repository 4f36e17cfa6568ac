"""Our guide of The Circle Undone: the results of its resolutions."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.model import effects as do
from tests.rules.campaign.helpers.circle import happens, lines
from tests.rules.campaign.helpers.dunwich import Left, left
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, guide_of, scene

TOWER, ACE = "05042", "05040"
NOTHING_LEARNED = Left("learned_nothing_of_the_lodges_schemes", 3)
EMBRACED = Left("survived_the_watchers_embrace heretics_released", 3)
SANFORD = Left("carl_sanford_possesses_the_secrets_of_the_universe", 3)
POSSESSED = Left("anette_mason_is_possessed_by_evil", 3)
DEVOURED = Left("azathoth_devoured_the_universe", fate="killed", result="lose")
SIGNED = Left(
    "azathoth_slumbers signed_the_black_book", 13, trauma=(2, 2), result="win"
)
RESOLUTIONS = {
    "the_witching_hour": {
        "no_resolution": Left("witches_spell_cast", 4),
        "R1": Left("witches_spell_broken", 4),
        "R2": Left("witches_spell_broken", 4),
        "R3": Left("witches_spell_cast", 4),
        "R4": Left("witches_spell_cast", 4),
    },
    "at_deaths_doorstep": {
        "no_resolution": NOTHING_LEARNED,
        "R1": Left("investigators_escaped_the_spectral_realm", 3),
        "R2": NOTHING_LEARNED,
    },
    "the_secret_name": {
        "no_resolution": Left("", 4),
        "R1": Left("", 4),
        "R2": Left("", 5),
    },
    "the_wages_of_sin": {
        "no_resolution_defeated": EMBRACED,
        "no_resolution_resigned": Left("heretics_released", 3),
        "R1": Left("heretics_released", 3),
        "R2": EMBRACED,
    },
    "for_the_greater_good": {
        "no_resolution": Left("guardian_of_the_trap_emerged", 3),
        "R1": Left("discovered_how_to_open_the_puzzle_box", 3),
        "R2": Left("discovered_how_to_open_the_puzzle_box", 3),
        "R3": Left("guardian_of_the_trap_defeated", 3),
    },
    "union_and_disillusion": {
        "no_resolution": SANFORD,
        "R2": Left("true_work_of_silver_twilight_lodge_has_begun", result="win"),
        "R3": SANFORD,
        "R4": POSSESSED,
        "R5": SANFORD,
        "R6": SANFORD,
        "R7": POSSESSED,
    },
    "in_the_clutches_of_chaos": {
        "R1": Left("continued_alone", 3),
        "R2": Left("continued_alone", 3),
        "R3": Left("doom_draws_ever_closer", 3),
        "R4": Left("doom_draws_ever_closer", 3),
    },
    "before_the_black_throne": {
        "no_resolution": DEVOURED,
        "R1": DEVOURED,
        "R2": Left(
            "lead_investigator_joins_pipers azathoth_slumbers",
            fate="insane",
            result="win",
        ),
        "R3": Left("azathoth_slumbers", 8, trauma=(2, 0), result="win"),
        "R4": SIGNED,
        "R5": SIGNED,
    },
}


@pytest.mark.parametrize("scenario_id", RESOLUTIONS)
def test_a_resolution_has_its_results(scenario_id: str) -> None:
    """Lines of the log, experience, trauma, fates, the campaign's result."""
    found = {
        resolution: left(
            happens(
                scenario_id,
                resolution=resolution,
            )
        )
        for resolution in RESOLUTIONS[scenario_id]
    }

    assert found == RESOLUTIONS[scenario_id]


@pytest.mark.parametrize(
    ("scenario_id", "resolution", "mementos"),
    [
        ("the_witching_hour", "R1", "mesmerizing_flute ritual_components"),
        ("the_witching_hour", "R2", "mesmerizing_flute scrap_of_torn_shadow"),
        ("the_witching_hour", "R3", "mesmerizing_flute"),
        ("the_secret_name", "R1", "gilmans_journal keziahs_formulae"),
        ("the_secret_name", "R2", "gilmans_journal keziahs_formulae worn_crucific"),
        ("the_wages_of_sin", "R1", "corn_husk_doll wisp_of_spectral_mist"),
        ("the_wages_of_sin", "R2", "wisp_of_spectral_mist"),
        ("the_wages_of_sin", "no_resolution_resigned", "wisp_of_spectral_mist"),
    ],
)
def test_a_resolution_discovers_its_mementos(
    scenario_id: str, resolution: str, mementos: str
) -> None:
    """The doll only if Resolution 1 was reached."""
    state = happens(scenario_id, resolution=resolution)

    assert lines(state, "mementos") == mementos.split()


def test_four_heretics_discover_no_wisp() -> None:
    """At most 3 may be unleashed."""
    state = happens(
        "the_wages_of_sin", resolution="R1", given={"record_heretics_released": 4}
    )

    assert lines(state, "mementos") == ["corn_husk_doll"]


@pytest.mark.parametrize(
    ("choice", "line", "tokens", "story"),
    [
        (0, "accepted_fate", "tablet tablet", (TOWER, ACE)),
        (1, "rejected_fate", "elder_thing elder_thing", ()),
    ],
)
def test_fate_can_be_accepted_or_rejected(
    choice: int, line: str, tokens: str, story: tuple[str, ...]
) -> None:
    """The lead investigator gains two cards if it is accepted."""
    state = happens("the_witching_hour", "choose_fate", given={"choose_fate": choice})
    found = left(state)

    assert (found.lines, found.tokens) == (line, tokens)
    assert (state.people[ROLAND].story or ()) == story


def test_only_investigators_without_clues_leave_a_trail() -> None:
    """Only if they took part in the prologue."""
    crossed = do.LogLine("05047", "", mark=do.Mark.CROSS_OUT)
    state = happens(
        "at_deaths_doorstep",
        "check_gavriella_fate",
        "check_jerome_fate",
        "check_penny_fate",
        before=[crossed],
        given={"check_gavriella_clues_gone": True, "check_penny_clues_gone": False},
    )

    assert lines(state, "05046") == ["on_gavriellas_trail"]
    assert lines(state, "05047") == lines(state, "05049") == []


def test_resolution_3_kills_those_who_did_not_resign() -> None:
    """At Death's Doorstep; the others continue the campaign."""
    state = happens(
        "at_deaths_doorstep",
        resolution="R3",
        outcomes={ROLAND: "physical", DAISY: "resigned"},
        given={"choose_new_investigators": {"01003": ("chosen",)}},
    )

    assert state.is_killed(ROLAND)
    assert not state.is_killed(DAISY)
    assert state.campaign_result == ""
    assert state.statuses["the_price_of_progress"] == "skipped"


def test_the_campaign_ends_without_its_epilogue_if_no_one_is_left() -> None:
    """The field's guide skips the epilogue of another campaign."""
    ours = happens("at_deaths_doorstep", "lose_campaign")
    field = scene(guide_of("tcu"), "at_deaths_doorstep", ["lose_campaign"])

    assert ours.campaign_result == field.campaign_result == "lose"
    assert ours.statuses == {"tcu_epilogue": "skipped"}
    assert field.statuses == {"ptc_epilogue": "skipped"}
