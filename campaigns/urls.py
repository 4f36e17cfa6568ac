"""Which address leads where: the pages and the API of the campaigns app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from campaigns import views

app_name = "campaigns"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.index, name="index"),
]

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = []
