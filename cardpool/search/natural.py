"""Read ordinary words as conditions, “level 0”, and correct misspelled ones.

Only words that are bare among the conditions of a search are read this way; in
quotation marks they are words of a card.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import groupby, islice, product
from operator import and_
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import override

from arkham.rules.legality.sheets import SKILLS
from arkham.rules.notation.names import names_of, weighed
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass, CardType, is_digits
from cardpool.search.lexicon import Codes, Index, Lexicon, Spellings, plural
from cardpool.search.query import (
    Condition,
    Name,
    Or,
    SearchValue,
    Term,
    all_of,
    parse,
    terms_of,
)
from cardpool.words import MARKS, MARKS_OF_GISTS, SLOTS, fold

# Filler words: a card has them in its name or not at all.
FILLERS = frozenset(
    {"a", "an", "and", "any", "are", "by", "card", "cards", "for", "from", "has"}
    | {"have", "in", "is", "my", "of", "or", "that", "the", "to", "which", "with"}
    | {"best", "good", "your"}
)
_ARTICLES = frozenset(["a", "an", "any", "the"])
# Words that gists leave out: “draw 1” means cards.
_OF_CARDS = frozenset(["card", "cards"])
_LEVEL = re.compile(r"[0-5]")
_DIGITS = frozenset(map(str, range(100)))
_NUMBER = re.compile(r"(\d{1,2}(?:-\d{1,2})?|x|none)(\+?)")
_BEFORE = {"level": "level", "lvl": "level", "xp": "level", "cost": "cost"}
_BEFORE |= {"costs": "cost", "costing": "cost"}
_AFTER = {"xp": "level", "cost": "cost"}
_BOUNDS = {"or less": "<=", "or lower": "<=", "or more": ">=", "or higher": ">="}
# Words that many cards use: “skill test”, “event you control”.
_OF_A_TEXT = frozenset(["test", "tests", "value", "values", "icon", "icons"])
_TYPES = (
    CardType.ASSET,
    CardType.EVENT,
    CardType.SKILL,
    CardType.INVESTIGATOR,
    CardType.TREACHERY,
)


def _known() -> dict[str, tuple[str, str]]:
    """Return key and value for some folded words, singular and plural."""
    known = {each.value: ("class", each.value) for each in CardClass}
    known["neutral"] = ("class", "neutral")
    known |= {each.value: ("type", each.value) for each in _TYPES}
    known |= {f"{slot} slot": ("slot", slot) for slot in SLOTS}
    with override("en"):
        known |= {fold(str(mark.name)): ("is", mark.word) for mark in MARKS.values()}
    known |= {fold(word): ("is", word) for word in (*MARKS, *MARKS_OF_GISTS)}
    return {plural(words): meant for words, meant in known.items()} | known


_KNOWN = _known()
_ALTERNATIVES = ("class", "type")  # one of several is enough


def _read_phrases() -> Mapping[str, str]:
    """Return the search that each phrase of players means."""
    text = Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8")
    return {
        fold(phrase.format(skill=skill)): search.format(skill=skill)
        for phrases, search in tomllib.loads(text).items()
        for skill in sorted(SKILLS)
        for phrase in phrases.split("|")
    }


PHRASES = _read_phrases()
_LONGEST_PHRASE = 6  # words, articles included
KEYWORDS = frozenset(
    word for words in (*_BEFORE, *_KNOWN, *PHRASES) for word in words.split()
)


@cache
def _meaning(phrase: str) -> Sequence[Term]:
    return terms_of(parse(PHRASES[phrase]))


@dataclass(frozen=True, slots=True)
class OrdinaryWords:
    """A search with ordinary words read as conditions.

    ``term`` has these conditions, and is None if there are none. In ``or_named``
    their words may be in a name instead: “money” as in “Money Talks”. ``phrases``
    are the words of each phrase of players; one is all words if ``is_phrase``.
    ``plurals`` are the words read as traits, such as “ancients”.
    """

    term: Term | None
    or_named: Term
    phrases: Sequence[str]
    is_phrase: bool
    plurals: Sequence[str]

    def in_names(self, index: Index) -> tuple[Codes, Codes]:
        """Return the cards named with a phrase, and with a plural or a word left."""

        def named(runs: Iterable[str]) -> Codes:
            words = ([index.named(f" {e}") for e in run.split()] for run in runs)
            return Codes().union(*(reduce(and_, each) for each in words if each))

        bare = bare_words(self.term) if self.term else []
        left = (fold(each.values[0].text) for each in bare)
        return named(self.phrases), named((*left, *self.plurals))


def read_words(term: Term, lexicon: Lexicon) -> OrdinaryWords:
    """Read the ordinary words of a search as conditions.

    The word “cards” is dropped, because everything found is a card.
    """
    terms, bare = terms_of(term), bare_words(term)
    parts: list[_Part] = []
    for is_bare, run in groupby(terms, is_bare_word):
        group = list(run)
        words = [each for each in group if isinstance(each, Name)]
        parts += _read(words, lexicon) if is_bare else (_Part((e,)) for e in group)
    read = [each for part in parts for each in part.terms]
    phrases = [part.words for part in parts if part.is_phrase]
    said = [fold(each.values[0].text) for each in bare]
    is_phrase = phrases == [" ".join(each for each in said if each not in _ARTICLES)]
    dropped = {fold(each.values[0].text) for each in bare if each not in read}
    is_changed = phrases or any(each not in terms for each in read)
    meant = all_of(*read) if read and (is_changed or _OF_CARDS & dropped) else None
    or_named = all_of(*(part.or_named() for part in parts))
    plurals = [each for each in dropped if each in lexicon.plurals_of_traits]
    return OrdinaryWords(meant, or_named, phrases, is_phrase, plurals)


class _Part(NamedTuple):
    """Terms of a search, and the folded words that were read so, if any."""

    terms: Sequence[Term]
    words: str = ""
    is_phrase: bool = False

    def or_named(self) -> Term:
        """Return the terms, or that their words are in the name."""
        words = (
            Condition(_value("name"), ":", (_value(e),)) for e in self.words.split()
        )
        said = all_of(*self.terms)
        return Or((said, all_of(*words))) if self.words else said


def with_level(term: Term, pool: CardPool) -> Term:
    """Return the search with a level if it is the name of a card: “Beat Cop (2)”."""
    levelled = with_last_level(term)
    if levelled is None:
        return term
    *words, last = _names(term)
    name = " ".join(each.values[0].text for each in words)
    levels = {card.level for card in names_of(pool).called(name)}
    return levelled if int(last.values[0].text) in levels else term


def with_last_level(term: Term) -> Term | None:
    """Return the search with its last word as a level; None if that can't be one."""
    names = _names(term)
    if len(names) < 2:
        return None
    *words, last = names
    value = last.values[0]
    if not (_LEVEL.fullmatch(value.text) and all(each.bare for each in words)):
        return None
    level = Condition(replace(value, text="level"), ":", (value,))
    return all_of(*(level if each is last else each for each in terms_of(term)))


def _names(term: Term) -> list[Name]:
    return [each for each in terms_of(term) if isinstance(each, Name)]


def bare_words(term: Term) -> list[Name]:
    """Return the bare words among the conditions of a search."""
    return [each for each in _names(term) if each.bare]


def is_bare_word(term: Term) -> bool:
    """Return True for one word without quotation marks, a bar or parentheses."""
    return isinstance(term, Name) and term.bare


def _phrase(words: Sequence[str]) -> tuple[int, str]:
    """Return how many of the first words are a phrase of players, and which."""
    for count in range(min(_LONGEST_PHRASE, len(words)), 0, -1):
        said = [fold(each) for each in words[:count]]
        phrase = " ".join(each for each in said if each not in _ARTICLES)
        if phrase in PHRASES and said[-1] not in _ARTICLES:
            return count, phrase
    return 0, ""


def _read(run: Sequence[Name], lexicon: Lexicon) -> Iterator[_Part]:
    """Yield the conditions in a run of bare words, and the remaining words."""
    words = [each.values[0].text.casefold() for each in run]
    said: dict[str, list[tuple[SearchValue, str]]] = {}
    place = 0
    while place < len(words):
        taken, phrase = _phrase(words[place:])
        if taken:
            yield _Part(_meaning(phrase), phrase, is_phrase=True)
            place += taken
            continue
        taken, key, operator, value = _condition(words[place:], lexicon)
        if not taken:
            if fold(words[place]) not in FILLERS:
                yield _Part((run[place],))
            place += 1
            continue
        first, last = run[place].values[0], run[place + taken - 1].values[0]
        meant = SearchValue(value, first.column, last.end - first.column)
        spelled = fold(" ".join(words[place : place + taken]))
        if key in _ALTERNATIVES:
            said.setdefault(key, []).append((meant, spelled))
        else:
            condition = Condition(replace(meant, text=key), operator, (meant,))
            yield _Part((condition,), spelled)
        place += taken
    for key, found in said.items():
        values, spellings = zip(*found, strict=True)
        condition = Condition(replace(values[0], text=key), ":", values)
        yield _Part((condition,), " ".join(spellings))


def _condition(words: Sequence[str], lexicon: Lexicon) -> tuple[int, str, str, str]:
    """Return how many of the first words are a condition, and which; 0 for none."""
    first, second = words[0], words[1] if len(words) > 1 else ""
    for key, value in ((_BEFORE.get(first), second), (_AFTER.get(second), first)):
        if key and (found := _NUMBER.fullmatch(value)):
            end = _BOUNDS.get(" ".join(words[2:4])) if found[1] in _DIGITS else None
            return 4 if end else 2, key, end or (">=" if found[2] else ":"), found[1]
    for count in range(min(4, len(words)), 1, -1) if first == "for" else ():
        if code := lexicon.called_for_short.get(fold(" ".join(words[1:count]))):
            return count, "access", ":", code
    for taken in range(min(3, len(words)), 0, -1):
        meant = _KNOWN.get(fold(" ".join(words[:taken])))
        if meant == ("type", "skill") and second in _OF_A_TEXT:
            break
        if meant is not None:
            return taken, meant[0], ":", meant[1]
    singular = lexicon.plurals_of_traits.get(first)
    return (1, "trait", ":", singular) if singular else (0, "", "", "")


MOST_WORDS = 10
MOST_DOUBTED = 4  # words that are spelled correctly, but not found together
LONGEST_WORD = 30
MOST_ALIKE = 3  # words or names instead of one
SHORTEST_WORD = 3  # letters of a word that may be misspelled
SHORTEST_NAME = 4  # letters, without blanks
SHORTEST_BEGINNING = 5
ALIKE_AS_NAME = 0.72
AS_LIKELY = 0.06  # names must be this close to the likeliest one


@dataclass(frozen=True, slots=True)
class Guess:
    """A search that may have been meant, and the words it has instead."""

    term: Term
    words: tuple[str, ...]


def guesses(term: Term, index: Index, shown: Codes) -> Iterator[Guess]:
    """Yield searches similar to one that finds nothing, likeliest first.

    Only bare words are replaced; ``shown`` are the cards that may be found, and only
    their words are offered.
    """
    bare = bare_words(term)
    rest = [each for each in terms_of(term) if each not in bare]
    said = [fold(each.values[0].text) for each in bare]
    words = [word for word in said if word not in FILLERS] or (said if not rest else [])
    if len(words) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in words):
        return
    if words != said:
        yield Guess(_with(rest, [(word,) for word in words]), (" ".join(words),))
    spellings = index.spellings(shown)
    known = [
        is_digits(word) or word in KEYWORDS or bool(index.having(word) & shown)
        for word in words
    ]
    instead = [
        (word,) if is_known else _most_like(word, spellings)
        for word, is_known in zip(words, known, strict=True)
    ]
    if name := spellings.whole.get("".join(said)):  # only its blanks are wrong
        yield Guess(all_of(*rest, _called([name])), (name,))
    if not all(known) and all(instead):
        yield _spelled(rest, instead)
    if like := [*like_names(term, index, shown)]:
        yield from like
    elif names := _named_like(words, spellings):
        yield Guess(all_of(*rest, _called(names)), tuple(names))
    if all(known) and 1 < len(words) <= MOST_DOUBTED:
        for place, word in enumerate(words):
            if alike := _most_like(word, spellings):
                yield _spelled(rest, [*instead[:place], alike, *instead[place + 1 :]])


def like_names(term: Term, index: Index, shown: Codes) -> Iterator[Guess]:
    """Yield the search for the names most like its bare words together, if any."""
    bare = bare_words(term)
    said = [fold(each.values[0].text) for each in bare]
    if names := _named_like(said, index.spellings(shown)):
        rest = (each for each in terms_of(term) if each not in bare)
        yield Guess(all_of(*rest, _called(names)), tuple(names))


def _spelled(rest: Sequence[Term], instead: Sequence[tuple[str, ...]]) -> Guess:
    """Return the search with one of these alternatives for each word."""
    ways = islice(product(*instead), MOST_ALIKE)
    return Guess(_with(rest, instead), tuple(map(" ".join, ways)))


def _named_like(words: Sequence[str], spellings: Spellings) -> list[str]:
    """Return the names most like the words together, ignoring blanks."""
    squeezed = "".join(words)
    if len(squeezed) < SHORTEST_NAME:
        return []
    alike = weighed(squeezed, spellings.whole, MOST_ALIKE, ALIKE_AS_NAME)
    return [
        spellings.whole[each]
        for each, like in alike
        if spellings.whole[each] != " ".join(words) and like >= alike[0][1] - AS_LIKELY
    ]


def _most_like(word: str, spellings: Spellings) -> tuple[str, ...]:
    """Return the other words that a word is most like; () if there are none."""
    if len(word) < SHORTEST_WORD:
        return ()
    alike = 1 - _most_errors(word) / len(word)
    named = dict.fromkeys([*spellings.named, *sorted(KEYWORDS)])
    for words in (named, spellings.said):
        found = [each for each in weighed(word, words, alike=alike) if each[1] < 1]
        ties = [each for each, like in found if like == found[0][1]]
        swapped = [each for each in ties if sorted(each) == sorted(word)]
        if ties:
            return tuple(swapped or ties)
    if len(word) < SHORTEST_BEGINNING:
        return ()
    begun: dict[str, str] = {}
    for each in spellings.named:
        begun.setdefault(each[: len(word)], each)
        begun.setdefault(each[: len(word) + 1], each)
    found = weighed(word, begun, 1, 1 - 1 / len(word))
    return tuple(begun[each] for each, _like in found)


def _most_errors(word: str) -> int:
    """Return how many letters of a word may be wrong."""
    return 1 if len(word) < 6 else 2 if len(word) < 10 else 3


def _with(rest: Sequence[Term], words: Sequence[Sequence[str]]) -> Term:
    return all_of(
        *rest, *(Name(tuple(map(_value, each)), len(each) == 1) for each in words)
    )


def _called(names: Sequence[str]) -> Term:
    """Return the condition for cards with one of these names."""
    return Condition(_value("name"), "=", tuple(map(_value, names)))


def _value(text: str) -> SearchValue:
    return SearchValue(text, 0)
