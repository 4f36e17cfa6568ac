"""A deck as a file, in every format there is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from arkham.rules.card import Card
from arkham.rules.notation.exchanged import Exchanged
from arkham.rules.notation.formats import FORMATS
from arkham.rules.pool import CardPool
from arkham.signs import SIGNS
from cardpool.catalog import current_judge
from decks.interchange.export import exchanged, file_name, text_of
from decks.pages.display import Judged
from decks.pages.sheets import SKILLS
from decks.pages.terms import summary
from decks.services.beginning import to_spend
from decks.views.reach import title_of, visible

FITS = 40  # lines of the list that one column of a page holds
SHEET = 9  # as many take two upgrade sheets, side by side
GAMES = 8  # lines to write games on
NOTES = 30  # lines for notes; those that do not fit are not seen


@require_safe
def sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """The deck on paper, with what is to be laid out and room to write in."""
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


def _trauma(card: Card | None) -> list[tuple[str, object, range]]:
    """The sign and name of both kinds, and a box for each point there can be."""
    if card is None:
        return []
    kinds = (
        ("physical-trauma", pgettext("trauma", "Physical"), card.health),
        ("mental-trauma", pgettext("trauma", "Mental"), card.sanity),
    )
    return [(name, title, range(most)) for name, title, most in kinds if most]


def _skills(card: Card | None) -> list[tuple[str, object, int]]:
    """The sign, name and value of each skill of the investigator."""
    if card is None or card.skills is None:
        return []
    values = zip(SKILLS, card.skills, strict=True)
    return [(name, SIGNS[name].title, value) for name, value in values]


@require_safe
def download(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """The deck, to be kept or taken to another program."""
    revision = visible(request, pk)
    pool = current_judge().pool
    return file_of(exchanged(revision, pool), form, pool, revision.deck.name, pk)


def file_of(
    value: Exchanged, form: str, pool: CardPool, name: str, number: int
) -> HttpResponse:
    """A deck in a format, as a file named after it."""
    wanted = FORMATS[form]
    disposition = content_disposition_header(True, file_name(name, wanted, number))
    assert disposition is not None
    return HttpResponse(
        text_of(value, wanted, pool),
        content_type=f"{wanted.media_type}; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )
