"""Which address leads where: the pages and the API of the decks app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from decks.api import decks as kept
from decks.api import legality, lists, prices, visibility
from decks.api import life as life_api
from decks.api import notices as told
from decks.api import upgrades as upgrading
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
    notices,
    sharing,
    sheet,
    shown,
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

SHOWN_FILES = (
    ("published", "published/<int:pk>/", shown.download_published),
    ("shared", "shared/<uuid:key>/", shown.download_shared),
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", decks.index, name="index"),
    path("new/", decks.choose_investigator, name="new"),
    path("new/<slug:code>/", decks.begin, name="begin"),
    path("everything/", belongings.belongings, name="belongings"),
    path("everything/file.json", belongings.account_file, name="account-file"),
    path("bring/", home.bring, name="bring"),
    path("share/", verdicts.share_list, name="share-list"),
    path("draft/<slug:key>/", decks.draft, name="draft"),
    path("published/", shown.index, name="published-decks"),
    path("published/<int:pk>/", shown.published, name="published"),
    path("published/<int:pk>/copy", shown.copy_published, name="copy-published"),
    path("shared/<uuid:key>/", shown.shared, name="shared"),
    path("shared/<uuid:key>/copy", shown.copy_shared, name="copy-shared"),
    *(
        path(f"{place}{file}", view, {"form": form}, f"{word}-{form}")
        for word, place, view in SHOWN_FILES
        for form, file in FILES.items()
    ),
    path("<int:pk>/", decks.show, name="show"),
    *(
        path(f"<int:pk>/{file}", downloads.download, {"form": form}, f"list-{form}")
        for form, file in FILES.items()
    ),
    path("<int:pk>/sheet", sheet.sheet, name="sheet"),
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
    path("<int:pk>/about", sharing.describe, name="describe"),
    path("<int:pk>/sharing", sharing.sharing, name="sharing"),
    path("<int:pk>/copy", decks.copy, name="copy"),
    path("<int:pk>/keep", decks.keep, name="keep"),
    path("<int:pk>/delete", decks.delete, name="delete"),
    path("<int:pk>/weaknesses", weaknesses.weaknesses, name="weaknesses"),
    path("<int:pk>/draws/<int:draw>/return", weaknesses.give_back, name="return"),
    path("<int:pk>/draws/<int:draw>/correct", weaknesses.correct, name="correct"),
    path("<int:pk>/draws/<int:draw>.json", weaknesses.draw_json, name="draw-json"),
    path("<int:pk>/upgrades", upgrades.by_chance, name="chance-upgrades"),
    path("<int:pk>/notices/dismiss", notices.dismiss, name="dismiss"),
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
    path("lists/read", lists.ListReading.as_view(), name="list-read"),
    path("decks/import", lists.Imports.as_view(), name="import"),
    path("decks/", kept.Decks.as_view(), name="decks"),
    path("decks/<int:pk>/", kept.DeckDetail.as_view(), name="deck"),
    path(
        "decks/<int:pk>/visibility",
        visibility.DeckVisibility.as_view(),
        name="visibility",
    ),
    path("decks/<int:pk>/legality", kept.DeckLegality.as_view(), name="deck-legality"),
    path("decks/<int:pk>/compare", kept.DeckComparison.as_view(), name="compare"),
    path("decks/<int:pk>/revisions/", kept.Revisions.as_view(), name="revisions"),
    path("decks/<int:pk>/notices/", told.DeckNotices.as_view(), name="deck-notices"),
    path("notices/", told.Notices.as_view(), name="notices"),
    path("notices/<int:pk>/dismiss", told.Dismiss.as_view(), name="dismiss"),
    path(
        "decks/<int:pk>/revisions/<int:number>/",
        kept.RevisionDetail.as_view(),
        name="revision",
    ),
    path("decks/<int:pk>/exports/", lists.Exports.as_view(), name="exports"),
    path("decks/<int:pk>/exports/<slug:form>", lists.Export.as_view(), name="export"),
    path("decks/<int:pk>/games", life_api.Games.as_view(), name="games"),
    path("decks/<int:pk>/ledger/", life_api.Ledger.as_view(), name="ledger"),
    path("decks/<int:pk>/upgrade", upgrading.Upgrade.as_view(), name="upgrade"),
    path(
        "decks/<int:pk>/upgrade/preview",
        upgrading.UpgradePreview.as_view(),
        name="upgrade-preview",
    ),
    path("decks/<int:pk>/desk", upgrading.DeskDetail.as_view(), name="desk"),
]
