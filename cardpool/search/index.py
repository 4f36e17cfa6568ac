"""The words of every card in memory: names, traits and gists, ready to be searched."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple
from weakref import WeakKeyDictionary

from arkham.rules.gists import gist_of
from arkham.rules.pool import CardPool
from cardpool.languages import IN_ENGLISH, CardLanguage, CardTitle
from cardpool.words import fold, listed

KEPT = 512  # words whose cards are remembered

Codes = frozenset[str]


class Spellings(NamedTuple):
    """The words of names and traits, those of gists alone, and names without blanks."""

    named: list[str]
    said: list[str]
    whole: dict[str, str]


class Texts:
    """Texts by code, searched as one: that takes a tenth of the time."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.of = texts
        self._codes = list(texts)
        self._all = "\n".join(texts.values())
        ends = accumulate(len(text) + 1 for text in texts.values())
        self._starts = [0, *ends]

    def holding(self, words: str) -> Codes:
        """The codes of the texts that hold folded words, which have no line breaks."""
        found = []
        place = self._all.find(words)
        while place >= 0:
            number = bisect_right(self._starts, place) - 1
            found.append(self._codes[number])
            place = self._all.find(words, self._starts[number + 1])
        return frozenset(found)


class Index:
    """The folded words of one card pool, by code of the card.

    Cards are found by their names in other languages too.
    """

    def __init__(self, pool: CardPool, languages: Iterable[CardLanguage] = ()) -> None:
        self.codes: Codes = frozenset(pool)
        called = {
            code: [IN_ENGLISH.title(card), *_translated(code, languages)]
            for code, card in pool.items()
        }
        self._names = Texts({code: _names(titles) for code, titles in called.items()})
        self._whole: dict[str, set[str]] = {}
        for code, titles in called.items():
            for name, _subname in titles:
                self._whole.setdefault(fold(name), set()).add(code)
        traits = {code: listed(card.traits) for code, card in pool.items()}
        self._traits = Texts(traits)
        self._gists = Texts({code: _gist(code) for code in pool})
        self._printed = {
            printing.code: code
            for code, card in pool.items()
            for printing in card.printings
        }
        self.named: Callable[[str], Codes] = lru_cache(KEPT)(self._named)
        self.having: Callable[[str], Codes] = lru_cache(KEPT)(self._having)
        self.spellings: Callable[[Codes], Spellings] = lru_cache(8)(self._spellings)

    def _named(self, words: str) -> Codes:
        """The cards whose name or subtitle holds the folded words."""
        return self._names.holding(words)

    def called(self, name: str) -> Codes:
        """The cards with exactly this folded name."""
        return frozenset(self._whole.get(name, ()))

    def _having(self, words: str) -> Codes:
        """The same, and those with a trait that begins so, or a gist that says so."""
        traits = self._traits.holding(f"|{words}")
        return self.named(words) | traits | self.saying(words)

    def saying(self, words: str) -> Codes:
        """The cards whose gist has the folded words, the first from its beginning."""
        return self._gists.holding(f" {words}")

    def _spellings(self, shown: Codes) -> Spellings:
        """How these cards spell their words."""
        cards = sorted(shown)
        texts = [self._names.of[code] + self._traits.of[code] for code in cards]
        named = dict.fromkeys(_words(" ".join(texts)))
        said = dict.fromkeys(_words(" ".join(self._gists.of[code] for code in cards)))
        names = (name for code in cards for name in self._names.of[code].split("|"))
        whole = {name.replace(" ", ""): name.strip() for name in names}
        return Spellings([*named], [each for each in said if each not in named], whole)

    def printed_as(self, code: str) -> Codes:
        """The card with a printing of this code."""
        card = self._printed.get(code)
        return frozenset() if card is None else frozenset((card,))


def _words(text: str) -> list[str]:
    return text.replace("|", " ").split()


def _translated(code: str, languages: Iterable[CardLanguage]) -> list[CardTitle]:
    titles = (each.titles.get(code) for each in languages)
    return [each for each in titles if each]


def _names(titles: Iterable[CardTitle]) -> str:
    names = dict.fromkeys(fold(name) for title in titles for name in title)
    return f" {' | '.join(name for name in names if name)}"


def _gist(code: str) -> str:
    words = gist_of(code).words
    return f" {fold(words.replace('_', ' '))}" if words else ""


Indexed = tuple[tuple[CardLanguage, ...], Index]

_INDEXES: WeakKeyDictionary[CardPool, Indexed] = WeakKeyDictionary()


def index_of(pool: CardPool, languages: Iterable[CardLanguage] = ()) -> Index:
    """The index of a pool, kept as long as the pool and its translated names."""
    named = tuple(each for each in languages if each.titles)
    kept = _INDEXES.get(pool)
    if kept is None or kept[0] != named:
        kept = _INDEXES[pool] = named, Index(pool, named)
    return kept[1]
