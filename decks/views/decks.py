"""The first page, new decks, and what can be done with a whole deck."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.accounts.preferences import preferences_of
from arkham.rules.card import Card
from arkham.rules.legality import Judge
from arkham.rules.notation.reading import Unreadable
from arkham.web.forms import sent_once
from arkham.web.limits import keeps_something
from cardpool.access import choices, demands
from cardpool.catalog import current_judge, seen_data
from cardpool.languages import readers_language
from cardpool.shown import ShownCard, required, with_pictures
from decks import queries, services
from decks.draws.drawing import create_random_deck
from decks.draws.pools import is_upgraded_at_random
from decks.forms.earned import LedgerCorrectionForm
from decks.forms.lists import BeginForm, ListForm
from decks.interchange.export import copies_of, exchanged
from decks.interchange.importing import read_list
from decks.lists.content import empty_content, parse_content
from decks.lists.editing import Edit, apply
from decks.lists.starter import NoStarter, required_deck, starter_deck
from decks.models import BIN_LIFETIME, Deck, Revision, Showing
from decks.pages.display import Judged
from decks.pages.figures import figures
from decks.pages.investigators import version_of
from decks.pages.life import Life
from decks.pages.my_decks import by_deck
from decks.pages.terms import summary
from decks.services.beginning import SAMPLE_TEXT, preferred, taboo_named, to_spend
from decks.services.collecting import owned_by, owned_by_owner
from decks.services.games import why_it_stays
from decks.services.hooks import links_of, tables_of
from decks.services.ledger import is_played
from decks.services.sharing import address_of
from decks.services.windows import start_of
from decks.views.investigators import for_deck
from decks.views.reach import (
    carried_of,
    deck_title,
    editable,
    is_of_another_game,
    keys_of,
    locked,
    not_understood,
    opened,
    owner_of,
    see_other,
    view_of,
    visible,
    without_revision,
)
from decks.views.weaknesses import revision_of


@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    """Judge a pasted deck, and show what was understood."""
    judge, preferences = current_judge(), preferences_of(request)
    if request.method != "POST":
        if request.COOKIES.keys() <= {settings.CSRF_COOKIE_NAME} and not request.GET:
            page = _strangers_page(request, judge)
            return HttpResponse(page.replace(TOKEN, get_token(request)))
        return render(request, "home.html", _first_page(request, judge))
    data = request.POST.copy()
    if "sample" in data:
        data["text"] = SAMPLE_TEXT
    form = ListForm(data, request.FILES)
    form.add_terms(preferences, judge.pool)
    if not form.is_valid():
        context = _first_page(request, judge) | {"form": form}
        return render(request, "home.html", context, status=422)
    text, chosen = form.list_text, form.first_terms
    read = read_list(text, judge.pool, form.file_name, chosen)
    again = ListForm(initial={"text": text})
    again.add_terms(preferences, judge.pool, chosen)
    context = {"form": again, "read": read}
    if read.content is None:
        context = _first_page(request, judge) | context
        return render(request, "home.html", context, status=422)
    judged = Judged(read.content, judge)
    context |= {
        "judged": judged,
        "figures": figures(judged.rows),
        "terms": summary(judged),
    }
    return render(request, "home.html", context)


MOST_FIRST = 5  # decks on the first page
MOST_PAGES = 4  # cached pages for visitors without an account
# Examples on the first page: an investigator, and an upgrade.
EXAMPLE = "01001"
EXAMPLE_UPGRADE = (("01028", "0 → 2", 2), ("01040", "0 → 1", 1), ("02158", "3", 3))
EXAMPLE_CARDS = ("01020", "01080", "01067")  # an asset, an event and a skill
EXAMPLE_TOKENS = (
    "skull",
    "cultist",
    "tablet",
    "elder-thing",
    "auto-fail",
    "elder-sign",
)


TOKEN = "token-of-the-visitor"  # noqa: S105 (where it is put into a kept page)
_pages: dict[tuple[object, ...], str] = {}


def _strangers_page(request: HttpRequest, judge: Judge) -> str:
    """Return the first page for visitors without cookies.

    It is the same for all of them, and cached until data or language change.
    """
    key = seen_data(), readers_language(), get_language()
    if key not in _pages:
        if len(_pages) >= MOST_PAGES:
            _pages.clear()
        context = {**_first_page(request, judge), "csrf_token": TOKEN}
        _pages[key] = render_to_string("home.html", context, request)
    return _pages[key]


def _first_page(request: HttpRequest, judge: Judge) -> dict[str, Any]:
    """Return the visitor's latest decks and some examples, for the first page."""
    form = ListForm()
    form.add_terms(preferences_of(request), judge.pool)
    decks = []
    mine = queries.visible_to(request.user, keys_of(request))
    for revision in queries.latest(mine)[:MOST_FIRST]:
        judged = Judged(revision.content, judge)
        decks.append((revision.deck, judged, deck_title(revision)))
    pool = judge.pool
    bought = [(pool.get_card(code), levels, n) for code, levels, n in EXAMPLE_UPGRADE]
    return {
        "form": form,
        "decks": decks,
        "example": pool.get_card(EXAMPLE),
        "bought": [row for row in bought if row[0] is not None],
        "faces": [
            ShownCard(pool[code], pool) for code in EXAMPLE_CARDS if code in pool
        ],
        "tokens": EXAMPLE_TOKENS,
    }


@keeps_something
@require_POST
@sent_once
def bring(request: HttpRequest) -> HttpResponse:
    """Create a deck from a list that was judged."""
    try:
        content = parse_content(request.POST.get("content", ""))
    except Unreadable:
        return not_understood(request)
    now = timezone.now()
    services.forget_drafts(now=now)
    deck = services.create_deck(
        owner=owner_of(request),
        content=content,
        now=now,
        name=request.POST.get("name", ""),
        notes=request.POST.get("notes", ""),
        tags=request.POST.get("tags", ""),
        carried=carried_of(request) or 0,
    )
    return opened(request, deck)


@keeps_something
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def begin(request: HttpRequest, code: str) -> HttpResponse:
    """Show one investigator, and begin a deck for them."""
    judge = current_judge()
    card = judge.pool.get_card(code)
    facts = card.investigator if card else None
    if card is None or facts is None or facts.back is None or not facts.playable:
        raise Http404
    form = BeginForm(card, judge.pool, request.POST or None, preferences_of(request))
    context = for_deck(request) | {
        "card": card,
        "shown": with_pictures([card], judge.pool)[card.code],
        "form": form,
        "version": version_of(card, judge.pool),
        "back": facts.back,
        "choices": choices(facts.back),
        "required": required(facts.back, judge.pool),
        "demands": demands(card, facts.back, judge.pool),
    }
    if request.method == "POST" and form.is_valid():
        deck = _begin(request, card, form)
        if deck is not None:
            return opened(request, deck)
        form.add_error(None, _refusal(request))
    status = 422 if form.errors else 200
    return render(request, "decks/begin.html", context, status=status)


def _begin(request: HttpRequest, card: Card, form: BeginForm) -> Deck | None:
    judge = current_judge()
    pool = judge.pool
    chosen, first = form.choices(), form.first_terms
    if "starter" in request.POST:
        taboo = taboo_named(first, pool)
        chosen = (*chosen, ("taboo", taboo)) if taboo else chosen
        try:
            content = starter_deck(pool, card.code, chosen, first.environment)
        except NoStarter:
            return None
    else:
        changes = [Edit("choose", key, value=value) for key, value in chosen]
        content = apply(empty_content(card.code), changes, pool)
        if "required" in request.POST:
            content = required_deck(pool, content)
    content = preferred(content, first, pool)
    now = timezone.now()
    services.forget_drafts(now=now)
    if "chaos" in request.POST:
        owner = owner_of(request)
        owned = owned_by(owner, pool)
        try:
            return create_random_deck(
                owner=owner, content=content, judge=judge, owned=owned, now=now
            )
        except ValueError:
            return None
    return services.create_deck(owner=owner_of(request), content=content, now=now)


def _refusal(request: HttpRequest) -> str:
    """Return why no deck could be begun."""
    if "chaos" in request.POST:
        return _("Your collection has too few cards for a deck.")
    return _("We couldn’t build a legal deck with these sides, choices and rules.")


@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a deck; redirect strangers to its published page."""
    try:
        return shown_deck(request, pk)
    except Http404:
        return _published(pk)


def shown_deck(
    request: HttpRequest, pk: int, correction: LedgerCorrectionForm | None = None
) -> HttpResponse:
    """Render the page of a deck; 422 with an invalid correction of its ledger."""
    revision = visible(request, pk)
    judge = current_judge()
    owned = owned_by_owner(revision.deck, judge.pool)
    judged = Judged(revision.content, judge, owned, view=view_of(request))
    life = Life(revision, judge)
    seen = max((each.entry.number for each in life.ledger), default=0)
    context = {
        "deck": revision.deck,
        "revision": revision,
        "copies": copies_of(exchanged(revision, judge.pool), revision, judge.pool),
        "files_at": "decks:list-",
        "links": [] if revision.deck.key else links_of(revision.deck),
        "place": pk,
        "title": deck_title(revision),
        "judged": judged,
        "terms": summary(judged),
        "figures": figures(judged.rows, judged.view.group),
        "by_chance": is_upgraded_at_random(judged),
        "life": life,
        "game_stays": why_it_stays(revision),
        "is_played": is_played(revision),
        "is_upgraded": is_played(revision) or start_of(revision) is not None,
        "news": _news(revision.deck, judged),
        "withdrawal": queries.withdrawal_of(revision.deck),
        "correction_form": correction or LedgerCorrectionForm(initial={"after": seen}),
    }
    status = 422 if correction else 200
    return render(request, "decks/show.html", context, status=status)


def _news(deck: Deck, judged: Judged) -> dict[str, object] | None:
    """Return changes of the verdict that the owner hasn't dismissed."""
    news = by_deck(queries.to_be_read(Deck.objects.filter(pk=deck.pk))).get(deck.pk)
    if news is None:
        return None
    return {
        "notice": news,
        "appeared": news.appeared(judged),
        "settled": news.settled(judged),
    }


def _published(pk: int) -> HttpResponse:
    """Redirect to the public page of a published deck; or 404."""
    published = queries.shown(Showing.Kind.PUBLISHED)
    return redirect(address_of(get_object_or_404(published, deck__pk=pk)))


@keeps_something
@require_POST
@sent_once
def copy(request: HttpRequest, pk: int) -> HttpResponse:
    """Copy a deck."""
    deck = visible(request, pk).deck
    name = _("%(name)s (copy)") % {"name": deck.name} if deck.name else ""
    made = services.copy_deck(
        deck=deck, owner=owner_of(request), now=timezone.now(), name=name
    )
    messages.success(request, _("This is the copy."))
    if balance := to_spend(made.revisions.get(number=made.revision)):
        message = ngettext(
            "It has %(number)d experience to spend.",
            "It has %(number)d experience to spend.",
            balance,
        )
        messages.info(request, message % {"number": balance})
    return opened(request, made)


@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask first; then move the deck to the bin, if it is the version that was seen."""
    revision = editable(request, pk)
    if request.method != "POST":
        return _ask_to_delete(request, revision)
    expected = revision_of(request)
    if expected is None:
        return without_revision(request)
    try:
        with transaction.atomic():
            revision = locked(request, pk)
            if is_of_another_game(request, revision):
                return _ask_to_delete(request, revision, moved=True)
            services.delete_deck(
                deck=revision.deck, expected_revision=expected, now=timezone.now()
            )
    except services.Stale as stale:
        return _ask_to_delete(request, stale.theirs, moved=True)
    messages.success(
        request, _("The deck is in the bin. You can restore it for 30 days.")
    )
    return see_other(reverse("decks:index"))


def _ask_to_delete(
    request: HttpRequest, revision: Revision, *, moved: bool = False
) -> HttpResponse:
    """Render the question; 412 if the deck has changed since it was asked."""
    context = {
        "deck": revision.deck,
        "revision": revision,
        "title": deck_title(revision),
        "tables": tables_of([revision.deck.pk]).get(revision.deck.pk, ()),
        "days": BIN_LIFETIME.days,
        "moved": moved,
    }
    status = 412 if moved else 200
    return render(request, "decks/delete.html", context, status=status)
