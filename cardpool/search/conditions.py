"""Turn one condition of a search into a database query.

A finder takes a condition and its context and returns the ``Q`` that finds the cards,
or raises QueryError with the place and what was expected there. The functions of this
module make kinds of finders; ``keys`` assigns them to keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from arkham.rules.card import TabooList
from arkham.rules.vocabulary import is_digits
from cardpool.search.lexicon import Codes, Index, Lexicon, QueryError, Words, nearest
from cardpool.search.query import Condition, SearchValue
from cardpool.words import fold

COMPARISONS = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}
DENIALS = ("!", "!=")
CODE = re.compile(r"\d{5}[a-z]{0,2}")
LARGEST = 9_999
YES, NO = ("1", "yes", "true"), ("0", "no", "false")


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a search: words known, names, and the taboo list.

    ``taboo`` is the list that ``access:`` judges under, None for none; ``owned`` are
    the codes of the cards the reader owns, None if unknown; ``asked`` are the
    investigators that ``access:`` has named so far.
    """

    lexicon: Lexicon
    index: Index
    taboo: TabooList | None = None
    owned: frozenset[str] | None = None
    asked: set[str] = field(default_factory=set)


Expected = str | Promise  # a description of what belongs in a place
Found = Q | Codes  # a database query, or codes known without it
Finder = Callable[[Condition, Context], Found]


def refused(
    value: SearchValue, expected: Expected, suggestion: str = "", message: str = ""
) -> QueryError:
    """Return the error for a value: what was expected, and the nearest known one."""
    message = message or _("We don’t know “%(found)s”.") % {"found": value.text}
    if suggestion:
        message += " " + _("Did you mean “%(suggestion)s”?") % {
            "suggestion": suggestion
        }
    else:
        message += " " + _("Expected: %(expected)s.") % {"expected": expected}
    return QueryError(
        value.column,
        message,
        found=value.text,
        expected=str(expected),
        suggestion=suggestion,
        end=value.end,
    )


def question(found: Found) -> Q:
    """Return a result as a part of a database query."""
    return found if isinstance(found, Q) else Q(pk__in=found)


def any_of(found: Iterable[Found]) -> Found:
    """Combine alternatives; nothing for none."""
    asked, known = Q(), Codes()
    for each in found:
        if isinstance(each, Q):
            asked |= each
        else:
            known |= each
    if not asked:
        return known
    return asked | question(known) if known else asked


def only_equality(condition: Condition) -> None:
    if condition.operator in COMPARISONS:
        value = condition.values[0]
        text = f'"{value.text}"' if " " in value.text else value.text
        raise QueryError(
            condition.key.column,
            _("You can’t compare “%(key)s” with %(operator)s. Use : or !=.")
            % {"key": condition.key.text, "operator": condition.operator},
            found=condition.operator,
            expected=_(": or !="),
            suggestion=f"{condition.key.text}:{text}",
            end=value.end,
        )


def _signed(condition: Condition, found: Found) -> Found:
    return ~question(found) if condition.operator in DENIALS else found


def by_values(condition: Condition, one: Callable[[SearchValue], Found]) -> Found:
    """Match any of the values, or with a negating operator none of them."""
    only_equality(condition)
    return _signed(condition, any_of(one(value) for value in condition.values))


# -- kinds of finders --


def number(column: str, expects: Expected, **named: int | None) -> Finder:
    """Match a number in a column; ``named`` are words for values without digits."""

    def find(condition: Condition, _context: Context) -> Found:
        if condition.operator in COMPARISONS:
            limit = one_number(condition, expects)
            lookup = COMPARISONS[condition.operator]
            # X and the like are stored as negative numbers, but not less than others.
            return Q(**{f"{column}__{lookup}": limit}) & Q(**{f"{column}__gte": 0})
        return by_values(condition, one)

    def one(value: SearchValue) -> Q:
        word = value.text.casefold()
        if word in named:
            fixed = named[word]
            return Q(
                **{f"{column}__isnull": True} if fixed is None else {column: fixed}
            )
        least, dash, most = word.partition("-")
        if dash and least:
            between = (digits(value, least, expects), digits(value, most, expects))
            return Q(**{f"{column}__range": between})
        return Q(**{column: digits(value, word, expects)})

    return find


def one_number(condition: Condition, expects: Expected) -> int:
    if len(condition.values) > 1:
        raise refused(condition.values[1], _("one number to compare with"))
    value = condition.values[0]
    return digits(value, value.text, expects)


def digits(value: SearchValue, text: str, expects: Expected) -> int:
    if is_digits(text, 6) and int(text) <= LARGEST:
        return int(text)
    raise refused(value, expects)


def choice(column: str, known: Words, expects: Expected) -> Finder:
    """Match one of a few fixed words in a column."""

    def find(condition: Condition, _context: Context) -> Found:
        return by_values(
            condition, lambda value: Q(**{column: known_word(value, known, expects)})
        )

    return find


def listed_choice(column: str, known: Words, expects: Expected) -> Finder:
    """Match one of a few fixed words in a column with a list."""

    def find(condition: Condition, _context: Context) -> Found:
        return by_values(
            condition, lambda value: listed(column, known_word(value, known, expects))
        )

    return find


def listed_word(
    column: str,
    words: Callable[[Lexicon], Words],
    expects: Expected,
    *,
    none: str = "",
) -> Finder:
    """Match one of the card pool's words in a column with a list.

    ``none`` is the word for an empty list, if there is one.
    """

    def find(condition: Condition, context: Context) -> Found:
        known = words(context.lexicon)

        def one(value: SearchValue) -> Q:
            if none and value.text.casefold() == none:
                return Q(**{column: ""})
            return listed(column, known_word(value, known, expects))

        return by_values(condition, one)

    return find


def word(column: str, words: Callable[[Lexicon], Words], expects: Expected) -> Finder:
    """Match one of the card pool's words, which may be abbreviated, in a column."""

    def find(condition: Condition, context: Context) -> Found:
        known = words(context.lexicon)
        return by_values(
            condition,
            lambda value: Q(**{f"{column}__in": abridged(value, known, expects)}),
        )

    return find


def mark(name: str) -> Finder:
    """Match cards with or without a mark: ``unique:yes``, ``u:1``, ``permanent!1``."""

    def find(condition: Condition, _context: Context) -> Found:
        def one(value: SearchValue) -> Q:
            said = value.text.casefold()
            if said not in (*YES, *NO):
                raise refused(value, _("yes or no"))
            return listed("marks", name) if said in YES else ~listed("marks", name)

        return by_values(condition, one)

    return find


def owned(condition: Condition, context: Context) -> Found:
    """Match cards the reader owns with ``owned:yes``, all others with ``owned:no``."""
    codes = context.owned
    if codes is None:
        raise refused(
            condition.key,
            _("a search without it"),
            message=_("“%(key)s:” needs your collection, and you have none here.")
            % {"key": condition.key.text},
        )

    def one(value: SearchValue) -> Found:
        said = value.text.casefold()
        if said not in (*YES, *NO):
            raise refused(value, _("yes or no"))
        return codes if said in YES else ~question(codes)

    return by_values(condition, one)


def listed(column: str, value: str) -> Q:
    return Q(**{f"{column}__contains": f"|{value}|"})


def known_word(value: SearchValue, known: Words, expects: Expected) -> str:
    """Return the stored spelling of a word; refuse others with the nearest word."""
    found = known.get(fold(value.text))
    if found is None:
        raise refused(value, expects, nearest(value.text, known))
    return found


def abridged(value: SearchValue, known: Words, expects: Expected) -> set[str]:
    """Return the stored spellings of all words that are or contain the given one."""
    wanted = fold(value.text)
    if wanted in known:
        return {known[wanted]}
    found = {code for name, code in known.items() if len(wanted) > 2 and wanted in name}
    if not found:
        raise refused(value, expects, nearest(value.text, known))
    return found
