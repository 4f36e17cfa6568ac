"""Helpers for the table: the round, an elimination, small decks, a play area.

Each is kept in its address and changed one button at a time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    QueryDict,
)
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from arkham.rules.play.area import PlayArea
from arkham.rules.play.pile import PileKind
from arkham.web.http import page_or_fragment
from campaigns.at_table.elimination import HOW, SETTINGS, walk_of
from campaigns.at_table.play_area import (
    cards_alike,
    cards_of_deck,
    found_cards,
    investigators,
    shown_area,
)
from campaigns.at_table.rounds import tracked
from campaigns.at_table.small_deck import SmallDeck, listed, read_deck, tekeli_li
from campaigns.play.addresses import Pairs, name, text_value
from campaigns.play.areas import (
    changed,
    is_by_hand,
    laid,
    opened,
    pairs_of,
    query_of,
    read_area,
)
from cardpool.catalog import current_judge, current_pool
from decks.draws.drawing import new_seed
from decks.pages.display import Judged
from decks.views.reach import visible

BEGUN = ("resources", "hand")  # what a deck begins with, and an address may have


@require_safe
def play_area(request: HttpRequest) -> HttpResponse:
    """An address with something to do leads to the one where it is done.

    One with a deck and nothing else begins with what the deck starts with.
    """
    asked, pool = request.GET, current_pool()
    area, deck = read_area(asked, pool), text_value(asked, "deck")
    step = text_value(asked, "do")
    if step:
        return _area_address(changed(area, step), deck, by_hand=is_by_hand(step))
    wanted = name(text_value(asked, "add") or text_value(asked, "other"))
    found = found_cards(pool, wanted) if wanted else ()
    if len(found) == 1:
        return _area_address(laid(area, found[0]), deck)
    judged = _deck(request, deck)
    if judged is not None and "actions" not in asked:
        return _area_address(_begun_area(area, judged, asked), deck)
    context: dict[str, Any] = {
        "area": shown_area(area, pool),
        "pairs": pairs_of(area, deck),
        "found": found,
        "wanted": wanted,
        "alike": cards_alike(pool, wanted) if wanted and not found else [],
        "offered": cards_of_deck(judged.content.deck["slots"], pool) if judged else [],
        "investigators": [] if area.investigator else investigators(pool),
        "deck": deck if judged else "",
        "by_hand": "by-hand" in asked,
    }
    return page_or_fragment(request, "table/area.html", "table/_area.html", context)


def _area_address(area: PlayArea, deck: str, *, by_hand: bool = False) -> HttpResponse:
    query = query_of(area, deck) + ("&by-hand=1" if by_hand else "")
    return HttpResponseRedirect(f"{reverse('table:area')}?{query}")


def _deck(request: HttpRequest, text: str) -> Judged | None:
    """The deck of an address, if the visitor may see it."""
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        return None
    try:
        revision = visible(request, int(text))
    except Http404:
        return None
    return Judged(revision.content, current_judge())


def _begun_area(area: PlayArea, judged: Judged, asked: QueryDict) -> PlayArea:
    """What the deck starts with; what the address has of it is kept."""
    if judged.built is None:
        return area
    begun = opened(judged.built, area, judged.investigator)
    kept = {each: getattr(area, each) for each in BEGUN if each in asked}
    return replace(begun, **kept)


@require_safe
def pile(request: HttpRequest) -> HttpResponse:
    """An address with something to do leads to the one where it is done.

    One without cards asks which deck, and for its cards.
    """
    asked = request.GET
    if "begin" in asked:
        return _address(_begun(asked))
    deck = read_deck(asked)
    if deck.cards and ("do" in asked or not deck.seed):
        return _address(_whole(deck))
    context = {"deck": deck, "kinds": list(PileKind)}
    return page_or_fragment(request, "table/deck.html", "table/_deck.html", context)


def _address(pairs: Pairs) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('table:deck')}?{urlencode(pairs)}")


def _whole(deck: SmallDeck) -> Pairs:
    pairs = [each for each in deck.pairs if each[0] != "seed"]
    return [*pairs, ("seed", deck.seed or new_seed()), ("steps", ".".join(deck.steps))]


def _begun(asked: QueryDict) -> Pairs:
    """The deck that the form describes; the sixteen where they are asked for."""
    kind = text_value(asked, "kind")
    cards = tekeli_li(current_pool()) if kind == PileKind.TEKELI_LI else listed(asked)
    players: Pairs = [("player", each) for each in asked.getlist("player") if each]
    return [("kind", kind), *cards, *players, ("seed", new_seed())]


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
        "how": HOW.items(),
        "settings": SETTINGS.items(),
        "investigator": pool.get_card(text_value(request.GET, "investigator")),
        "asked": request.GET,
    }
    return page_or_fragment(
        request, "table/elimination.html", "table/_elimination.html", context
    )
