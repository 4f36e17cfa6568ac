"""Puts a search into plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.utils.translation import gettext as _

from cardpool.marks import MARKS
from cardpool.models import Scope
from cardpool.search.compile import DEFAULT_ORDER, Search, key_of
from cardpool.search.conditions import CODE, DENIALS, YES
from cardpool.search.lexicon import Lexicon, lexicon_of
from cardpool.search.query import And, Condition, Name, Not, Or, SearchValue, Term
from cardpool.words import fold


def describe(search: Search) -> str:
    """The search as a sentence without an end: “class seeker, level at most 2”."""
    lexicon = lexicon_of(search.pool)
    parts = [_phrase(search.term, lexicon)] if search.term != And(()) else []
    if search.taboo is not None:
        parts.append(
            _("under the taboo list of %(date)s") % {"date": search.taboo.date}
        )
    shown = [str(each.label) for each in Scope if each in search.scopes]
    if len(shown) > 1:
        parts.append(_("among: %(scopes)s") % {"scopes": ", ".join(shown).lower()})
    if search.order != DEFAULT_ORDER:
        parts.append(_("in order of %(order)s") % {"order": search.order})
    return ", ".join(parts)


def _phrase(term: Term, lexicon: Lexicon) -> str:
    match term:
        case Name(values):
            return _("named %(words)s") % {
                "words": _either(f"“{value.text}”" for value in values)
            }
        case Condition():
            return _condition(term, lexicon)
        case Not(inner):
            return _("not %(part)s") % {"part": _group(inner, lexicon)}
        case And(terms):
            return ", ".join(_group(each, lexicon) for each in terms)
        case Or(terms):
            return _either(_group(each, lexicon) for each in terms)


def _group(term: Term, lexicon: Lexicon) -> str:
    phrase = _phrase(term, lexicon)
    return f"({phrase})" if isinstance(term, And | Or) else phrase


def _condition(condition: Condition, lexicon: Lexicon) -> str:
    key = key_of(condition)
    if key.name in MARKS:
        return _marked(key.name, condition)
    said = [_spoken(key.name, value, lexicon) for value in condition.values]
    words = {"key": key.says, "values": _either(said)}
    match condition.operator:
        case "<":
            return _("%(key)s below %(values)s") % words
        case "<=":
            return _("%(key)s at most %(values)s") % words
        case ">":
            return _("%(key)s above %(values)s") % words
        case ">=":
            return _("%(key)s at least %(values)s") % words
        case "!" | "!=":
            return _("%(key)s other than %(values)s") % words
    return f"{key.says} {words['values']}"


def _marked(mark: str, condition: Condition) -> str:
    """“permanent” or “not permanent”; the finder has seen to it that it is one."""
    said = {value.text.casefold() in YES for value in condition.values}
    name = str(MARKS[mark].name).lower()
    wanted = True in said
    if (condition.operator in DENIALS) is wanted:
        return _("not %(part)s") % {"part": name}
    return name


def _either(parts: Iterable[str]) -> str:
    joined = list(parts)
    if len(joined) == 1:
        return joined[0]
    return _("%(first)s or %(last)s") % {
        "first": ", ".join(joined[:-1]),
        "last": joined[-1],
    }


def _investigator(text: str, lexicon: Lexicon) -> str:
    card = lexicon.pool.get_card(text.casefold()) if CODE.fullmatch(text) else None
    if card is None:
        named = lexicon.investigators.get(fold(text), ())
        card = named[0] if named else None
    return f"{card.name} ({card.code})" if card else text


def _pack(text: str, lexicon: Lexicon) -> str:
    code = lexicon.packs.get(fold(text))
    return lexicon.pool.packs[code].name if code else text


def _cycle(text: str, lexicon: Lexicon) -> str:
    code = lexicon.cycles.get(fold(text))
    return lexicon.pool.cycles[code].name if code else text


def _encounter_set(text: str, lexicon: Lexicon) -> str:
    code = lexicon.encounter_sets.get(fold(text))
    return lexicon.pool.encounter_sets[code] if code else text


_SPOKEN: dict[str, Callable[[str, Lexicon], str]] = {
    "access": _investigator,
    "owner": _investigator,
    "pack": _pack,
    "cycle": _cycle,
    "set": _encounter_set,
}


def _spoken(key: str, value: SearchValue, lexicon: Lexicon) -> str:
    """A value as it is spoken: names for codes, quotation marks where words are."""
    if key in _SPOKEN:
        return _SPOKEN[key](value.text, lexicon)
    quoted = key in ("name", "text")
    return f"“{value.text}”" if quoted else value.text.casefold()
