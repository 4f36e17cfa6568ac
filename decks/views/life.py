"""Games of a deck, corrections, comparisons, another taboo list."""

from __future__ import annotations

import re
from typing import NamedTuple

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.rules.notation.reading import Unreadable
from arkham.rules.vocabulary import is_digits
from cardpool.catalog import current_judge
from decks import queries, services
from decks.forms.earned import LedgerCorrectionForm, PlayedForm
from decks.interchange.arkhamdb import Unreachable, is_address, read_address
from decks.interchange.importing import read_list
from decks.lists.content import Content
from decks.models import Deck, Revision
from decks.pages.comparing import ListsCompared
from decks.pages.display import Judged
from decks.pages.life import Comparison, Move
from decks.pages.terms import taboo_choice, taboos
from decks.services.games import entries_of_game, refuse_to_take_back, why_it_stays
from decks.services.hooks import in_play
from decks.services.ledger import is_played, last_number
from decks.services.sharing import address_of, shown_content, shown_revision
from decks.views.decks import shown_deck
from decks.views.reach import (
    deck_title,
    distinct_titles,
    editable,
    is_of_another_game,
    keys_of,
    locked,
    not_understood,
    owner_of,
    see_other,
    visible,
    without_revision,
)

LONGEST_ASKED = 300
# One of the visitor's decks, by its number or the address of any of its pages.
_OWN_DECK = re.compile(r"(?:/?decks/)?(\d{1,9})(?:/.*)?", re.ASCII)


@require_POST
def dismiss(request: HttpRequest, pk: int) -> HttpResponse:
    """Dismiss the notices that were seen; they stay on record."""
    deck = editable(request, pk).deck
    last = request.POST.get("last", "")
    if not is_digits(last, 18):
        return not_understood(request)
    services.dismiss_notices(deck=deck, last=int(last), now=timezone.now())
    if "list" in request.POST:
        return see_other(reverse("decks:index"))
    return see_other(reverse("decks:show", args=[pk]))


@require_http_methods(["GET", "HEAD", "POST"])
def played(request: HttpRequest, pk: int) -> HttpResponse:
    """Record a game of the deck: what it earned and what it cost."""
    revision = editable(request, pk)
    judged = Judged(revision.content, current_judge())
    expected = request.POST.get("revision", "")
    if found := in_play(revision.deck):
        raise found
    if request.method != "POST":
        return _ask(request, revision, judged, PlayedForm(judged))
    if not is_digits(expected, 9):
        return without_revision(request)
    form = PlayedForm(judged, request.POST)
    if not form.is_valid():
        return _ask(request, revision, judged, form)
    return _write_down(request, revision, form, int(expected))


def _write_down(
    request: HttpRequest, revision: Revision, form: PlayedForm, expected: int
) -> HttpResponse:
    write = services.play_again if "again" in request.POST else services.mark_played
    try:
        write(
            deck=revision.deck,
            game=services.PlayedGame(
                form.earned(),
                form.aftermath(),
                form.tasks(),
                scenario=form.scenario(),
            ),
            expected_revision=expected,
            actor=owner_of(request),
            now=timezone.now(),
        )
    except services.Stale as stale:
        judged = Judged(stale.theirs.content, current_judge())
        form = PlayedForm(judged, request.POST)
        return _ask(request, stale.theirs, judged, form, moved=True)
    except services.AlreadyPlayed:
        detail = _("This scenario is already recorded. Nothing was counted twice.")
        return _not_written(request, revision, _("Already recorded"), detail)
    except services.NotPlayed:
        detail = _("The scenario before this one was undone. Record this one again.")
        return _not_written(request, revision, _("Not recorded"), detail)
    except services.Unpayable as error:
        form.add_error("cost", str(error))
        return _ask(request, revision, form.judged, form)
    except Unreadable:
        return not_understood(request)
    messages.success(request, _("The scenario is recorded."))
    if cost := form.cost():
        paid = ngettext(
            "%(scenario)s cost %(cost)d experience.",
            "%(scenario)s cost %(cost)d experience.",
            cost,
        )
        name = form.scenario() or _("The side scenario")
        messages.info(request, paid % {"scenario": name, "cost": cost})
    return see_other(reverse("decks:desk", args=[revision.deck_id]))


@require_http_methods(["GET", "HEAD", "POST"])
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask first; then undo the last game, if nothing depends on it."""
    revision = editable(request, pk)
    try:
        refuse_to_take_back(revision)
        if request.method != "POST":
            return _ask_to_take_back(request, revision)
        expected = request.POST.get("revision", "")
        if not is_digits(expected, 9):
            return without_revision(request)
        with transaction.atomic():
            revision = locked(request, pk)
            if is_of_another_game(request, revision):
                return _ask_to_take_back(request, revision, status=412)
            booked = bool(entries_of_game(revision))
            services.take_back_game(
                deck=revision.deck,
                expected_revision=int(expected),
                actor=owner_of(request),
                now=timezone.now(),
            )
    except services.Stale as stale:
        return _ask_to_take_back(request, stale.theirs, status=412)
    except (services.NotPlayed, services.UpgradedSince, services.OfCampaign):
        why = why_it_stays(revision)
        return _ask_to_take_back(request, revision, why=why, status=409)
    message = _("Scenario undone and its experience removed.")
    messages.success(request, message if booked else _("Scenario undone."))
    return see_other(reverse("decks:show", args=[pk]) + "#ledger")


def _ask_to_take_back(
    request: HttpRequest, revision: Revision, *, why: str = "", status: int = 200
) -> HttpResponse:
    """Show what would be undone, or why that isn't possible."""
    context = {
        "deck": revision.deck,
        "revision": revision,
        "title": deck_title(revision),
        "entries": entries_of_game(revision) if not why else (),
        "why": why,
        "moved": status == 412,
    }
    return render(request, "decks/take_back.html", context, status=status)


def _not_written(
    request: HttpRequest, revision: Revision, title: str, detail: str
) -> HttpResponse:
    """Answer 409: another window was faster; link to the ledger."""
    ledger = f"{reverse('decks:show', args=[revision.deck_id])}#ledger"
    context = {
        "title": title,
        "detail": detail,
        "way": (ledger, _("Show the experience")),
    }
    return render(request, "error.html", context, status=409)


def _ask(
    request: HttpRequest,
    revision: Revision,
    judged: Judged,
    form: PlayedForm,
    *,
    moved: bool = False,
) -> HttpResponse:
    """Render the form; 412 as it was filled in if the deck has changed since."""
    context = {
        "deck": revision.deck,
        "revision": revision,
        "title": deck_title(revision),
        "form": form,
        "again": revision.played_at is not None,
        "moved": moved,
    }
    status = 412 if moved else 422 if form.errors else 200
    return render(request, "decks/played.html", context, status=status)


@require_POST
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct experience, with a reason."""
    deck = editable(request, pk).deck
    form = LedgerCorrectionForm(request.POST)
    if not form.is_valid():
        return shown_deck(request, pk, correction=form)
    try:
        services.correct_ledger(
            deck=deck,
            amount=form.cleaned_data["amount"],
            reason=form.cleaned_data["reason"],
            after=form.cleaned_data["after"],
            actor=owner_of(request),
            now=timezone.now(),
        )
    except services.LedgerMoved:
        sent = request.POST.copy()
        sent["after"] = str(last_number(deck))
        form = LedgerCorrectionForm(sent)
        form.add_error(
            None,
            _(
                "The experience has changed, so your correction wasn’t saved. Check it "
                "above, then correct it again if needed."
            ),
        )
        return shown_deck(request, pk, correction=form)
    messages.success(request, _("Experience corrected."))
    return see_other(reverse("decks:show", args=[pk]) + "#ledger")


@require_safe
def compare(request: HttpRequest, pk: int) -> HttpResponse:
    """Compare two revisions, with what was paid between them."""
    latest = visible(request, pk)
    deck = latest.deck
    earlier, later = sorted(
        (_number(request, "from", 1, deck), _number(request, "to", deck.revision, deck))
    )
    context = {
        "deck": deck,
        "title": deck_title(latest),
        "comparison": Comparison(deck, earlier, later, current_judge().pool),
        "numbers": range(1, deck.revision + 1),
        "is_same": earlier == later,
    }
    return render(request, "decks/compare.html", context)


def _number(request: HttpRequest, key: str, usual: int, deck: Deck) -> int:
    """Return the number of a revision in the query string; 404 if there is none."""
    text = request.GET.get(key, "") or str(usual)
    if not is_digits(text, 9):
        raise Http404
    number = int(text)
    if not 1 <= number <= deck.revision:
        raise Http404
    return number


class ComparedDeck(NamedTuple):
    """One side of a comparison: the text entered, and the deck found."""

    asked: str
    title: str = ""
    address: str = ""
    judged: Judged | None = None
    problem: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
def compare_decks(request: HttpRequest) -> HttpResponse:
    """Compare any two decks: the visitor's own, shown ones, or from other sites.

    Other sites are read only when the form is sent, so that a link to this page doesn't
    make this server read them.
    """
    given = request.POST if request.method == "POST" else request.GET
    asked = [(given.get(f"{side}_at") or given.get(side, "")) for side in "ab"]
    sides = [_compared(request, each.strip()[:LONGEST_ASKED]) for each in asked]
    before, after = (each.judged for each in sides)
    decks = queries.visible_to(request.user, keys_of(request))
    offers = [
        (str(pk), it) for pk, it in distinct_titles(queries.latest(decks)).items()
    ]
    context: dict[str, object] = {"sides": sides, "offers": offers}
    if before is not None and after is not None:
        lists = ListsCompared(before.content, after.content, before.pool)
        context |= {
            "lists": lists,
            "only_a": lists.only(lists.before, lists.after),
            "only_b": lists.only(lists.after, lists.before),
            "apart": [each for each in lists.common if each.copies != each.after],
            "alike": [each for each in lists.common if each.copies == each.after],
            # The table names both investigators anyway.
            "apart_by": [
                each
                for each in lists.others
                if each.pointer != "/deck/investigator_code"
            ],
        }
    status = 422 if any(each.problem for each in sides) else 200
    return render(request, "decks/compare_decks.html", context, status=status)


def _compared(request: HttpRequest, asked: str) -> ComparedDeck:
    """Find a deck by its number or address, if the visitor may see it."""
    if not asked:
        return ComparedDeck("")
    path = asked.removeprefix(request.build_absolute_uri("/"))
    own = _OWN_DECK.fullmatch(path)
    if own is not None:
        decks = queries.visible_to(request.user, keys_of(request))
        revision = queries.latest(decks.filter(pk=int(own[1]))).first()
        if revision is not None:
            address = reverse("decks:show", args=[revision.deck_id])
            return _as_side(asked, revision, revision.content, address)
    elif showing := queries.shown_at(path):
        revision = shown_revision(showing)
        address = address_of(showing)
        return _as_side(asked, revision, shown_content(revision), address)
    elif is_address(path):
        return _from_elsewhere(request, asked)
    problem = _("This deck isn’t here, or you can’t see it.")
    return ComparedDeck(asked, problem=problem)


def _as_side(
    asked: str, revision: Revision, content: Content, address: str
) -> ComparedDeck:
    judged = Judged(content, current_judge())
    return ComparedDeck(asked, deck_title(revision), address, judged)


def _from_elsewhere(request: HttpRequest, asked: str) -> ComparedDeck:
    """Read a deck from another site, but only for a sent form."""
    judge = current_judge()
    if request.method != "POST":
        return ComparedDeck(asked)
    try:
        read = read_list(read_address(asked), judge.pool)
    except Unreachable as error:
        return ComparedDeck(asked, problem=str(error))
    if read.content is None:
        problem = _("There is no deck at this address.")
        return ComparedDeck(asked, problem=problem)
    judged = Judged(read.content, judge)
    card = judged.investigator
    title = read.name or (card.name if card else "?")
    return ComparedDeck(asked, title, asked, judged)


@require_safe
def move(request: HttpRequest, pk: int) -> HttpResponse:
    """Preview the deck under another taboo list."""
    revision = editable(request, pk)
    judge = current_judge()
    without, *lists = taboos(judge.pool)[1:]
    offers = [*lists, without]
    judged = Judged(revision.content, judge)
    here = taboo_choice(judged)
    first = next((value for value, _label in offers if value != here), "")
    wanted = request.GET.get("to", first)
    offer = dict(offers).get(wanted)
    context = {
        "deck": revision.deck,
        "title": deck_title(revision),
        "offers": offers,
        "here": here,
        "wanted": wanted,
        "offer": offer,
    }
    if offer is not None:
        context["move"] = Move(revision.content, wanted, judge)
        context["is_played"] = is_played(revision)
        context["number"] = revision.number
        desk = services.desk_of(revision)
        context["desk"] = desk.mark if desk else ""
    return render(request, "decks/move.html", context)
