"""Finds the decks beside the encounter deck that a scenario plays with."""

from __future__ import annotations

from arkham.rules.campaign.by_hand.belonging import tekeli_li
from arkham.rules.campaign.by_hand.facts import (
    campaign_facts,
    facts_about,
    known_campaigns,
)

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
