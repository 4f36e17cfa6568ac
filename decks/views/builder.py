"""The builder: a deck is changed one step at a time and judged after each.

Every change is a POST with the revision it is based on. A page without scripts is
redirected back to the card; htmx gets the builder again, with a sentence for screen
readers.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from arkham.rules.legality import Judge
from arkham.rules.legality.verdict import RULES_VERSION
from arkham.rules.notation.reading import Unreadable
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import is_digits
from arkham.web.http import (
    changed_in_place,
    mark_of,
    marks_in,
    page_or_fragment,
    wants_part,
)
from cardpool.catalog import current_judge
from cardpool.languages import readers_language, shown_name
from cardpool.queries import NothingFound, SearchFault
from cardpool.search.lexicon import QueryError
from decks import queries, services
from decks.forms.lists import WrittenForm
from decks.forms.search import WishForm
from decks.forms.terms import DeckTermsForm
from decks.lists.content import Content, checked, parse_content
from decks.lists.editing import Edit, Misread, apply, copies_of, read_edits
from decks.models import Deck, Revision
from decks.pages.arrangement import DeckArrangement
from decks.pages.differences import change_words, differences
from decks.pages.display import Judged
from decks.pages.figures import figures
from decks.pages.offers import PLAYED, CardSearch, offers_for
from decks.pages.terms import summary
from decks.services.collecting import cards_owned_by_owner, owned_by_owner
from decks.services.hooks import in_play, links_of
from decks.services.ledger import is_played
from decks.views.reach import (
    carried_of,
    editable,
    not_understood,
    owner_of,
    see_other,
    title_of,
    view_of,
    without_revision,
)


def in_place(request: HttpRequest, judged: Judged, refused: Any) -> dict[str, Any]:
    """Return the forms of the page, and marks of pieces that the browser has already.

    With a ``refused`` form, the whole page is shown again with its errors.
    """
    is_refused = isinstance(refused, DeckTermsForm)
    unmade = SimpleLazyObject(partial(DeckTermsForm, judged))  # most browsers have it
    words = summary(judged)
    mark = "" if is_refused else DeckTermsForm.mark_for(judged, words)
    shown_in = get_language(), readers_language().code
    edition = mark_of(judged.pool.version, RULES_VERSION, shown_in)
    shown = request.POST.get("shows", "")
    return {
        "terms_form": refused if is_refused else unmade,
        "terms": words,
        "terms_mark": mark,
        "written_form": refused if isinstance(refused, WrittenForm) else None,
        "edition": edition,
        "marks_shown": frozenset() if refused else marks_in(shown, edition),
    }


SETS = {
    "": "set",
    "side": "side-set",
    "considered": "consider-set",
}  # the verb that sets a number of copies, by list
STEPS = {
    "undo": (services.undo_revision, gettext_lazy("Undone.")),
    "redo": (services.redo_revision, gettext_lazy("Redone.")),
}
VIEWS = ("deck", "add")  # phones show one of them at a time


class RefusedForm(Exception):
    """A form of the builder with errors."""

    def __init__(self, form: Any) -> None:
        super().__init__(form.errors)
        self.form = form


@changed_in_place
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the builder, and make every change in it."""
    revision, judge = editable(request, pk), current_judge()
    if request.method != "POST":
        if is_played(revision):
            return see_other(reverse("decks:show", args=[pk]))
        if found := in_play(revision.deck):
            raise found
        if wants_part(request, "results"):
            owned = owned_by_owner(revision.deck, judge.pool)
            judged = Judged(revision.content, judge, owned)
            context = _found(request, revision.deck, judged)
            context |= {"deck": revision.deck, "act": _act(pk)}
            response = render(request, "decks/_results.html", context)
            return with_address(response, _act(pk), context["search"])
        if wants_part(request, "deck"):
            return _arranged(request, revision, judge)
        return _show(request, revision, judge)
    expected = request.POST.get("revision", "")
    if not is_digits(expected, 9):
        return without_revision(request)
    try:
        after, said = _carry_out(request, revision, int(expected), judge)
    except services.Stale as stale:
        return stale_page(request, revision.deck, stale)
    except services.AlreadyPlayed:
        return played_page(request, revision.deck)
    except RefusedForm as refusal:
        return _show(request, revision, judge, refused=refusal.form)
    except (Misread, Unreadable):
        return not_understood(request)
    if not request.htmx:  # type: ignore[attr-defined]
        return see_other(_back_to(request, pk))
    return _show(request, after, judge, said=said, before=revision)


# -- changes --


def _carry_out(
    request: HttpRequest, latest: Revision, expected: int, judge: Judge
) -> tuple[Revision, str]:
    """Make the change in the form; return the new revision, and a message."""
    deck, now = latest.deck, timezone.now()
    for key, (step, done) in STEPS.items():
        if key in request.POST:
            actor = owner_of(request)
            made = step(deck=deck, expected_revision=expected, now=now, actor=actor)
            return made, str(done)
    seen = latest
    if expected != latest.number:
        seen = deck.revisions.filter(number=expected).first() or latest
    content, said = _wanted(request, seen.content, judge)
    revision = services.revise_deck(
        deck=deck,
        content=content,
        expected_revision=expected,
        carried=carried_of(request) if "content" in request.POST else None,
        now=now,
        actor=owner_of(request),
    )
    return revision, said


def _wanted(request: HttpRequest, before: Content, judge: Judge) -> tuple[Content, str]:
    """Return the changed content. Raises RefusedForm, Misread, Unreadable."""
    pool = judge.pool
    if "content" in request.POST:
        return parse_content(request.POST["content"]), _("List imported.")
    if "terms" in request.POST:
        form = DeckTermsForm(Judged(before, judge), request.POST)
        if not form.is_valid():
            raise RefusedForm(form)
        return checked(form.content()), _("Rules changed.")
    if "write" in request.POST:
        written = WrittenForm(pool, request.POST)
        if not written.is_valid():
            raise RefusedForm(written)
        content = apply(before, [written.edit()], pool)
        return checked(content), _("Upgrade sheet saved.")
    edits = read_edits(request.POST.get("do", ""))
    content = checked(apply(before, edits, pool))
    return content, _said(edits[-1], content, pool)


def _said(edit: Edit, content: Content, pool: CardPool) -> str:
    """Describe a change of copies for screen readers."""
    card = pool.get_card(edit.code)
    if edit.verb not in ("add", "remove", "set") or card is None:
        return _("Changed.")
    copies = copies_of(content, edit.code, pool)
    said = ngettext(
        "%(name)s: %(copies)d copy.", "%(name)s: %(copies)d copies.", copies
    )
    return said % {"name": shown_name(card), "copies": copies}


# -- answers --


def _arranged(request: HttpRequest, revision: Revision, judge: Judge) -> HttpResponse:
    """Render the deck alone; the builder if the page shows another revision."""
    if request.headers.get("Orne-Revision") != str(revision.number):
        response = _show(request, revision, judge)
        response["HX-Retarget"] = "#builder"
        return response
    owned = owned_by_owner(revision.deck, judge.pool)
    judged = Judged(revision.content, judge, owned, view=view_of(request))
    context = _of_deck(request, revision, judged)
    shown = request.headers.get("Orne-Shows", "")
    context["marks_shown"] = marks_in(shown, context["edition"])
    return render(request, "decks/_deck.html", context)


def _of_deck(
    request: HttpRequest, revision: Revision, judged: Judged, refused: Any = None
) -> dict[str, Any]:
    """Return what the half of the builder with the deck shows."""
    drawn = figures(judged.rows, judged.view.group)
    numbers = [(each.title, each.numbers) for each in drawn]
    return {
        "judged": judged,
        "act": _act(revision.deck.pk),
        "deck": revision.deck,
        "revision": revision,
        **in_place(request, judged, refused),
        "figures": drawn,
        "figures_mark": mark_of("figures", numbers),
        "view_mark": mark_of("view"),  # the form has always what was chosen
    }


def _show(
    request: HttpRequest,
    revision: Revision,
    judge: Judge,
    *,
    refused: Any = None,
    said: str = "",
    before: Revision | None = None,
) -> HttpResponse:
    """Render the builder with this revision: the page, or for htmx only the builder.

    ``before`` was read already and is reused, because revisions never change.
    """
    owned = owned_by_owner(revision.deck, judge.pool)
    judged = Judged(revision.content, judge, owned, view=view_of(request))
    investigator = judged.investigator
    title = title_of(revision.deck, investigator)
    draft = revision.deck.key
    context = _found(request, revision.deck, judged) | {
        "draft_url": reverse("decks:draft", args=[draft]) if draft else "",
        "title": title,
        "head_mark": mark_of(
            "head", title, investigator and investigator.code, draft, judged.chosen
        ),
        **_of_deck(request, revision, judged, refused),
        "links": partial(links_of, revision.deck),  # asked by the whole page alone
        "said": said,
        "steps": _steps(revision, judge.pool, before or revision),
    }
    return page_or_fragment(
        request,
        "decks/edit.html",
        "decks/_builder.html",
        context,
        status=422 if refused else 200,
    )


def _steps(latest: Revision, pool: CardPool, before: Revision) -> dict[str, str]:
    """Describe what undo and redo would do; "" if there is nothing to do."""
    steps = services.steps_of(latest, before)
    content = {before.number: before.content}
    if missing := [each for each in steps if each and each not in content]:
        wanted = latest.deck.revisions.filter(number__in=missing).order_by()
        content |= {each.number: each.content for each in wanted}
    said = {"undo": "", "redo": ""}
    if steps.undo:
        change = change_words(content[steps.undo], latest.content, pool)
        said["undo"] = _("Undo: %(change)s") % {"change": change}
    if steps.redo:
        change = change_words(latest.content, content[steps.redo], pool)
        said["redo"] = _("Redo: %(change)s") % {"change": change}
    return said


def search_of(request: HttpRequest, deck: Deck, judged: Judged) -> WishForm:
    """Return the search for cards in the form or the query string."""
    asked = request.POST if request.method == "POST" else request.GET
    followed = judged.verdict.taboo_id
    return WishForm(
        asked,
        pool=judged.pool,
        owned=cards_owned_by_owner(deck, judged.pool),
        taboo=judged.pool.taboo_list(followed) if followed else None,
        kept={"view": "add"},
    )


def wish_of(search: WishForm, judged: Judged) -> CardSearch:
    """Return the search, with play counts if cards are sorted by them.

    Counts are from published decks of the investigator, or from all if there are none.
    """
    wish = search.wish()
    if wish.order != PLAYED or "sort:" in wish.words:
        return wish
    card = judged.pool.get_card(judged.asked.deck.investigator)
    theirs = queries.played_cards(card.code).cards if card else {}
    return replace(wish, played=theirs or queries.played_cards().cards)


def with_address(response: HttpResponse, place: str, search: WishForm) -> HttpResponse:
    """Tell the browser the address of this search."""
    address = search.address(search.wish().shown)
    response["HX-Replace-Url"] = f"{place}?{address}"
    return response


def _found(request: HttpRequest, deck: Deck, judged: Judged) -> dict[str, Any]:
    """Return the context for the cards to add."""
    asked = request.POST if request.method == "POST" else request.GET
    search = search_of(request, deck, judged)
    wish = wish_of(search, judged)
    view = asked.get("view", "")
    context = {"judged": judged, "search": search, "wish": wish}
    context |= {"sets": SETS[wish.into], "open": asked.get("open", "")}
    context["view"] = view if view in VIEWS else VIEWS[0]
    try:
        offers = offers_for(judged, wish)
        context["found"] = offers
        if not offers.offers:
            context["nothing"] = NothingFound.of(wish.words, judged.pool, wish.owned)
        context["more_query"] = search.address(wish.shown + offers.more)
    except QueryError as error:
        context["misread"] = SearchFault.of(wish.words, error)
    return context


def _act(pk: int) -> str:
    """Return the address that the page's buttons post to."""
    return reverse("decks:edit", args=[pk])


def _back_to(request: HttpRequest, pk: int) -> str:
    """Return the address of the builder as it was, at the card that was changed."""
    view = request.POST.get("view", "")
    place = request.POST.get("do", "").partition("=")[2].partition(":")[0]
    anchor = f"#card-{place}" if place.isalnum() and view != "add" else ""
    return reverse("decks:edit", args=[pk]) + seen_of(request) + anchor


def seen_of(request: HttpRequest) -> str:
    """Return the query string of a sent form: the search, and what was open."""
    keys = ("view", "open", *DeckArrangement().data)
    kept = {key: request.POST.get(key, "") for key in keys}
    search = WishForm(request.POST, kept={key: it for key, it in kept.items() if it})
    query = search.address(search.wish().shown)
    return f"?{query}" if query else ""


def played_page(request: HttpRequest, deck: Deck) -> HttpResponse:
    """Answer 409: the deck has been played, so it is upgraded and not edited."""
    return page_or_fragment(
        request,
        "decks/played_already.html",
        "decks/_played_already.html",
        {"deck": deck},
        status=409,
    )


def stale_page(request: HttpRequest, deck: Deck, stale: services.Stale) -> HttpResponse:
    """Answer 412: show both versions side by side, to choose one."""
    judge = current_judge()
    context = {
        "deck": deck,
        "stale": stale,
        "carried": carried_of(request),
        "mine": Judged(stale.mine, judge),
        "theirs": Judged(stale.theirs.content, judge),
        "differences": differences(stale.mine, stale.theirs.content, judge.pool),
    }
    return page_or_fragment(
        request, "decks/stale.html", "decks/_stale.html", context, status=412
    )
