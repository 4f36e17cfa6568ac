"""Which address leads where: the pages and the API of the decks app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from decks import api
from decks.views import beside, builder, decks, home, verdicts

app_name = "decks"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", decks.index, name="index"),
    path("new/", decks.choose_investigator, name="new"),
    path("new/<slug:code>/", decks.begin, name="begin"),
    path("bring/", home.bring, name="bring"),
    path("share/", verdicts.share_list, name="share-list"),
    path("draft/<slug:key>/", decks.draft, name="draft"),
    path("<int:pk>/", decks.show, name="show"),
    path("<int:pk>/list.json", decks.list_json, name="list-json"),
    path("<int:pk>/list.txt", decks.list_text, name="list-text"),
    path("<int:pk>/edit", builder.edit, name="edit"),
    path("<int:pk>/terms", beside.circumstances, name="terms"),
    path("<int:pk>/paste", beside.paste, name="paste"),
    path("<int:pk>/share", verdicts.share_deck, name="share"),
    path("<int:pk>/rename", decks.rename, name="rename"),
    path("<int:pk>/copy", decks.copy, name="copy"),
    path("<int:pk>/keep", decks.keep, name="keep"),
    path("<int:pk>/delete", decks.delete, name="delete"),
]

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("legality", api.Legality.as_view(), name="legality"),
    path("legality/batch", api.LegalityBatch.as_view(), name="legality-batch"),
]
