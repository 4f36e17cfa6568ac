"""The upgrade desk: what can be spent, what it buys, one confirmation.

An upgrade in progress is stored on the server, one for each deck, so that it can be
continued on any device. Like the builder, the desk takes one change at a time;
``revision`` in a form names the deck's revision and the upgrade's version.
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
from arkham.web.http import Middleware, changed_in_place, page_or_fragment, wants_part
from cardpool.catalog import current_judge
from cardpool.queries import NothingFound, SearchFault
from cardpool.search.lexicon import QueryError
from decks import services
from decks.forms.lists import WrittenForm
from decks.forms.played import WindowForm
from decks.forms.search import WishForm
from decks.forms.terms import DeckTermsForm
from decks.lists.content import Content, checked
from decks.lists.editing import Edit, Misread, apply, read_edits
from decks.lists.window_editing import WINDOW_CHANGES, WISHES, apply_to_window, blank
from decks.models import Deck, Desk, Revision
from decks.pages.display import Judged
from decks.pages.offers import CardSearch
from decks.pages.purchases import PurchaseOffers
from decks.pages.reckoning import Reckoning
from decks.services.beginning import to_spend
from decks.services.campaign_changes import with_corrected_window, with_notes_back
from decks.services.games import why_it_stays
from decks.services.hooks import DeckInPlay, tables_of
from decks.services.windows import start_of, with_waived
from decks.views.builder import (
    VIEWS,
    RefusedForm,
    in_place,
    search_of,
    seen_of,
    wish_of,
    with_address,
)
from decks.views.reach import (
    deck_title,
    editable,
    not_understood,
    owner_of,
    see_other,
    without_revision,
)


@changed_in_place
@require_http_methods(["GET", "HEAD", "POST"])
def desk(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the upgrade in progress, and make every change and its confirmation."""
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
    """Do what the form asks; any error shows the current desk."""
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
    """Answer 412 with the current desk, and with the form as it was filled in."""
    form: Any = None
    if "terms" in request.POST:
        form = DeckTermsForm(_reckoning(desk).judged, request.POST)
    elif "write" in request.POST:
        form = WrittenForm(current_judge().pool, request.POST)
        form.add_error(None, _("Nothing was bought."))
    return _show(request, revision, desk, moved=True, status=412, form=form)


def _answer(request: HttpRequest, revision: Revision, desk: Desk) -> HttpResponse:
    """Do what the form asks, and show the result."""
    pk = revision.deck_id
    if "confirm" in request.POST:
        return _agree(request, revision, desk)
    if "reset" in request.POST:
        services.clear_desk(deck=revision.deck, expected_version=desk.version)
        messages.success(request, _("Upgrade desk reset; nothing was bought."))
        return see_other(reverse("decks:desk", args=[pk]))
    content, window = _wanted(request, revision, desk)
    saved = services.save_desk(
        deck=revision.deck,
        content=content,
        window=window,
        seen=desk.seen,
        expected_version=desk.version,
        now=timezone.now(),
    )
    if not request.htmx:  # type: ignore[attr-defined]
        return see_other(reverse("decks:desk", args=[pk]) + seen_of(request))
    return _show(request, revision, saved, said=_("Changed."))


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
    tables = tables_of([revision.deck_id]).get(revision.deck_id)
    there = tables[0].url if tables else reverse("decks:show", args=[revision.deck_id])
    return see_other(there)


def _wanted(
    request: HttpRequest, revision: Revision, desk: Desk
) -> tuple[Content, dict[str, Any]]:
    """Return the new content and window. Raises RefusedForm, Misread, Unreadable."""
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
    """Correct what happened in a game that was recorded."""
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
    """Answer 412 with the filled-in form, or with the desk if the game has changed."""
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
    """Change the upgrade in progress to the corrected window. Raises DeskMoved."""
    pool = current_judge().pool
    wishes = {key: desk.window[key] for key in WISHES if key in desk.window}
    window = blank(desk.window) | form.aftermath() | wishes
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
    services.save_desk(
        deck=revision.deck,
        content=checked(content),
        window=window,
        seen=desk.seen,
        expected_version=desk.version,
        now=timezone.now(),
    )


# -- the upgrade in progress --


def _reckoning(desk: Desk) -> Reckoning:
    preview = services.preview_upgrade(
        deck=desk.deck, content=desk.content, window=desk.window
    )
    return Reckoning(preview, current_judge())


# -- answers --


def _show(
    request: HttpRequest,
    revision: Revision,
    desk: Desk,
    *,
    status: int = 200,
    form: Any = None,
    **facts: Any,
) -> HttpResponse:
    """Render the desk: the page, or for htmx only the desk."""
    context = _context(request, revision, desk) | facts
    judged = context["judged"]
    context |= in_place(request, judged, form)
    return page_or_fragment(
        request, "decks/desk.html", "decks/_desk.html", context, status=status
    )


def closed(
    request: HttpRequest, revision: Revision, closing: services.DeskClosing
) -> HttpResponse:
    """Show why the deck can't be upgraded now, with a link to its table."""
    heading = _("The upgrade desk is closed")
    return _closed_page(request, revision.deck, closing, heading)


class InPlayMiddleware(Middleware):
    """Answers attempts to change a deck that is in play, on any page."""

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        """Answer 409 with the reason, and a link to its table."""
        if not isinstance(exception, DeckInPlay):
            return None
        heading = _("This deck is in play")
        return _closed_page(request, exception.deck, exception.closing, heading)


def _closed_page(
    request: HttpRequest, deck: Deck, closing: services.DeskClosing, heading: str
) -> HttpResponse:
    context = {
        "deck": deck,
        "title": deck_title(deck.revisions.get(number=deck.revision)),
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
        "title": deck_title(revision),
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
    """Return the cards that could be bought, or the error in the search."""
    try:
        offers = PurchaseOffers(reckoning.judged, reckoning.preview, wish).offers()
    except QueryError as error:
        return {"misread": SearchFault.of(wish.words, error)}
    more = search.address(wish.shown + offers.more)
    pool = reckoning.judged.pool
    nothing = None if offers.offers else NothingFound.of(wish.words, pool, wish.owned)
    return {"found": offers, "more_query": more, "nothing": nothing}
