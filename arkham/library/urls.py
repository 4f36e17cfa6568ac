"""The addresses of the rules library: pages and API."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from arkham.library import api, views

app_name = "library"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.index, name="index"),
    path("<slug:slug>/", views.entry, name="entry"),
]

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("rules/", api.Rules.as_view(), name="rules"),
    path("rules/<slug:slug>/", api.RuleDetail.as_view(), name="rule"),
]
