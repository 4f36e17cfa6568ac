"""The line of a card in a list, as HTML: made once for each pool and language.

It says the same to everybody, and a page of a search has fifty.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from arkham.rules.pool import CardPool
from cardpool.shown import ShownCard

Lines = dict[tuple[str, str | None], SafeString]

_LINES: WeakKeyDictionary[CardPool, Lines] = WeakKeyDictionary()


def line_of(code: str, pool: CardPool) -> SafeString:
    """The line of a card in the reader's language."""
    lines = _LINES.setdefault(pool, {})
    key = (code, get_language())
    if key not in lines:
        shown = ShownCard(pool[code], pool)
        lines[key] = render_to_string("cardpool/_line.html", {"each": shown})
    return lines[key]
