"""What many tests of decks ask: the time, what a page says, the latest revision."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from decks.models import Deck, Revision

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HTMX = {"hx-request": "true"}


def text_of(response: HttpResponseBase) -> str:
    """What is read on a page."""
    assert isinstance(response, HttpResponse)
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def latest_of(deck: Deck) -> Revision:
    """The revision the deck is at now."""
    deck.refresh_from_db()
    return deck.revisions.get(number=deck.revision)
