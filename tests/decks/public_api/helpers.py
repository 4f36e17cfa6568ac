"""A deck as ArkhamDB served it, and requests to the public API."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import read_content
from decks.models import Deck

POOL = embedded_pool()
API = "/api/public/"
PUBLISHED = datetime(2026, 2, 1, 22, 38, 59, tzinfo=UTC)
CHANGED = datetime(2026, 2, 9, 17, 44, 2, tzinfo=UTC)
NAME = "Blood of Leo de Luca turns Marie Lambeau into a Rogue Mystic"
# A decklist as the site served it, its description cut and its cards fewer.
LIST: dict[str, Any] = {
    "name": NAME,
    "description_md": "<center>Æther/2",
    "investigator_code": "05006",
    "slots": {"01000": 1, "01063": 2, "11068a": 1, "60408": 2},
    "sideSlots": {"02191": 2, "60431": 2},
    "ignoreDeckLimitSlots": None,
    "taboo_id": 9,
    "meta": "{}",
    "tags": "",
}
TOLD = (
    '{{"id":{id},"name":"Blood of Leo de Luca turns Marie Lambeau into a Rogue Mystic",'
    '"date_creation":"2026-02-01T22:38:59+00:00",'
    '"date_update":"2026-02-09T17:44:02+00:00",'
    '"description_md":"<center>\\u00c6ther\\/2","user_id":{user},'
    '"investigator_code":"05006","investigator_name":"Marie Lambeau",'
    '"slots":{{"01000":1,"01063":2,"11068a":1,"60408":2}},'
    '"sideSlots":{{"02191":2,"60431":2}},"ignoreDeckLimitSlots":null,'
    '"version":"{version}","xp":null,"xp_spent":null,"xp_adjustment":0,'
    '"exile_string":null,"taboo_id":9,"meta":"{{}}","tags":"",'
    '"previous_deck":null,"next_deck":null{problem}}}'
)


def fetch(path: str, **headers: str) -> Any:
    """Return the public API's response; header names are written with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Client().get(API + path, headers=named)


def a_deck(owner: User, told: dict[str, Any] = LIST, **beside: str) -> Deck:
    """Make a deck of this content with the example's name."""
    return services.create_deck(
        owner=owner,
        content=read_content(told),
        now=PUBLISHED,
        name=beside.get("name", NAME),
        notes=beside.get("notes", ""),
        tags=beside.get("tags", ""),
    )
