"""Requests of API tests about games and upgrades of a deck."""

from __future__ import annotations

import json
from typing import Any

from rest_framework.test import APIClient

from decks.models import Deck
from tests.decks.games_and_upgrades.helpers import (
    BEAT_COP,
    BEAT_COP_2,
    MACHETE,
)

DECKS = "/api/v1/decks/"


def etag_of(client: APIClient, deck: Deck, place: str = "") -> str:
    """Return the ETag of the deck, or of a path below it."""
    return str(client.get(f"{DECKS}{deck.pk}/{place}")["ETag"])


def send(
    client: APIClient, method: str, deck: Deck, place: str, body: Any, **headers: str
) -> Any:
    """Send a request with the current ETag, unless another is given."""
    headers.setdefault("If_Match", "*")
    return client.generic(
        method,
        f"{DECKS}{deck.pk}/{place}",
        json.dumps(body),
        "application/json",
        headers={k.replace("_", "-"): v for k, v in headers.items() if v},
    )


def opening(client: APIClient, deck: Deck) -> dict[str, Any]:
    """Return what the next upgrade begins with."""
    answer: dict[str, Any] = client.get(f"{DECKS}{deck.pk}/upgrade").json()
    return answer


def wished(
    client: APIClient, deck: Deck, slots: dict[str, int], **more: Any
) -> dict[str, Any]:
    """Return the deck as the game left it, with other copies of these cards."""
    wanted = opening(client, deck)["deck"]
    wanted["slots"] = {k: n for k, n in (wanted["slots"] | slots).items() if n}
    return {"deck": wanted, **more}


COP_UPGRADED = {BEAT_COP: 1, BEAT_COP_2: 1, MACHETE: 2}
