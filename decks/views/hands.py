"""The opening hand of a deck: dealt, exchanged once, and its odds.

Nothing is kept: the address holds the seed and the places given up, so that the same
address always deals the same hand.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arkham.rules.draws.odds import Wanted
from arkham.rules.draws.opening import OPENING_CARDS, Opening
from arkham.rules.pool import CardPool
from decks.draws.drawing import new_seed
from decks.draws.opening_hands import dealt, may_be_sought, odds, offered, opening_for
from decks.forms.chance import MOST_FEWER, MOST_TURNS, HandForm
from decks.lists.judging import current_judge
from decks.pages.display import Judged
from decks.views.reach import title_of, visible

LONGEST_SEED = 64


@require_safe
def hand(request: HttpRequest, pk: int) -> HttpResponse:
    """A dealt hand, the mulligan, the turns after it, and the odds of a better one."""
    revision = visible(request, pk)
    judged = Judged(revision.content, current_judge())
    if judged.built is None:
        raise Http404
    asked = request.GET
    terms: dict[str, int | str] = {
        "fewer": min(_number(asked, "fewer"), MOST_FEWER),
        "sought": asked.get("sought", ""),
    }
    opening = opening_for(judged, str(terms["sought"]), int(terms["fewer"]))
    context = {
        "deck": revision.deck,
        "title": title_of(revision.deck, judged.investigator),
        "opening": opening,
        "changing": [row.name for row in opening.rows if not row.plays],
        "playing": [row.name for row in opening.rows if row.plays],
        "usual": OPENING_CARDS,
        "terms": terms,
        **_dealt(asked, opening, judged.pool, terms),
        **_odds(asked, opening, judged.pool),
    }
    status = 422 if context["form"].errors else 200
    return render(request, "decks/hand.html", context, status=status)


def _dealt(
    asked: QueryDict, opening: Opening, pool: CardPool, terms: dict[str, int | str]
) -> dict[str, Any]:
    """The hand that the address asks for."""
    seed = asked.get("seed", "")[:LONGEST_SEED] or new_seed()
    places = [int(each) for each in asked.getlist("give") if _is_place(each)]
    turns = min(_number(asked, "turns"), MOST_TURNS)
    return {
        "hand": dealt(opening, pool, seed, places, turns),
        "seed": seed,
        "places": places,
        "exchanged": "mulligan" in asked or bool(places),
        "turns": turns,
        "next_turn": _address(seed, places, turns + 1, terms),
    }


def _odds(asked: QueryDict, opening: Opening, pool: CardPool) -> dict[str, Any]:
    """The odds that the address asks for, and the form that asks for others."""
    form = HandForm(
        asked if "odds" in asked else None,
        offered(opening, pool),
        may_be_sought(opening, pool),
    )
    if not (form.is_valid() and form.cleaned_data["want"]):
        return {"form": form, "odds": None}
    data = form.cleaned_data
    how = data["how"] or Wanted.ANY
    found = odds(opening, pool, data["want"], how, data["mulligan"])
    return {"form": form, "odds": found}


def _address(
    seed: str, places: list[int], turns: int, terms: dict[str, int | str]
) -> str:
    if turns > MOST_TURNS:
        return ""
    given = [("give", place) for place in places]
    said = [("seed", seed), ("mulligan", 1), ("turns", turns), *terms.items()]
    return "?" + urlencode([*said, *given])


def _is_place(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 3


def _number(asked: QueryDict, name: str) -> int:
    text = asked.get(name, "")
    return int(text) if _is_place(text) else 0
