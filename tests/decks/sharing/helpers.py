"""Sharing and publishing a deck as its owner does it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck, Showing
from tests.decks.helpers import NOW, text_of

POOL = embedded_pool()
LATER = datetime(2026, 3, 5, 12, tzinfo=UTC)
NOTES = "# Why\n\n**Guns.** <script>alert(1)</script>"


def a_deck(owner: User, investigator: str = "01001", **beside: Any) -> Deck:
    """Make an investigator's first deck, with a name, notes or tags."""
    content = starter_deck(POOL, investigator)
    return services.create_deck(owner=owner, content=content, now=NOW, **beside)


def share(client: Client, deck: Deck, **data: str) -> str:
    """Set who sees the deck, as Alice; return where others find it."""
    answer = client.post(f"/decks/{deck.pk}/sharing", data)
    assert answer.status_code == 303, text_of(answer)
    showing = Showing.objects.filter(deck=deck).first()
    if showing is None:
        return ""
    if data.get("visibility") == "published":
        return f"/decks/published/{showing.pk}/"
    return f"/decks/shared/{showing.key}/"


def publish(client: Client, deck: Deck) -> str:
    """Publish the latest revision; return where others find it."""
    deck.refresh_from_db()
    return share(client, deck, visibility="published", revision=str(deck.revision))


def both_ways(client: Client, deck: Deck) -> Iterator[str]:
    """Publish the deck, then share it by a link; return both addresses."""
    yield publish(client, deck)
    yield share(client, deck, visibility="link")


def seen_mark(client: Client, deck: Deck) -> str:
    """Return the mark of the state that the form for name, notes and tags shows."""
    page = client.get(f"/decks/{deck.pk}/about").content.decode()
    return str(re.findall(r'name="seen" value="(\w+)"', page)[0])
