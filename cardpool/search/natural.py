"""Reads ordinary words as conditions: “level 0”, “cost 2”, “seeker events”, “fast”.

Only words that stand bare among the conditions of a search are read so; in quotation
marks they are words of a card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from django.utils.translation import override

from arkham.rules.notation.names import names_of
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass, CardType
from cardpool.search.query import And, Condition, Name, SearchValue, Term, both
from cardpool.words import FAST, MARKS, SLOTS, fold

# Words between words; a card has them in its name or not at all.
FILLERS = frozenset(
    {"a", "an", "and", "any", "are", "by", "card", "cards", "for", "from", "has"}
    | {"have", "in", "is", "of", "or", "that", "the", "to", "which", "with"}
)
# What gists leave out: “draw 1” is of cards.
_OF_CARDS = frozenset(["card", "cards"])
_LEVEL = re.compile(r"[0-5]")
_DIGITS = frozenset(map(str, range(100)))
_NUMBER = re.compile(r"(\d{1,2}(?:-\d{1,2})?|x|none)(\+?)")
_BEFORE = {"level": "level", "lvl": "level", "xp": "level", "cost": "cost"}
_BEFORE |= {"costs": "cost", "costing": "cost"}
_AFTER = {"xp": "level", "cost": "cost"}
_BOUNDS = {"or less": "<=", "or lower": "<=", "or more": ">=", "or higher": ">="}
# What is spoken of on many a card: “skill test”, “event you control”.
_OF_A_TEXT = frozenset(["test", "tests", "value", "values", "icon", "icons"])
_TYPES = (
    CardType.ASSET,
    CardType.EVENT,
    CardType.SKILL,
    CardType.INVESTIGATOR,
    CardType.TREACHERY,
)


def _known() -> dict[str, tuple[str, str]]:
    """The key and the value that some folded words stand for, in both numbers."""
    known = {each.value: ("class", each.value) for each in CardClass}
    known["neutral"] = ("class", "neutral")
    known |= {each.value: ("type", each.value) for each in _TYPES}
    known |= {f"{slot} slot": ("slot", slot) for slot in SLOTS}
    with override("en"):
        known |= {fold(str(mark.name)): ("is", mark.word) for mark in MARKS.values()}
    known |= {fold(word): ("is", word) for word in (*MARKS, FAST)}
    return {_plural(words): meant for words, meant in known.items()} | known


def _plural(words: str) -> str:
    if words.endswith("y"):
        return f"{words[:-1]}ies"
    return f"{words}es" if words.endswith("s") else f"{words}s"


_KNOWN = _known()
_ALTERNATIVES = ("class", "type")  # a card that has one of several will do
KEYWORDS = frozenset([*_BEFORE, *(w for words in _KNOWN for w in words.split())])


def with_conditions(term: Term) -> Term | None:
    """The search with its ordinary words as conditions; None if that changes nothing.

    A word for cards among others asks for nothing: all of them are cards.
    """
    terms = term.terms if isinstance(term, And) else (term,)
    read: list[Term] = []
    for is_bare, run in groupby(terms, is_bare_word):
        group = list(run)
        words = [each for each in group if isinstance(each, Name)]
        read += _read(words) if is_bare else group
    is_changed = any(isinstance(each, Condition) and each not in terms for each in read)
    left_out = (each for each in bare_words(term) if each not in read)
    if is_changed or any(fold(each.values[0].text) in _OF_CARDS for each in left_out):
        return both(*read) if read else None
    return None


def with_level(term: Term, pool: CardPool) -> Term:
    """The search with a level where it is the name of a card: “Beat Cop (2)”."""
    levelled = with_last_level(term)
    if levelled is None:
        return term
    *words, last = _names(term)
    name = " ".join(each.values[0].text for each in words)
    levels = {card.level for card in names_of(pool).called(name)}
    return levelled if int(last.values[0].text) in levels else term


def with_last_level(term: Term) -> Term | None:
    """The search with its last word as a level; None if that can't be one."""
    names = _names(term)
    if len(names) < 2:
        return None
    *words, last = names
    value = last.values[0]
    if not (_LEVEL.fullmatch(value.text) and all(each.bare for each in words)):
        return None
    level = Condition(replace(value, text="level"), ":", (value,))
    terms = term.terms if isinstance(term, And) else (term,)
    return both(*(level if each is last else each for each in terms))


def _names(term: Term) -> list[Name]:
    terms = term.terms if isinstance(term, And) else (term,)
    return [each for each in terms if isinstance(each, Name)]


def bare_words(term: Term) -> list[Name]:
    """The bare words among the conditions of a search."""
    return [each for each in _names(term) if each.bare]


def is_bare_word(term: Term) -> bool:
    """Whether it is one word without quotation marks, a bar or parentheses."""
    return isinstance(term, Name) and term.bare


def _read(run: Sequence[Name]) -> Iterator[Term]:
    """A run of bare words as conditions and what is left of the words."""
    words = [each.values[0].text.casefold() for each in run]
    said: dict[str, list[SearchValue]] = {}
    place = 0
    while place < len(words):
        taken, key, operator, value = _condition(words[place:])
        if not taken:
            if fold(words[place]) not in FILLERS:
                yield run[place]
            place += 1
            continue
        first, last = run[place].values[0], run[place + taken - 1].values[0]
        meant = SearchValue(value, first.column, last.end - first.column)
        if key in _ALTERNATIVES:
            said.setdefault(key, []).append(meant)
        else:
            yield Condition(replace(meant, text=key), operator, (meant,))
        place += taken
    for key, values in said.items():
        yield Condition(replace(values[0], text=key), ":", tuple(values))


def _condition(words: Sequence[str]) -> tuple[int, str, str, str]:
    """How many of the first words are a condition, and which; 0 for none."""
    first, second = words[0], words[1] if len(words) > 1 else ""
    for key, value in ((_BEFORE.get(first), second), (_AFTER.get(second), first)):
        if key and (found := _NUMBER.fullmatch(value)):
            end = _BOUNDS.get(" ".join(words[2:4])) if found[1] in _DIGITS else None
            return 4 if end else 2, key, end or (">=" if found[2] else ":"), found[1]
    for taken in range(min(3, len(words)), 0, -1):
        meant = _KNOWN.get(fold(" ".join(words[:taken])))
        if meant == ("type", "skill") and second in _OF_A_TEXT:
            break
        if meant is not None:
            return taken, meant[0], ":", meant[1]
    return 0, "", "", ""
