"""Addresses of cards in the public API, under /api/public/."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path, register_converter

from arkham.web.http import with_or_without_slash
from cardpool.public import views
from cardpool.public.answers import SlashAdded


class Suffixed:
    """A part of an address that may end with ``.json``, which is ignored."""

    regex = r"[0-9A-Za-z_]+(?:\.json)?"

    def to_python(self, value: str) -> str:
        """Return the part without ``.json``."""
        return value.removesuffix(".json")

    def to_url(self, value: str) -> str:
        """Return the value unchanged."""
        return value


class PackFile(Suffixed):
    """The code of a product, which may end with a format."""

    regex = r"[0-9A-Za-z_]+(?:\.(?:json|xml|xlsx|xls))?"


register_converter(Suffixed, "suffixed")
register_converter(PackFile, "pack-file")

# Included at the root, at ArkhamDB's addresses of cards.
pages: list[URLPattern | URLResolver] = [
    *with_or_without_slash("card/<suffixed:code>", views.card_page),
    *with_or_without_slash("set/<suffixed:pack>", views.pack_page),
]

LISTS = ("cards", "factions", "packs", "taboos")

urlpatterns: list[URLPattern | URLResolver] = [
    path("cards/", views.PublicCardsView.as_view(), name="cards"),
    *with_or_without_slash(
        "cards/<pack-file:pack>", views.CardsOfPack.as_view(), name="cards-of-pack"
    ),
    *with_or_without_slash(
        "card/<suffixed:code>", views.PublicCardView.as_view(), name="card"
    ),
    *with_or_without_slash("faq/<suffixed:code>", views.Faq.as_view(), name="faq"),
    path("factions/", views.Factions.as_view(), name="factions"),
    path("packs/", views.PublicPacksView.as_view(), name="packs"),
    path("taboos/", views.Taboos.as_view(), name="taboos"),
    *(path(name, SlashAdded.as_view()) for name in LISTS),
]
