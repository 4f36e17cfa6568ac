"""Helpers for the table: where they are found, the round, an elimination."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from arkham.rules.library import entry_of, library
from arkham.rules.play.pile import Kind
from arkham.web.http import page_or_fragment
from campaigns.at_table.addresses import Pairs, told
from campaigns.at_table.eliminating import HOW, SETTINGS, walk_of
from campaigns.at_table.piling import Deck, listed, read_deck, tekeli_li
from campaigns.at_table.rounding import tracked
from cardpool.catalog import current_pool
from decks.draws.drawing import new_seed


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
    context = {"deck": deck, "kinds": list(Kind)}
    return page_or_fragment(request, "table/deck.html", "table/_deck.html", context)


def _address(pairs: Pairs) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('table:deck')}?{urlencode(pairs)}")


def _whole(deck: Deck) -> Pairs:
    pairs = [each for each in deck.pairs if each[0] != "seed"]
    return [*pairs, ("seed", deck.seed or new_seed()), ("steps", ".".join(deck.steps))]


def _begun(asked: QueryDict) -> Pairs:
    """The deck that the form describes; the sixteen where they are asked for."""
    kind = told(asked, "kind")
    cards = tekeli_li(current_pool()) if kind == Kind.TEKELI_LI else listed(asked)
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
        "entry": entry_of(library(), walk.rule) if walk else None,
        "how": HOW.items(),
        "settings": SETTINGS.items(),
        "investigator": pool.get_card(told(request.GET, "investigator")),
        "asked": request.GET,
    }
    return page_or_fragment(
        request, "table/elimination.html", "table/_elimination.html", context
    )
