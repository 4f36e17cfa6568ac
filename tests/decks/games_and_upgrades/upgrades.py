"""Decks that are played and upgraded by the services alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck, Revision
from tests.decks.edits import apply
from tests.decks.helpers import NOW

LATER = NOW + timedelta(hours=3)
# Roland's first deck holds two of each; Beat Cop (2) is the higher Beat Cop.
MACHETE, BEAT_COP, BEAT_COP_2, VICIOUS_BLOW, DODGE = (
    "01020",
    "01018",
    "01028",
    "01025",
    "01023",
)


def rolands_deck(owner: User) -> Deck:
    """Make Roland's first deck."""
    content = starter_deck(embedded_pool(), "01001")
    return services.create_deck(owner=owner, content=content, now=NOW)


def newest(deck: Deck) -> Revision:
    """Return the deck's latest revision; the deck's row is not read again."""
    return deck.revisions.get(number=deck.revision)


def content_with(deck: Deck, *changes: tuple[str, str]) -> Content:
    """Return what the last game left, with these changes."""
    base = deck.revisions.filter(played_at__isnull=False).latest("number")
    content = services.opened(base)
    return apply(content, changes, embedded_pool())


def make_upgrade(deck: Deck, content: Content, **more: Any) -> Revision:
    """Agree to an upgrade three hours later."""
    return services.upgrade_deck(
        deck=deck,
        content=content,
        expected_revision=more.pop("expected", deck.revision),
        now=LATER,
        **more,
    )


def invoice_of(revision: Revision) -> dict[str, Any]:
    """Return the invoice with which an upgrade was paid."""
    assert revision.invoice is not None
    return dict(revision.invoice)
