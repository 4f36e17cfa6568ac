"""Settling scenarios in the decks of a table, and taking back what no longer holds.

The log says what each deck should have been brought; what it was brought is written
down. The difference is made up, in the same transaction as the entry that caused it.
So an answer, a correction, a retraction and another guide are all the same here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from arkham.rules.campaign.ledger import Person
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.prompts_decks import held_cards
from arkham.rules.campaign.replay import Replay
from arkham.rules.campaign.transfer import REASON
from campaigns import outcome
from campaigns.models import Campaign, Seat, Settlement
from campaigns.outcome import Brought, Holding, Source
from campaigns.replays import replayed
from cardpool.catalog import current_pool
from decks import settling
from decks.content import whole
from decks.ledger import Earned

LONGEST_REASON = 300
Points = Mapping[Source, int]
# In the content of what a deck brought along itself, from another campaign: the log
# tells it once the set-up is over, and the deck has it whatever becomes of the log.
ARRIVED = "arrived"


def settle_decks(campaign: Campaign, replay: Replay, *, now: datetime) -> None:
    """Make the decks of a table what its log says, and those of a linked one."""
    _settle_seats(campaign, replay, now)
    if campaign.linked is not None:
        _settle_seats(campaign.linked, replayed(campaign.linked).replay, now)


def _settle_seats(campaign: Campaign, replay: Replay, now: datetime) -> None:
    seats = campaign.seats.filter(deck__isnull=False)
    for seat in seats.select_related("deck", "deck__owner"):
        _Seated(campaign, seat, replay, now).settle()


def count_as_settled(campaign: Campaign, seat: Seat, *, now: datetime) -> None:
    """Take a deck as one that has everything the campaign brought it so far."""
    replay = replayed(campaign).replay
    _Seated(campaign, seat, replay, now).accept()


def count_as_arrived(seat: Seat, person: Person, *, now: datetime) -> None:
    """Take a deck as one that brought along what its investigator did."""
    assert seat.deck is not None
    Settlement.objects.create(
        seat=seat,
        deck=seat.deck,
        scenario=SETUP,
        sequence=seat.campaign.last,
        content={
            "name": "",
            "experience": person.experience or 0,
            "earned": _kept({Source("correction", REASON): person.experience or 0}),
            "physical": person.physical or 0,
            "mental": person.mental or 0,
            "cards": held_cards(person),
            "exiled": {},
            "played": None,
            ARRIVED: True,
        },
        made_at=now,
    )


class _Seated:
    """One deck at a table, what it was brought, and what it should have been."""

    def __init__(
        self, campaign: Campaign, seat: Seat, replay: Replay, now: datetime
    ) -> None:
        assert seat.deck is not None
        self.campaign, self.seat, self.deck, self.now = campaign, seat, seat.deck, now
        self.actor = seat.deck.owner
        self.wanted = outcome.brought(replay, seat.investigator)
        self.holding = outcome.holding(replay, seat.investigator)
        rows = seat.settlements.filter(deck=seat.deck)
        known = {each.scenario for each in self.wanted}
        self.active = {
            row.scenario: row
            for row in rows
            if row.taken_back_at is None
            and (row.scenario in known or ARRIVED not in row.content)
        }
        self.former = {row.scenario: row for row in rows if row.taken_back_at}

    def settle(self) -> None:
        """Make up the difference."""
        wanted = {each.scenario for each in self.wanted}
        for scenario in reversed([*self.active]):
            if scenario not in wanted:
                self._take_back(self.active.pop(scenario))
        new = [each for each in self.wanted if each.scenario not in self.active]
        cards, exiled = self._owed()
        for each in self.wanted:
            row = self.active.get(each.scenario)
            if row is None:
                last = each is new[-1]
                self._bring(each, cards if last else {}, exiled if last else {})
            elif more := _more(each, row.content):
                self._amend(row, each, more)
        if not new and (cards or exiled) and self.active:
            self._move(cards, exiled)

    def accept(self) -> None:
        """Write down as brought what is wanted; the deck has it already."""
        cards, exiled = self._owed()
        for each in self.wanted:
            if each.scenario not in self.active:
                last = each is self.wanted[-1]
                self._note(each, cards if last else {}, exiled if last else {}, None)

    def _owed(self) -> tuple[dict[str, int], dict[str, int]]:
        """Copies of cards the deck is still to be given, or lose; and to exile."""
        had = _total(self.active.values(), "cards")
        gone = _total(self.active.values(), "exiled")
        holding: Holding = self.holding
        return _difference(holding.cards, had), _difference(holding.exiled, gone)

    def _bring(
        self, each: Brought, cards: dict[str, int], exiled: dict[str, int]
    ) -> None:
        called = self._called(each.name)
        earned = self._earned(each.name, each.earned)
        told = settling.Brought(called, earned, cards, exiled)
        played = self._written_down(each.scenario) if each.played else None
        if each.played and played is None:
            revision = settling.settle_game(
                deck=self.deck, brought=told, now=self.now, actor=self.actor
            )
            played = revision.number
        else:
            settling.settle_beside(
                deck=self.deck, brought=told, now=self.now, actor=self.actor
            )
        self._note(each, cards, exiled, played)

    def _written_down(self, scenario: str) -> int | None:
        """The revision a game was played with that was taken back, but still stands."""
        row = self.former.get(scenario)
        played = row.content.get("played") if row is not None else None
        if played and settling.is_written_down(deck=self.deck, revision=played):
            return int(played)
        return None

    def _note(
        self,
        each: Brought,
        cards: Mapping[str, int],
        exiled: Mapping[str, int],
        played: int | None,
    ) -> None:
        self.active[each.scenario] = Settlement.objects.create(
            seat=self.seat,
            deck=self.deck,
            scenario=each.scenario,
            sequence=self.campaign.last,
            content={
                "name": each.name,
                "experience": each.experience,
                "earned": _kept(each.earned),
                "physical": each.physical,
                "mental": each.mental,
                "cards": dict(cards),
                "exiled": dict(exiled),
                "played": played,
            },
            made_at=self.now,
        )

    def _amend(self, row: Settlement, each: Brought, more: Points) -> None:
        """Make up a difference of experience."""
        told = _("%(scenario)s, put right")
        if not _known(row.content).keys() & more.keys():
            told = "%(scenario)s"  # nothing is put right, it is told only now
        earned = self._earned(each.name, more, told)
        settling.settle_beside(
            deck=self.deck,
            brought=settling.Brought(self._called(each.name), earned),
            now=self.now,
            actor=self.actor,
        )
        self._keep(row, experience=each.experience, earned=_kept(each.earned))

    def _move(self, cards: dict[str, int], exiled: dict[str, int]) -> None:
        """Give or take cards that changed in a scenario settled before."""
        row = list(self.active.values())[-1]
        content = row.content
        reason = self._called(content["name"])
        settling.settle_beside(
            deck=self.deck,
            brought=settling.Brought(reason, (), cards, exiled),
            now=self.now,
            actor=self.actor,
        )
        self._keep(
            row,
            cards=_sum(content["cards"], cards),
            exiled=_sum(content["exiled"], exiled),
        )

    def _keep(self, row: Settlement, **content: Any) -> None:
        row.content = row.content | content
        row.sequence = self.campaign.last
        row.save(update_fields=["content", "sequence"])

    def _take_back(self, row: Settlement) -> None:
        content = row.content
        told = _("%(scenario)s, taken back")
        reason = told % {"scenario": self._called(content["name"])}
        settling.take_back(
            deck=self.deck,
            brought=settling.Brought(
                reason[:LONGEST_REASON],
                self._earned(content["name"], _known(content), told),
                content["cards"],
                content["exiled"],
            ),
            played=content["played"] or 0,
            now=self.now,
            actor=self.actor,
        )
        row.taken_back_at = self.now
        row.save(update_fields=["taken_back_at"])

    def _earned(
        self, scenario: str, points: Points, told: str = "%(scenario)s"
    ) -> tuple[Earned, ...]:
        """The entries of the ledger, each with the card or the reason it is for."""
        called, pool = self._called(scenario), current_pool()
        entries = []
        for source, amount in points.items():
            card = pool.get_card(source.of)
            of = card.name if card else source.of
            reason = told % {"scenario": f"{called}, {of}" if of else called}
            entries.append(Earned(source.kind, amount, reason))
        return tuple(entries)

    def _called(self, scenario: str) -> str:
        told = f"{self.campaign.name}: {scenario}" if scenario else self.campaign.name
        return whole(told)[:LONGEST_REASON]


def _kept(points: Points) -> list[list[Any]]:
    """Points by their source, as a row keeps them."""
    return [[*source, amount] for source, amount in points.items() if amount]


def _known(content: Mapping[str, Any]) -> dict[Source, int]:
    """The points a deck was brought. Older rows know but their sum."""
    if "earned" not in content:
        return {Source("victory"): content["experience"]}
    return {Source(kind, of): amount for kind, of, amount in content["earned"]}


def _more(each: Brought, content: Mapping[str, Any]) -> dict[Source, int]:
    """The points a deck is still to be brought, or lose."""
    if "earned" not in content and content["experience"] == each.experience:
        return {}
    had = _known(content)
    more = {
        source: each.earned.get(source, 0) - had.get(source, 0)
        for source in {**had, **each.earned}
    }
    return {source: amount for source, amount in more.items() if amount}


def _total(rows: Any, key: str) -> dict[str, int]:
    found: Counter[str] = Counter()
    for row in rows:
        found.update(row.content[key])
    return dict(found)


def _difference(wanted: Mapping[str, int], had: Mapping[str, int]) -> dict[str, int]:
    return {
        code: wanted.get(code, 0) - had.get(code, 0)
        for code in {**wanted, **had}
        if wanted.get(code, 0) != had.get(code, 0)
    }


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    found = Counter(one)
    found.update(other)
    return {code: copies for code, copies in found.items() if copies}
