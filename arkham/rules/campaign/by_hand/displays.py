"""The cards that may lie in a victory display, and the points printed on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from arkham.rules.campaign.by_hand.facts import (
    SIDE,
    CampaignFacts,
    campaign_facts,
    facts_about,
    known_campaigns,
)
from arkham.rules.campaign.model.guide import SETUP, CampaignGuide
from arkham.rules.campaign.model.steps import Ask, Step, VictoryDisplay, Worth


def cards_of(facts: CampaignFacts, codes: tuple[str, ...]) -> tuple[Worth, ...]:
    """Cards by their victory points; vengeance alone is worth none (VIC-07).

    Those with 0 points are left out: whether they are there changes nothing earned.
    """
    return tuple(
        Worth(code, worth.victory, worth.copies)
        for code in codes
        if (worth := facts.victory[code]).victory
    )


def cards_for(prompt: VictoryDisplay, guide: str, encoded: str) -> tuple[Worth, ...]:
    """The cards to be expected where a guide asks for the display of a scenario."""
    if prompt.cards is not None:
        return prompt.cards
    return _expected(guide, encoded.partition("#")[0])


def points_in(
    prompt: VictoryDisplay, guide: str, encoded: str
) -> Callable[[str], int | None]:
    """The points of a card there; of one nobody expects those that are printed."""
    listed = {each.code: each.points for each in cards_for(prompt, guide, encoded)}

    def points(code: str) -> int | None:
        found = listed.get(code)
        return printed_points().get(code) if found is None else found

    return points


@cache
def printed_points() -> Mapping[str, int]:
    """The victory points of every card that has any, by its code."""
    return {
        code: worth.victory
        for campaign in (*known_campaigns(), SIDE)
        for code, worth in campaign_facts(campaign).victory.items()
        if worth.victory is not None
    }


def display_at(guide: CampaignGuide, encoded: str, step: str) -> VictoryDisplay | None:
    """The prompt of a step if it asks for the victory display."""
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
    """By the facts of a campaign, or of side scenarios; else cards of players alone."""
    for facts in facts_about(campaign):
        known = facts.scenarios.get(scenario)
        if known is not None:
            return cards_of(facts, known.victory)
    facts = campaign_facts(SIDE)
    players = (code for code, worth in facts.victory.items() if worth.copies is None)
    return cards_of(facts, tuple(sorted(players)))
