"""Decks that others show: published to all, or shared by a link. They are only read."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arkham.rules.pool import CardPool
from decks import queries, services
from decks.display import Judged
from decks.exchange import copies_of, shown_list
from decks.figures import figures
from decks.forms.showing import SearchForm
from decks.judging import current_judge
from decks.models import Showing
from decks.showing import address_of, shown_content, shown_revision, source_of
from decks.terms import summary
from decks.views.answers import opened
from decks.views.downloads import file_of
from decks.views.reach import owner_of, title_of

A_PAGE = 24


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every published deck that is sought, each with its verdict."""
    judge = current_judge()
    form = SearchForm(_investigators(judge.pool), request.GET)
    found = (
        queries.published(form.sought) if form.is_valid() else Showing.objects.none()
    )
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    entries = []
    for showing, revision in queries.shown_revisions(page):
        judged = Judged(shown_content(revision), judge)
        name = judged.investigator.name if judged.investigator else "?"
        entries.append((showing, judged, title_of(showing.deck, name)))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "form": form,
        "page": page,
        "entries": entries,
        "query": query.urlencode(),
        "searched": any(value for key, value in query.items()),
    }
    return render(request, "decks/published.html", context)


def _investigators(pool: CardPool) -> list[tuple[str, str]]:
    """The investigators of published decks, by name."""
    published = queries.shown(Showing.Kind.PUBLISHED).order_by("investigator")
    codes = published.values_list("investigator", flat=True).distinct()
    names = [(code, card.name) for code in codes if (card := pool.get_card(code))]
    return sorted(names, key=lambda each: each[1])


@never_cache
@require_safe
def shared(request: HttpRequest, key: object) -> HttpResponse:
    """The latest revision of a deck, for whoever has its link."""
    return _read(request, _shared(key))


@require_safe
def published(request: HttpRequest, pk: int) -> HttpResponse:
    """A published deck, as its owner published it."""
    return _read(request, _published(pk))


def _read(request: HttpRequest, showing: Showing) -> HttpResponse:
    revision = shown_revision(showing)
    judge = current_judge()
    judged = Judged(shown_content(revision), judge)
    name = judged.investigator.name if judged.investigator else "?"
    is_published = showing.kind == Showing.Kind.PUBLISHED
    source = source_of(showing.deck)
    context = {
        "showing": showing,
        "is_published": is_published,
        "is_mine": showing.deck.owner_id == request.user.pk,
        "deck": showing.deck,
        "revision": revision,
        # What was shared by a link with its owner alone is told to nobody else.
        "source": source if source and source.kind == Showing.Kind.PUBLISHED else None,
        "title": title_of(showing.deck, name),
        "judged": judged,
        "terms": summary(judged),
        "figures": figures(judged.rows),
        "copies": copies_of(
            shown_list(showing, revision, judge.pool), revision, judge.pool
        ),
        "files_at": f"decks:{'published' if is_published else 'shared'}-",
        "place": showing.pk if is_published else showing.key,
        "copy_at": f"{address_of(showing)}copy",
    }
    return render(request, "decks/shown.html", context)


@require_POST
def copy_shared(request: HttpRequest, key: object) -> HttpResponse:
    """A deck of one's own that begins as a shared one."""
    return _copy(request, _shared(key))


@require_POST
def copy_published(request: HttpRequest, pk: int) -> HttpResponse:
    """A deck of one's own that begins as a published one."""
    return _copy(request, _published(pk))


def _copy(request: HttpRequest, showing: Showing) -> HttpResponse:
    now = timezone.now()
    services.forget_drafts(now=now)
    made = services.copy_shown(showing=showing, owner=owner_of(request), now=now)
    messages.success(request, _("This is your copy."))
    return opened(request, made)


@never_cache
@require_safe
def download_shared(request: HttpRequest, key: object, form: str) -> HttpResponse:
    """A shared deck as a file."""
    return _download(_shared(key), form)


@require_safe
def download_published(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """A published deck as a file."""
    return _download(_published(pk), form)


def _download(showing: Showing, form: str) -> HttpResponse:
    pool = current_judge().pool
    value = shown_list(showing, shown_revision(showing), pool)
    return file_of(value, form, pool, showing.deck.name, showing.pk)


@require_safe
def as_arkhamdb(
    request: HttpRequest, kind: str, place: object, name: str = ""
) -> HttpResponse:
    """From an address like ArkhamDB's to ours."""
    if kind == "decklist":
        showing = _published(place)
    elif isinstance(place, int):
        published = queries.shown(Showing.Kind.PUBLISHED)
        showing = get_object_or_404(published, deck__pk=place)
    else:
        showing = _shared(place)
    return HttpResponseRedirect(address_of(showing))


def _published(pk: object) -> Showing:
    return get_object_or_404(queries.shown(Showing.Kind.PUBLISHED), pk=pk)


def _shared(key: object) -> Showing:
    return get_object_or_404(queries.shown(Showing.Kind.LINK), key=key)
