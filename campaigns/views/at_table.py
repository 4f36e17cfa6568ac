"""Helpers for the table: where they are found, the round, an elimination."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arkham.rules.library import entry_of, library
from arkham.web.http import page_or_fragment
from campaigns.at_table.addresses import told
from campaigns.at_table.eliminating import HOW, SETTINGS, walk_of
from campaigns.at_table.rounding import tracked
from cardpool.catalog import current_pool


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The helpers, each with what it is for."""
    return render(request, "table/index.html")


@require_safe
def game_round(request: HttpRequest) -> HttpResponse:
    """The phases with their player windows, and where the game is."""
    context = {"tracked": tracked(request.GET)}
    return page_or_fragment(request, "table/round.html", "table/_round.html", context)


@require_safe
def elimination(request: HttpRequest) -> HttpResponse:
    """What is done when an investigator is eliminated, one step at a time."""
    pool = current_pool()
    walk = walk_of(request.GET, pool)
    context = {
        "walk": walk,
        "entry": entry_of(library(), walk.rule) if walk else None,
        "how": HOW.items(),
        "settings": SETTINGS.items(),
        "investigator": pool.get_card(told(request.GET, "investigator")),
        "asked": request.GET,
    }
    return page_or_fragment(
        request, "table/elimination.html", "table/_elimination.html", context
    )
