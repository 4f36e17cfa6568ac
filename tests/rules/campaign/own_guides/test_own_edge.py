"""Our guide of Edge of the Earth: resolutions, partners, nights and the mirage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.conditions import ConditionOptions, PartnerCheck
from arkham.rules.campaign.model.guide import Ask, CampaignGuide
from arkham.rules.campaign.model.prompts import ChooseOne
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.state.lookup import partners_matching
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.dunwich import NOTES, Left, left
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, recorded, scene

TEAM = "expedition_team"
DYER, DANFORTH, ELIYAH, SINHA = "08714", "08715", "08716", "08717"
CLAYPOOL, COOKIE, KENSLER, ELLSWORTH, TAKADA = (
    *("08718", "08719", "08720", "08721", "08722"),
)
ALL = {
    *(DYER, DANFORTH, ELIYAH, SINHA, CLAYPOOL),
    *(COOKIE, KENSLER, ELLSWORTH, TAKADA),
}
# The victory display is worth 3; no partner was in play.
GIVEN: dict[str, Any] = {
    "earn_xp": 3,
    "earn_xp_bonus_2": 3,
    "earn_xp_bonus_5": 3,
    "earn_xp_no_bonus": 3,
    "earn_xp_plus_5": 3,
    "earn_xp_plus_10": 3,
    "ask_seeping_nightmare_in_victory_display": False,
    "record_partner_trauma": {},
    "ask_expedition_assets": {},
    "$upgrade_decks": True,
}


def survived(count: int) -> str:
    """Return the lines of ``count`` surviving partners and both investigators."""
    return " ".join(
        (
            "surviving_members_header",
            *("surviving_partners",) * count,
            *("surviving_investigators",) * 2,
        )
    )


def edge() -> CampaignGuide:
    return open_own_guide("eoe").guide


def played(
    scenario: str,
    steps: Iterable[str] = (),
    before: Iterable[do.Effect] = (),
    given: Mapping[str, Any] | None = None,
    **more: Any,
) -> State:
    return scene(
        edge(), scenario, steps, before=before, given=GIVEN | dict(given or {}), **more
    )


def lost(*codes: str) -> list[do.Effect]:
    """Effects that cross out these partners."""
    return [do.PartnerStatus(TEAM, "eliminated", code) for code in codes]


def partners(state: State, word: str) -> set[str]:
    """Return the partners with this status."""
    check = PartnerCheck(TEAM, "", (word,), True, ConditionOptions({}))
    return {code for code, key in partners_matching(state, check) if key}


def notes(state: State) -> list[str]:
    return [str(line.id) for line in state.sections[NOTES].lines]


@pytest.mark.parametrize(
    ("scenario", "resolution", "expected"),
    [
        (
            *("ice_and_death_part_3", "no_resolution"),
            Left("team_barely_escaped_the_ice_shelf", 3),
        ),
        (
            *("ice_and_death_part_3", "R1"),
            Left("team_defeated_the_hunting_creatures", 8),
        ),
        ("ice_and_death_part_3", "R2", Left("team_fled_to_the_mountains", 3)),
        ("to_the_forbidden_peaks", "R1", Left("team_climbed_to_the_summit", 3)),
        (
            *("to_the_forbidden_peaks", "no_resolution"),
            Left("team_found_another_way_through_the_mountains", 3),
        ),
        ("city_of_the_elder_things", "R1", Left("team_found_the_hidden_tunnel", 3)),
        (
            *("city_of_the_elder_things", "no_resolution"),
            Left("team_was_guided_to_the_hidden_tunnel", 3),
        ),
        ("the_heart_of_madness_part_1", "R1", Left("", 3)),
        ("the_heart_of_madness_part_1", "no_resolution", Left("", 3)),
        (
            *("the_heart_of_madness_part_1", "R3"),
            Left("the_seal_was_used_improperly", fate="killed", result="lose"),
        ),
        (
            *("the_heart_of_madness_part_2", "no_resolution"),
            Left("nameless_madness_escaped", fate="insane", result="lose"),
        ),
        (
            *("the_heart_of_madness_part_2", "R1"),
            Left(
                "nameless_madness_is_contained_safely_within_its_host_for_now "
                + survived(8),
                13,
                result="win",
            ),
        ),
        (
            *("the_heart_of_madness_part_2", "R2"),
            Left(
                f"facility_was_destroyed {survived(9)}", 13, trauma=(1, 1), result="win"
            ),
        ),
        (
            *("the_heart_of_madness_part_2", "R3"),
            Left(
                f"team_escaped_the_facility {survived(9)}",
                8,
                trauma=(2, 2),
                result="win",
            ),
        ),
    ],
)
def test_a_resolution_has_its_results(
    scenario: str, resolution: str, expected: Left
) -> None:
    """Lines of the log, experience, trauma, the campaign's result."""
    assert left(played(scenario, resolution=resolution)) == expected


@pytest.mark.parametrize(("slain", "earned"), [(False, 3), (True, 5)])
def test_a_seeping_nightmare_is_worth_more_when_you_flee(
    slain: bool, earned: int
) -> None:
    """2 more, in the resolution for the defeated too."""
    asked = {"ask_seeping_nightmare_in_victory_display": slain}
    for resolution in ("no_resolution", "R2"):
        state = played("ice_and_death_part_3", resolution=resolution, given=asked)
        assert state.people[ROLAND].experience == earned


@pytest.mark.parametrize(
    ("camp", "shelter", "earned"),
    [("crash_site", 0, 3), ("rocky_crags", 3, 3), ("crystalline_cavern", 8, 8)],
)
def test_a_camp_is_worth_its_shelter_but_at_least_three(
    camp: str, shelter: int, earned: int
) -> None:
    """The shelter is recorded too."""
    step = "actually_record_camp_location"
    asked = edge().scenarios["ice_and_death_part_1"].steps[step]
    assert isinstance(asked, Ask)
    assert isinstance(asked.prompt, ChooseOne)
    choices = [each.id for each in asked.prompt.choices]
    state = played("ice_and_death_part_1", [step], given={step: choices.index(camp)})
    assert state.people[ROLAND].experience == earned
    assert state.sections["hidden"].number("camp_shelter") == shelter
    assert notes(state) == [f"camp_{camp}"]


def test_a_partner_killed_in_the_crash_is_recorded() -> None:
    """The partner is crossed out, and named for the mirage."""
    state = played(
        "ice_and_death_part_1",
        ["choose_plane_crash"],
        given={"choose_plane_crash": {ELIYAH: ("1",)}},
    )
    assert partners(state, "eliminated") == {ELIYAH}
    assert notes(state) == ["killed_in_plane_crash"]


def test_a_partner_is_eliminated_with_the_investigator() -> None:
    """The other investigators' partners stay in the log."""
    state = played(
        "ice_and_death_part_3",
        ["choose_partners", "eliminate_partners"],
        given={"choose_partners": {ROLAND: (DYER,), DAISY: (COOKIE,)}},
        outcomes={ROLAND: "physical", DAISY: "resigned"},
    )
    assert partners(state, "eliminated") == {DYER}


@pytest.mark.parametrize("abandoned", [True, False])
def test_partners_not_drawn_are_missing_in_the_night(abandoned: bool) -> None:
    """If they are abandoned they are crossed out, and the next part isn’t played."""
    safe = {DYER, KENSLER}
    state = played(
        "the_disapperance",
        ["choose_missing", "check_everybody_safe"],
        [do.LogCount("hidden", "camp_shelter", do.Tally.SET, 2), *lost(ELIYAH)],
        {
            "choose_missing": dict.fromkeys(sorted(safe), ("1",)),
            "choose_rescue": 0 if abandoned else 1,
            "choose_continue_now": 0,
        },
    )
    missing = ALL - safe - {ELIYAH}
    gone = {ELIYAH} | missing if abandoned else {ELIYAH}
    assert partners(state, "eliminated") == gone
    assert partners(state, "mia") == missing
    assert (state.statuses.get("ice_and_death_part_2") == "skipped") is abandoned


def test_with_shelter_for_all_no_partner_is_missing() -> None:
    """The next part is skipped."""
    before = [do.LogCount("hidden", "camp_shelter", do.Tally.SET, 8), *lost(ELIYAH)]
    state = played("the_disapperance", ["check_everybody_safe"], before)
    assert partners(state, "mia") == set()
    assert state.statuses["ice_and_death_part_2"] == "skipped"


@pytest.mark.parametrize(("alive", "frost"), [(True, 0), (False, 1)])
def test_the_climb_is_harder_without_eliyah_or_his_sledge(
    alive: bool, frost: int
) -> None:
    """One frost token for both, whichever is missing."""
    sledge = recorded("wooden_sledge", "supplies_recovered")
    before = [sledge, *([] if alive else lost(ELIYAH))]
    state = played("to_the_forbidden_peaks", ["check_eliyah_and_sledge"], before)
    assert state.bag.get("frost", 0) == frost


@pytest.mark.parametrize(
    ("gone", "version"),
    [
        ((DANFORTH, DYER), "v1"),
        ((KENSLER, DYER), "v2"),
        ((KENSLER, DANFORTH), "v3"),
    ],
)
def test_the_group_with_most_partners_alive_decides(
    gone: tuple[str, ...], version: str
) -> None:
    """On a tie the lead investigator decides."""
    steps = ["cast_votes", "check_group_one"]
    state = played("city_of_the_elder_things", steps, lost(*gone))
    hidden = [str(line.id) for line in state.sections["hidden"].lines]
    assert f"city_of_the_elder_things_{version}" in hidden


@pytest.mark.parametrize(("dead", "who"), [(2, False), (3, True)])
def test_a_door_appears_to_teams_that_lost_three_partners(dead: int, who: bool) -> None:
    """Only they are asked about it and play Fatal Mirage next."""
    state = played(
        *("restful_night", ["check_eliminated_partners"]),
        lost(*sorted(ALL)[:dead]),
        {"choose_fatal_mirage": 0},
    )
    assert (state.next_scenarios == ("fatal_mirage",)) is who


def test_a_banished_memory_is_crossed_out() -> None:
    """It earns 2 experience."""
    state = played(
        *("fatal_mirage", ["record_memories_banished"]),
        [recorded("moai_statues", "memories_discovered")],
        {"record_memories_banished": {"moai_statues": ("checked",)}},
    )
    (line,) = state.sections["memories_discovered"].lines
    assert line.crossed_out
    assert state.people[ROLAND].experience == 2


def test_a_victim_is_saved_by_a_surviving_friend() -> None:
    """Dyer by Dr. Kensler; without her he is crossed out."""
    chosen = {"choose_victim": {DYER: ("1",)}}
    for gone, expected in ((set(), set()), ({KENSLER}, {KENSLER, DYER})):
        state = played(
            *("the_heart_of_madness_part_1", ["check_the_final_straw"]),
            *(lost(*gone), chosen),
        )
        assert partners(state, "eliminated") == expected
        assert partners(state, "victim") == set()


def test_dr_kensler_stays_behind_with_her_plan() -> None:
    """She is alive, but can’t be chosen."""
    knows = recorded("dr_kensler_understands_the_true_nature_of_the_miasma")
    part = "the_heart_of_madness_part_2"
    state = played(part, ["check_kensler_understands"], [knows])
    assert notes(state)[-1] == "dr_kensler_has_a_plan"
    assert partners(state, "cannot_take") == {KENSLER}
