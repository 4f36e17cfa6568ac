"""Addresses of cards: pages, the API and the public API."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path, re_path, register_converter

from arkham.web.http import with_or_without_slash
from cardpool import api, import_page, views
from cardpool.public import views as public
from cardpool.public.answers import SlashAdded


class CardCode:
    """A card code in an address: five digits and up to two letters."""

    regex = "[0-9]{5}[a-z]{0,2}"

    def to_python(self, value: str) -> str:
        """Return the code unchanged."""
        return value

    def to_url(self, value: str) -> str:
        """Return the code unchanged."""
        return value


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


register_converter(CardCode, "code")
register_converter(Suffixed, "suffixed")
register_converter(PackFile, "pack-file")

_PICTURE = (
    r"^pictures/(?P<code>[0-9]{5}[a-z]{0,2})-(?P<side>front|back)"
    r"-(?P<digest>[0-9a-f]{16})-(?P<size>small|large)\.webp$"
)

app_name = "cardpool"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.index, name="index"),
    path("filters/", views.filter_lists, name="filter-lists"),
    path("language/", views.language, name="language"),
    path("products/", views.products, name="products"),
    path("import/", import_page.import_cards, name="import"),
    re_path(_PICTURE, views.picture, name="picture"),
    path("<code:code>/", views.card, name="card"),
    path("<code:code>/face", views.face, name="face"),
]

# Included under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("cards/", api.Cards.as_view(), name="cards"),
    path("cards/<code:code>/", api.CardDetail.as_view(), name="card"),
    path("packs/", api.Packs.as_view(), name="packs"),
    path("taboo-lists/", api.TabooLists.as_view(), name="taboo-lists"),
    path("taboo-lists/<int:id>/", api.TabooListDetail.as_view(), name="taboo-list"),
    path("environments/", api.Environments.as_view(), name="environments"),
]

# Included at the root, at ArkhamDB's addresses of cards.
arkhamdb_urlpatterns: list[URLPattern | URLResolver] = [
    *with_or_without_slash("card/<suffixed:code>", public.card_page),
    *with_or_without_slash("set/<suffixed:pack>", public.pack_page),
]

LISTS = ("cards", "factions", "packs", "taboos")

# Included under /api/public/.
public_urlpatterns: list[URLPattern | URLResolver] = [
    path("cards/", public.PublicCardsView.as_view(), name="cards"),
    *with_or_without_slash(
        "cards/<pack-file:pack>", public.CardsOfPack.as_view(), name="cards-of-pack"
    ),
    *with_or_without_slash(
        "card/<suffixed:code>", public.PublicCardView.as_view(), name="card"
    ),
    *with_or_without_slash("faq/<suffixed:code>", public.Faq.as_view(), name="faq"),
    path("factions/", public.Factions.as_view(), name="factions"),
    path("packs/", public.PublicPacksView.as_view(), name="packs"),
    path("taboos/", public.Taboos.as_view(), name="taboos"),
    *(path(name, SlashAdded.as_view()) for name in LISTS),
]
