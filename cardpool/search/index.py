"""The words of every card in memory: names, traits and gists, ready to be searched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from arkham.rules.card import Card
from arkham.rules.gists import gist_of
from arkham.rules.pool import CardPool
from cardpool.words import fold, listed

KEPT = 512  # words whose cards are remembered

Codes = frozenset[str]


class Spellings(NamedTuple):
    """The words of names and traits, those of gists alone, and names without blanks."""

    named: list[str]
    said: list[str]
    whole: dict[str, str]


class Index:
    """The folded words of one card pool, by code of the card."""

    def __init__(self, pool: CardPool) -> None:
        self.codes: Codes = frozenset(pool)
        self._names = {code: _names(card) for code, card in pool.items()}
        self._whole: dict[str, set[str]] = {}
        for code, card in pool.items():
            self._whole.setdefault(fold(card.name), set()).add(code)
        self._traits = {code: listed(card.traits) for code, card in pool.items()}
        self._gists = {code: _gist(code) for code in pool}
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
        return _holding(words, self._names)

    def called(self, name: str) -> Codes:
        """The cards with exactly this folded name."""
        return frozenset(self._whole.get(name, ()))

    def _having(self, words: str) -> Codes:
        """The same, and those with a trait that begins so, or a gist that says so."""
        traits = _holding(f"|{words}", self._traits)
        return self.named(words) | traits | self.saying(words)

    def saying(self, words: str) -> Codes:
        """The cards whose gist has the folded words, the first from its beginning."""
        return _holding(f" {words}", self._gists)

    def _spellings(self, shown: Codes) -> Spellings:
        """How these cards spell their words."""
        cards = sorted(shown)
        texts = [self._names[code] + self._traits[code] for code in cards]
        named = dict.fromkeys(_words(" ".join(texts)))
        said = dict.fromkeys(_words(" ".join(self._gists[code] for code in cards)))
        names = (name for code in cards for name in self._names[code].split("|"))
        whole = {name.replace(" ", ""): name.strip() for name in names}
        return Spellings([*named], [each for each in said if each not in named], whole)

    def printed_as(self, code: str) -> Codes:
        """The card with a printing of this code."""
        card = self._printed.get(code)
        return frozenset() if card is None else frozenset((card,))


def _holding(words: str, texts: Mapping[str, str]) -> Codes:
    return frozenset(code for code, text in texts.items() if words in text)


def _words(text: str) -> list[str]:
    return text.replace("|", " ").split()


def _names(card: Card) -> str:
    names = (fold(card.name), fold(card.subname))
    return f" {' | '.join(name for name in names if name)}"


def _gist(code: str) -> str:
    words = gist_of(code).words
    return f" {fold(words.replace('_', ' '))}" if words else ""


_INDEXES: WeakKeyDictionary[CardPool, Index] = WeakKeyDictionary()


def index_of(pool: CardPool) -> Index:
    """The index of a pool, made once and kept as long as the pool."""
    index = _INDEXES.get(pool)
    if index is None:
        index = _INDEXES[pool] = Index(pool)
    return index
