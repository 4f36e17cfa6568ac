"""A deck as a file, in every format there is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from arkham.rules.notation.exchanged import Exchanged
from arkham.rules.notation.formats import FORMATS
from arkham.rules.pool import CardPool
from decks.interchange.export import exchanged, file_name, text_of
from decks.lists.judging import current_judge
from decks.views.reach import visible


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
