"""Whom may The Scream take?"""

from __future__ import annotations

from arkham.rules.campaign.reading.signs import spoken
from arkham.rules.campaign.replay import Replay
from arkham.rules.card import Card
from arkham.rules.pool import CardPool
from campaigns.outcome import SCREAM

ALLY = "ally"


def to_be_lost(replay: Replay, pool: CardPool) -> list[tuple[str, str]]:
    """The allies that are not lost yet, by code, each title once; none without it."""
    if SCREAM not in replay.state.ultimatums:
        return []
    gone = (pool.get_card(code) for code in replay.state.banished)
    lost = {card.title for card in gone if card is not None}
    found: dict[str, str] = {}
    for card in pool.values():
        if is_taken(card) and card.title not in lost:
            found.setdefault(card.title, card.code)
    return [(code, spoken(title)) for title, code in sorted(found.items())]


def is_taken(card: Card) -> bool:
    """A unique ally of a player, of no story and no weakness (ULT-14)."""
    is_story = card.reward or bool(card.encounter_set)
    own = card.in_decks and not is_story and card.weakness is None
    return own and card.unique and ALLY in card.traits
