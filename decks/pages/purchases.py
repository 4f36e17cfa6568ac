"""The cards that could be bought between two games, and their cost.

The search finds the cards, and the frame of the deck excludes those it may not have.
Each card shown is priced as part of the whole upgrade.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import cached_property

from arkham.rules.card import Card
from arkham.rules.legality.required import most_beside
from arkham.rules.legality.standing import Standing
from arkham.rules.upgrade import Invoice, price_upgrade
from arkham.rules.upgrade.versions import is_upgrade
from cardpool.relations import shown_distinct, shown_full_name
from cardpool.search import searched_instead
from decks.pages.display import Judged
from decks.pages.offers import (
    SECOND_DECK,
    CardSearch,
    FoundCard,
    FoundCards,
    cards_found,
    search_for,
)
from decks.pages.rows import barring, level_in, listed, refusal
from decks.pages.terms import Room
from decks.services.windows import PricedUpgrade


@dataclass(frozen=True, slots=True)
class Purchase(FoundCard):
    """A card that could be bought: ``price`` is the additional cost of the upgrade.

    ``lower`` names the card of the deck it would be upgraded from; ``changes`` are the
    changes that the button makes, as in ``decks.lists.editing``; ``dear``: there is not
    enough experience left.
    """

    price: int = 0
    dear: bool = False
    lower: str = ""
    changes: str = ""

    @property
    def look(self) -> tuple[object, ...]:
        """Everything visible in the offer."""
        bought = (self.price, self.dear, self.lower, self.changes)
        return (*super(Purchase, self).look, bought)


class PurchaseOffers:
    """The cards on offer in one upgrade in progress."""

    def __init__(
        self, judged: Judged, preview: PricedUpgrade, wish: CardSearch
    ) -> None:
        self.judged = judged
        self.preview = preview
        self.wish = wish
        self.second = wish.into == SECOND_DECK

    def offers(self) -> FoundCards:
        """Return the cards found: upgrades of cards in the deck, then affordable ones.

        Raises QueryError for words that are not in the search language.
        """
        if self.judged.frame is None:
            return FoundCards((), 0, 0)
        search = search_for(self.wish, self.judged.pool)
        inside, _all = cards_found(self.judged, self.wish, search)
        earned = self._earned()
        bought = [
            card
            for card in inside
            if self._standing(card).level is not None or card.code in earned
        ]
        left, full = self.preview.left, Room(self.judged).full()

        def place(card: Card) -> int:
            lower, cost = self._lower(card), self._standing(card).cost
            if card.code in earned:
                return -1
            if lower is not None:
                return cost - self._standing(self.judged.pool[lower]).cost > left
            if card.sheet and card.code in self._entries:
                return 0
            return 3 if card.code in full or cost > left else 2

        bought.sort(key=place)
        shown = bought[: self.wish.shown]
        return FoundCards(
            tuple(map(self._purchase, shown)),
            len(bought),
            len(bought),
            instead=searched_instead(search),
        )

    def _earned(self) -> frozenset[str]:
        """Return cards that come with experience earned and aren't in the deck yet.

        Those that have not been earned are found only by words.
        """
        built = self.judged.built
        if built is None or self.second:
            return frozenset()
        found: set[str] = set()
        for row in built.frame.side_rows:
            left = set(row.among).difference(self._entries)
            room = len(row.among) - len(left) < most_beside(built, row)
            if row.per_experience and (room or self.wish.words):
                found |= left
        return frozenset(found)

    @cached_property
    def _entries(self) -> Mapping[str, int]:
        deck = self.preview.after
        return deck.side_deck if self.second else deck.entries

    @cached_property
    def _by_title(self) -> dict[str, list[str]]:
        """The codes that the deck lists, by title."""
        found: dict[str, list[str]] = {}
        for code in self._entries:
            card = self.judged.pool.get_card(code)
            if card is not None:
                found.setdefault(card.title, []).append(code)
        return found

    def _standing(self, card: Card) -> Standing:
        assert self.judged.frame is not None
        return self.judged.frame.standing(card.code)

    def _lower(self, card: Card) -> str | None:
        """Return the highest-level card of the deck that upgrades to this one."""
        standing = self._standing(card)
        lower = [
            (self._standing(self.judged.pool[code]).level or 0, code)
            for code in self._by_title.get(card.title, ())
            if is_upgrade(self._standing(self.judged.pool[code]), standing)
        ]
        return max(lower)[1] if lower else None

    def _purchase(self, card: Card) -> Purchase:
        code, copies = listed(card, self._entries)
        lower = self._lower(card)
        invoice = self._trial(code, lower)
        bar = barring((*invoice.findings, *invoice.legality), code)
        price = invoice.total - self.preview.invoice.total
        lower_card = self.judged.pool.get_card(lower or "")
        put, take = ("side-add", "side-remove") if self.second else ("add", "remove")
        return Purchase(
            code=code,
            card=card,
            copies=copies,
            level=level_in(card, self._standing(card)),
            **refusal(bar),
            subtitle=shown_distinct(card, self.judged.pool),
            price=price,
            dear=price > self.preview.left,
            lower=shown_full_name(lower_card, self.judged.pool) if lower_card else "",
            changes=f"{take}={lower} {put}={code}" if lower else f"{put}={code}",
            into=self.wish.into,
            standing=self._standing(card),
        )

    def _trial(self, code: str, lower: str | None) -> Invoice:
        entries = dict(self._entries)
        entries[code] = entries.get(code, 0) + 1
        if lower is not None:
            entries[lower] -= 1
            if not entries[lower]:
                del entries[lower]
        deck = self.preview.after
        trial = (
            deck._replace(side_deck=entries)
            if self.second
            else deck._replace(entries=entries)
        )
        return price_upgrade(
            self.judged.judge,
            self.preview.before,
            trial,
            self.preview.window,
            self.preview.terms,
        )
