"""What a search whose words are misspelt perhaps means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from arkham.rules.notation.names import weighed
from cardpool.search.index import Codes, Index, Spellings
from cardpool.search.natural import FILLERS, KEYWORDS, bare_words
from cardpool.search.query import And, Condition, Name, SearchValue, Term, both
from cardpool.words import fold

MOST_WORDS = 10
MOST_DOUBTED = 4  # words that are spelled well, but not found together
LONGEST_WORD = 30
MOST_ALIKE = 3  # words or names instead of one
SHORTEST_WORD = 3  # letters that may hold an error
SHORTEST_NAME = 4  # letters, without blanks
SHORTEST_BEGINNING = 5
ALIKE_AS_NAME = 0.72
AS_LIKELY = 0.06  # what is less like than the likeliest name by more is not meant


@dataclass(frozen=True, slots=True)
class Guess:
    """A search that may have been meant, and the words it has instead."""

    term: Term
    words: tuple[str, ...]


def guesses(term: Term, index: Index, shown: Codes) -> Iterator[Guess]:
    """Searches like one that finds nothing, the likeliest first.

    Only its bare words are doubted; ``shown`` are the cards that may be found, whose
    words alone are offered.
    """
    terms = term.terms if isinstance(term, And) else (term,)
    bare = bare_words(term)
    rest = [each for each in terms if each not in bare]
    said = [fold(each.values[0].text) for each in bare]
    words = [word for word in said if word not in FILLERS] or (said if not rest else [])
    if len(words) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in words):
        return
    if words != said:
        yield Guess(_with(rest, [(word,) for word in words]), (" ".join(words),))
    spellings = index.spellings(shown)
    known = [
        (word.isascii() and word.isdigit())
        or word in KEYWORDS
        or bool(index.having(word) & shown)
        for word in words
    ]
    instead = [
        (word,) if is_known else _most_like(word, spellings)
        for word, is_known in zip(words, known, strict=True)
    ]
    if name := spellings.whole.get("".join(said)):  # only its blanks are wrong
        yield Guess(both(*rest, _called([name])), (name,))
    if not all(known) and all(instead):
        yield _spelled(rest, instead)
    if names := _named_like(said, spellings) or _named_like(words, spellings):
        yield Guess(both(*rest, _called(names)), tuple(names))
    if all(known) and 1 < len(words) <= MOST_DOUBTED:
        for place, word in enumerate(words):
            if alike := _most_like(word, spellings):
                yield _spelled(rest, [*instead[:place], alike, *instead[place + 1 :]])


def _spelled(rest: Sequence[Term], instead: Sequence[tuple[str, ...]]) -> Guess:
    """The search with one of these for each word."""
    ways = islice(product(*instead), MOST_ALIKE)
    return Guess(_with(rest, instead), tuple(map(" ".join, ways)))


def _named_like(words: Sequence[str], spellings: Spellings) -> list[str]:
    """The names that the words together are most like, wherever the blanks are."""
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
    """The other words that a word is most like; none for none."""
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
    """How many letters of a word may be wrong."""
    return 1 if len(word) < 6 else 2 if len(word) < 10 else 3


def _with(rest: Sequence[Term], words: Sequence[Sequence[str]]) -> Term:
    return both(
        *rest, *(Name(tuple(map(_value, each)), len(each) == 1) for each in words)
    )


def _called(names: Sequence[str]) -> Term:
    """Cards with one of these names."""
    return Condition(_value("name"), "=", tuple(map(_value, names)))


def _value(text: str) -> SearchValue:
    return SearchValue(text, 0)
