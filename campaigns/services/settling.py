"""Settle scenarios in the decks of a table, and undo what no longer applies.

The log says what each deck should have been given; what it was given is recorded. The
difference is made up in the transaction of the entry that caused it, so answers,
corrections, retractions and new guides are all handled alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.state.answers import TRANSFERRED
from arkham.rules.campaign.state.ledger import PAID
from arkham.rules.legality.granting import BOONS
from arkham.rules.legality.signatures import fills_weakness_slot
from arkham.rules.rulings import rulings_in_force
from arkham.rules.vocabulary import Arrival
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Seat, Settlement
from campaigns.services.deck_terms import LOST, TERMS_ROW, CircumstanceSync, terms_apply
from campaigns.settling import outcome
from campaigns.settling.deck_debts import (
    NO_CHANGE,
    CardMoves,
    Order,
    is_met,
    moves_to_make,
    moves_to_record,
    still_lost,
)
from campaigns.settling.outcome import (
    BOON,
    PRICE,
    Points,
    ScenarioGains,
    known_points,
    points_after,
    points_data,
    points_owed,
)
from campaigns.settling.terms import read_terms
from cardpool.catalog import current_pool
from decks.lists.content import whole
from decks.services import settling
from decks.services.beginning import ARRIVAL, creation_of
from decks.services.campaign_changes import current_content
from decks.services.ledger import Earned, is_played
from decks.services.upgrading import PlayedGame

LONGEST_REASON = 300
# Key in the content of what a deck brought along from another campaign: the log has it
# after the setup, and the deck keeps it whatever happens to the log.
ARRIVED = "arrived"
# A game that isn't over yet, or not theirs; cards moved before the game.
UNDER_WAY, LEFT_OUT, PREPARED = "under_way", "left_out", "prepared"


def settle_decks(campaign: Campaign, replay: Replay, *, now: datetime) -> None:
    """Make the decks of a table, and of a linked one, match their logs."""
    _settle_seats(campaign, replay, now)
    if campaign.linked is not None:
        _settle_seats(campaign.linked, replayed(campaign.linked).replay, now)


def _settle_seats(campaign: Campaign, replay: Replay, now: datetime) -> None:
    seats = campaign.seats.filter(deck__isnull=False)
    for seat in seats.select_related("deck", "deck__owner"):
        _DeckSettlement(campaign, seat, replay, now).settle()


def count_as_settled(campaign: Campaign, seat: Seat, *, now: datetime) -> None:
    """Record that a deck already has everything the campaign has given it so far."""
    replay = replayed(campaign).replay
    _DeckSettlement(campaign, seat, replay, now).accept()


class _DeckSettlement:
    """One deck at a table, what it was given, and what it should have been given."""

    def __init__(
        self, campaign: Campaign, seat: Seat, replay: Replay, now: datetime
    ) -> None:
        assert seat.deck is not None
        self.campaign, self.seat, self.deck, self.now = campaign, seat, seat.deck, now
        of_deck, actor = seat.deck, seat.deck.owner
        self.settle_game = partial(
            settling.settle_game, deck=of_deck, now=now, actor=actor
        )
        self.settle_without_game = partial(
            settling.settle_without_game, deck=of_deck, now=now, actor=actor
        )
        self.take_back = partial(settling.take_back, deck=of_deck, now=now, actor=actor)
        rulings = rulings_in_force(tuple(read_terms(campaign.terms).rulings.items()))
        self.wanted = outcome.scenario_gains(replay, seat.investigator, rulings)
        self.order = Order(
            outcome.holding_of(replay, seat.investigator), outcome.banished(replay)
        )
        self.terms = outcome.terms(replay, seat.investigator, current_pool())
        if rulings["experience.newcomer-bonus"] == "granted":
            self._admit_as_beginner()
        rows = list(Settlement.objects.filter(deck=seat.deck))
        known = {each.scenario for each in self.wanted}
        own = [
            row for row in rows if row.seat_id == seat.pk and row.scenario != TERMS_ROW
        ]
        self.active = {
            row.scenario: row
            for row in own
            if row.taken_back_at is None
            and (row.scenario in known or ARRIVED not in row.content)
        }
        played = ((r.scenario, r.content.get("played")) for r in own if r.taken_back_at)
        self.former = {scenario: number for scenario, number in played if number}
        if BOON not in self.active and self._has_boon():
            self.wanted = [each for each in self.wanted if each.scenario != BOON]

    def settle(self) -> None:
        """Make up the difference."""
        self._sync_first_deck()
        wanted = {each.scenario for each in self.wanted if not self._resumes(each)}
        leftover = []  # undone settlements whose cards are still in the deck
        for scenario in reversed([*self.active]):
            if scenario not in wanted:
                row = self.active.pop(scenario)
                is_as_before = self._take_back(row)
                prepared = row.content.get(PREPARED, {}) if is_as_before else {}
                row.content |= prepared
                if not is_as_before or any(prepared.values()):
                    leftover.append(row)
        new = [each for each in self.wanted if each.scenario not in self.active]
        for each in self.wanted:
            if each in new:
                self._bring(each, leftover if each is new[-1] else None)
                continue
            row = self.active[each.scenario]
            if each.played and (
                row.content.get(UNDER_WAY) or row.content.get(LEFT_OUT)
            ):
                self._finish(row, each)
            elif more := points_owed(each, row.content):
                self._amend(row, each, more)
        if not new:
            self._move(leftover)
        self._forget()
        self._sync_terms()

    def accept(self) -> None:
        """Record what is wanted as given; the deck has it already.

        The cards it was given are unknown, so none of them is taken away later.
        """
        for each in self.wanted:
            if each.scenario not in self.active:
                change = NO_CHANGE
                if each is self.wanted[-1]:
                    change = moves_to_record(self.order, self._had())
                self._note(each, change, None)

    def _had(self, leftover: Iterable[Settlement] = ()) -> list[Mapping[str, Any]]:
        return [row.content for row in (*self.active.values(), *leftover)]

    def _owed(self, leftover: Iterable[Settlement]) -> CardMoves:
        """Return the card moves that the deck still needs."""
        had = self._had(leftover)
        if is_met(self.order, had) and not leftover:
            return NO_CHANGE
        content, pool = current_content(self.deck), current_pool()
        return moves_to_make(self.order, had, content, pool)

    def _bring(self, each: ScenarioGains, leftover: list[Settlement] | None) -> None:
        earned = self._earned(each.name, each.earned)
        change = NO_CHANGE if leftover is None else self._owed(leftover)
        self._note(each, change, self._record(each, earned, change), leftover or ())

    def _record(
        self, each: ScenarioGains, earned: tuple[Earned, ...], change: CardMoves
    ) -> int | None:
        """Record a game, or only what it gave; return the revision that played it."""
        called = self._called(each.name)
        played = self._written_down(each.scenario) if each.played else None
        if not each.played or played is not None:
            self.settle_without_game(reason=called, earned=earned, change=change.all)
            return played
        game = PlayedGame(earned, change.aftermath)
        return self.settle_game(game=game, reason=called, change=change.apart).number

    def _written_down(self, scenario: str) -> int | None:
        """Return the revision of an undone game that is still the deck's, else None.

        Another game may have been played with the same revision since.
        """
        played: int | None = self.former.get(scenario)
        if not played or not settling.is_written_down(deck=self.deck, revision=played):
            return None
        rows = Settlement.objects.filter(deck=self.deck, taken_back_at=None)
        return None if rows.filter(content__played=played).exists() else played

    def _note(
        self,
        each: ScenarioGains,
        change: CardMoves,
        played: int | None,
        reverted: Iterable[Settlement] = (),
    ) -> None:
        self.active[each.scenario] = Settlement.objects.create(
            seat=self.seat,
            deck=self.deck,
            scenario=each.scenario,
            sequence=self.campaign.last,
            content={
                "name": each.name,
                "experience": each.experience,
                "earned": points_data(each.earned),
                **_noted(change, played, reverted),
                "played": played,
                UNDER_WAY: each.under_way,
                LEFT_OUT: not each.played and not each.under_way,
            },
            made_at=self.now,
        )

    def _resumes(self, each: ScenarioGains) -> bool:
        """Return whether a recorded game is under way again, or no longer theirs."""
        row = self.active.get(each.scenario)
        return not each.played and row is not None and bool(row.content["played"])

    def _finish(self, row: Settlement, each: ScenarioGains) -> None:
        """Record a game that the deck was settled for before it was over, or theirs."""
        change = self._owed(()) if each is self.wanted[-1] else NO_CHANGE
        more = points_owed(each, row.content)
        earned = self._earned(each.name, more)
        played = self._record(each, earned, change)
        points = points_data(points_after(row.content, more))
        states = {UNDER_WAY: False, LEFT_OUT: False}
        gained = {"experience": each.experience, "earned": points, **states}
        self._keep(row, **gained, **_noted(change, played, (row,)), played=played)

    def _amend(self, row: Settlement, each: ScenarioGains, more: Points) -> None:
        """Make up a difference of experience."""
        wording = _("%(scenario)s, corrected")
        if not known_points(row.content).keys() & more.keys():
            wording = "%(scenario)s"  # it is reported for the first time
        earned = self._earned(each.name, more, wording)
        called = self._called(each.name)
        self.settle_without_game(reason=called, earned=earned)
        points = points_data(points_after(row.content, more))
        self._keep(row, experience=each.experience, earned=points)

    def _move(self, leftover: list[Settlement]) -> None:
        """Give or take cards of scenarios that were settled before, or undone."""
        rows = list(self.active.values())
        if not (rows or leftover):
            return
        change = self._owed(leftover)
        row = rows[-1] if rows else None
        because = leftover[0] if leftover else row
        assert because is not None
        for step in change.steps:
            reason = self._called(because.content["name"])
            if leftover:
                reason = _("%(scenario)s, undone") % {"scenario": reason}
            reason = reason[:LONGEST_REASON]
            self.settle_without_game(reason=reason, change=step)
        if row is not None and (leftover or change != NO_CHANGE):
            self._keep(row, **_noted(change, row.content["played"], (row, *leftover)))

    def _forget(self) -> None:
        """Drop lost cards from the records once they were given back."""
        for row in self.active.values():
            lost = still_lost(row.content, self.order)
            if lost != row.content.get("lost", {}):
                self._keep(row, lost=lost)

    def _admit_as_beginner(self) -> None:
        """Treat a newcomer at this table as starting with the campaign."""
        came = self.terms.pop(ARRIVAL, Counter()) - Counter({Arrival.NEWCOMER: 1})
        if came:
            self.terms[ARRIVAL] = came

    def _has_boon(self) -> bool:
        """Return whether the deck got the boon's experience outside the campaign."""
        latest = self.deck.revisions.get(number=self.deck.revision)
        creation = None if is_played(latest) else creation_of(latest.content)
        granted = creation.grants if creation is not None else ()
        if {row.id for row in BOONS} & {each.source for each in granted}:
            return True
        names = [_(row.name) for row in BOONS]
        return self.deck.ledger.filter(kind="granted", reason__in=names).exists()

    def _sync_first_deck(self) -> None:
        """Give an unplayed deck its terms before a game books what it was granted."""
        latest = self.deck.revisions.get(number=self.deck.revision)
        if not is_played(latest):
            self._sync_terms()

    def _sync_terms(self) -> None:
        rows = Settlement.objects.filter(deck=self.deck)
        held = [row for row in rows if terms_apply(row)]
        CircumstanceSync(self.campaign, self.seat, self.now).apply(held, self._terms())

    def _terms(self) -> dict[str, Counter[str]]:
        """Return the terms of the deck; weaknesses taken from it are not required.

        A basic weakness that is gone from every deck is waived only for the decks that
        had it.
        """
        pool = current_pool()
        slots: Counter[str] = Counter()
        for row in self.active.values():
            for code, gone in row.content.get("lost", {}).items():
                card = pool.get_card(code)
                if card is not None and fills_weakness_slot(card):
                    moved = (*gone["cards"].values(), *gone["side"].values())
                    slots[code] -= sum(moved)
        if not +slots:
            return self.terms
        return {**self.terms, LOST: self.terms.get(LOST, Counter()) + slots}

    def _keep(self, row: Settlement, **content: Any) -> None:
        row.content = row.content | content
        row.sequence, row.made_at = self.campaign.last, self.now
        row.save(update_fields=["content", "sequence", "made_at"])

    def _take_back(self, row: Settlement) -> bool:
        """Take back what was earned; return whether the cards were taken back too."""
        content = row.content
        wording = _("%(scenario)s, undone")
        earned = self._earned(content["name"], known_points(content), wording)
        played = content["played"] or 0
        is_as_before = self.take_back(earned=earned, played=played)
        row.taken_back_at = self.now
        row.save(update_fields=["taken_back_at"])
        return is_as_before

    def _earned(
        self, scenario: str, points: Points, wording: str = "%(scenario)s"
    ) -> tuple[Earned, ...]:
        """Return ledger entries, each with the card or reason it comes from."""
        called, pool = self._called(scenario), current_pool()
        entries = []
        for source, amount in points.items():
            card = pool.get_card(source.of)
            of = card.name if card else source.of
            of = _in_words(of)
            reason = wording % {"scenario": f"{called}, {of}" if of else called}
            entries.append(Earned(source.kind, amount, reason))
        return tuple(entries)

    def _called(self, scenario: str) -> str:
        is_other = scenario not in ("", self.campaign.name)  # the setup may have it
        name = f"{self.campaign.name}: {scenario}" if is_other else self.campaign.name
        return whole(name)[:LONGEST_REASON]


def _noted(
    change: CardMoves, played: int | None, rows: Iterable[Settlement]
) -> dict[str, Any]:
    """Return the record of a change, with the earlier records of ``rows`` added.

    What these moved before the game ``played`` with a revision is also kept apart.
    """
    had, none = [row.content for row in rows], NO_CHANGE.noted
    before = (
        each.get(PREPARED) or none if played and each["played"] == played else each
        for each in had
    )
    prepared = NO_CHANGE.merged_with_reverted(before).noted
    return change.merged_with_reverted(had).noted | {PREPARED: prepared}


def _in_words(of: str) -> str:
    """Return the source of points in words; cards and players' reasons stay."""
    if of == PAID.card:
        return _("paid")
    if of == PRICE:
        return _("to play it")
    return _("from the previous campaign") if of == TRANSFERRED else of
