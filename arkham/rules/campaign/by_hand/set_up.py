"""What facts say for setting a scenario up: symbols of tokens, decks set aside."""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.campaign.by_hand.belonging import tekeli_li
from arkham.rules.campaign.by_hand.facts import (
    campaign_facts,
    facts_about,
    known_campaigns,
)
from arkham.rules.chaos.bag import Token
from arkham.rules.chaos.starting import (
    Difficulty,
    SymbolFact,
    reference_symbols,
    scenarios,
)


def symbols_at(
    guide: str,
    encoded: str,
    difficulty: Difficulty,
    ultimatums: frozenset[str] = frozenset(),
) -> Mapping[Token, SymbolFact]:
    """The symbols of a scenario's reference card; none where no card is known.

    A Return to uses the card of the scenario it returns to.
    """
    card = _reference_card(guide, encoded.partition("#")[0])
    return reference_symbols(card, difficulty, ultimatums)


def _reference_card(guide: str, scenario: str) -> str:
    for campaign in (guide, "side"):
        listed = scenarios().get(f"{campaign}.{scenario}")
        if listed is not None:
            return listed.card
    for facts in facts_about(guide):
        known = facts.scenarios.get(scenario)
        if known is not None:
            return known.card
    return ""


# The encounter sets of scenarios that are set up with an exploration deck (CYC-FA3).
EXPLORED = frozenset(
    {
        "eztli",
        "heart_of_the_elders",
        "relics_of_the_past",
        "shattered_aeons",
        "the_boundary_beyond",
        "the_depths_of_yoth",
        "the_eternal_slumber",
        "the_nights_usurper",
        "turn_back_time",
        "wilds",
    }
)


def has_exploration_deck(guide: str, encoded: str) -> bool:
    """Whether a scenario is set up with an exploration deck."""
    scenario = encoded.partition("#")[0]
    for facts in facts_about(guide):
        known = facts.scenarios.get(scenario)
        if known is not None:
            return bool(EXPLORED & {*known.sets})
    return False


def has_tekeli_li_deck(guide: str) -> bool:
    """Whether a campaign plays with a Tekeli-li deck (CYC-EE4)."""
    if guide not in known_campaigns():
        return False
    return bool(tekeli_li(campaign_facts(guide)))
