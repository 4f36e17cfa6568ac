"""Small decks: named cards, shuffled by a seed, drawn, put back and put away."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_safe

from arkham.rules.play.pile import PileKind
from arkham.web.http import page_or_fragment
from campaigns.at_table.addresses import Pairs, told
from campaigns.at_table.piling import Deck, listed, read_deck, tekeli_li
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
    context = {"deck": deck, "kinds": list(PileKind)}
    return page_or_fragment(request, "table/deck.html", "table/_deck.html", context)


def _address(pairs: Pairs) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('table:deck')}?{urlencode(pairs)}")


def _whole(deck: Deck) -> Pairs:
    pairs = [each for each in deck.pairs if each[0] != "seed"]
    return [*pairs, ("seed", deck.seed or new_seed()), ("steps", ".".join(deck.steps))]


def _begun(asked: QueryDict) -> Pairs:
    """The deck that the form describes; the sixteen where they are asked for."""
    kind = told(asked, "kind")
    cards = tekeli_li(current_pool()) if kind == PileKind.TEKELI_LI else listed(asked)
    players: Pairs = [("player", each) for each in asked.getlist("player") if each]
    return [("kind", kind), *cards, *players, ("seed", new_seed())]
