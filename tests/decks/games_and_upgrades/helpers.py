"""The upgrade desk and the form for games, as used by a browser."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client

from arkham.rules.snapshot import embedded_pool
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck
from tests.decks.edits import apply
from tests.decks.helpers import latest_of

BEAT_COP, BEAT_COP_2, MACHETE, RUNIC_AXE = "01018", "01028", "01020", "09022"
UPGRADE_COP = f"remove={BEAT_COP} add={BEAT_COP_2}"


def axes_content() -> Content:
    """Return a legal deck with a weakness drawn and a customizable card."""
    changes = [
        ("remove", "01000"),
        ("add", "01101"),
        ("remove", "01022:2"),
        ("add", f"{RUNIC_AXE}:2"),
    ]
    return apply(starter_deck(embedded_pool(), "01001"), changes, embedded_pool())


def desk_mark(client: Client, deck: Deck) -> str:
    """Return the version mark that the desk shows."""
    page = client.get(f"/decks/{deck.pk}/upgrade/").content.decode()
    found = re.search(r'data-revision="([\d.]+)"', page)
    assert found is not None
    return found[1]


def last_game(deck: Deck) -> dict[str, str]:
    """Return the form that takes back the last game."""
    latest = latest_of(deck)
    return {"revision": str(latest.number), "game": latest.game_mark}


def press_at_desk(client: Client, deck: Deck, **fields: Any) -> HttpResponse:
    """Press a button of the desk, with its current mark."""
    headers = fields.pop("headers", None)
    fields.setdefault("revision", desk_mark(client, deck))
    answer = client.post(f"/decks/{deck.pk}/upgrade/", fields, headers=headers)
    assert isinstance(answer, HttpResponse)
    return answer


def source_of(response: HttpResponseBase) -> str:
    """Return the page's HTML."""
    assert isinstance(response, HttpResponse)
    return response.content.decode()


def booked_lines(deck: Deck) -> list[tuple[str, int, str]]:
    """Return the ledger's entries: kinds, amounts and reasons."""
    entries = deck.ledger.order_by("number")
    return [(each.kind, each.amount, each.reason) for each in entries]
