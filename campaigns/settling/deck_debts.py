"""The cards that a deck still has to gain or lose, and those that were really moved.

The log orders copies of cards into a deck and out of it, but a deck may lack what it
has to lose. So both are recorded: what was ordered, and what was moved. Copies that
couldn't be taken are not given back when the order is undone.

A table may report cards as lost to its campaign when no question asks for them: the
allies The Scream takes, and unique cards of decks in a campaign kept by hand.
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
from decks.services.campaign_changes import (
    NOTHING,
    CampaignChange,
    apply_change,
    combined,
    inverse,
    removal_of,
)

ALLY = "ally"


def to_be_lost(
    campaign: Campaign, replay: Replay, pool: CardPool
) -> list[tuple[str, str]]:
    """Return the cards that can still be lost, by code, each title once."""
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
    """Return whether it is a player's unique ally, not story or weakness (ULT-14)."""
    is_story = card.reward or bool(card.encounter_set)
    own = card.in_decks and not is_story and card.weakness is None
    return own and card.unique and ALLY in card.traits


Noted = Mapping[str, Any]  # the content of a settlement
Copies = Mapping[str, int]


class Order(NamedTuple):
    """The order of the log: copies of cards, and those ``gone`` from every deck."""

    holding: Holding = Holding()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardMoves:
    """Changes to the cards of a deck.

    ``ordered`` and ``ordered_exiled`` are the copies to add or take by the log;
    ``cards`` and ``exiled`` those that are really moved; ``lost`` what was taken
    permanently with each card that is gone; ``side`` the copies of ``moved`` that left
    a second deck (negative) or returned to it; ``apart`` what is moved apart from a
    game: out of a second deck, in without counting, or back.
    """

    ordered: Copies = field(default_factory=dict)
    ordered_exiled: Copies = field(default_factory=dict)
    cards: Copies = field(default_factory=dict)
    exiled: Copies = field(default_factory=dict)
    lost: Mapping[str, Any] = field(default_factory=dict)
    moved: Copies = field(default_factory=dict)
    side: Copies = field(default_factory=dict)
    apart: CampaignChange = NOTHING

    @property
    def all(self) -> CampaignChange:
        """All changes of the deck in one."""
        gone = {code: -copies for code, copies in self.exiled.items()}
        return combined(CampaignChange(self.cards), CampaignChange(gone), self.apart)

    @property
    def steps(self) -> tuple[CampaignChange, ...]:
        """All changes in one step; changes that cancel out in two.

        The deck changes even then: an earlier game can't simply be undone.
        """
        if any(self.all):
            return (self.all,)
        parts = (*self.cards.items(), *self.apart.cards.items())
        come = {code: copies for code, copies in parts if copies > 0}
        gone = {code: -copies for code, copies in come.items()}
        return (CampaignChange(come), CampaignChange(gone)) if come else ()

    @property
    def aftermath(self) -> dict[str, Copies]:
        """What the window after a game needs to know."""
        found = {
            "granted": {code: n for code, n in self.cards.items() if n > 0},
            "taken": {code: -n for code, n in self.cards.items() if n < 0},
            "exiled": {code: n for code, n in self.exiled.items() if n > 0},
        }
        return {key: copies for key, copies in found.items() if copies}

    @property
    def noted(self) -> dict[str, Any]:
        """What a settlement records."""
        return {
            "cards": dict(self.ordered),
            "exiled": dict(self.ordered_exiled),
            "moved": dict(self.moved),
            "side": dict(self.side),
            "lost": dict(self.lost),
        }

    def merged_with_reverted(self, before: Iterable[Noted]) -> CardMoves:
        """Return these moves with earlier records added to what is recorded."""
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
    """Return whether everything that is ordered was recorded."""
    had = list(had)
    return (
        dict(order.holding.cards) == _sum(*(each["cards"] for each in had))
        and dict(order.holding.exiled) == _sum(*(each["exiled"] for each in had))
        and {*order.gone} == {*_lost(had)}
    )


def moves_to_record(order: Order, had: Iterable[Noted]) -> CardMoves:
    """Return what to record for a deck that is assumed to have everything already."""
    had = list(had)
    cards, exiled = _differences(order, had)
    net = _sum(cards, {code: -n for code, n in exiled.items()})
    return CardMoves(
        cards,
        exiled,
        moved={code: n for code, n in net.items() if n > 0},
        lost={code: _data(NOTHING) for code in order.gone if code not in _lost(had)},
    )


def moves_to_make(
    order: Order, had: Iterable[Noted], content: Content, pool: CardPool
) -> CardMoves:
    """Return the changes of a deck, as far as it has the cards it should lose."""
    had = list(had)
    lost = _lost(had)
    back = combined(
        *(inverse(each) for code, each in lost.items() if code not in order.gone)
    )
    content = apply_change(content, back, pool)
    cards, exiled = _differences(order, had)
    possible = _possible(order, had, content, pool, back.cards)
    content = apply_change(content, possible.all, pool)
    taken, again = dict[str, CampaignChange](), dict[str, CampaignChange]()
    for code in order.gone:
        if code in lost:
            gone = _come_unordered(code, order, possible.cards, pool)
            again |= {code: gone} if any(gone) else {}
        else:
            gone = taken[code] = removal_of(content, [code], pool)
        content = apply_change(content, gone._replace(meta={}), pool)
    away = combined(*taken.values())
    apart = combined(back, possible.apart, away._replace(cards={}, meta={}))
    return replace(
        possible,
        ordered=cards,
        ordered_exiled=exiled,
        cards=_sum(possible.cards, away.cards),
        lost={code: _data(each) for code, each in (taken | again).items()},
        apart=combined(apart, *again.values()),
    )


def _come_unordered(
    code: str, order: Order, cards: Copies, pool: CardPool
) -> CampaignChange:
    """Return copies of a lost card that would come in, as no order takes them now."""
    title = pool[code].title if code in pool else ""
    return CampaignChange(
        {
            each: -copies
            for each, copies in cards.items()
            if copies > 0 >= order.holding.cards.get(each, 0)
            and each in pool
            and pool[each].title == title
        }
    )


def still_lost(noted: Noted, order: Order) -> dict[str, Any]:
    """Return a settlement's permanently taken cards that are still gone."""
    lost = noted.get("lost", {})
    return {code: each for code, each in lost.items() if code in order.gone}


def _possible(
    order: Order, had: list[Noted], content: Content, pool: CardPool, back: Copies
) -> CardMoves:
    """Return the part of the order that can be moved.

    Cards to come are set off against cards that should have gone before but were
    missing; cards that come ``back`` go now as far as they should have gone. A second
    deck loses what the first one lacks, and gets it back first.
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
        apart=combined(CampaignChange(aside, +side, aside)),
    )


def _step(more: int, there: int, spared: int) -> tuple[int, int, int]:
    """Return the copies moved, those there afterwards, and those still spared."""
    if more > 0:
        come = max(more - spared, 0)
        return come, there + come, max(spared - more, 0)
    went = min(there, -more)
    return -went, there - went, spared - more - went


def _differences(order: Order, had: Iterable[Noted]) -> tuple[Copies, Copies]:
    """Return the copies ordered and not yet recorded, to add and to exile."""
    had = list(had)
    return (
        _difference(order.holding.cards, _sum(*(each["cards"] for each in had))),
        _difference(order.holding.exiled, _sum(*(each["exiled"] for each in had))),
    )


def _lost(had: Iterable[Noted]) -> dict[str, CampaignChange]:
    """Return everything taken permanently, by the card that is gone."""
    found: dict[str, CampaignChange] = {}
    for noted in had:
        for code, each in noted.get("lost", {}).items():
            found[code] = combined(found.get(code, NOTHING), _read(each))
    return found


def _moved(noted: Noted) -> Copies:
    """Return what a settlement moved; older ones only have what was ordered."""
    if "moved" in noted:
        return dict(noted["moved"])
    return _sum(noted["cards"], {code: -n for code, n in noted["exiled"].items()})


def _data(gone: CampaignChange) -> dict[str, Any]:
    return {
        "cards": dict(gone.cards),
        "side": dict(gone.side),
        "aside": dict(gone.aside),
        "meta": dict(gone.meta),
    }


def _read(data: Mapping[str, Any]) -> CampaignChange:
    return CampaignChange(data["cards"], data["side"], data["aside"], data["meta"])


def _difference(wanted: Copies, had: Copies) -> dict[str, int]:
    found = {code: wanted.get(code, 0) - had.get(code, 0) for code in {**wanted, **had}}
    return {code: copies for code, copies in found.items() if copies}


def _sum(*several: Copies) -> dict[str, int]:
    found: Counter[str] = Counter()
    for each in several:
        found.update(each)
    return {code: copies for code, copies in found.items() if copies}
