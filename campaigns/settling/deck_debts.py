"""The cards a deck is still to gain or lose, and those that were really moved.

The log orders copies of cards into a deck and out of it; a deck may not have what it is
to lose. Both are noted: what was ordered, and what was moved. What could not be taken
is not given back when the order holds no longer.

A table may report cards as lost to its campaign where no question asks for them: the
allies The Scream takes, and the unique cards of decks at a table that is kept by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.reading.files import spoken
from arkham.rules.card import Card
from arkham.rules.pool import CardPool
from arkham.rules.ultimatums import UltimatumEffect, under
from arkham.rules.upgrade.facts import copies_by_card
from campaigns.models import Campaign
from campaigns.settling.outcome import Holding
from campaigns.settling.terms import decks_of
from decks.lists.content import Content
from decks.lists.editing import copies_of
from decks.services.ordering import (
    NOTHING,
    OrderedChange,
    given_back,
    moved,
    taken_for_good,
    together,
)

ALLY = "ally"


def to_be_lost(
    campaign: Campaign, replay: Replay, pool: CardPool
) -> list[tuple[str, str]]:
    """Those that are not lost yet, by code, each title once."""
    gone = (pool.get_card(code) for code in replay.state.banished)
    lost = {card.title for card in gone if card is not None}
    found: dict[str, str] = {}
    for card in _meant(campaign, replay, pool):
        if card.title not in lost:
            found.setdefault(card.title, card.code)
    return [(code, spoken(title)) for title, code in sorted(found.items())]


def _meant(campaign: Campaign, replay: Replay, pool: CardPool) -> Iterator[Card]:
    if under(replay.state.ultimatums, UltimatumEffect.LOSES_ALLIES):
        yield from (card for card in pool.values() if is_taken(card))
    for content in decks_of(campaign).values():
        listed = content.asked().deck
        held = (pool.get_card(code) for code in (*listed.entries, *listed.side_deck))
        yield from (card for card in held if card is not None and card.unique)


def is_taken(card: Card) -> bool:
    """A unique ally of a player, of no story and no weakness (ULT-14)."""
    is_story = card.reward or bool(card.encounter_set)
    own = card.in_decks and not is_story and card.weakness is None
    return own and card.unique and ALLY in card.traits


Noted = Mapping[str, Any]  # the content of a settlement
Copies = Mapping[str, int]


class Order(NamedTuple):
    """What the log orders: copies of cards, and those ``gone`` from every deck."""

    holding: Holding = Holding()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardMoves:
    """What becomes of the cards of a deck.

    ``ordered`` and ``ordered_exiled`` are copies more or fewer by the log; ``cards``
    and ``exiled`` those of them that are really moved; ``lost`` what was taken for good
    with each card that is gone; ``side`` the copies of ``moved`` that left a second
    deck (below zero) or came back to it; ``apart`` what is moved beside a game: out of
    a second deck, in without counting, or back.
    """

    ordered: Copies = field(default_factory=dict)
    ordered_exiled: Copies = field(default_factory=dict)
    cards: Copies = field(default_factory=dict)
    exiled: Copies = field(default_factory=dict)
    lost: Mapping[str, Any] = field(default_factory=dict)
    moved: Copies = field(default_factory=dict)
    side: Copies = field(default_factory=dict)
    apart: OrderedChange = NOTHING

    @property
    def all(self) -> OrderedChange:
        """Everything that becomes of the deck at once."""
        gone = {code: -copies for code, copies in self.exiled.items()}
        return together(OrderedChange(self.cards), OrderedChange(gone), self.apart)

    @property
    def steps(self) -> tuple[OrderedChange, ...]:
        """Everything at once; what cancels out one after the other.

        The deck has changed then all the same: a game before it is not simply undone.
        """
        if any(self.all):
            return (self.all,)
        parts = (*self.cards.items(), *self.apart.cards.items())
        come = {code: copies for code, copies in parts if copies > 0}
        gone = {code: -copies for code, copies in come.items()}
        return (OrderedChange(come), OrderedChange(gone)) if come else ()

    @property
    def aftermath(self) -> dict[str, Copies]:
        """What the window after a game has to know of it."""
        found = {
            "granted": {code: n for code, n in self.cards.items() if n > 0},
            "taken": {code: -n for code, n in self.cards.items() if n < 0},
            "exiled": {code: n for code, n in self.exiled.items() if n > 0},
        }
        return {key: copies for key, copies in found.items() if copies}

    @property
    def noted(self) -> dict[str, Any]:
        """What a settlement keeps of it."""
        return {
            "cards": dict(self.ordered),
            "exiled": dict(self.ordered_exiled),
            "moved": dict(self.moved),
            "side": dict(self.side),
            "lost": dict(self.lost),
        }

    def merged_with_reverted(self, before: Iterable[Noted]) -> CardMoves:
        """The same, with what was noted before added to what is noted."""
        before = list(before)
        lost = _lost([*before, {"lost": self.lost}])
        return replace(
            self,
            ordered=_sum(*(each["cards"] for each in before), self.ordered),
            ordered_exiled=_sum(
                *(each["exiled"] for each in before), self.ordered_exiled
            ),
            moved=_sum(*map(_moved, before), self.moved),
            side=_sum(*(each.get("side", {}) for each in before), self.side),
            lost={code: _data(each) for code, each in lost.items()},
        )


NO_CHANGE = CardMoves()


def is_met(order: Order, had: Iterable[Noted]) -> bool:
    """Whether everything that is ordered was noted."""
    had = list(had)
    return (
        dict(order.holding.cards) == _sum(*(each["cards"] for each in had))
        and dict(order.holding.exiled) == _sum(*(each["exiled"] for each in had))
        and {*order.gone} == {*_lost(had)}
    )


def accepted(order: Order, had: Iterable[Noted]) -> CardMoves:
    """What is noted of a deck that is taken to have everything already."""
    had = list(had)
    cards, exiled = _differences(order, had)
    net = _sum(cards, {code: -n for code, n in exiled.items()})
    return CardMoves(
        cards,
        exiled,
        moved={code: n for code, n in net.items() if n > 0},
        lost={code: _data(NOTHING) for code in order.gone if code not in _lost(had)},
    )


def owed(
    order: Order, had: Iterable[Noted], content: Content, pool: CardPool
) -> CardMoves:
    """What becomes of the cards of a deck, as far as it has what it is to lose."""
    had = list(had)
    lost = _lost(had)
    back = together(
        *(given_back(each) for code, each in lost.items() if code not in order.gone)
    )
    content = moved(content, back, pool)
    cards, exiled = _differences(order, had)
    possible = _possible(order, had, content, pool, back.cards)
    content = moved(content, possible.all, pool)
    taken, again = dict[str, OrderedChange](), dict[str, OrderedChange]()
    for code in order.gone:
        if code in lost:
            gone = _come_unordered(code, order, possible.cards, pool)
            again |= {code: gone} if any(gone) else {}
        else:
            gone = taken[code] = taken_for_good(content, [code], pool)
        content = moved(content, gone._replace(meta={}), pool)
    away = together(*taken.values())
    beside = together(back, possible.apart, away._replace(cards={}, meta={}))
    return replace(
        possible,
        ordered=cards,
        ordered_exiled=exiled,
        cards=_sum(possible.cards, away.cards),
        lost={code: _data(each) for code, each in (taken | again).items()},
        apart=together(beside, *again.values()),
    )


def _come_unordered(
    code: str, order: Order, cards: Copies, pool: CardPool
) -> OrderedChange:
    """Copies of a card gone for good that would come, as no order takes them now."""
    title = pool[code].title if code in pool else ""
    return OrderedChange(
        {
            each: -copies
            for each, copies in cards.items()
            if copies > 0 >= order.holding.cards.get(each, 0)
            and each in pool
            and pool[each].title == title
        }
    )


def still_lost(noted: Noted, order: Order) -> dict[str, Any]:
    """What a settlement notes as taken for good, of what is gone."""
    lost = noted.get("lost", {})
    return {code: each for code, each in lost.items() if code in order.gone}


def _possible(
    order: Order, had: list[Noted], content: Content, pool: CardPool, back: Copies
) -> CardMoves:
    """What is moved of what is ordered.

    What is to come is set off against what was to go before and was not there; what
    comes ``back`` goes now, as far as it was to go. A second deck loses what the first
    one doesn't have, and has it again first.
    """
    cards, exiled = _differences(order, had)
    away = [{code: -n for code, n in each["exiled"].items()} for each in had]
    noted = _sum(*(each["cards"] for each in had), *away)
    made = _sum(*map(_moved, had))
    really, gone, aside = Counter[str](), dict[str, int](), dict[str, int]()
    lent, side = _sum(*(each.get("side", {}) for each in had)), Counter[str]()
    second = copies_by_card(content.asked().deck.side_deck, pool)
    for code in {**cards, **exiled, **back}:
        here = copies_of(content, code, pool)
        there = here + second[pool[code].code if code in pool else code]
        spared = max(made.get(code, 0) - noted.get(code, 0), 0)
        due = min(spared, back.get(code, 0))
        come, there, spared = _step(cards.get(code, 0) - due, there, spared - due)
        went, _there, _spared = _step(-exiled.get(code, 0), there, spared)
        side[code] = min(here + come + went, 0) if come + went < 0 else 0
        side[code] += min(max(come + went, 0), -lent.get(code, 0))
        really[code] = come + max(went, 0) - max(side[code], 0)
        gone[code] = max(-went, 0)
        if code in order.holding.beyond:
            aside[code] = really.pop(code)
    gone = {code: copies for code, copies in gone.items() if copies}
    really_gone = {code: -copies for code, copies in gone.items()}
    return CardMoves(
        cards=_sum(really),
        exiled=gone,
        moved=_sum(really, aside, really_gone, +side),
        side=_sum(side),
        apart=together(OrderedChange(aside, +side, aside)),
    )


def _step(more: int, there: int, spared: int) -> tuple[int, int, int]:
    """Copies that come or go, what is there then, and what could not go so far."""
    if more > 0:
        come = max(more - spared, 0)
        return come, there + come, max(spared - more, 0)
    went = min(there, -more)
    return -went, there - went, spared - more - went


def _differences(order: Order, had: Iterable[Noted]) -> tuple[Copies, Copies]:
    """Copies of cards that are ordered and not noted yet; and to exile."""
    had = list(had)
    return (
        _difference(order.holding.cards, _sum(*(each["cards"] for each in had))),
        _difference(order.holding.exiled, _sum(*(each["exiled"] for each in had))),
    )


def _lost(had: Iterable[Noted]) -> dict[str, OrderedChange]:
    """What was taken for good in all, with each card that is gone."""
    found: dict[str, OrderedChange] = {}
    for noted in had:
        for code, each in noted.get("lost", {}).items():
            found[code] = together(found.get(code, NOTHING), _read(each))
    return found


def _moved(noted: Noted) -> Copies:
    """What was moved by a settlement. Older ones know but what was ordered."""
    if "moved" in noted:
        return dict(noted["moved"])
    return _sum(noted["cards"], {code: -n for code, n in noted["exiled"].items()})


def _data(gone: OrderedChange) -> dict[str, Any]:
    return {
        "cards": dict(gone.cards),
        "side": dict(gone.side),
        "aside": dict(gone.aside),
        "meta": dict(gone.meta),
    }


def _read(data: Mapping[str, Any]) -> OrderedChange:
    return OrderedChange(data["cards"], data["side"], data["aside"], data["meta"])


def _difference(wanted: Copies, had: Copies) -> dict[str, int]:
    found = {code: wanted.get(code, 0) - had.get(code, 0) for code in {**wanted, **had}}
    return {code: copies for code, copies in found.items() if copies}


def _sum(*several: Copies) -> dict[str, int]:
    found: Counter[str] = Counter()
    for each in several:
        found.update(each)
    return {code: copies for code, copies in found.items() if copies}
