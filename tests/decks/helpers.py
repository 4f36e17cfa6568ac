"""Helpers of many tests of decks: the time, a page's text, the latest revision."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from arkham.accounts.models import User
from decks.models import Collection, Deck, Revision
from decks.services import collecting

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HTMX = {"hx-request": "true"}


def text_of(response: HttpResponseBase) -> str:
    """Return the text of a page, with punctuation joined to the word before it."""
    assert isinstance(response, HttpResponse)
    page = re.sub(r"</a>(?=[,.;:])", "", response.content.decode())
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def latest_of(deck: Deck) -> Revision:
    """Return the deck's current revision."""
    deck.refresh_from_db()
    return deck.revisions.get(number=deck.revision)


def terms_form(**fields: str) -> dict[str, str]:
    """Return the form of the rules used, as the builder and the desk send it."""
    return {"terms": "1"} | {f"terms-{name}": value for name, value in fields.items()}


def a_collection(
    owner: User,
    products: Mapping[str, int],
    *,
    missing: Mapping[str, int] | None = None,
    now: datetime = NOW,
    **described: object,
) -> Collection:
    """Make a collection of these products with this name and use."""
    kept = collecting.own_products(
        owner=owner, collection=None, copies=products, now=now
    )
    kept = collecting.describe_collection(
        owner=owner, collection=kept, changed=described, now=now
    )
    return collecting.note_missing(
        owner=owner, collection=kept, copies=missing or {}, now=now
    )
