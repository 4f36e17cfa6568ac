"""Decks that a visitor may reach, and answers that several pages give.

Accounts own decks; sessions have keys of drafts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.rules.card import Card
from arkham.rules.vocabulary import is_digits
from cardpool.catalog import current_judge, seen_pool
from cardpool.languages import shown_name
from decks import queries
from decks.models import Deck, Revision
from decks.pages.arrangement import DeckArrangement
from decks.pages.display import Judged
from decks.services.hooks import lock_tables
from decks.services.ledger import is_played

SESSION_KEY, LINKED_KEY = "deck_keys", "linked_deck_keys"
VIEW_KEY = "deck_view"
MOST_DIGITS = 10
MOST_KEYS = 50  # of one visitor; the oldest is dropped
MOST_JUDGED = 100  # decks that are judged to tell them apart


def keys_of(request: HttpRequest) -> list[str]:
    """Return the keys of drafts in the visitor's session."""
    return list(request.session.get(SESSION_KEY, ()))


def drafts_of(request: HttpRequest) -> QuerySet[Deck]:
    """Return the drafts begun in this browser, without those opened by a link."""
    linked = request.session.get(LINKED_KEY, ())
    own = [each for each in keys_of(request) if each not in linked]
    return Deck.objects.filter(owner=None, key__in=own)


def hold_key(request: HttpRequest, key: str, *, by_link: bool = False) -> None:
    """Add a key to the visitor's session; keys got by a link stay marked as such."""
    keys = [*(each for each in keys_of(request) if each != key), key][-MOST_KEYS:]
    linked = {*request.session.get(LINKED_KEY, ()), *([key] if by_link else ())}
    request.session[SESSION_KEY] = keys
    request.session[LINKED_KEY] = [each for each in keys if each in linked]


def owner_of(request: HttpRequest) -> User | None:
    """Return the account that owns what is created now; None without one."""
    return request.user if isinstance(request.user, User) else None


def editable(request: HttpRequest, pk: int) -> Revision:
    """Return the latest revision of a deck that the visitor may change; or 404."""
    decks = queries.editable_by(request.user, keys_of(request))
    return _found(queries.latest_of_one(decks, pk))


def locked(request: HttpRequest, pk: int) -> Revision:
    """Lock a deck and return its latest revision; or 404. Only in a transaction."""
    deck = editable(request, pk).deck
    lock_tables(deck)  # always lock tables before decks
    Deck.objects.select_for_update().filter(pk=deck.pk).first()
    return editable(request, pk)


def is_of_another_game(request: HttpRequest, latest: Revision) -> bool:
    """Return True if a form was sent for another game, or for none.

    Undoing a game and recording another one doesn't change the revision's number.
    """
    return request.POST.get("game", "") != latest.game_mark


def named_to_edit(request: HttpRequest) -> Revision | None:
    """Return the latest revision of the deck in the query parameter ``deck``.

    None if it is missing, or if the visitor can't edit that deck (any more).
    """
    text = request.GET.get("deck", "")
    if not is_digits(text, MOST_DIGITS - 1):
        return None
    decks = queries.editable_by(request.user, keys_of(request))
    revision = queries.latest_of_one(decks, int(text))
    return None if revision is None or is_played(revision) else revision


def visible(request: HttpRequest, pk: int) -> Revision:
    """Return the latest revision of a deck that the visitor may see; or 404."""
    decks = queries.visible_to(request.user, keys_of(request))
    return _found(queries.latest(decks.filter(pk=pk)).first())


def view_of(request: HttpRequest) -> DeckArrangement:
    """Return how decks are arranged: by the query string, or as last time."""
    asked = request.POST if request.method == "POST" else request.GET
    kept = request.session.get(VIEW_KEY, {})
    view = DeckArrangement.read({**kept, **asked.dict()})
    chosen = view.data != DeckArrangement.read(kept).data
    if chosen and request.method == "GET":
        request.session[VIEW_KEY] = view.data
    return view


def title_of(deck: Deck, investigator: Card | None) -> str:
    """Return the title of a deck."""
    if deck.name:
        return deck.name
    if investigator is None:
        return _("A deck without an investigator")
    return _("A deck of %(investigator)s") % {"investigator": shown_name(investigator)}


def deck_title(revision: Revision) -> str:
    """Return the title of the deck of a revision."""
    card = seen_pool().get_card(revision.list["investigator_code"])
    return title_of(revision.deck, card)


def distinct_titles(revisions: Iterable[Revision]) -> dict[int, str]:
    """Return what decks are called side by side, with their investigators, by key.

    Those of one name have their cards, experience and date added, or else their number.
    """
    titles = {}
    for each in revisions:
        title = deck_title(each)
        card = seen_pool().get_card(each.list["investigator_code"])
        name = shown_name(card) if card is not None else ""
        titles[each] = title if name in title else f"{title} ({name})"
    ways = (_figures, lambda each: f"#{each.deck_id}")
    for differing in ways[len(titles) > MOST_JUDGED :]:
        often = Counter(titles.values())
        titles = {
            each: title if often[title] == 1 else f"{title} · {differing(each)}"
            for each, title in titles.items()
        }
    return {each.deck_id: title for each, title in titles.items()}


def _figures(revision: Revision) -> str:
    judged = Judged(revision.content, current_judge())
    figures = {
        "cards": judged.size_words,
        "experience": judged.verdict.experience_required,
        "date": date_format(localtime(revision.deck.changed_at), "SHORT_DATE_FORMAT"),
    }
    return _("%(cards)s, %(experience)d experience, %(date)s") % figures


def _found(revision: Revision | None) -> Revision:
    if revision is None:
        raise Http404
    return revision


# Functions by which apps above this one redirect after saving a draft.
SavedDraft = Callable[[HttpRequest, Deck], HttpResponse | None]
_saved_drafts: list[SavedDraft] = []


def register_saved_draft(source: SavedDraft) -> None:
    """Register a function that may redirect the owner of a draft just saved."""
    if source not in _saved_drafts:
        _saved_drafts.append(source)


def gone_on_with(request: HttpRequest, deck: Deck) -> HttpResponse | None:
    """Return the redirect for a draft just saved; None if there is none."""
    found = (source(request, deck) for source in _saved_drafts)
    return next((each for each in found if each is not None), None)


def see_other(address: str) -> HttpResponse:
    """Redirect with status 303 after a form was processed."""
    return HttpResponseRedirect(address, status=303)


def opened(request: HttpRequest, deck: Deck) -> HttpResponse:
    """Redirect to the builder, storing a draft's key in the session."""
    if deck.key is not None:
        hold_key(request, deck.key)
    return see_other(reverse("decks:edit", args=[deck.pk]))


def carried_of(request: HttpRequest) -> int | None:
    """Return the experience of an imported list that the page passes on, if any."""
    text = request.POST.get("carried", "")
    return int(text) if re.fullmatch(r"-?\d{1,3}", text, re.ASCII) else None


def not_understood(request: HttpRequest, detail: str = "") -> HttpResponse:
    """Answer 400: no page of ours sends such a form."""
    context = {
        "title": _("Unreadable form"),
        "detail": detail
        or _("We couldn’t read the form. Reload the page and try again."),
    }
    return render(request, "error.html", context, status=400)


def without_revision(request: HttpRequest) -> HttpResponse:
    """Answer 428: a change must name the revision it is based on."""
    context = {
        "title": _("This form is out of date"),
        "detail": _("Reload the page and try again."),
    }
    return render(request, "error.html", context, status=428)
