"""Searches that were perhaps meant: the same text with a name or a word corrected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from arkham.rules.notation.names import Names, names_of
from arkham.rules.pool import CardPool
from cardpool.queries import found, read_search
from cardpool.search.conditions import DENIALS
from cardpool.search.finders import by_name
from cardpool.search.keys import KEYS
from cardpool.search.lexicon import QueryError
from cardpool.search.query import (
    And,
    Condition,
    Name,
    Not,
    Or,
    SearchValue,
    Term,
    parse,
)
from cardpool.words import LONGEST_GUESSED, MOST_MEANT, fold

QUOTES = '"“”'
NAME_KEYS = frozenset(
    spelling for key in KEYS if key.finder is by_name for spelling in key.spellings
)
Place = tuple[int, int]  # of a text: the first character, and the one after the last


@dataclass(frozen=True, slots=True)
class SearchFault:
    """A search that was refused: the text around the fault, and one that may do."""

    error: QueryError
    before: str
    at: str
    after: str
    instead: str

    @classmethod
    def of(cls, text: str, error: QueryError) -> SearchFault:
        """The fault at its place in the text of the search box."""
        start = max(error.column - 1, 0)
        end = max(error.end - 1, start + 1)
        instead = ""
        if error.suggestion and error.found:
            instead = _replaced(text, (start, end), error.suggestion)
        return cls(error, text[:start], text[start:end], text[end:], instead)


@dataclass(frozen=True, slots=True)
class Respelt:
    """A name that was perhaps meant, and the search with it."""

    name: str
    search: str


def respelt(text: str, pool: CardPool) -> list[Respelt]:
    """Searches with a name as cards and investigators have it, the likeliest first.

    Where more than a name is asked, only what finds something is offered.
    """
    text, names = text.strip(), names_of(pool)
    offered: dict[str, Respelt] = {}
    for place in _names_in(parse(text)):
        whole = place == (0, len(text))
        for name in _alike(text[slice(*place)].strip(QUOTES), names):
            search = name if whole else _replaced(text, place, name)
            if whole or found(read_search(search, pool)).exists():
                offered.setdefault(name, Respelt(name, search))
    return [*offered.values()][:MOST_MEANT]


def _replaced(text: str, place: Place, by: str) -> str:
    """The text with something else at a place, quoted where it needs that."""
    start, end = place
    fitting = f'"{by}"' if " " in by and '"' not in by else by
    return text[:start] + fitting + text[end:]


def _alike(said: str, names: Names) -> list[str]:
    if len(said) > LONGEST_GUESSED:
        return []
    alike = dict.fromkeys([*names.like(said), *names.investigators_like(said)])
    return [each for each in alike if fold(each) != fold(said)]


def _names_in(term: Term) -> Iterator[Place]:
    """Where names stand that are asked for; bare words beside each other are one."""
    match term:
        case Name(values):
            yield from map(_place, values)
        case Condition(key, operator, values):
            if key.text.casefold() in NAME_KEYS and operator not in DENIALS:
                yield from map(_place, values)
        case And(terms):
            for is_bare, run in groupby(terms, _is_bare):
                places = [place for each in run for place in _names_in(each)]
                yield from [(places[0][0], places[-1][1])] if is_bare else places
        case Or(terms):
            for each in terms:
                yield from _names_in(each)
        case Not():
            return


def _is_bare(term: Term) -> bool:
    return isinstance(term, Name) and term.bare


def _place(value: SearchValue) -> Place:
    return value.column - 1, value.end - 1
