"""The front page of the campaigns app."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def index(request: HttpRequest) -> HttpResponse:
    """The front page behind this door."""
    return render(request, "campaigns/index.html")
