"""What a player has before them: counted in an address, one button at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    QueryDict,
)
from django.urls import reverse
from django.views.decorators.http import require_safe

from arkham.rules.card import Card
from arkham.rules.play.area import PlayArea
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType
from arkham.web.http import page_or_fragment
from campaigns.at_table.addresses import name, told
from campaigns.at_table.laying import (
    cards_alike,
    changed,
    found_cards,
    investigators,
    is_by_hand,
    laid,
    opened,
    pairs_of,
    query_of,
    read_area,
)
from campaigns.at_table.showing import shown_area
from cardpool.catalog import current_judge, current_pool
from decks.pages.display import Judged
from decks.views.reach import visible


@require_safe
def play_area(request: HttpRequest) -> HttpResponse:
    """An address with something to do leads to the one where it is done.

    One with a deck and nothing else begins with what the deck starts with.
    """
    asked, pool = request.GET, current_pool()
    area, deck = read_area(asked, pool), told(asked, "deck")
    wanted = name(told(asked, "add"))
    found = found_cards(pool, wanted) if wanted else ()
    if len(found) == 1:
        return _address(laid(area, found[0]), deck)
    step = told(asked, "do")
    if step:
        return _address(changed(area, step), deck, by_hand=is_by_hand(step))
    judged = _deck(request, deck)
    if judged is not None and "actions" not in asked:
        return _address(_begun(area, judged, asked), deck)
    context: dict[str, Any] = {
        "area": shown_area(area, pool),
        "pairs": pairs_of(area, deck),
        "found": found,
        "wanted": wanted,
        "alike": cards_alike(pool, wanted) if wanted and not found else [],
        "offered": _offered(judged, pool),
        "investigators": [] if area.investigator else investigators(pool),
        "deck": deck if judged else "",
        "by_hand": "by-hand" in asked,
    }
    return page_or_fragment(request, "table/area.html", "table/_area.html", context)


def _address(area: PlayArea, deck: str, *, by_hand: bool = False) -> HttpResponse:
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


def _begun(area: PlayArea, judged: Judged, asked: QueryDict) -> PlayArea:
    """What the deck starts with; resources that the address tells are kept."""
    if judged.built is None:
        return area
    begun = opened(judged.built, area, judged.investigator)
    return replace(begun, resources=area.resources) if "resources" in asked else begun


def _offered(judged: Judged | None, pool: CardPool) -> list[Card]:
    """The assets and events of the deck, by name."""
    if judged is None:
        return []
    cards = [pool.get_card(code) for code in judged.content.deck["slots"]]
    kept = [
        card
        for card in cards
        if card is not None and card.type in (CardType.ASSET, CardType.TREACHERY)
    ]
    return sorted(kept, key=lambda card: (card.name, card.level or 0))
