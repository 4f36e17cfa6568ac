"""Decks of an account, and its exported file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from arkham.accounts.models import User
from decks import services
from decks.lists.content import Content, read_content
from decks.models import Deck


def rolands_content(**slots: int) -> Content:
    """Return a deck of Roland's with these cards, each written c and its code."""
    return read_content(
        {
            "deck": {
                "investigator_code": "01001",
                "slots": {code[1:]: copies for code, copies in slots.items()},
                "meta": {"banner_url": "https://example.org/ü.png"},
                "xp": 3,
            },
            "circumstances": {"mode": "start"},
        }
    )


def make_decks(owner: User) -> Deck:
    """Make two decks, one of which was changed and changed back."""
    now = timezone.now()
    services.create_deck(owner=owner, content=rolands_content(c01022=1), now=now)
    deck = services.create_deck(
        owner=owner,
        content=rolands_content(c01020=2),
        now=now,
        name="Seven “days”",
        notes="Read me.\n",
        tags="solo",
    )
    services.revise_deck(
        deck=deck,
        content=rolands_content(c01020=1),
        expected_revision=1,
        now=timezone.now(),
    )
    services.undo_revision(deck=deck, expected_revision=2, now=timezone.now())
    return deck


FILE: dict[str, Any] = {
    "format": "orne-account",
    "version": 1,
    "account": "alice",
    "written_at": "2026-02-01T22:38:59+00:00",
    "decks": [
        {
            "name": "One",
            "made_at": "2026-02-01T22:38:59+00:00",
            "changed_at": "2026-02-01T22:38:59+00:00",
            "revisions": [
                {
                    "number": 1,
                    "made_at": "2026-02-01T22:38:59+00:00",
                    "restores": None,
                    "deck": {"investigator_code": "01001", "slots": {"01020": 2}},
                    "circumstances": {},
                }
            ],
        }
    ],
}
Spoil = Callable[[dict[str, Any]], object]
