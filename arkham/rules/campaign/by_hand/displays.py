"""What facts say about a scenario's setup and its victory display.

Cards of the display with their printed points, symbol tokens, decks set aside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from arkham.rules.campaign.by_hand.belonging import tekeli_li
from arkham.rules.campaign.by_hand.facts import (
    SIDE,
    CampaignFacts,
    campaign_facts,
    facts_about,
    known_campaigns,
)
from arkham.rules.campaign.model.guide import SETUP, Ask, CampaignGuide, Step
from arkham.rules.campaign.model.prompts import VictoryDisplay, Worth
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
    """Return the symbols on a scenario's reference card; empty if it isn't known.

    A Return to scenario uses the card of the original scenario.
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
    """Return whether a scenario is set up with an exploration deck."""
    scenario = encoded.partition("#")[0]
    for facts in facts_about(guide):
        known = facts.scenarios.get(scenario)
        if known is not None:
            return bool(EXPLORED & {*known.sets})
    return False


def has_tekeli_li_deck(guide: str) -> bool:
    """Return whether a campaign is played with a Tekeli-li deck (CYC-EE4)."""
    if guide not in known_campaigns():
        return False
    return bool(tekeli_li(campaign_facts(guide)))


def cards_of(facts: CampaignFacts, codes: tuple[str, ...]) -> tuple[Worth, ...]:
    """Return cards with their victory points; vengeance alone is worth 0 (VIC-07).

    Those with 0 points are left out: they don't change what is earned.
    """
    return tuple(
        Worth(code, worth.victory, worth.copies)
        for code in codes
        if (worth := facts.victory[code]).victory
    )


def cards_for(prompt: VictoryDisplay, guide: str, encoded: str) -> tuple[Worth, ...]:
    """Return the cards to expect when a guide asks for a scenario's victory display."""
    if prompt.cards is not None:
        return prompt.cards
    return _expected(guide, encoded.partition("#")[0])


def points_in(
    prompt: VictoryDisplay, guide: str, encoded: str
) -> Callable[[str], int | None]:
    """Return a function for the points of a card: as expected, or else as printed."""
    listed = {each.code: each.points for each in cards_for(prompt, guide, encoded)}

    def points(code: str) -> int | None:
        found = listed.get(code)
        return printed_points().get(code) if found is None else found

    return points


@cache
def printed_points() -> Mapping[str, int]:
    """Return the victory points of every card that has any, by code."""
    return {
        code: worth.victory
        for campaign in (*known_campaigns(), SIDE)
        for code, worth in campaign_facts(campaign).victory.items()
        if worth.victory is not None
    }


def display_at(guide: CampaignGuide, encoded: str, step: str) -> VictoryDisplay | None:
    """Return the prompt of a step if it asks for the victory display, else None."""
    base = encoded.partition("#")[0]
    scenario = guide.setup if base == SETUP else guide.scenarios.get(base)
    scenario = scenario or guide.side.get(base)
    own: Mapping[str, Step] = scenario.steps if scenario is not None else {}
    found = own.get(step) or own.get(step.partition("#")[0]) or guide.core.get(step)
    if isinstance(found, Ask) and isinstance(found.prompt, VictoryDisplay):
        return found.prompt
    return None


@cache
def _expected(campaign: str, scenario: str) -> tuple[Worth, ...]:
    """Return the cards in a scenario's facts; without facts, only player cards."""
    for facts in facts_about(campaign):
        known = facts.scenarios.get(scenario)
        if known is not None:
            return cards_of(facts, known.victory)
    facts = campaign_facts(SIDE)
    players = (code for code, worth in facts.victory.items() if worth.copies is None)
    return cards_of(facts, tuple(sorted(players)))
