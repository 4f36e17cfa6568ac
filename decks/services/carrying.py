"""Tells a first deck what its ledger holds already, to be spent at its creation.

Investigators who come on from another campaign, or are given experience as they enter a
running one, have it before their first game. It stays where it was booked; the deck's
circumstances say how much it is, so that the deck is judged with it.
"""

from __future__ import annotations

from dataclasses import replace

from arkham.rules.vocabulary import Mode
from decks.lists.content import Content
from decks.models import Deck
from decks.services import ledger

CARRIED = "experience_carried"


def with_carried(deck: Deck, content: Content) -> Content:
    """The content of a deck before its first game with what is booked of the deck."""
    balance = max(ledger.balance_of(deck), 0) if is_first(content) else 0
    if balance == content.circumstances.get(CARRIED, 0):
        return content
    told = {key: each for key, each in content.circumstances.items() if key != CARRIED}
    told |= {CARRIED: balance} if balance else {}
    return replace(content, circumstances=dict(sorted(told.items())))


def is_first(content: Content) -> bool:
    """Whether this is a first deck, that pays for its cards with what it is granted.

    A list that tells its own balance has paid for its cards elsewhere.
    """
    is_start = content.circumstances.get("mode") == Mode.START
    return is_start and not content.deck.get("xp")
