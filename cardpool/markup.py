"""Turns the mark-up of ArkhamDB's card texts into safe HTML.

Bold, italics, traits in double brackets and symbols in single ones are kept; all else
is text, and every tag opened in a line is closed in it.
"""

from __future__ import annotations

import re

from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from arkham.signs import SIGNS
from arkham.templatetags.arkham import sign

# What symbols are called where we have no sign for them.
SYMBOLS: dict[str, str | Promise] = {
    "action": _("Action"),
    "reaction": _("Reaction"),
    "fast": _("Free"),
    "free": _("Free"),
    "per_investigator": _("per investigator"),
    "skull": _("Skull"),
    "cultist": _("Cultist"),
    "tablet": _("Tablet"),
    "elder_thing": _("Elder Thing"),
    "elder_sign": _("Elder Sign"),
    "auto_fail": _("Auto-fail"),
    "bless": _("Bless"),
    "curse": _("Curse"),
    "frost": _("Frost"),
}
_DRAWN_AS = {"free": "fast"}
MOST_BLANKS = 8  # between a symbol and its own name beside it
_KEPT = {"b": "b", "strong": "b", "i": "i", "em": "i", "cite": "i", "u": "u"}
_BREAKS = re.compile(r"\n|<br\s*/?>|<hr\s*/?>|</?blockquote>|</?p>", re.IGNORECASE)
_PIECE = re.compile(r"<(/?)([a-z]+)[^<>]*>|\[\[([^\[\]]*)\]\]|\[([a-z_]+)\]")


def rendered(text: str) -> SafeString:
    """A text as paragraphs of HTML; "" for none."""
    lines = (line.strip() for line in _BREAKS.split(text))
    paragraphs = (f"<p>{_line(line)}</p>" for line in lines if line)
    return mark_safe("".join(paragraphs))  # noqa: S308 (every part is escaped)


def rendered_line(text: str) -> SafeString:
    """One line of text as HTML, without a paragraph around it."""
    return mark_safe(_line(text))  # noqa: S308 (every part is escaped)


def unmarked(text: str) -> str:
    """A text in letters alone, for where no mark-up can stand: symbols by their names.

    A symbol beside its own name is left out: “Day [day]” is “Day”.
    """
    return " ".join(_PIECE.sub(_spelled, text).split())


def _spelled(piece: re.Match[str]) -> str:
    _closing, _tag, trait, symbol = piece.groups()
    if symbol is None:
        return trait or ""
    word = str(_worded(symbol))
    beside = word.casefold()
    # No more of the text is looked at, however long it is and however many symbols.
    reach = len(beside) + MOST_BLANKS
    start, end = piece.span()
    before = piece.string[max(start - reach, 0) : start].rstrip().casefold()
    after = piece.string[end : end + reach].lstrip().casefold()
    return "" if before.endswith(beside) or after.startswith(beside) else word


def _worded(symbol: str) -> str | Promise:
    """The name of a symbol; of letters and seals the letter: “rune A”."""
    known = SYMBOLS.get(symbol)
    if known is not None:
        return known
    *_book, kind, letter = ["", *symbol.split("_")]
    if kind and len(letter) == 1:
        return f"{kind} {letter.upper()}"
    return symbol.replace("_", " ")


def _line(line: str) -> str:
    parts: list[str] = []
    opened: list[str] = []
    end = 0
    for piece in _PIECE.finditer(line):
        parts.append(escape(line[end : piece.start()]))
        end = piece.end()
        closing, tag, trait, symbol = piece.groups()
        if trait is not None:
            parts.append(f"<b><i>{escape(trait)}</i></b>")
        elif symbol is not None:
            parts.append(_symbol(symbol))
        elif tag in _KEPT:
            parts.append(_tag(_KEPT[tag], bool(closing), opened))
    parts.append(escape(line[end:]))
    parts.extend(f"</{tag}>" for tag in reversed(opened))
    return "".join(parts)


def _tag(tag: str, closing: bool, opened: list[str]) -> str:
    """The tag if it fits what is open; a close that fits nothing is dropped."""
    if not closing:
        opened.append(tag)
        return f"<{tag}>"
    if not opened or opened[-1] != tag:
        return ""
    opened.pop()
    return f"</{tag}>"


def _symbol(name: str) -> str:
    known = _DRAWN_AS.get(name, name).replace("_", "-")
    if known in SIGNS:
        return sign(known)
    return f'<span class="symbol">{escape(_worded(name))}</span>'
