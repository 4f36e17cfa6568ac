"""Which address leads where: the pages and the API of the decks app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from decks.api import decks as kept
from decks.api import legality, prices
from decks.views import (
    belongings,
    beside,
    builder,
    collections,
    decks,
    desk,
    downloads,
    hands,
    home,
    life,
    upgrades,
    verdicts,
    weaknesses,
)

app_name = "decks"

FILES = {
    "json": "list.json",
    "text": "list.txt",
    "plain": "plain.txt",
    "markdown": "list.md",
    "octgn": "list.o8d",
}

urlpatterns: list[URLPattern | URLResolver] = [
    path("", decks.index, name="index"),
    path("new/", decks.choose_investigator, name="new"),
    path("new/<slug:code>/", decks.begin, name="begin"),
    path("everything/", belongings.belongings, name="belongings"),
    path("everything/file.json", belongings.account_file, name="account-file"),
    path("bring/", home.bring, name="bring"),
    path("share/", verdicts.share_list, name="share-list"),
    path("draft/<slug:key>/", decks.draft, name="draft"),
    path("<int:pk>/", decks.show, name="show"),
    *(
        path(f"<int:pk>/{file}", downloads.download, {"form": form}, f"list-{form}")
        for form, file in FILES.items()
    ),
    path("<int:pk>/edit", builder.edit, name="edit"),
    path("<int:pk>/played", life.played, name="played"),
    path("<int:pk>/correct", life.correct, name="correct"),
    path("<int:pk>/compare/", life.compare, name="compare"),
    path("<int:pk>/taboos/", life.move, name="move"),
    path("<int:pk>/upgrade/", desk.desk, name="desk"),
    path("<int:pk>/upgrade/told", desk.told, name="told"),
    path("<int:pk>/terms", beside.circumstances, name="terms"),
    path("<int:pk>/paste", beside.paste, name="paste"),
    path("<int:pk>/share", verdicts.share_deck, name="share"),
    path("<int:pk>/rename", decks.rename, name="rename"),
    path("<int:pk>/copy", decks.copy, name="copy"),
    path("<int:pk>/keep", decks.keep, name="keep"),
    path("<int:pk>/delete", decks.delete, name="delete"),
    path("<int:pk>/weaknesses", weaknesses.weaknesses, name="weaknesses"),
    path("<int:pk>/draws/<int:draw>/return", weaknesses.give_back, name="return"),
    path("<int:pk>/draws/<int:draw>/correct", weaknesses.correct, name="correct"),
    path("<int:pk>/draws/<int:draw>.json", weaknesses.draw_json, name="draw-json"),
    path("<int:pk>/upgrades", upgrades.by_chance, name="chance-upgrades"),
    path("<int:pk>/hand", hands.hand, name="hand"),
    path("collections/", collections.index, name="collections"),
    path("collections/new", collections.edit, name="new-collection"),
    path("collections/<int:pk>/", collections.edit, name="collection"),
    path("collections/<int:pk>/delete", collections.delete, name="delete-collection"),
    path("table/", collections.table, name="table"),
]

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("legality", legality.Legality.as_view(), name="legality"),
    path("legality/batch", legality.LegalityBatch.as_view(), name="legality-batch"),
    path("upgrades/price", prices.UpgradePrice.as_view(), name="upgrade-price"),
    path("decks/", kept.Decks.as_view(), name="decks"),
    path("decks/<int:pk>/", kept.DeckDetail.as_view(), name="deck"),
    path("decks/<int:pk>/legality", kept.DeckLegality.as_view(), name="deck-legality"),
    path("decks/<int:pk>/compare", kept.DeckComparison.as_view(), name="compare"),
    path("decks/<int:pk>/revisions/", kept.Revisions.as_view(), name="revisions"),
    path(
        "decks/<int:pk>/revisions/<int:number>/",
        kept.RevisionDetail.as_view(),
        name="revision",
    ),
]
