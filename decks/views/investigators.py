"""The investigators: to browse, and to choose for a deck."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from arkham.rules.notation.names import names_of
from arkham.web.http import page_or_fragment
from cardpool.catalog import current_judge
from cardpool.filters import owned_by_reader
from cardpool.search import either
from decks.forms.search import InvestigatorForm
from decks.pages.investigators import InvestigatorEntry, shelves
from decks.views.reach import deck_title, named_to_edit


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List every investigator with their versions; each links to the card."""
    return _shelves(request, reverse("investigators"), choosing=False)


@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """List the same investigators; each links to the page that begins a deck."""
    return _shelves(request, reverse("decks:new"), choosing=True)


def _shelves(request: HttpRequest, act: str, *, choosing: bool) -> HttpResponse:
    pool = current_judge().pool
    form = InvestigatorForm(request.GET, pool, owned_by_reader(request))
    wanted = form.wanted()
    found = shelves(pool, wanted)
    alike = [] if found else names_of(pool).investigators_like(wanted.words)
    if alike:
        found = shelves(pool, replace(wanted, words="", names=frozenset(alike)))
    context: dict[str, Any] = for_deck(request)
    deck = context.get("for_deck")
    count = sum(len(shelf.people) for shelf in found)
    shown = partial(
        InvestigatorEntry.shown,
        deck=deck and deck.deck_id,
        is_open=count == 1,
    )
    context |= {
        "act": act,
        "choosing": choosing,
        "form": form,
        "wanted": wanted,
        "shelves": [(shelf, map(shown, shelf.people)) for shelf in found],
        "count": count,
        "instead": either(f"“{name}”" for name in alike) if alike else "",
    }
    response = page_or_fragment(
        request, "decks/new.html", "decks/_shelves.html", context
    )
    state = [("deck", request.GET["deck"]), *form.state] if deck else form.state
    response["HX-Replace-Url"] = f"{act}?{urlencode(state)}"
    return response


def for_deck(request: HttpRequest) -> dict[str, object]:
    """Return the deck that will get the investigator, if the query names one."""
    revision = named_to_edit(request)
    if revision is None:
        return {}
    return {"for_deck": revision, "for_title": deck_title(revision)}
