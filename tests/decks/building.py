"""Drafts and the buttons of the builder, as used by a browser."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client

from decks.models import Deck

LEGAL_JSON = json.dumps({"investigator_code": "01001", "slots": {"01020": 2}})


def a_draft(client: Client, **fields: str) -> Deck:
    """Begin a draft in this browser."""
    response = client.post("/decks/new/01001/", fields or {"empty": "1"})
    assert response.status_code == 303
    return Deck.objects.get(pk=int(response["Location"].split("/")[2]))


def list_of(deck: Deck) -> dict[str, Any]:
    """Return the deck list of the latest revision."""
    deck.refresh_from_db()
    return dict(deck.revisions.get(number=deck.revision).list)


def press(client: Client, deck: Deck, **fields: Any) -> HttpResponse:
    """Press a button of the builder, with the latest revision."""
    deck.refresh_from_db()
    headers = fields.pop("headers", None)
    data = {"revision": str(deck.revision)} | fields
    answer = client.post(f"/decks/{deck.pk}/edit", data, headers=headers)
    assert isinstance(answer, HttpResponse)
    return answer
