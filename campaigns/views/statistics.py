"""Statistics across the campaigns somebody sits at."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arkham.accounts.asking import account_required
from arkham.accounts.models import User
from campaigns.pages.counting import (
    MOST_COLUMNS,
    figures_of,
    person_lines,
    scenario_lines,
)
from campaigns.pages.statistics import Sift, shelf_of, statistics_of
from cardpool.catalog import current_pool

LONGEST_KEY = 9  # digits
LONGEST_GUIDE = 80


@account_required
@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    """All of them, or those that are sifted out."""
    user = request.user
    assert isinstance(user, User)
    shelf, sift = shelf_of(user), sift_of(request)
    told = statistics_of(shelf.sifted(sift), current_pool())
    lines = scenario_lines(told, shelf.guides)
    context = {
        "shelf": shelf,
        "sift": sift,
        "told": told,
        "figures": figures_of(told),
        "scenarios": lines[:MOST_COLUMNS],
        "others": lines[MOST_COLUMNS:],
        "people": person_lines(told),
    }
    return render(request, "campaigns/statistics.html", context)


def sift_of(request: HttpRequest) -> Sift:
    """What an address sifts by; what is no number sifts nothing."""
    return Sift(
        _key(request.GET.get("campaign", "")),
        request.GET.get("guide", "")[:LONGEST_GUIDE],
        _key(request.GET.get("person", "")),
    )


def _key(text: str) -> int | None:
    is_key = text.isascii() and text.isdigit() and len(text) <= LONGEST_KEY
    return int(text) if is_key else None
