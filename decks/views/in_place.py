"""What the builder and the desk have in common: pages that are changed in place."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from arkham.rules.legality.verdict import RULES_VERSION
from arkham.web.http import mark_of, marks_sent
from decks.forms.lists import WrittenForm
from decks.forms.terms import TermsForm
from decks.pages.display import Judged
from decks.pages.terms import summary


def in_place(request: HttpRequest, judged: Judged, refused: Any) -> dict[str, Any]:
    """The forms of the page, and which of its pieces its reader has already.

    ``refused`` is a form that could not be carried out: all is shown again around it.
    """
    form = refused if isinstance(refused, TermsForm) else TermsForm(judged)
    words = summary(judged)
    edition = mark_of(judged.pool.version, RULES_VERSION, get_language())
    return {
        "terms_form": form,
        "terms": words,
        "terms_mark": form.mark and mark_of(form.mark, words),
        "written_form": refused if isinstance(refused, WrittenForm) else None,
        "edition": edition,
        "marks_shown": frozenset() if refused else marks_sent(request, edition),
    }
