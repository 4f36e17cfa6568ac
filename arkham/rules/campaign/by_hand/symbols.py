"""Finds what the symbols of chaos tokens do in a scenario of a campaign."""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.campaign.by_hand.facts import facts_about
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
