"""Upgrades that chance chooses: drawn, recorded, and put into the deck."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from decks import services
from decks.draws import drawing
from decks.draws.pools import is_chaotic, version_offers
from decks.draws.shown import shown_draws
from decks.forms.chance import UpgradesForm
from decks.lists.judging import current_judge
from decks.models import Revision
from decks.pages.display import Judged
from decks.views.answers import not_understood, see_other
from decks.views.builder import without_revision
from decks.views.reach import editable, title_of
from decks.views.weaknesses import revision_of


@require_http_methods(["GET", "HEAD", "POST"])
def by_chance(request: HttpRequest, pk: int) -> HttpResponse:
    """What chance may upgrade in this deck, and the buttons that let it."""
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
    """The deck with what lies on its desk."""
    desk = services.desk_of(revision)
    return Judged(desk.content if desk else revision.content, current_judge())


def _page(
    request: HttpRequest, revision: Revision, form: UpgradesForm | None, status: int
) -> HttpResponse:
    judged = _judged(revision)
    context = {
        "deck": revision.deck,
        "revision": revision,
        "title": title_of(revision.deck, judged.investigator),
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
        messages.error(request, _("No upgrade is left that the deck may have."))
    else:
        if services.desk_of(revision) is not None:
            told = _("What was drawn lies on the desk. Agree to it there.")
            messages.success(request, told)
            return see_other(reverse("decks:desk", args=[deck.pk]))
    return see_other(reverse("decks:chance-upgrades", args=[deck.pk]) + "#draws")
