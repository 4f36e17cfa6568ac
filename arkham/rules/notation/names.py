"""Which cards have a name, however it is spelled?"""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache

from arkham.rules.card import Card, Pack
from arkham.rules.notation.spelling import fold
from arkham.rules.pool import CardPool

LONGEST_NAME = 100  # with its subtitle
LONGEST_GUESSED = 40


class Names:
    """The cards of a pool by every spelling of their names."""

    def __init__(self, pool: CardPool) -> None:
        self.pool = pool
        self.cards: dict[str, list[Card]] = {}
        self.packs: dict[str, Pack] = {}
        for card in pool.values():
            if card.scenario and not card.in_decks:
                continue
            for spelling in {fold(card.name), fold(f"{card.name} {card.subname}")}:
                self.cards.setdefault(spelling, []).append(card)
        for pack in pool.packs.values():
            self.packs.setdefault(fold(pack.name), pack)
            self.packs.setdefault(fold(pack.code), pack)

    def called(self, text: str) -> list[Card]:
        """Every card of this name (with its subtitle or without) or code."""
        card = self.pool.get_card(text)
        if card is not None:
            return [card]
        return self.cards.get(fold(text), []) if len(text) <= LONGEST_NAME else []

    def like(self, text: str) -> list[str]:
        """Names that look alike, as they are printed."""
        folded = fold(text[:LONGEST_GUESSED])
        near = [each for each in self.cards if each[:1] == folded[:1]]
        found = get_close_matches(folded, near, n=3, cutoff=0.7)
        return [self.cards[each][0].name for each in found]


@lru_cache(maxsize=2)  # the pool in use and the one it replaces
def names_of(pool: CardPool) -> Names:
    """The names of a pool, gathered once."""
    return Names(pool)
