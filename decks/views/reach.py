"""Which decks a visitor reaches, and answers that several pages give.

Accounts own decks; sessions hold keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.rules.card import Card
from cardpool.languages import shown_name
from decks import queries
from decks.models import Deck, Revision
from decks.pages.arrangement import DeckArrangement
from decks.services.ledger import is_played

SESSION_KEY = "deck_keys"
VIEW_KEY = "deck_view"
MOST_DIGITS = 10
MOST_KEYS = 50  # of one visitor; the oldest is let go


def keys_of(request: HttpRequest) -> list[str]:
    """The keys of drafts that the visitor's session holds."""
    return list(request.session.get(SESSION_KEY, ()))


def hold_key(request: HttpRequest, key: str) -> None:
    """Keep a key in the visitor's session."""
    keys = [each for each in keys_of(request) if each != key]
    request.session[SESSION_KEY] = [*keys, key][-MOST_KEYS:]


def owner_of(request: HttpRequest) -> User | None:
    """The account, for what is made now; None without one."""
    return request.user if isinstance(request.user, User) else None


def editable(request: HttpRequest, pk: int) -> Revision:
    """The latest revision of a deck the visitor may change; or 404."""
    decks = queries.editable_by(request.user, keys_of(request))
    return _found(queries.latest_of_one(decks, pk))


def locked(request: HttpRequest, pk: int) -> Revision:
    """The same, while no other request changes the deck. Only in a transaction."""
    deck = editable(request, pk).deck
    Deck.objects.select_for_update().filter(pk=deck.pk).first()
    return editable(request, pk)


def is_of_another_game(request: HttpRequest, latest: Revision) -> bool:
    """Whether a form was sent in sight of another game, or of none.

    One taken back and another one written down leave the number of the revision.
    """
    return request.POST.get("game", "") != latest.game_mark


def named_to_edit(request: HttpRequest) -> Revision | None:
    """The latest revision of the deck that an address names as ``deck``.

    None without one, or where the visitor may not, or can no longer, edit it.
    """
    text = request.GET.get("deck", "")
    if not (text.isascii() and text.isdigit() and len(text) < MOST_DIGITS):
        return None
    decks = queries.editable_by(request.user, keys_of(request))
    revision = queries.latest_of_one(decks, int(text))
    return None if revision is None or is_played(revision) else revision


def visible(request: HttpRequest, pk: int) -> Revision:
    """The latest revision of a deck the visitor may see; or 404."""
    decks = queries.visible_to(request.user, keys_of(request))
    return _found(queries.latest(decks.filter(pk=pk)).first())


def view_of(request: HttpRequest) -> DeckArrangement:
    """How the reader wants decks arranged: as the address says, or as the last time."""
    asked = request.POST if request.method == "POST" else request.GET
    kept = request.session.get(VIEW_KEY, {})
    view = DeckArrangement.read({**kept, **asked.dict()})
    chosen = view.data != DeckArrangement.read(kept).data
    if chosen and request.method == "GET":
        request.session[VIEW_KEY] = view.data
    return view


def title_of(deck: Deck, investigator: Card | None) -> str:
    """What a page calls a deck."""
    if deck.name:
        return deck.name
    if investigator is None:
        return _("A deck without an investigator")
    return _("A deck of %(investigator)s") % {"investigator": shown_name(investigator)}


def _found(revision: Revision | None) -> Revision:
    if revision is None:
        raise Http404
    return revision


# What an app above knows of a draft that was just saved: where to go on with it.
SavedDraft = Callable[[HttpRequest, Deck], HttpResponse | None]
_saved_drafts: list[SavedDraft] = []


def register_saved_draft(source: SavedDraft) -> None:
    """Ask this source, too, where the owner of a draft just saved goes on."""
    if source not in _saved_drafts:
        _saved_drafts.append(source)


def gone_on_with(request: HttpRequest, deck: Deck) -> HttpResponse | None:
    """The way to where a draft just saved is wanted; None where it isn't."""
    found = (source(request, deck) for source in _saved_drafts)
    return next((each for each in found if each is not None), None)


def see_other(address: str) -> HttpResponse:
    """303: the form was taken, and what came of it is there."""
    return HttpResponseRedirect(address, status=303)


def opened(request: HttpRequest, deck: Deck) -> HttpResponse:
    """To the builder, with the key of a draft kept in the session."""
    if deck.key is not None:
        hold_key(request, deck.key)
    return see_other(reverse("decks:edit", args=[deck.pk]))


def carried_of(request: HttpRequest) -> int | None:
    """The experience that a list brought along, as the page passed it on, if it did."""
    text = request.POST.get("carried", "")
    return int(text) if re.fullmatch(r"-?\d{1,3}", text, re.ASCII) else None


def not_understood(request: HttpRequest, detail: str = "") -> HttpResponse:
    """400: a form that no page of ours sends."""
    context = {
        "title": _("Unreadable form"),
        "detail": detail
        or _("We couldn’t read the form. Reload the page and try again."),
    }
    return render(request, "error.html", context, status=400)
