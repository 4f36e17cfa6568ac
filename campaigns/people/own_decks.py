"""The decks a person may sit down with."""

from __future__ import annotations

from typing import NamedTuple

from arkham.accounts.models import User
from cardpool.catalog import current_pool
from decks.models import Deck
from decks.queries import editable_by, latest


class OwnDeck(NamedTuple):
    """A deck somebody may sit down with, and whose it is in the game."""

    deck: Deck
    investigator: str
    title: str


def own_decks(user: User | None) -> list[OwnDeck]:
    """The decks of an account, each with whose it is; a guest has none."""
    if user is None:
        return []
    pool = current_pool()
    found = []
    for revision in latest(editable_by(user)):
        card = pool.get_card(revision.content.deck["investigator_code"])
        if card is None:
            continue
        title = revision.deck.name or card.name
        title = title if card.name in title else f"{title} ({card.name})"
        found.append(OwnDeck(revision.deck, card.code, title))
    return found
