"""Addresses of the pages and the API of the cardpool app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path, re_path, register_converter

from cardpool import api, import_page, views


class CardCode:
    """A card code in an address: five digits and up to two letters."""

    regex = "[0-9]{5}[a-z]{0,2}"

    def to_python(self, value: str) -> str:
        """Return the code unchanged."""
        return value

    def to_url(self, value: str) -> str:
        """Return the code unchanged."""
        return value


register_converter(CardCode, "code")

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
