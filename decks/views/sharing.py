"""What its owner says of a deck, and to whom it is shown."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from arkham.rules.pool import CardPool
from decks import services
from decks.forms.showing import BesideForm
from decks.judging import current_judge
from decks.models import Deck, Revision, Showing
from decks.showing import (
    PRIVATE,
    VISIBILITIES,
    address_of,
    beside_of,
    mark_of,
    showing_of,
    visibility_of,
)
from decks.views.answers import not_understood, see_other
from decks.views.reach import editable, title_of


@require_http_methods(["GET", "HEAD", "POST"])
def describe(request: HttpRequest, pk: int) -> HttpResponse:
    """A deck's name, notes and tags; nobody's words are overwritten unseen."""
    revision = editable(request, pk)
    deck = revision.deck
    if request.method != "POST":
        form = BesideForm(initial=beside_of(deck)._asdict())
        return _ask(request, revision, form, mark_of(beside_of(deck)))
    form = BesideForm(request.POST)
    seen = request.POST.get("seen", "")
    if not form.is_valid() or "preview" in request.POST:
        return _ask(request, revision, form, seen)
    try:
        services.describe_deck(
            deck=deck, beside=form.beside, seen=seen, now=timezone.now()
        )
    except services.BesideMoved as moved:
        # To save once more is to know what was there.
        return _ask(request, revision, form, mark_of(moved.theirs), moved=moved)
    messages.success(request, _("The name, notes and tags are saved."))
    return see_other(reverse("decks:show", args=[pk]))


def _ask(
    request: HttpRequest,
    revision: Revision,
    form: BesideForm,
    seen: str,
    moved: services.BesideMoved | None = None,
) -> HttpResponse:
    context = {
        "deck": revision.deck,
        "title": _title(revision, current_judge().pool),
        "form": form,
        "seen": seen,
        "moved": moved,
        "preview": form.is_bound and form.is_valid() and "preview" in request.POST,
    }
    status = 412 if moved else 422 if form.errors else 200
    return render(request, "decks/describe.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def sharing(request: HttpRequest, pk: int) -> HttpResponse:
    """Who sees a deck: nobody else, whoever has its link, or everybody."""
    revision = editable(request, pk)
    deck = revision.deck
    if request.method == "POST":
        return _changed(request, deck)
    showing = showing_of(deck)
    context = {
        "deck": deck,
        "revision": revision,
        "title": _title(revision, current_judge().pool),
        "visibility": visibility_of(deck),
        "showing": showing,
        "address": request.build_absolute_uri(address_of(showing)) if showing else "",
    }
    return render(request, "decks/sharing.html", context)


def _changed(request: HttpRequest, deck: Deck) -> HttpResponse:
    wanted = request.POST.get("visibility", "")
    if deck.owner_id is None or wanted not in VISIBILITIES:
        return not_understood(request)
    now = timezone.now()
    if wanted == PRIVATE:
        services.withdraw_deck(deck=deck)
        said = _("Only you see the deck now.")
    elif wanted == Showing.Kind.LINK:
        share = services.renew_link if "renew" in request.POST else services.share_deck
        share(deck=deck, now=now)
        said = _("Whoever has the link sees the deck.")
    else:
        number = request.POST.get("revision", "")
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            return not_understood(request)
        try:
            services.publish_deck(
                deck=deck, number=int(number), pool=current_judge().pool, now=now
            )
        except Revision.DoesNotExist:
            return not_understood(request)
        said = _("The deck is published as it is in revision %(number)s.") % {
            "number": number
        }
    messages.success(request, said)
    return see_other(reverse("decks:sharing", args=[deck.pk]))


def _title(revision: Revision, pool: CardPool) -> str:
    card = pool.get_card(revision.list["investigator_code"])
    return title_of(revision.deck, card.name if card else "?")
