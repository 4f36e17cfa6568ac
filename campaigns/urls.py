"""Which address leads where: the pages and the API of the campaigns app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from campaigns.api import odds as odds_api
from campaigns.views import front, odds, practice

app_name = "campaigns"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", front.index, name="index"),
]

# Mounted under /odds/: the tools of the chaos bag, for everybody.
odds_urlpatterns: list[URLPattern | URLResolver] = [
    path("", odds.odds, name="test"),
    path("bag/", practice.bag, name="bag"),
]

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("odds", odds_api.TestOdds.as_view(), name="odds"),
]
