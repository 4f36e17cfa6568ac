"""Facts about a scenario at the table: its symbols and special decks."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.by_hand.facts import SIDE, campaign_facts, known_campaigns
from arkham.rules.campaign.by_hand.scenarios import (
    has_exploration_deck,
    has_tekeli_li_deck,
    symbols_at,
)
from arkham.rules.chaos.bag import Token
from arkham.rules.chaos.starting import Difficulty, campaigns

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
    explored = {
        f"{campaign}.{scenario}"
        for campaign in (*known_campaigns(), SIDE)
        for scenario in campaign_facts(campaign).scenarios
        if has_exploration_deck(campaign, scenario)
    }
    assert "tfa.wilds" in explored
    assert "rttfa.return_to_the_doom_of_eztli" in explored
    assert "tfa.threads_of_fate" not in explored
    assert "tfa.the_city_of_archives" not in explored
    assert {each.partition(".")[0] for each in explored} == {
        "tfa", "rttfa", "gob", SIDE,
    }  # fmt: skip


def test_campaigns_with_a_tekeli_li_deck_are_known() -> None:
    found = [each for each in known_campaigns() if has_tekeli_li_deck(each)]
    assert found == ["eoe"]
    assert not has_tekeli_li_deck("a guide nobody knows")
