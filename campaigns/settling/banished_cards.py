"""The cards a table may report as lost to its campaign.

Where a guide asks for them, it is told there. Here is what no question asks for: the
allies The Scream takes, and the unique cards of decks at a table that is kept by hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.reading.words import spoken
from arkham.rules.card import Card
from arkham.rules.pool import CardPool
from campaigns.models import Campaign
from campaigns.settling.outcome import SCREAM
from campaigns.settling.weaknesses import decks_of

ALLY = "ally"


def to_be_lost(
    campaign: Campaign, replay: Replay, pool: CardPool
) -> list[tuple[str, str]]:
    """Those that are not lost yet, by code, each title once."""
    gone = (pool.get_card(code) for code in replay.state.banished)
    lost = {card.title for card in gone if card is not None}
    found: dict[str, str] = {}
    for card in _meant(campaign, replay, pool):
        if card.title not in lost:
            found.setdefault(card.title, card.code)
    return [(code, spoken(title)) for title, code in sorted(found.items())]


def _meant(campaign: Campaign, replay: Replay, pool: CardPool) -> Iterator[Card]:
    if SCREAM in replay.state.ultimatums:
        yield from (card for card in pool.values() if is_taken(card))
    for content in decks_of(campaign).values():
        held = (pool.get_card(code) for code in content.deck["slots"])
        yield from (card for card in held if card is not None and card.unique)


def is_taken(card: Card) -> bool:
    """A unique ally of a player, of no story and no weakness (ULT-14)."""
    is_story = card.reward or bool(card.encounter_set)
    own = card.in_decks and not is_story and card.weakness is None
    return own and card.unique and ALLY in card.traits
