"""The weaknesses of a deck: the pool they are drawn from, and every draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.rules.draws.weaknesses import is_drawn
from arkham.rules.vocabulary import is_digits
from cardpool.catalog import current_judge
from decks import queries, services
from decks.draws import drawing
from decks.draws.drawing import AlreadyCorrected, NothingToDraw
from decks.draws.opening_hands import WEAKNESSES, DrawRow, named, shown_draws
from decks.draws.pools import (
    WeaknessPool,
    is_during_deckbuilding,
    to_be_drawn,
    weakness_pool,
)
from decks.forms.chance import EVERYTHING, DrawCorrectionForm, PoolForm
from decks.models import Collection, Deck, Draw, Revision
from decks.pages.display import Judged
from decks.views.reach import (
    deck_title,
    distinct_titles,
    editable,
    keys_of,
    not_understood,
    owner_of,
    see_other,
    visible,
    without_revision,
)

MOST_DECKS = 40  # offered as decks of the same table


@require_http_methods(["GET", "HEAD", "POST"])
def weaknesses(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the pool of weaknesses, and draw from it."""
    revision = (visible if request.method != "POST" else editable)(request, pk)
    judged = Judged(revision.content, current_judge())
    if judged.frame is None:
        raise Http404
    asked = request.POST if request.method == "POST" else request.GET
    form, pool = _asked(request, revision, judged, asked)
    if request.method == "POST" and form.is_valid():
        expected = revision_of(request)
        if expected is None:
            return without_revision(request)
        count = form.cleaned_data["count"]
        return _draw(request, revision, judged, pool, count, expected)
    status = 422 if request.method == "POST" else 200
    return _page(request, revision, judged, form, pool, status)


def _moved(
    request: HttpRequest, latest: Revision, asked: Mapping[str, Any]
) -> HttpResponse:
    """Answer 412: the deck has changed, so nothing was drawn.

    No result is shown; otherwise players could draw again until they like it.
    """
    judged = Judged(latest.content, current_judge())
    if judged.frame is None:
        raise Http404
    form, pool = _asked(request, latest, judged, asked)
    return _page(request, latest, judged, form, pool, 412)


def _asked(
    request: HttpRequest, revision: Revision, judged: Judged, asked: Mapping[str, Any]
) -> tuple[PoolForm, WeaknessPool]:
    """Return the form, and the pool it describes."""
    owner = owner_of(request)
    collections = list(Collection.objects.filter(owner=owner)) if owner else []
    others = _others(request, revision.deck)
    traits = sorted(
        {
            trait
            for card in judged.pool.values()
            if is_drawn(card)
            for trait in card.traits
        }
    )
    titles = distinct_titles(others)
    decks = [(each.deck, titles[each.deck_id]) for each in others]
    form = PoolForm(asked or None, collections, decks, traits, to_be_drawn(judged))
    chosen = form.cleaned_data if form.is_valid() else form.initial
    wanted = chosen.get("collection") or EVERYTHING
    collection = next((each for each in collections if str(each.pk) == wanted), None)
    table = [
        each.content for each in others if str(each.deck_id) in chosen.get("table", ())
    ]
    trait = [chosen["trait"]] if chosen.get("trait") else []
    content = collection.content if collection else None
    return form, weakness_pool(judged, content, table, trait)


def _others(request: HttpRequest, deck: Deck) -> list[Revision]:
    """Return the latest revisions of the visitor's other decks."""
    decks = queries.visible_to(request.user, keys_of(request)).exclude(pk=deck.pk)
    return list(queries.latest(decks)[:MOST_DECKS])


def _draw(
    request: HttpRequest,
    revision: Revision,
    judged: Judged,
    pool: WeaknessPool,
    count: int,
    expected: int,
) -> HttpResponse:
    here = see_other(reverse("decks:weaknesses", args=[revision.deck_id]))
    deck, now = revision.deck, timezone.now()
    try:
        if is_during_deckbuilding(judged):
            drawing.draw_for_the_morrigan(
                deck=deck, cards=pool.open_cards, expected_revision=expected, now=now
            )
            return here
        drawn = drawing.draw_weaknesses(
            deck=deck,
            judged=judged,
            cards=pool.open_cards,
            count=count,
            expected_revision=expected,
            now=now,
        )
    except services.Stale as stale:
        return _moved(request, stale.theirs, request.POST)
    except NothingToDraw:
        messages.error(
            request, _("There are no weaknesses left to draw for this deck.")
        )
        return here
    names = ", ".join(name for _c, name, _n in DrawRow(drawn, judged.pool).cards)
    messages.success(request, _("Drawn: %(names)s.") % {"names": names})
    return here


@require_POST
def give_back(request: HttpRequest, pk: int, draw: int) -> HttpResponse:
    """Return one of three weaknesses; one of the others is added at random."""
    revision = editable(request, pk)
    three = get_object_or_404(Draw, pk=draw, deck=pk)
    expected = revision_of(request)
    if expected is None:
        return without_revision(request)
    try:
        drawing.return_one(
            deck=revision.deck,
            judged=Judged(revision.content, current_judge()),
            three=three,
            returned=request.POST.get("card", ""),
            expected_revision=expected,
            now=timezone.now(),
        )
    except services.Stale as stale:
        return _moved(request, stale.theirs, {})
    except ValueError:
        return not_understood(request)
    except NothingToDraw:
        messages.error(
            request, _("There is no other weakness to take, so this one stays.")
        )
    return see_other(reverse("decks:weaknesses", args=[pk]))


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, pk: int, draw: int) -> HttpResponse:
    """Undo a draw with a reason; its cards are to be drawn again."""
    revision = editable(request, pk)
    made = get_object_or_404(Draw, pk=draw, deck=pk)
    judged = Judged(revision.content, current_judge())
    if DrawRow(made, judged.pool).record.purpose not in WEAKNESSES:
        raise Http404
    form, moved = DrawCorrectionForm(request.POST or None), False
    if request.method == "POST" and form.is_valid():
        expected = revision_of(request)
        if expected is None:
            return without_revision(request)
        try:
            drawing.correct_draw(
                draw=made,
                judged=judged,
                reason=form.cleaned_data["reason"],
                expected_revision=expected,
                now=timezone.now(),
            )
        except services.Stale as stale:
            revision, moved = stale.theirs, True
        except AlreadyCorrected:
            return _corrected_before(request)
        else:
            return see_other(reverse("decks:weaknesses", args=[pk]))
    context = {
        "deck": revision.deck,
        "revision": revision,
        "shown": DrawRow(made, judged.pool),
        "form": form,
        "moved": moved,
    }
    status = 412 if moved else 422 if form.errors else 200
    return render(request, "decks/correct.html", context, status=status)


def _corrected_before(request: HttpRequest) -> HttpResponse:
    """Answer 409: no draw is corrected twice."""
    context = {
        "title": _("Already corrected"),
        "detail": _("The draw was already corrected. Nothing was undone twice."),
    }
    return render(request, "error.html", context, status=409)


@require_safe
def draw_json(request: HttpRequest, pk: int, draw: int) -> HttpResponse:
    """Download the record of a draw, to verify it."""
    visible(request, pk)
    made = get_object_or_404(Draw, pk=draw, deck=pk)
    response = JsonResponse(made.record, json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="draw-{draw}.json"'
    return response


def _page(
    request: HttpRequest,
    revision: Revision,
    judged: Judged,
    form: PoolForm,
    pool: WeaknessPool,
    status: int,
) -> HttpResponse:
    context = {
        "deck": revision.deck,
        "revision": revision,
        "title": deck_title(revision),
        "form": form,
        "pool": pool,
        "open": sorted(named(pool.open_cards, judged.pool), key=lambda each: each[1]),
        "gone": sorted(named(pool.gone, judged.pool), key=lambda each: each[1]),
        "count": to_be_drawn(judged),
        "morrigan": is_during_deckbuilding(judged),
        "draws": shown_draws(revision.deck, judged.pool),
        "moved": status == 412,
    }
    return render(request, "decks/weaknesses.html", context, status=status)


def revision_of(request: HttpRequest) -> int | None:
    """Return the revision that a form is based on."""
    text = request.POST.get("revision", "")
    return int(text) if is_digits(text, 9) else None
