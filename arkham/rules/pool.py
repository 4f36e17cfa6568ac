"""The card pool: all cards, taboo lists and products."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from arkham.rules.card import Card, Cycle, Pack, TabooList
from arkham.rules.vocabulary import WeaknessKind


class CardPool(Mapping[str, Card]):
    """Every card by code; the code of any printing finds the card.

    ``version`` names the data, so that a verdict can say which data it was based on.
    Iteration yields the code of each card once (its first printing), in code order.
    """

    def __init__(
        self,
        *,
        version: str,
        cards: Mapping[str, Card],
        taboo_lists: tuple[TabooList, ...] = (),
        packs: tuple[Pack, ...] = (),
        cycles: tuple[Cycle, ...] = (),
        encounter_sets: Mapping[str, str] | None = None,
    ) -> None:
        self.version = version
        self._cards = dict(cards)
        self.taboo_lists = tuple(sorted(taboo_lists, key=lambda each: each.id))
        self.packs = {pack.code: pack for pack in packs}
        self.cycles = {cycle.code: cycle for cycle in cycles}
        self.encounter_sets = dict(encounter_sets or {})  # names by code
        self._by_printing = {
            printing.code: card
            for card in self._cards.values()
            for printing in card.printings
        }
        self._by_printing.update(self._cards)

    def __getitem__(self, code: str) -> Card:
        return self._by_printing[code]

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __contains__(self, code: object) -> bool:
        return code in self._by_printing

    def __iter__(self) -> Iterator[str]:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)

    def get_card(self, code: str) -> Card | None:
        """The card with this printing, or None."""
        return self._by_printing.get(code)

    @cached_property
    def titles(self) -> Mapping[str, tuple[Card, ...]]:
        """Cards by title, in code order, with all levels and versions together."""
        titles: dict[str, list[Card]] = {}
        for card in self.values():
            titles.setdefault(card.title, []).append(card)
        return {title: tuple(cards) for title, cards in titles.items()}

    def called(self, card: Card) -> str:
        """A card's name, with its subtitle if others share its name and level."""
        return (
            f"{card.name} ({card.subname})" if card.code in self._twins else card.name
        )

    @cached_property
    def _twins(self) -> frozenset[str]:
        """The codes of deck cards that only a subtitle tells apart from others."""
        found: dict[tuple[str, int | None], dict[str, str]] = {}
        for card in self.values():
            if card.in_decks and card.subname:
                found.setdefault((card.name, card.level), {})[card.code] = card.subname
        return frozenset(
            code
            for subnames in found.values()
            if len(set(subnames.values())) > 1
            for code in subnames
        )

    @cached_property
    def bonded(self) -> Mapping[str, tuple[Card, ...]]:
        """The bonded cards that come with the cards of a title, in code order."""
        bonded: dict[str, list[Card]] = {}
        for card in self.values():
            for title in card.bonded_to:
                bonded.setdefault(title, []).append(card)
        return {title: tuple(cards) for title, cards in bonded.items()}

    @cached_property
    def traits(self) -> frozenset[str]:
        """Every trait printed on a card, in lower case."""
        return frozenset(trait for card in self.values() for trait in card.traits)

    @cached_property
    def basic_weaknesses(self) -> tuple[Card, ...]:
        """Every basic weakness, in code order."""
        return tuple(
            card for card in self.values() if card.weakness is WeaknessKind.BASIC
        )

    @cached_property
    def investigators(self) -> tuple[Card, ...]:
        """Every investigator card with a deckbuilding back, in code order."""
        return tuple(
            card
            for card in self.values()
            if card.investigator is not None and card.investigator.back is not None
        )

    def taboo_list(self, wanted: int | str) -> TabooList | None:
        """The list with this id (8, "008") or ISO date; the newest for ``"latest"``."""
        if wanted == "latest":
            return self.taboo_lists[-1] if self.taboo_lists else None
        for each in self.taboo_lists:
            if wanted == each.date or str(wanted).lstrip("0") == str(each.id):
                return each
        return None
