"""Addresses of decks in the public API, and pages at ArkhamDB's addresses."""

from __future__ import annotations

import re
import uuid

from django.urls import URLPattern, URLResolver, path, register_converter

from arkham.web.http import with_or_without_slash
from decks.api import arkhamdb_account, sharing
from decks.api import embedding as embedding_api
from decks.views import embedding, shown

_HEX = r"[a-fA-F0-9]"
KEY = rf"{_HEX}{{8}}-?{_HEX}{{4}}-?4{_HEX}{{3}}-?[89abAB]{_HEX}{{3}}-?{_HEX}{{12}}"
NUMBER = r"[0-9]{1,18}"


class _Suffixed:
    """Part of an address; a trailing ``.json`` is ignored."""

    def to_url(self, value: object) -> str:
        """Return the value as text."""
        return str(value)


class NumberFile(_Suffixed):
    """The number of a decklist."""

    regex = rf"{NUMBER}(?:\.json)?"

    def to_python(self, value: str) -> int:
        """Return the number."""
        return int(value.removesuffix(".json"))


class PlaceFile(_Suffixed):
    """The number of a deck or of its link, or the link's key."""

    regex = rf"(?:{KEY}|{NUMBER})(?:\.json)?"

    def to_python(self, value: str) -> int | uuid.UUID:
        """Return the number or the key."""
        place = value.removesuffix(".json")
        is_key = re.fullmatch(KEY, place) is not None
        return uuid.UUID(place) if is_key else int(place)


class DayFile(_Suffixed):
    """A day."""

    regex = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:\.json)?"

    def to_python(self, value: str) -> str:
        """Return the day."""
        return value.removesuffix(".json")


class KeyConverter(_Suffixed):
    """The key of a link."""

    regex = KEY

    def to_python(self, value: str) -> uuid.UUID:
        """Return the key."""
        return uuid.UUID(value)


register_converter(NumberFile, "number-file")
register_converter(PlaceFile, "place-file")
register_converter(DayFile, "day-file")
register_converter(KeyConverter, "link-key")

# Included under /api/public/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    *with_or_without_slash(
        "deck/<place-file:place>", sharing.PublicDeck.as_view(), name="deck"
    ),
    *with_or_without_slash(
        "decklist/<number-file:number>", sharing.Decklist.as_view(), name="decklist"
    ),
    path("oembed", embedding_api.OEmbed.as_view(), name="oembed"),
    *with_or_without_slash(
        "decklists/cards", embedding_api.PlayedCards.as_view(), name="played-cards"
    ),
    path("deck/<path:place>", sharing.Absent.as_view()),
    path("decklist/<path:place>", sharing.Absent.as_view()),
    *with_or_without_slash(
        "decklists/by_date/<day-file:day>",
        sharing.DecklistsByDate.as_view(),
        name="decklists-by-date",
    ),
]

# Included under /api/oauth2/.
oauth2_urlpatterns: list[URLPattern | URLResolver] = [
    *with_or_without_slash("decks", arkhamdb_account.OwnDecks.as_view()),
    *with_or_without_slash("deck/new", arkhamdb_account.NewDeck.as_view()),
    *(
        route
        for word, view in arkhamdb_account.VIEWS.items()
        for route in with_or_without_slash(f"deck/{word}/<number-file:number>", view)
    ),
]

# Included at the root, at the addresses that ArkhamDB has for decks.
urlpatterns: list[URLPattern | URLResolver] = [
    path("badge/<int:number>.svg", embedding.badge, name="badge"),
    *with_or_without_slash("decklist/view/<int:number>", shown.decklist_as_arkhamdb),
    *with_or_without_slash(
        "decklist/view/<int:number>/<str:name>", shown.decklist_as_arkhamdb
    ),
    # Keys come first, because a key may consist of digits.
    *with_or_without_slash("deck/view/<link-key:place>", shown.deck_as_arkhamdb),
    *with_or_without_slash("deck/view/<int:place>", shown.deck_as_arkhamdb),
    # As in arkham.build's API.
    *with_or_without_slash(
        "v1/public/share/<place-file:place>", embedding_api.SharedDeck.as_view()
    ),
    path("v1/public/share/<path:place>", sharing.Absent.as_view()),
    *with_or_without_slash(
        "v1/cache/taboo_sets_with_cards", embedding_api.TabooSets.as_view()
    ),
]
