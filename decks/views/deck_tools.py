"""Pages next to the builder: terms, imports, exports, notes and print."""

from __future__ import annotations

import re
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_safe

from arkham.rules.card import Card
from arkham.rules.notation.exchanged import Exchanged
from arkham.rules.notation.formats import FORMATS
from arkham.rules.notation.reading import Unreadable
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import is_digits
from arkham.signs import SIGNS
from cardpool.catalog import current_judge
from decks import queries, services
from decks.forms.circumstances import CircumstancesForm
from decks.forms.lists import ListForm
from decks.interchange.export import exchanged, file_name, text_of
from decks.interchange.importing import read_list
from decks.lists.content import (
    LONGEST_REMARK,
    Content,
    checked,
    remark_on,
    with_investigator_of,
    with_remark,
)
from decks.models import Collection, Revision
from decks.pages.differences import differences
from decks.pages.display import Judged
from decks.pages.pull_list import KEYS, pull_list, read_order
from decks.pages.sheets import SKILLS
from decks.pages.terms import summary
from decks.services.beginning import to_spend
from decks.services.ledger import balance_of, is_played
from decks.views.builder import played_page, stale_page
from decks.views.reach import (
    editable,
    keys_of,
    owner_of,
    see_other,
    title_of,
    visible,
    without_revision,
)


@require_http_methods(["GET", "HEAD", "POST"])
def circumstances(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and change everything about the table that a deck list doesn't include."""
    revision = editable(request, pk)
    if request.method != "POST" and is_played(revision):
        return see_other(reverse("decks:show", args=[pk]))
    expected = request.POST.get("revision", "")
    judged = Judged(revision.content, current_judge())
    if request.method != "POST":
        form = CircumstancesForm(judged)
    elif not is_digits(expected, 9):
        return without_revision(request)
    else:
        form = CircumstancesForm(judged, request.POST)
        content = _content_of(form)
        if content is not None:
            return _revised(request, revision, content, int(expected))
    context = {
        "deck": revision.deck,
        "revision": revision,
        "judged": judged,
        "form": form,
    }
    status = 422 if form.errors else 200
    return render(request, "decks/terms.html", context, status=status)


def _content_of(form: CircumstancesForm) -> Content | None:
    """Return the deck under a form's terms; None, with errors added, if invalid."""
    if not form.is_valid():
        return None
    try:
        return checked(form.content())
    except Unreadable as error:
        for fault in error.faults:
            form.add_error(None, fault.text)
        return None


def _revised(
    request: HttpRequest,
    revision: Revision,
    content: Content,
    expected: int,
    place: str = "",
) -> HttpResponse:
    """Save a changed deck; redirect to the builder, or show why it wasn't saved."""
    try:
        services.revise_deck(
            deck=revision.deck,
            content=content,
            expected_revision=expected,
            now=timezone.now(),
            actor=owner_of(request),
        )
    except services.Stale as stale:
        return stale_page(request, revision.deck, stale)
    except services.AlreadyPlayed:
        return played_page(request, revision.deck)
    return see_other(reverse("decks:edit", args=[revision.deck.pk]) + place)


@require_http_methods(["GET", "HEAD", "POST"])
def paste(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an imported list before it replaces the one of this deck."""
    revision = editable(request, pk)
    if request.method != "POST" and is_played(revision):
        return see_other(reverse("decks:show", args=[pk]))
    context: dict[str, Any] = {"deck": revision.deck, "revision": revision}
    if request.method != "POST":
        return render(request, "decks/paste.html", context | {"form": ListForm()})
    form = ListForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "decks/paste.html", context | {"form": form}, status=422)
    judge = current_judge()
    read = read_list(form.list_text, judge.pool, form.file_name)
    context |= {"form": ListForm(initial={"text": form.list_text}), "read": read}
    if read.content is None:
        return render(request, "decks/paste.html", context, status=422)
    content = with_investigator_of(read.content, revision.content)
    context["judged"] = Judged(content, judge)
    context["differences"] = differences(content, revision.content, judge.pool)
    context["balance"] = balance = balance_of(revision.deck)
    context["brings"] = read.carried if read.carried not in (0, balance) else None
    return render(request, "decks/paste.html", context)


FITS = 40  # lines of the list that fit in one column of a page
SHEET = 9  # lines that two upgrade sheets take, side by side
GAMES = 8  # lines for writing down games
NOTES = 30  # lines for notes; extra lines are cut off


@require_safe
def sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the deck for printing, with its setup and room for writing."""
    revision = visible(request, pk)
    judged = Judged(revision.content, current_judge())
    card = judged.investigator
    sheets = [row for row in judged.rows if row.sheet and row.card]
    lines = len(judged.rows) + 2 * len(judged.groups) + SHEET * -(-len(sheets) // 2)
    context = {
        "deck": revision.deck,
        "revision": revision,
        "title": title_of(revision.deck, card),
        "judged": judged,
        "terms": summary(judged),
        "skills": _skills(card),
        "trauma": _trauma(card),
        "balance": to_spend(revision),
        "sheets": sheets,
        "is_long": lines > FITS,
        "games": range(GAMES),
        "lines": range(NOTES),
    }
    return render(request, "decks/sheet.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def remark(request: HttpRequest, pk: int, code: str) -> HttpResponse:
    """Edit a short note on one card of a deck; it is exported with the list."""
    revision = editable(request, pk)
    slots, pool = revision.list["slots"], current_judge().pool
    if code not in slots:
        raise Http404
    text, problem = request.POST.get("remark"), ""
    if text is not None and len(text) > LONGEST_REMARK:
        problem = _("A note on a card has at most %(number)d letters.")
        problem %= {"number": LONGEST_REMARK}
    elif text is not None:
        expected = request.POST.get("revision", "")
        if not is_digits(expected, 9):
            return without_revision(request)
        content = with_remark(revision.content, code, text)
        return _revised(request, revision, content, int(expected), f"#card-{code}")
    context = {
        "deck": revision.deck,
        "revision": revision,
        "card": pool.get_card(code),
        "code": code,
        "text": remark_on(revision.content, code) if text is None else text,
        "problem": problem,
        "longest": LONGEST_REMARK,
    }
    status = 422 if problem else 200
    return render(request, "decks/remark.html", context, status=status)


MOST_PULLED = 20
ORDER_KEY = "pull_order"
MOST_KEYS = 4  # sort keys


@require_safe
def pull(request: HttpRequest) -> HttpResponse:
    """Show what to take from the binders for one deck or several, in their order.

    The last chosen order is remembered in the session. Decks are chosen on “My decks”.
    """
    asked = request.GET.getlist("deck")[:MOST_PULLED]
    if not asked:
        return redirect("decks:index")
    pks = [int(each) for each in asked if re.fullmatch(r"\d{1,9}", each, re.ASCII)]
    decks = queries.visible_to(request.user, keys_of(request)).filter(pk__in=pks)
    revisions = list(queries.latest(decks))
    if not revisions:
        raise Http404
    if chosen := request.GET.getlist("by")[:MOST_KEYS]:
        request.session[ORDER_KEY] = [each for each in chosen if each in KEYS]
    order = read_order(request.session.get(ORDER_KEY, ()))
    judge = current_judge()
    judged = [(each, Judged(each.content, judge)) for each in revisions]
    titles = [title_of(each.deck, one.investigator) for each, one in judged]
    named = [
        (title if titles.count(title) == 1 else f"{title} #{each.deck_id}", one)
        for title, (each, one) in zip(titles, judged, strict=True)
    ]
    owner = owner_of(request)
    owned = Collection.objects.filter(owner=owner, advises=True).first()
    context = {
        "decks": [each.deck for each in revisions],
        "titles": [title for title, _judged in named],
        "groups": pull_list(named, owned.content if owned else None, order, judge.pool),
        "collection": owned,
        "keys": list(KEYS.items()),
        "order": [*order, *[""] * MOST_KEYS][:MOST_KEYS],
        "mark": "-".join(f"{each.deck_id}.{each.number}" for each in revisions),
    }
    return render(request, "decks/pull.html", context)


def _trauma(card: Card | None) -> list[tuple[str, object, range]]:
    """Return icon and name of both kinds of trauma, with a box for each point."""
    if card is None:
        return []
    kinds = (
        ("physical-trauma", pgettext("trauma", "Physical"), card.health),
        ("mental-trauma", pgettext("trauma", "Mental"), card.sanity),
    )
    return [(name, title, range(most)) for name, title, most in kinds if most]


def _skills(card: Card | None) -> list[tuple[str, object, int]]:
    """Return the icon, name and value of each skill of the investigator."""
    if card is None or card.skills is None:
        return []
    values = zip(SKILLS, card.skills, strict=True)
    return [(name, SIGNS[name].title, value) for name, value in values]


@require_safe
def download(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """Download the deck in a format."""
    revision = visible(request, pk)
    pool = current_judge().pool
    return file_of(exchanged(revision, pool), form, pool, revision.deck.name, pk)


def file_of(
    value: Exchanged, form: str, pool: CardPool, name: str, number: int
) -> HttpResponse:
    """Return a deck in a format as a download named after it."""
    wanted = FORMATS[form]
    disposition = content_disposition_header(True, file_name(name, wanted, number))
    assert disposition is not None
    return HttpResponse(
        text_of(value, wanted, pool),
        content_type=f"{wanted.media_type}; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )
