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
from cardpool.catalog import current_judge
from decks import services
from decks.forms.showing import BesideForm
from decks.models import Deck, Revision, Showing
from decks.services.sharing import (
    LONGEST_MARK,
    PRIVATE,
    VISIBILITIES,
    address_of,
    beside_of,
    link_of,
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
    seen = request.POST.get("seen", "")[:LONGEST_MARK]
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
        "address": address_of(showing) if showing else "",
        "link": _link(request, showing),
    }
    return render(request, "decks/sharing.html", context)


def _link(request: HttpRequest, showing: Showing | None) -> str:
    """The private link, to be given away; empty if there is none."""
    if showing is None or not showing.has_link:
        return ""
    return request.build_absolute_uri(link_of(showing))


def _changed(request: HttpRequest, deck: Deck) -> HttpResponse:
    said = _close(request, deck) if "close" in request.POST else _open(request, deck)
    if not said:
        return not_understood(request)
    messages.success(request, said)
    return see_other(reverse("decks:sharing", args=[deck.pk]))


def _close(request: HttpRequest, deck: Deck) -> str:
    """End one way of sharing, the other stays; empty for what no form sends."""
    match request.POST["close"]:
        case Showing.Kind.LINK:
            services.close_link(deck=deck)
            return _("The link is withdrawn.")
        case Showing.Kind.PUBLISHED:
            services.unpublish_deck(deck=deck, now=timezone.now())
            return _("The deck isn’t published any more.")
    return ""


def _open(request: HttpRequest, deck: Deck) -> str:
    """Share a deck in one more way, or in none; empty for what no form sends."""
    wanted, now = request.POST.get("visibility", ""), timezone.now()
    if deck.owner_id is None or wanted not in VISIBILITIES:
        return ""
    if wanted == PRIVATE:
        services.withdraw_deck(deck=deck)
        return _("Only you can see the deck now.")
    if wanted == Showing.Kind.LINK:
        share = services.renew_link if "renew" in request.POST else services.open_link
        share(deck=deck, now=now)
        return _("Anyone with the link can see the deck.")
    number = request.POST.get("revision", "")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return ""
    try:
        services.publish_deck(
            deck=deck, number=int(number), pool=current_judge().pool, now=now
        )
    except Revision.DoesNotExist:
        return ""
    return _("The deck is published.")


def _title(revision: Revision, pool: CardPool) -> str:
    card = pool.get_card(revision.list["investigator_code"])
    return title_of(revision.deck, card)
