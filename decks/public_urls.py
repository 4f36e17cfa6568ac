"""Where the public API tells of decks, and addresses like ArkhamDB's for readers."""

from __future__ import annotations

import uuid

from django.urls import URLPattern, URLResolver, path, register_converter

from decks.api import public
from decks.views import shown

KEY = r"[a-f0-9]{8}-?[a-f0-9]{4}-?4[a-f0-9]{3}-?[89ab][a-f0-9]{3}-?[a-f0-9]{12}"
NUMBER = r"[0-9]{1,18}"
DECK, DECKLIST = {"kind": "deck"}, {"kind": "decklist"}


class _Suffixed:
    """Part of an address that may end with ``.json``, which says nothing."""

    def to_url(self, value: object) -> str:
        """The part as it stands."""
        return str(value)


class NumberFile(_Suffixed):
    """The number of a decklist."""

    regex = rf"{NUMBER}(?:\.json)?"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value.removesuffix(".json"))


class PlaceFile(_Suffixed):
    """The number of a deck, or the key of its link."""

    regex = rf"(?:{KEY}|{NUMBER})(?:\.json)?"

    def to_python(self, value: str) -> str:
        """Either of them."""
        return value.removesuffix(".json")


class DayFile(_Suffixed):
    """A day."""

    regex = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:\.json)?"

    def to_python(self, value: str) -> str:
        """The day."""
        return value.removesuffix(".json")


class Key(_Suffixed):
    """The key of a link."""

    regex = KEY

    def to_python(self, value: str) -> uuid.UUID:
        """The key."""
        return uuid.UUID(value)


register_converter(NumberFile, "number-file")
register_converter(PlaceFile, "place-file")
register_converter(DayFile, "day-file")
register_converter(Key, "link-key")

# Mounted under /api/public/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("deck/<place-file:place>", public.Deck.as_view(), name="deck"),
    path("decklist/<number-file:number>", public.Decklist.as_view(), name="decklist"),
    path(
        "decklists/by_date/<day-file:day>",
        public.DecklistsByDate.as_view(),
        name="decklists-by-date",
    ),
]

# Mounted at the root: where readers of ArkhamDB are used to find decks.
urlpatterns: list[URLPattern | URLResolver] = [
    path("decklist/view/<int:place>", shown.as_arkhamdb, {"kind": "decklist"}),
    path(
        "decklist/view/<int:place>/<str:name>", shown.as_arkhamdb, {"kind": "decklist"}
    ),
    path("deck/view/<int:place>", shown.as_arkhamdb, {"kind": "deck"}),
    path("deck/view/<link-key:place>", shown.as_arkhamdb, {"kind": "deck"}),
]
