"""Pages of shown decks: their visibility, labels, and the decks themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import islice
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import is_digits
from arkham.web.forms import sent_once
from arkham.web.limits import keeps_something
from cardpool.catalog import current_judge
from cardpool.languages import shown_name
from decks import queries, services
from decks.forms.lists import LabelsForm, SearchForm
from decks.interchange.export import Words, copies_of, shown_list
from decks.models import Deck, Revision, Showing
from decks.pages.display import Judged
from decks.pages.figures import figures
from decks.pages.terms import summary
from decks.queries import keys_of
from decks.services.sharing import (
    LONGEST_MARK,
    PRIVATE,
    VISIBILITIES,
    address_of,
    labels_of,
    link_of,
    mark_of,
    showing_of,
    shown_content,
    shown_revision,
    source_of,
    visibility_of,
)
from decks.views.deck_tools import file_of
from decks.views.reach import (
    deck_title,
    editable,
    not_understood,
    opened,
    owner_of,
    see_other,
    title_of,
    view_of,
)


@require_http_methods(["GET", "HEAD", "POST"])
def describe(request: HttpRequest, pk: int) -> HttpResponse:
    """Edit a deck's name, notes and tags, never overwriting unseen changes."""
    revision = editable(request, pk)
    deck = revision.deck
    if request.method != "POST":
        form = LabelsForm(initial=labels_of(deck)._asdict())
        return _ask(request, revision, form, mark_of(labels_of(deck)))
    form = LabelsForm(request.POST)
    seen = request.POST.get("seen", "")[:LONGEST_MARK]
    if not form.is_valid() or "preview" in request.POST:
        return _ask(request, revision, form, seen)
    try:
        services.describe_deck(
            deck=deck, labels=form.labels, seen=seen, now=timezone.now()
        )
    except services.LabelsMoved as moved:
        # Saving again means that the other version was seen.
        return _ask(request, revision, form, mark_of(moved.theirs), moved=moved)
    messages.success(request, _("The name, notes and tags are saved."))
    return see_other(reverse("decks:show", args=[pk]))


def _ask(
    request: HttpRequest,
    revision: Revision,
    form: LabelsForm,
    seen: str,
    moved: services.LabelsMoved | None = None,
) -> HttpResponse:
    context = {
        "deck": revision.deck,
        "title": deck_title(revision),
        "form": form,
        "seen": seen,
        "moved": moved,
        "preview": form.is_bound and form.is_valid() and "preview" in request.POST,
    }
    status = 412 if moved else 422 if form.errors else 200
    return render(request, "decks/describe.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def sharing(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and change a deck's visibility: private, by its link, or published."""
    revision = editable(request, pk)
    deck = revision.deck
    if request.method == "POST":
        return _changed(request, deck)
    showing = showing_of(deck)
    context = {
        "deck": deck,
        "revision": revision,
        "title": deck_title(revision),
        "visibility": visibility_of(deck),
        "withdrawal": queries.withdrawal_of(deck),
        "showing": showing,
        "address": address_of(showing) if showing else "",
        "link": _link(request, showing),
    }
    return render(request, "decks/sharing.html", context)


def _link(request: HttpRequest, showing: Showing | None) -> str:
    """Return the private link as a URL; "" if there is none."""
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
    """End one way of sharing; return a message, or "" for an invalid form."""
    match request.POST["close"]:
        case Showing.Kind.LINK:
            services.close_link(deck=deck)
            return _("Link revoked.")
        case Showing.Kind.PUBLISHED:
            services.unpublish_deck(deck=deck, now=timezone.now())
            return _("The deck isn’t published any more.")
    return ""


def _open(request: HttpRequest, deck: Deck) -> str:
    """Share a deck in another way, or make it private; "" for an invalid form."""
    wanted, now = request.POST.get("visibility", ""), timezone.now()
    if "history" in request.POST:
        shown = request.POST["history"] == "show"
        services.show_history(deck=deck, shown=shown, now=now)
        if shown:
            return _("Others can see the earlier versions now.")
        return _("Others don’t see the earlier versions any more.")
    if deck.owner_id is None or wanted not in VISIBILITIES:
        return ""
    if wanted == PRIVATE:
        services.withdraw_deck(deck=deck)
        return _("Only you can see the deck now.")
    if wanted == Showing.Kind.LINK:
        share = services.renew_link if "renew" in request.POST else services.open_link
        share(deck=deck, now=now)
        return _("Anyone with the link can see the deck.")
    text = request.POST.get("revision", "")
    number = int(text) if is_digits(text, 9) else 0  # no revision has the number 0
    try:
        services.publish_deck(
            deck=deck, number=number, pool=current_judge().pool, now=now
        )
    except Revision.DoesNotExist:
        return ""
    return _("The deck is published.")


MOST_PLAYED = 40  # cards shown
A_PAGE = 24
NONE_PUBLISHED = gettext_lazy(
    "There is no published deck at this address. Its owner may have made it private "
    "or deleted it."
)
NO_LINK = gettext_lazy(
    "This link doesn’t open a deck. Its owner may have revoked or replaced it, or "
    "deleted the deck. Ask for a new link."
)

View = Callable[..., HttpResponse]


class NotShown(Exception):
    """No deck is shown at this address; the message says what may be the reason."""


def explain_not_shown(view: View) -> View:
    """Wrap a page of a shown deck; answer 404 with the reason of NotShown."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **parts: Any) -> HttpResponse:
        try:
            return view(request, *args, **parts)
        except NotShown as absent:
            context = {
                "title": _("This deck isn’t shared any more"),
                "detail": str(absent),
                "is_deck": True,
            }
            return render(request, "error.html", context, status=404)

    return page


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the published decks that match the search, each with its verdict."""
    judge = current_judge()
    form = SearchForm(_investigators(judge.pool), request.GET)
    found = (
        queries.published(form.sought) if form.is_valid() else Showing.objects.none()
    )
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    entries = []
    for showing, revision in queries.shown_revisions(page):
        judged = Judged(shown_content(revision), judge)
        entries.append((showing, judged, title_of(showing.deck, judged.investigator)))
    query = request.GET.copy()
    query.pop("page", None)
    whose = form.sought.investigator if form.is_valid() else ""
    played = queries.played_cards(whose)
    context = {
        "played": [
            (card, number)
            for code, number in islice(played.cards.items(), MOST_PLAYED)
            if (card := judge.pool.get_card(code))
        ],
        "played_decks": played.decks,
        "whose": judge.pool.get_card(whose) if whose else None,
        "form": form,
        "page": page,
        "entries": entries,
        "query": query.urlencode(),
        "searched": any(value for key, value in query.items()),
    }
    return render(request, "decks/published.html", context)


def _investigators(pool: CardPool) -> list[tuple[str, str]]:
    """Return the investigators of published decks, by name."""
    published = queries.shown(Showing.Kind.PUBLISHED).order_by("investigator")
    codes = published.values_list("investigator", flat=True).distinct()
    names = [
        (code, shown_name(card)) for code in codes if (card := pool.get_card(code))
    ]
    return sorted(names, key=lambda each: each[1])


@explain_not_shown
@never_cache
@require_safe
def shared(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the latest revision of a deck to visitors with its link."""
    return _read(request, _shared(key))


@explain_not_shown
@require_safe
def published(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a published deck, as its owner published it."""
    return _read(request, published_or_explained(pk))


def _read(request: HttpRequest, showing: Showing) -> HttpResponse:
    revision = shown_revision(showing)
    judge = current_judge()
    judged = Judged(shown_content(revision), judge, view=view_of(request))
    is_published = showing.kind == Showing.Kind.PUBLISHED
    source = source_of(showing.deck)
    context = {
        "showing": showing,
        "is_published": is_published,
        "is_mine": showing.deck.owner_id == request.user.pk,
        "deck": showing.deck,
        "revision": revision,
        # A source that was only shared by a link is not shown to others.
        "source": source if source and source.kind == Showing.Kind.PUBLISHED else None,
        "title": title_of(showing.deck, judged.investigator),
        "judged": judged,
        "terms": summary(judged),
        "figures": figures(judged.rows, judged.view.group),
        "copies": copies_of(
            shown_list(showing, revision, judge.pool), revision, judge.pool
        ),
        "files_at": f"decks:{'published' if is_published else 'shared'}-",
        "place": showing.pk if is_published else showing.key,
        "copy_at": f"{address_of(showing)}copy",
        "host": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "decks/shown.html", context)


@keeps_something
@explain_not_shown
@require_POST
@sent_once
def copy_shared(request: HttpRequest, key: UUID) -> HttpResponse:
    """Copy a shared deck into the visitor's decks."""
    return _copy(request, _shared(key))


@keeps_something
@explain_not_shown
@require_POST
@sent_once
def copy_published(request: HttpRequest, pk: int) -> HttpResponse:
    """Copy a published deck into the visitor's decks."""
    return _copy(request, published_or_explained(pk))


def _copy(request: HttpRequest, showing: Showing) -> HttpResponse:
    now = timezone.now()
    services.forget_drafts(now=now)
    made = services.copy_shown(showing=showing, owner=owner_of(request), now=now)
    messages.success(request, _("This is your copy."))
    return opened(request, made)


@explain_not_shown
@never_cache
@require_safe
def download_shared(request: HttpRequest, key: UUID, form: str) -> HttpResponse:
    """Download a shared deck."""
    return _download(_shared(key), form)


@explain_not_shown
@require_safe
def download_published(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """Download a published deck."""
    return _download(published_or_explained(pk), form)


def _download(showing: Showing, form: str) -> HttpResponse:
    pool = current_judge().pool
    value = shown_list(showing, shown_revision(showing), pool)
    return file_of(value, form, pool, showing.deck.name, showing.pk)


@explain_not_shown
@require_safe
def decklist_as_arkhamdb(
    request: HttpRequest, number: int, name: str = ""
) -> HttpResponse:
    """Redirect from ArkhamDB's address of a decklist to ours."""
    found = queries.earlier(number)
    showing = found[0] if found else published_or_explained(number)
    return HttpResponseRedirect(address_of(showing))


@explain_not_shown
@require_safe
def deck_as_arkhamdb(request: HttpRequest, place: int | UUID) -> HttpResponse:
    """Redirect from ArkhamDB's address of a deck to ours."""
    showing = _numbered(place) if isinstance(place, int) else _shared(place)
    return HttpResponseRedirect(address_of(showing))


def published_or_explained(pk: int) -> Showing:
    """Return a published deck by its number; raise NotShown."""
    published = queries.shown(Showing.Kind.PUBLISHED)
    return _found(published.filter(pk=pk).first(), NONE_PUBLISHED)


def _shared(key: UUID) -> Showing:
    return _found(queries.linked(key), NO_LINK)


def _numbered(number: int) -> Showing:
    if found := queries.earlier(number):
        return found[0]
    said = NONE_PUBLISHED if keys_of(number) is None else NO_LINK
    return _found(queries.numbered(number), said)


def _found(showing: Showing | None, said: Words) -> Showing:
    if showing is None:
        raise NotShown(said)
    return showing
