"""Addresses of decks: pages, the API, the public API, and those of ArkhamDB."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, path, register_converter

from arkham.web.http import with_or_without_slash
from decks.api import arkhamdb_account, legality, lists, sharing
from decks.api import decks as kept
from decks.api import embedding as embedding_api
from decks.api import filing as filing_api
from decks.api import life as life_api
from decks.api import life as notices_api
from decks.api import upgrades as upgrading
from decks.views import (
    account,
    builder,
    chance,
    collections,
    deck_tools,
    decks,
    desk,
    embedding,
    filing,
    investigators,
    life,
    my_decks,
    shown,
    verdicts,
    weaknesses,
)

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

app_name = "decks"

FILES = {
    "json": "list.json",
    "text": "list.txt",
    "plain": "plain.txt",
    "markdown": "list.md",
    "octgn": "list.o8d",
}

# Pages of one deck: address below its number, view and name.
OF_A_DECK: tuple[tuple[str, Callable[..., HttpResponse], str], ...] = (
    ("", decks.show, "show"),
    ("sheet", deck_tools.sheet, "sheet"),
    ("edit", builder.edit, "edit"),
    ("played", life.played, "played"),
    ("played/take-back", life.take_back, "take-back"),
    ("correct", life.correct, "correct"),
    ("compare/", life.compare, "compare"),
    ("taboos/", life.move, "move"),
    ("upgrade/", desk.desk, "desk"),
    ("upgrade/told", desk.window, "window"),
    ("terms", deck_tools.circumstances, "terms"),
    ("paste", deck_tools.paste, "paste"),
    ("share", verdicts.share_deck, "share"),
    ("about", shown.describe, "describe"),
    ("sharing", shown.sharing, "sharing"),
    ("cards/<slug:code>/note", deck_tools.remark, "remark"),
    ("copy", decks.copy, "copy"),
    ("keep", verdicts.keep, "keep"),
    ("delete", decks.delete, "delete"),
    ("weaknesses", weaknesses.weaknesses, "weaknesses"),
    ("draws/<int:draw>/return", weaknesses.give_back, "return"),
    ("draws/<int:draw>/correct", weaknesses.correct, "correct"),
    ("draws/<int:draw>.json", weaknesses.draw_json, "draw-json"),
    ("upgrades", chance.by_chance, "chance-upgrades"),
    ("notices/dismiss", life.dismiss, "dismiss"),
    ("hand", chance.hand, "hand"),
    ("products", collections.for_deck, "products"),
)

SHOWN_FILES = (
    ("published", "published/<int:pk>/", shown.download_published),
    ("shared", "shared/<uuid:key>/", shown.download_shared),
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", my_decks.index, name="index"),
    path("many", my_decks.many, name="many"),
    path("folders/", filing.folders, name="folders"),
    path("folders/<int:pk>/rename", filing.rename_folder, name="rename-folder"),
    path("folders/<int:pk>/delete", filing.delete_folder, name="delete-folder"),
    path("compare/", life.compare_decks, name="compare-decks"),
    path("import/", account.import_many, name="import-many"),
    path("pull/", deck_tools.pull, name="pull"),
    path("bin/", filing.deleted, name="bin"),
    path("new/", investigators.choose, name="new"),
    path("new/<slug:code>/", decks.begin, name="begin"),
    path("everything/", account.belongings, name="belongings"),
    path("everything/file.json", account.account_file, name="account-file"),
    path("bring/", decks.bring, name="bring"),
    path("share/", verdicts.share_list, name="share-list"),
    path("draft/<slug:key>/", verdicts.draft, name="draft"),
    path("drafts/keep", verdicts.keep_all, name="keep-all"),
    path("published/", shown.index, name="published-decks"),
    path("published/<int:pk>/", shown.published, name="published"),
    path("published/<int:pk>/embed", embedding.embedded, name="embedded"),
    path("published/<int:pk>/picture.png", embedding.picture, name="picture"),
    path("published/<int:pk>/report", embedding.report, name="report"),
    path("published/<int:pk>/copy", shown.copy_published, name="copy-published"),
    path("shared/<uuid:key>/", shown.shared, name="shared"),
    path("shared/<uuid:key>/copy", shown.copy_shared, name="copy-shared"),
    *(
        path(f"{place}{file}", view, {"form": form}, f"{word}-{form}")
        for word, place, view in SHOWN_FILES
        for form, file in FILES.items()
    ),
    *(path(f"<int:pk>/{place}", view, name=name) for place, view, name in OF_A_DECK),
    *(
        path(f"<int:pk>/{file}", deck_tools.download, {"form": form}, f"list-{form}")
        for form, file in FILES.items()
    ),
    path("collections/", collections.index, name="collections"),
    path("collections/new", collections.edit, name="new-collection"),
    path("collections/<int:pk>/", collections.edit, name="collection"),
    path("collections/<int:pk>/products", collections.products, name="owned-products"),
    path("collections/<int:pk>/delete", collections.delete, name="delete-collection"),
    path("table/", collections.table, name="table"),
]

# Included under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("legality", legality.Legality.as_view(), name="legality"),
    path(
        "decklists/<int:number>/legality",
        legality.DecklistLegality.as_view(),
        name="decklist-legality",
    ),
    path("decklists/<int:number>/report", embedding_api.DeckReport.as_view()),
    path("legality/batch", legality.LegalityBatch.as_view(), name="legality-batch"),
    path("upgrades/price", upgrading.UpgradePrice.as_view(), name="upgrade-price"),
    path("lists/read", lists.ListReading.as_view(), name="list-read"),
    path("decks/import", lists.Imports.as_view(), name="import"),
    path("decks/", kept.Decks.as_view(), name="decks"),
    path("decks/bin/", filing_api.Bin.as_view(), name="bin"),
    path("decks/bin/<int:pk>/", filing_api.BinnedDeck.as_view(), name="binned"),
    path("decks/bin/<int:pk>/restore", filing_api.Restoring.as_view(), name="restore"),
    path("decks/<int:pk>/filing", filing_api.DeckFiling.as_view(), name="filing"),
    path("folders/", filing_api.Folders.as_view(), name="folders"),
    path("folders/<int:pk>/", filing_api.FolderDetail.as_view(), name="folder"),
    path("decks/<int:pk>/", kept.DeckDetail.as_view(), name="deck"),
    path(
        "decks/<int:pk>/visibility",
        sharing.DeckVisibility.as_view(),
        name="visibility",
    ),
    path("decks/<int:pk>/legality", kept.DeckLegality.as_view(), name="deck-legality"),
    path("decks/<int:pk>/compare", kept.DeckComparison.as_view(), name="compare"),
    path("decks/<int:pk>/revisions/", kept.Revisions.as_view(), name="revisions"),
    path(
        "decks/<int:pk>/notices/",
        notices_api.DeckNotices.as_view(),
        name="deck-notices",
    ),
    path("notices/", notices_api.Notices.as_view(), name="notices"),
    path("notices/<int:pk>/dismiss", notices_api.Dismiss.as_view(), name="dismiss"),
    path(
        "decks/<int:pk>/revisions/<int:number>/",
        kept.RevisionDetail.as_view(),
        name="revision",
    ),
    path("decks/<int:pk>/exports/", lists.Exports.as_view(), name="exports"),
    path(
        "decks/<int:pk>/exports/<slug:form>", lists.DeckExport.as_view(), name="export"
    ),
    path("decks/<int:pk>/games", life_api.Games.as_view(), name="games"),
    path("decks/<int:pk>/ledger/", life_api.Ledger.as_view(), name="ledger"),
    path("decks/<int:pk>/upgrade", upgrading.DeckUpgrade.as_view(), name="upgrade"),
    path(
        "decks/<int:pk>/upgrade/preview",
        upgrading.UpgradePreview.as_view(),
        name="upgrade-preview",
    ),
    path("decks/<int:pk>/desk", upgrading.DeskDetail.as_view(), name="desk"),
]

# Included under /api/public/.
public_urlpatterns: list[URLPattern | URLResolver] = [
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
arkhamdb_urlpatterns: list[URLPattern | URLResolver] = [
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
