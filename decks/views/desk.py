"""The upgrade desk: what there is to spend, what it buys, one confirmation.

What lies on the desk is kept on the server, one for every deck, so that it can be gone
on with on any device. Like the builder it takes one change at a time, made in sight of
what the page showed; ``revision`` names the deck's revision and the desk's version.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from arkham.rules.notation.reading import Unreadable
from arkham.rules.upgrade.window import read_window
from arkham.web.http import changed_in_place, page_or_fragment, wants_part
from cardpool.catalog import current_judge
from cardpool.queries import SearchFault, respelt
from cardpool.search.lexicon import QueryError
from decks import services
from decks.forms.lists import WrittenForm
from decks.forms.played import WindowForm
from decks.forms.search import WishForm
from decks.forms.terms import DeckTermsForm
from decks.lists.content import Content, checked
from decks.lists.editing import Edit, Misread, apply, read_edits
from decks.lists.window_editing import INSISTED, WINDOW_CHANGES, apply_to_window, blank
from decks.models import Deck, Desk, Revision
from decks.pages.display import Judged
from decks.pages.offers import CardSearch
from decks.pages.purchases import PurchaseOffers
from decks.pages.reckoning import Reckoning
from decks.services.beginning import to_spend
from decks.services.games import why_it_stays
from decks.services.hooks import DeckInPlay, tables_of
from decks.services.ordering import with_corrected_window, with_notes_back
from decks.services.windows import start_of, with_waived
from decks.views.builder import (
    VIEWS,
    RefusedForm,
    in_place,
    search_of,
    seen_of,
    wish_of,
    with_address,
    without_revision,
)
from decks.views.reach import editable, not_understood, owner_of, see_other, title_of


@changed_in_place
@require_http_methods(["GET", "HEAD", "POST"])
def desk(request: HttpRequest, pk: int) -> HttpResponse:
    """The upgrade under way, every change to it, and the agreement."""
    revision = editable(request, pk)
    desk = services.desk_of(revision)
    if desk is None:
        context = {
            "deck": revision.deck,
            "left": to_spend(revision),
        }
        return render(request, "decks/desk_before.html", context)
    closing = services.closing_of(revision.deck)
    if closing is not None and closing.is_whole:
        return closed(request, revision, closing)
    if request.method == "POST":
        return _change(request, revision, desk)
    if wants_part(request, "results"):
        found = _context(request, revision, desk)
        response = render(request, "decks/_purchases.html", found)
        return with_address(response, found["act"], found["search"])
    return _show(request, revision, desk)


def _change(request: HttpRequest, revision: Revision, desk: Desk) -> HttpResponse:
    """Do what the form asks; every refusal shows the desk as it lies now."""
    if not request.POST.get("revision"):
        return without_revision(request)
    if request.POST["revision"] != desk.mark:
        return _moved(request, revision, desk)
    try:
        return _answer(request, revision, desk)
    except services.DeskMoved as moved:
        return _moved(request, revision, moved.desk)
    except services.Stale as stale:
        return _moved(request, stale.theirs, services.desk_of(stale.theirs) or desk)
    except services.Closed as closed_now:
        return closed(request, revision, closed_now.closing)
    except services.UpgradeRefused:
        return _show(request, revision, desk, refused=True, status=422)
    except RefusedForm as refusal:
        return _show(request, revision, desk, form=refusal.form, status=422)
    except (Misread, Unreadable):
        return not_understood(request)


def _moved(request: HttpRequest, revision: Revision, desk: Desk) -> HttpResponse:
    """412: the desk as it lies now, and a form of it as it was filled in."""
    form: Any = None
    if "terms" in request.POST:
        form = DeckTermsForm(_reckoning(desk).judged, request.POST)
    elif "write" in request.POST:
        form = WrittenForm(current_judge().pool, request.POST)
        form.add_error(
            None, _("The upgrade desk was changed first, so nothing was bought.")
        )
    return _show(request, revision, desk, moved=True, status=412, form=form)


def _answer(request: HttpRequest, revision: Revision, desk: Desk) -> HttpResponse:
    """Do what the form asks, and show what came of it."""
    pk = revision.deck_id
    if "confirm" in request.POST:
        return _agree(request, revision, desk)
    if "anew" in request.POST:
        services.clear_desk(deck=revision.deck, expected_version=desk.version)
        messages.success(request, _("Upgrade desk reset; nothing was bought."))
        return see_other(reverse("decks:desk", args=[pk]))
    content, window = _wanted(request, revision, desk)
    laid = services.lay_out(
        deck=revision.deck,
        content=content,
        window=window,
        seen=desk.seen,
        expected_version=desk.version,
        now=timezone.now(),
    )
    if not request.htmx:  # type: ignore[attr-defined]
        return see_other(_back_to(request, pk))
    return _show(request, revision, laid, said=_("Changed."))


def _agree(request: HttpRequest, revision: Revision, desk: Desk) -> HttpResponse:
    upgraded = services.upgrade_deck(
        deck=revision.deck,
        content=desk.content,
        window=desk.window,
        expected_revision=desk.seen,
        repair=request.POST.get("repair", ""),
        actor=owner_of(request),
        now=timezone.now(),
    )
    assert upgraded.invoice is not None
    spent = upgraded.invoice["experience_spent"]
    message = ngettext(
        "Upgraded for %(spent)d experience.",
        "Upgraded for %(spent)d experience.",
        spent,
    )
    if not spent:
        message = _("Saved. No experience was spent.")
    messages.success(request, message % {"spent": spent})
    return see_other(reverse("decks:show", args=[revision.deck_id]))


def _wanted(
    request: HttpRequest, revision: Revision, desk: Desk
) -> tuple[Content, dict[str, Any]]:
    """What is to lie on the desk. Raises Refusal, Misread, Unreadable."""
    judge = current_judge()
    before, window = desk.content, dict(desk.window)
    if "terms" in request.POST:
        form = DeckTermsForm(_reckoning(desk).judged, request.POST)
        if not form.is_valid():
            raise RefusedForm(form)
        return checked(form.content()), window
    if "write" in request.POST:
        written = WrittenForm(judge.pool, request.POST)
        if not written.is_valid():
            raise RefusedForm(written)
        content = apply(before, [written.edit()], judge.pool)
        return checked(content), window
    edits = read_edits(request.POST.get("do", ""), WINDOW_CHANGES)
    window = apply_to_window(window, edits)
    of_list = [each for each in edits if each.verb not in WINDOW_CHANGES]
    content = apply(before, of_list, judge.pool)
    base = start_of(revision)
    if base is not None:
        both = desk.window, window
        content = with_notes_back(content, before, base, both, judge.pool)
    if window != desk.window:
        windows = read_window(dict(desk.window)), read_window(window)
        earlier = base.circumstances if base is not None else {}
        content = with_waived(content, *windows, judge.pool, earlier)
    return checked(content), window


@require_http_methods(["GET", "HEAD", "POST"])
def window(request: HttpRequest, pk: int) -> HttpResponse:
    """What happened in the game, corrected after it was written down."""
    revision = editable(request, pk)
    base, desk = start_of(revision), services.desk_of(revision)
    if base is None or desk is None:
        return see_other(reverse("decks:desk", args=[pk]))
    closing = services.closing_of(revision.deck)
    if closing is not None and closing.is_whole:
        return closed(request, revision, closing)
    data = request.POST if request.method == "POST" else None
    form = WindowForm(Judged(base.content, current_judge()), data, desk.window)
    if data is not None and data.get("revision") != desk.mark:
        return _window_moved(request, revision, desk, form)
    if not form.is_valid():
        status = 422 if form.errors else 200
        return _ask_what_happened(request, desk, form, status)
    try:
        _correct_window(revision, desk, form, base)
    except services.DeskMoved as moved:
        return _window_moved(request, revision, moved.desk, form)
    except Unreadable:
        return not_understood(request)
    return see_other(reverse("decks:desk", args=[pk]))


def _window_moved(
    request: HttpRequest, revision: Revision, desk: Desk, form: WindowForm
) -> HttpResponse:
    """412: the form as it was filled in, or the desk if another game lies there."""
    seen = request.POST.get("revision", "").partition(".")[0]
    if seen != str(desk.seen):
        return _show(request, revision, desk, moved=True, status=412)
    return _ask_what_happened(request, desk, form, 412)


def _ask_what_happened(
    request: HttpRequest, desk: Desk, form: WindowForm, status: int
) -> HttpResponse:
    context = {
        "deck": desk.deck,
        "token": desk.mark,
        "form": form,
        "moved": status == 412,
    }
    return render(request, "decks/window.html", context, status=status)


def _correct_window(
    revision: Revision, desk: Desk, form: WindowForm, base: Revision
) -> None:
    """Lay the desk out again by the corrected window. Raises DeskMoved."""
    pool = current_judge().pool
    insisted = {key: desk.window[key] for key in INSISTED if key in desk.window}
    window = blank(desk.window) | form.aftermath() | insisted
    had = base.list["slots"], base.list.get("ignoreDeckLimitSlots") or {}
    windows = desk.window, window, pool
    side = base.content.asked().deck.side_deck
    content = with_corrected_window(
        desk.content, *windows, *had, base.circumstances, side
    )
    both = desk.window, window
    content = with_notes_back(content, desk.content, base, both, pool)
    tasks = [Edit("record", code, value="task") for code in form.tasks()]
    content = apply(content, tasks, pool)
    services.lay_out(
        deck=revision.deck,
        content=checked(content),
        window=window,
        seen=desk.seen,
        expected_version=desk.version,
        now=timezone.now(),
    )


# -- what lies on the desk --


def _reckoning(desk: Desk) -> Reckoning:
    preview = services.preview_upgrade(
        deck=desk.deck, content=desk.content, window=desk.window
    )
    return Reckoning(preview, current_judge())


# -- answering --


def _show(
    request: HttpRequest,
    revision: Revision,
    desk: Desk,
    *,
    status: int = 200,
    form: Any = None,
    **facts: Any,
) -> HttpResponse:
    """The desk; the page, or for htmx the desk alone."""
    context = _context(request, revision, desk) | facts
    judged = context["judged"]
    context |= in_place(request, judged, form)
    return page_or_fragment(
        request, "decks/desk.html", "decks/_desk.html", context, status=status
    )


def closed(
    request: HttpRequest, revision: Revision, closing: services.DeskClosing
) -> HttpResponse:
    """Why the deck is not upgraded now, and the way to its table; 409 for a change."""
    heading = _("The upgrade desk is closed")
    return _closed_page(request, revision.deck, closing, heading)


def in_play_page(request: HttpRequest, found: DeckInPlay) -> HttpResponse:
    """Why a deck is not changed at all now, and the way to its table."""
    heading = _("This deck is in play")
    return _closed_page(request, found.deck, found.closing, heading)


def _closed_page(
    request: HttpRequest, deck: Deck, closing: services.DeskClosing, heading: str
) -> HttpResponse:
    listed = deck.revisions.get(number=deck.revision).list
    investigator = current_judge().pool.get_card(listed["investigator_code"])
    context = {
        "deck": deck,
        "title": title_of(deck, investigator),
        "closing": closing,
        "heading": heading,
    }
    status = 200 if request.method in ("GET", "HEAD") else 409
    return page_or_fragment(
        request,
        "decks/desk_closed.html",
        "decks/_desk_closed.html",
        context,
        status=status,
    )


def _context(request: HttpRequest, revision: Revision, desk: Desk) -> dict[str, Any]:
    reckoning = _reckoning(desk)
    judged = reckoning.judged
    asked = request.POST if request.method == "POST" else request.GET
    search = search_of(request, revision.deck, judged)
    wish = wish_of(search, judged)
    view = asked.get("view", "")
    context: dict[str, Any] = {
        "act": reverse("decks:desk", args=[revision.deck_id]),
        "deck": revision.deck,
        "title": title_of(revision.deck, judged.investigator),
        "desk": desk,
        "closing": services.closing_of(revision.deck),
        "tables": tables_of([revision.deck_id]).get(revision.deck_id, ()),
        "game_stays": why_it_stays(revision),
        "revision": {"number": desk.mark},
        "reckoning": reckoning,
        "judged": judged,
        "search": search,
        "wish": wish,
        "view": view if view in VIEWS else VIEWS[0],
        "open": asked.get("open", ""),
        "repair": request.POST.get("repair", ""),
    }
    return context | _offers(reckoning, search, wish)


def _offers(reckoning: Reckoning, search: WishForm, wish: CardSearch) -> dict[str, Any]:
    """The cards that could be bought, or where the search could not be read."""
    try:
        offers = PurchaseOffers(reckoning.judged, reckoning.preview, wish).offers()
    except QueryError as error:
        return {"misread": SearchFault.of(wish.words, error)}
    more = search.address(wish.shown + offers.more)
    pool = reckoning.judged.pool
    alike = [] if offers.offers else respelt(wish.words, pool, wish.owned)
    return {"found": offers, "more_query": more, "alike": alike}


def _back_to(request: HttpRequest, pk: int) -> str:
    """The desk as it was seen."""
    return reverse("decks:desk", args=[pk]) + seen_of(request)
