"""Opening hands with their odds, and random upgrades."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from arkham.rules.draws.odds import ACTIONS, DEAR, OPENINGS, PART, Wanted
from arkham.rules.draws.opening import OPENING_CARDS, Opening
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import is_digits
from cardpool.catalog import current_judge
from decks import services
from decks.draws import drawing
from decks.draws.drawing import new_seed
from decks.draws.opening_hands import (
    KIND_TURNS,
    dealt,
    may_be_sought,
    odds,
    odds_of_kinds,
    offered,
    opening_for,
    shown_draws,
    tempo,
)
from decks.draws.pools import is_chaotic, version_offers
from decks.forms.chance import MOST_FEWER, MOST_TURNS, HandForm, UpgradesForm
from decks.models import Revision
from decks.pages.display import Judged
from decks.views.reach import (
    deck_title,
    editable,
    not_understood,
    see_other,
    visible,
    without_revision,
)
from decks.views.weaknesses import revision_of

LONGEST_SEED = 64
PARTS = OPENINGS // PART
TEMPO_SEED = "tempo"  # a fixed seed gives the same openings each time


@require_safe
def hand(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a dealt hand, the mulligan, the turns after it, and its odds."""
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
        "title": deck_title(revision),
        "opening": opening,
        "changing": [row.name for row in opening.rows if not row.plays],
        "playing": [row.name for row in opening.rows if row.plays],
        "usual": OPENING_CARDS,
        "terms": terms,
        **_dealt(asked, opening, judged.pool, terms),
        **_odds(asked, opening, judged.pool),
        "kinds": odds_of_kinds(opening, judged.pool),
        **_tempo(asked, opening, judged),
        "kind_turns": range(1, KIND_TURNS + 1),
        "trials": {"openings": f"{OPENINGS:,}", "dear": DEAR, "actions": ACTIONS},
    }
    status = 422 if context["form"].errors else 200
    return render(request, "decks/hand.html", context, status=status)


def _tempo(asked: QueryDict, opening: Opening, judged: Judged) -> dict[str, Any]:
    """Return the results of the parts simulated so far, and the next part."""
    parts = min(_number(asked, "tempo"), PARTS)
    if not parts:
        return {"parts": PARTS}
    found = tempo(opening, judged, TEMPO_SEED, parts * PART)
    more = parts + 1 if parts < PARTS else 0
    return {"tempo": found, "parts": PARTS, "done": parts, "more": more}


def _dealt(
    asked: QueryDict, opening: Opening, pool: CardPool, terms: dict[str, int | str]
) -> dict[str, Any]:
    """Deal the hand in the query string."""
    seed = asked.get("seed", "")[:LONGEST_SEED] or new_seed()
    places = [int(each) for each in asked.getlist("give") if is_digits(each, 2)]
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
    """Return the odds in the query string, and the form for others."""
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


def _number(asked: QueryDict, name: str) -> int:
    text = asked.get(name, "")
    return int(text) if is_digits(text, 2) else 0


@require_http_methods(["GET", "HEAD", "POST"])
def by_chance(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and make random upgrades of this deck."""
    revision = editable(request, pk)
    judged = _judged(revision)
    form = None
    if is_chaotic(judged):
        asked = request.POST if request.method == "POST" else None
        form = UpgradesForm(asked)
    if request.method == "POST" and ("lower" in request.POST or form is not None):
        if form is None or form.is_valid():
            return _upgrade(request, revision, judged, form)
    elif request.method == "POST":
        return not_understood(request)
    return _page(request, revision, form, 422 if request.method == "POST" else 200)


def _judged(revision: Revision) -> Judged:
    """Judge the deck with its upgrade in progress."""
    desk = services.desk_of(revision)
    return Judged(desk.content if desk else revision.content, current_judge())


def _page(
    request: HttpRequest, revision: Revision, form: UpgradesForm | None, status: int
) -> HttpResponse:
    judged = _judged(revision)
    context = {
        "deck": revision.deck,
        "revision": revision,
        "title": deck_title(revision),
        "offers": version_offers(judged),
        "form": form,
        "draws": shown_draws(revision.deck, judged.pool),
        "moved": status == 412,
    }
    return render(request, "decks/chance_upgrades.html", context, status=status)


def _upgrade(
    request: HttpRequest, revision: Revision, judged: Judged, form: UpgradesForm | None
) -> HttpResponse:
    expected = revision_of(request)
    if expected is None:
        return without_revision(request)
    deck, now = revision.deck, timezone.now()
    try:
        if form is None:
            drawing.upgrade_to_versions(
                deck=deck,
                judged=judged,
                lower=request.POST["lower"],
                expected_revision=expected,
                now=now,
            )
        else:
            drawing.upgrade_at_random(
                deck=deck,
                judged=judged,
                experience=form.cleaned_data["experience"],
                expected_revision=expected,
                now=now,
            )
    except services.Stale as stale:
        return _page(request, stale.theirs, form, 412)
    except (KeyError, ValueError):
        return not_understood(request)
    except drawing.NothingToDraw:
        messages.error(request, _("There are no more upgrades this deck may have."))
    else:
        if services.desk_of(revision) is not None:
            message = _(
                "The upgrades drawn are on the upgrade desk. Confirm them there."
            )
            messages.success(request, message)
            return see_other(reverse("decks:desk", args=[deck.pk]))
    return see_other(reverse("decks:chance-upgrades", args=[deck.pk]) + "#draws")
