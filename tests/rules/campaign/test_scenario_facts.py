"""Facts about a scenario at the table: its symbols and special decks."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.by_hand.facts import SIDE, campaign_facts, known_campaigns
from arkham.rules.campaign.by_hand.scenarios import (
    exploration_cards,
    has_tekeli_li_deck,
    symbols_at,
)
from arkham.rules.chaos.bag import Token
from arkham.rules.chaos.starting import Difficulty, campaigns
from arkham.rules.snapshot import embedded_pool
from tests.rules.campaign.helpers.scenes import guide_of, recorded, scene

STANDARD = Difficulty.STANDARD


@pytest.mark.parametrize("campaign", [*campaigns(), SIDE])
def test_every_official_scenario_has_its_symbols(campaign: str) -> None:
    """Only fan-made side scenarios have no reference card here."""
    for scenario in campaign_facts(campaign).scenarios.values():
        is_official = campaign != SIDE or scenario.card[:1].isdigit()
        if scenario.is_played and is_official:
            assert symbols_at(campaign, scenario.id, STANDARD), scenario.id


def test_a_return_to_scenario_uses_the_original_reference_card() -> None:
    returned = symbols_at("rtnotz", "return_to_the_gathering", STANDARD)
    assert returned == symbols_at("core", "torch", STANDARD)
    assert returned[Token.CULTIST].meaning.modifier == -1


def test_a_side_scenario_has_its_symbols_in_any_campaign() -> None:
    alone = symbols_at(SIDE, "curse_of_the_rougarou", STANDARD)
    assert symbols_at("dwl", "curse_of_the_rougarou#1", STANDARD) == alone != {}


def test_expert_and_malevolence_use_the_hard_side() -> None:
    harder = symbols_at("core", "torch", Difficulty.EXPERT)
    assert symbols_at("core", "torch", STANDARD, frozenset({"malevolence"})) == harder


def test_scenarios_with_an_exploration_deck_are_known() -> None:
    played = scene(guide_of("tfa"), "wilds")
    explored = {
        f"{campaign}.{scenario}"
        for campaign in (*known_campaigns(), SIDE)
        for scenario in campaign_facts(campaign).scenarios
        if exploration_cards(played, scenario)
    }
    assert "tfa.wilds" in explored
    assert "rttfa.return_to_the_untamed_wilds" in explored
    assert "gob.the_eternal_slumber" in explored
    assert "tfa.threads_of_fate" not in explored
    assert "tfa.the_city_of_archives" not in explored
    assert {each.partition(".")[0] for each in explored} == {
        "tfa", "rttfa", "gob", SIDE,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("campaign", "scenario", "numbers"),
    [
        ("tfa", "wilds", [5, 5]),
        ("tfa", "eztli", [5, 5]),
        ("tfa", "the_boundary_beyond", [12, 4]),
        ("tfa", "heart_of_the_elders_part_1", [7, 4]),
        ("tfa", "heart_of_the_elders_part_2", [5, 4]),
        ("tfa", "the_depths_of_yoth", [2, 0]),
        ("tfa", "shattered_aeons", [3, 3]),
        ("tfa", "turn_back_time", [5, 5]),
        ("tfa", "threads_of_fate", [0, 0]),
        ("rttfa", "return_to_the_untamed_wilds", [9, 0]),
        ("rttfa", "return_to_the_doom_of_eztli", [7, 0]),
        ("rttfa", "return_to_heart_of_the_elders_part_1", [11, 0]),
        ("rttfa", "return_to_heart_of_the_elders_part_2", [9, 0]),
        ("rttfa", "return_to_turn_back_time", [7, 0]),
        ("rttfa", "return_to_the_boundary_beyond", [12, 0]),
        ("rttfa", "return_to_the_depths_of_yoth", [2, 1]),
        ("rttfa", "return_to_shattered_aeons", [4, 0]),
        ("gob", "the_eternal_slumber", [7, 5]),
        ("gob", "the_nights_usurper", [7, 4]),
        (SIDE, "relics_of_the_past", [5, 5]),
    ],
)
def test_the_cards_of_an_exploration_deck_are_known(
    campaign: str, scenario: str, numbers: list[int]
) -> None:
    """As many as the guide counts, all from the scenario’s encounter sets."""
    lists = exploration_cards(scene(guide_of("tfa"), "wilds"), f"{scenario}#1")
    rows = [lists.get(key, "").splitlines() for key in ("locations", "treacheries")]
    assert [len(each) for each in rows] == numbers
    sets = campaign_facts(campaign).scenarios[scenario].sets
    kinds: dict[str, set[str]] = {}
    for card in embedded_pool().values():
        if card.encounter_set in sets:
            kinds.setdefault(card.name.replace("'", "’"), set()).add(card.type.value)
    for row, allowed in zip(rows, ({"location"}, {"treachery", "enemy"}), strict=True):
        for line in row:
            for name in line.rpartition(" of: ")[2].split(" / "):
                assert kinds[name] & allowed, name


def test_a_ruin_in_play_is_not_explored() -> None:
    """Those who mapped out the way begin with it in play."""
    mapped = scene(guide_of("tfa"), "wilds", before=[recorded("mapped_way_forward")])
    lists = exploration_cards(mapped, "heart_of_the_elders_part_1")
    assert len(lists["locations"].splitlines()) == 6


def test_campaigns_with_a_tekeli_li_deck_are_known() -> None:
    found = [each for each in known_campaigns() if has_tekeli_li_deck(each)]
    assert found == ["eoe"]
    assert not has_tekeli_li_deck("a guide nobody knows")
