"""Each erratum of the FAQ about campaigns, with the correct result.

Errata about setup only (ERR-15, 21, 27) change nothing in a log: they are shown during
setup. ERR-13 is the ``fewer`` of an opening hand (``tests/rules/draws/test_hands.py``).
"""

from __future__ import annotations

import pytest

from arkham.rules.campaign.by_hand.facts import campaign_facts
from arkham.rules.campaign.effects.personal import SOURCES
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Batch
from arkham.rules.campaign.model.guide import Ask, CampaignGuide
from arkham.rules.campaign.model.prompts import CardChoice, ChooseOne
from arkham.rules.campaign.reading.files import Words, words_of
from arkham.rules.campaign.state.lookup import TraumaKind
from arkham.rules.chaos.bag import Token
from arkham.rules.chaos.starting import Difficulty, campaigns
from arkham.rules.snapshot import embedded_pool
from tests.rules.campaign.helpers.guides import shared_stems
from tests.rules.campaign.helpers.scenes import (
    DAISY,
    ROLAND,
    guide_of,
    named,
    recorded,
    scene,
)

NOTES = "campaign_notes"
ARMITAGE, RELIC = "02040", "04191"


@pytest.mark.parametrize("sacrificed", [False, True])
def test_err_08_armitage_survives_unless_he_was_sacrificed(sacrificed: bool) -> None:
    state = scene(
        guide_of("dwl"),
        "blood_on_the_altar",
        ["check_henry_armitage"],
        before=[named(ARMITAGE, "sacrificed")] if sacrificed else [],
    )
    assert state.has_line(NOTES, "henry_armitage_survived") is not sacrificed
    steps = guide_of("dwl").scenarios["blood_on_the_altar"].resolutions
    assert "check_henry_armitage" in steps["no_resolution"].steps


def test_err_09_two_tokens_of_one_symbol_end_echoes_of_the_past() -> None:
    before = course.Tokens(("cultist", "cultist", "tablet"), 1)
    state = scene(
        guide_of("ptc"), "echoes_of_the_past", resolution="R2", before=[before]
    )

    assert {token: count for token, count in state.bag.items() if count} == {
        "elder_thing": 2
    }


def test_err_10_the_lunatics_are_possessed() -> None:
    """No card has the Lunatic trait any more."""
    pool = embedded_pool().values()

    assert not [card.code for card in pool if "lunatic" in card.traits]
    assert "possessed" in embedded_pool()["03065b"].traits


@pytest.mark.parametrize(
    ("choice", "experience"), [("survived", 2), ("possessed", 0), ("neither", 0)]
)
def test_err_11_daniel_survived_was_possessed_or_neither(
    choice: str, experience: int
) -> None:
    guide = guide_of("ptc")
    step = guide.scenarios["ptc_interlude2"].steps["daniel_choice"]
    assert isinstance(step, Ask)
    assert isinstance(step.prompt, ChooseOne)
    ids = [each.id for each in step.prompt.choices]
    number = ids.index(choice)
    state = scene(
        guide, "ptc_interlude2", ["daniel_choice"], given={"daniel_choice": number}
    )

    assert ids == ["survived", "possessed", "neither"]
    person = state.people.get(ROLAND)
    assert (person.experience if person else 0) == experience


@pytest.mark.parametrize("knife", [False, True])
def test_err_12_the_relic_that_was_found_is_missing_again(knife: bool) -> None:
    """One line is crossed out, another recorded, the card is lost; not with a knife."""
    before: list[do.Effect] = [
        recorded("found_missing_relic"),
        do.AddCard("input", RELIC),
    ]
    if knife:
        before.append(do.GainSupplies("supplies", ("pocketknife",)))
    state = scene(
        guide_of("tfa"),
        "the_depths_of_yoth",
        ["check_found_missing_relic"],
        before=before,
    )

    assert state.has_line(NOTES, "found_missing_relic") is knife
    assert state.has_line(NOTES, "relic_is_missing") is not knife
    assert state.people[ROLAND].story == ((RELIC,) if knife else ())


TOKENS = [("easy", "-3"), ("standard", "-4"), ("hard", "-5"), ("expert", "-7")]


@pytest.mark.parametrize(("difficulty", "token"), TOKENS)
def test_err_14_a_token_by_difficulty_is_added(difficulty: str, token: str) -> None:
    """For a missing relic, and for help from Anette or Sanford."""
    level = course.SetDifficulty(difficulty)
    dark = scene(
        guide_of("tfa"),
        "tfa_interlude5",
        [f"check_relic_is_missing_{difficulty}"],
        before=[level, recorded("relic_is_missing")],
    )
    assert {each: count for each, count in dark.bag.items() if count} == {token: 1}
    for helper in ("anette", "sanford"):
        twist = scene(
            guide_of("tcu"),
            "twist_of_fate",
            [f"check_asked_{helper}_for_assistance"],
            before=[level, recorded(f"asked_{helper}_for_assistance")],
        )
        assert twist.bag == {token: 1}


@pytest.mark.parametrize(
    ("resolution", "embraced"),
    [("no_resolution_resigned", False), ("no_resolution_defeated", True)],
)
def test_err_16_the_first_resolution_needs_an_investigator_who_resigned(
    resolution: str, embraced: bool
) -> None:
    """The Wages of Sin: if all were defeated the watcher embraced them."""
    state = scene(guide_of("tcu"), "the_wages_of_sin", resolution=resolution)

    assert state.has_line(NOTES, "survived_the_watchers_embrace") is embraced


def test_err_17_the_blob_has_two_resolutions_and_three_more_cards() -> None:
    """ELSE: Alien Instruments, Corrosive Cloud and G-Men can be kept, too."""
    guide = guide_of("side")
    usual = guide.scenarios["blob_that_ate_everything"]
    other = guide.scenarios["blob_that_ate_everything_else"]

    for blob in (usual, other):
        assert list(blob.resolutions) == ["no_resolution", "R1", "R2"]
    assert _keepable(other) - _keepable(usual) == {"89019", "89020", "89021"}


def _keepable(blob: object) -> set[str]:
    steps = blob.steps  # type: ignore[attr-defined]
    assert isinstance(steps["earn_assets"], Ask)
    assert isinstance(steps["earn_assets"].prompt, CardChoice)
    return {
        step_id.removeprefix("earn_asset_")
        for step_id in steps
        if step_id.startswith("earn_asset_")
    }


def test_err_18_the_harbinger_is_crossed_out_or_its_damage_replaced() -> None:
    guide = guide_of("rttfa")
    alive = [do.LogCount(NOTES, "harbinger_alive", do.Tally.SET, 3)]
    choices = {"no_harbinger": 0, "victory_display": 1, "alive": 2}

    def after(choice: str) -> int:
        state = scene(
            guide,
            "return_to_threads_of_fate",
            ["maybe_check_harbinger"],
            before=alive,
            given={"check_harbinger": choices[choice], "record_harbinger": 7},
        )
        return state.number(NOTES, "harbinger_alive")

    assert after("no_harbinger") == 3
    assert after("victory_display") == 0
    assert after("alive") == 7


def test_err_19_the_throne_has_a_sixth_resolution() -> None:
    scenarios = guide_of("rttcu").scenarios
    resolutions = scenarios["return_to_before_the_black_throne"].resolutions

    assert [each for each in resolutions if each[0] == "R"] == [
        "R1", "R2", "R3", "R4", "R5", "R6",
    ]  # fmt: skip


def test_err_20_red_tide_needs_an_investigator_who_resigned() -> None:
    """For Resolution 1; if all were defeated it is Resolution 2."""
    tide = guide_of("side").scenarios["red_tide_rising"].resolutions

    assert tide["no_resolution_resigned"].steps == ("resolution_1",)
    assert "resigned" in tide["no_resolution_resigned"].statuses
    assert tide["no_resolution_defeated"].steps == ("resolution_2",)
    assert "resigned" not in tide["no_resolution_defeated"].statuses


def test_err_22_both_will_be_seen_again() -> None:
    state = scene(guide_of("tskc"), "alexandria", resolution="R6")

    for whom in ("the_claret_knight", "the_beast"):
        assert state.has_line(NOTES, f"have_not_seen_the_last_of_{whom}")


def test_err_23_an_investigator_takes_the_sable_glass() -> None:
    state = scene(
        guide_of("tskc"),
        "anchorage",
        resolution="R2",
        given={"give_sable_glass_to_investigator": {DAISY: ("sable_glass",)}},
    )

    assert ("sable_glass", DAISY, "") in state.map.keys


def test_err_24_one_six_of_the_expert_bag_is_a_seven() -> None:
    """In the facts and in the guide."""
    bag = campaigns()["fhv"].bags[Difficulty.EXPERT]
    assert (bag[Token("-6")], bag[Token("-7")]) == (1, 1)
    choice = guide_of("fhv").setup.steps["difficulty_choice"]
    assert isinstance(choice, Ask)
    assert isinstance(choice.prompt, ChooseOne)
    expert = next(each for each in choice.prompt.choices if each.id == "expert")
    tokens = [
        token
        for batch in expert.batches
        for effect in batch.plain
        if isinstance(effect, course.Tokens)
        for token in effect.tokens
    ]
    assert (tokens.count("-6"), tokens.count("-7")) == (1, 1)


@pytest.mark.parametrize(
    ("night", "evening"),
    [
        ("the_twisted_hollow", "the_first_evening"),
        ("the_longest_night", "the_second_evening"),
    ],
)
def test_err_25_each_of_two_nights_has_its_scenario(night: str, evening: str) -> None:
    """It is named only on the evening before."""
    guide = guide_of("fhv")

    assert _naming(guide, night) == {evening}


def _naming(guide: CampaignGuide, scenario_id: str) -> set[str]:
    """Return the scenarios with prompts that name this one as the next."""
    found = set()
    for each in [*guide.scenarios.values(), guide.setup]:
        for step in each.steps.values():
            if not isinstance(step, Ask) or not isinstance(step.prompt, ChooseOne):
                continue
            batches: list[Batch] = [
                batch for choice in step.prompt.choices for batch in choice.batches
            ]
            if course.NextScenario(scenario_id) in [
                effect for batch in batches for effect in batch.plain
            ]:
                found.add(each.id)
    return found


@pytest.mark.parametrize(
    ("guide", "scenario", "step", "says"),
    [
        ("tcu", "the_witching_hour", "setup_locations", "exactly 5"),
        ("tskc", "buenos_aires", "find_chica_roja", "enemy side"),
        ("tskc", "kuala_lampur", "gather_mini_cards", "Tzu San Niang"),
        ("tskc", "tunguska", "gather_decoy_cards", "Mimetic Nemesis"),
        ("fhv", "hemlock_house", "setup_gideon", "Little Sylvie"),
        ("tdc", "the_apiary", "gather_inescapable", "The Inescapable"),
        (
            "tdc",
            "the_doom_of_arkham_part_1",
            "gather_artifacts",
            "Horror in Clay",
        ),
    ],
)
def test_err_15_21_26_and_27_are_shown_during_setup(
    guide: str, scenario: str, step: str, says: str
) -> None:
    """The text of the step includes the correction."""
    assert step in guide_of(guide).scenarios[scenario].steps
    words = Words(words_of(shared_stems()[guide])).step(scenario, step)
    assert says in str(words)


@pytest.mark.parametrize(("done", "experience"), [(True, 2), (False, 1)])
def test_err_26_the_sixth_codex_needs_gideons_tale(done: bool, experience: int) -> None:
    """On the last evening; the treasure alone is not enough."""
    tale = [recorded("gideon_told_the_tale_of_the_annabelle_lee", "gideon")]
    state = scene(
        guide_of("fhv"),
        "the_final_evening",
        ["check_gideon_conditions"],
        before=[
            recorded("gideon_found_his_treasure", "gideon"),
            *(tale if done else ()),
        ],
    )

    finished = "gideon_finished_the_tale_of_the_annabelle_lee"
    assert state.has_line("gideon", finished) is done
    assert state.people[ROLAND].experience == experience


def test_err_26_after_the_truce_neither_heir_has_a_codex() -> None:
    """The codex entries of both are no longer read."""
    state = scene(
        guide_of("fhv"),
        "the_final_evening",
        ["check_hemlocks_are_hashing_it_out"],
        before=[recorded("the_hemlocks_are_hashing_it_out", "hidden")],
        version=4,
    )

    for codex in (4, 5, 13):
        assert state.has_line("hidden", f"fhv_final_evening_codex_{codex}")


def test_err_27_the_inescapable_is_gathered_for_the_apiary() -> None:
    """In the facts; on the second attempt it is set aside."""
    assert "the_inescapable" in campaign_facts("tdc").scenarios["the_apiary"].sets


def test_err_28_the_deep_end_is_an_achievement_to_tick() -> None:
    found = {each.id: each.kind for each in guide_of("tdc").achievements}

    assert found["deep_end"] == "binary"


def test_err_32_and_38_three_weaknesses_give_trauma_at_the_end_of_a_game() -> None:
    """One mental trauma each, stated by the table; The Final Seal gives none."""
    cards = {each.name: each for each in SOURCES.values() if not each.by_ultimatum}

    assert set(cards) == {"Smite the Wicked", "Searching for Izzie", "Seeing Red"}
    assert {(each.kinds, each.most) for each in cards.values()} == {
        ((TraumaKind.MENTAL,), 1)
    }


# -- when experience is spent --


def _windows(guide: CampaignGuide, scenario_id: str) -> set[str]:
    """Return the resolutions after which decks are upgraded."""
    scenario = guide.scenarios[scenario_id]
    return {
        each.id
        for each in scenario.resolutions.values()
        if "$upgrade_decks" in each.steps
    }


def test_decks_are_not_upgraded_between_the_parts_of_the_elders() -> None:
    """XP-21: experience is spent after the second part."""
    guide = guide_of("tfa")

    assert _windows(guide, "heart_of_the_elders_part_1") == set()
    assert _windows(guide, "heart_of_the_elders_part_2") != set()


def test_in_innsmouth_decks_are_upgraded_only_if_the_guide_says_so() -> None:
    """XP-22: not after Devil Reef, but after Horror in High Gear."""
    guide = guide_of("tic")

    assert _windows(guide, "devil_reef") == set()
    assert _windows(guide, "horror_in_high_gear") != set()
