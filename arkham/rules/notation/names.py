"""Finds cards by name, however it is spelled."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache

from arkham.rules.card import Card, Pack
from arkham.rules.notation.spelling import fold
from arkham.rules.pool import CardPool

LONGEST_NAME = 100  # with its subtitle
LONGEST_GUESSED = 40
MOST_LIKE = 3
ALIKE = 0.7  # of 1, as difflib measures it
# A first or last name alone is compared too, so it has to look more alike.
ALIKE_AS_INVESTIGATOR = 0.75
SHORTEST_PART = 4  # letters of such a name


class Names:
    """The cards of a pool by every spelling of their names."""

    def __init__(self, pool: CardPool) -> None:
        self.pool = pool
        self.cards: dict[str, list[Card]] = {}
        self._by_initial: dict[str, list[str]] = {}
        self.packs: dict[str, Pack] = {}
        self._investigators: dict[str, list[str]] = {}
        for card in pool.values():
            if card.scenario and not card.in_decks:
                continue
            for spelling in {fold(card.name), fold(f"{card.name} {card.subname}")}:
                self.cards.setdefault(spelling, []).append(card)
        for card in pool.investigators:
            if card.investigator is not None and card.investigator.playable:
                self._add_investigator(card)
        for spelling in self.cards:
            self._by_initial.setdefault(spelling[:1], []).append(spelling)
        for pack in pool.packs.values():
            self.packs.setdefault(fold(pack.name), pack)
            self.packs.setdefault(fold(pack.code), pack)

    def _add_investigator(self, card: Card) -> None:
        """List an investigator under the whole name and under its longer parts."""
        parts = [part for part in card.name.split() if len(part) >= SHORTEST_PART]
        for spelling in {fold(each) for each in (card.name, *parts)}:
            names = self._investigators.setdefault(spelling, [])
            if card.name not in names:
                names.append(card.name)

    def called(self, text: str) -> list[Card]:
        """Every card of this name (with its subtitle or without) or code."""
        card = self.pool.get_card(text)
        if card is not None:
            return [card]
        return self.cards.get(fold(text), []) if len(text) <= LONGEST_NAME else []

    def like(self, text: str) -> list[str]:
        """Names that look alike, as they are printed."""
        folded = fold(text[:LONGEST_GUESSED])
        most = len(folded) * (2 - ALIKE) / ALIKE  # letters; no longer name is alike
        near = (
            each for each in self._by_initial.get(folded[:1], ()) if len(each) <= most
        )
        found = get_close_matches(folded, near, n=MOST_LIKE, cutoff=ALIKE)
        return list(dict.fromkeys(self.cards[each][0].name for each in found))

    def investigators_like(self, text: str) -> list[str]:
        """Investigators with a deck whose names look alike, the likeliest first."""
        folded = fold(text[:LONGEST_GUESSED])
        found = get_close_matches(
            folded, self._investigators, n=MOST_LIKE, cutoff=ALIKE_AS_INVESTIGATOR
        )
        names = (name for each in found for name in self._investigators[each])
        return list(dict.fromkeys(names))[:MOST_LIKE]


@lru_cache(maxsize=2)  # the pool in use and the one it replaces
def names_of(pool: CardPool) -> Names:
    """The names of a pool, gathered once."""
    return Names(pool)
