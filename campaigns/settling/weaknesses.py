"""The pools from which investigators of a table draw weaknesses.

One pool for the whole table (WEAK-03, WEAK-04): the collection it agreed on, without
what lies in any of its decks or was given to any of its investigators.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arkham.rules.campaign.asking import CHOSEN_WEAKNESS, Pending
from arkham.rules.campaign.prompts.decks import held_cards
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.state import State
from arkham.rules.collection import everything
from arkham.rules.draws import DrawRecord
from arkham.rules.draws.weaknesses import (
    Named,
    are_weaknesses,
    draw_weakness,
    handed_out,
    open_to,
    whole_pool,
    without,
)
from arkham.rules.finding import Finding
from arkham.rules.legality.frame import Frame
from arkham.rules.ultimatums import ULTIMATUMS
from arkham.rules.upgrade.granting import copies_by_card
from arkham.rules.vocabulary import Mode
from campaigns.models import Campaign, Seat
from campaigns.settling.terms import circumstances_of, read_terms
from decks.lists.content import Content, empty_content
from decks.lists.judging import current_judge
from decks.models import Collection, Deck
from decks.pages.display import Judged
from decks.queries import latest


class Dealer:
    """Deals weaknesses to the investigators of one table, one after the other."""

    def __init__(self, campaign: Campaign, state: State) -> None:
        self.campaign, self.state = campaign, state
        self.terms = read_terms(campaign.terms)
        self.decks = decks_of(campaign)
        self.dealt: list[str] = []

    def deal(self, code: str, traits: Sequence[str], seed: str) -> DrawRecord | None:
        """A weakness for an investigator; none where the pool has none for them."""
        cards = self.pool_for(code, traits)
        if not cards:
            return None
        record = draw_weakness(cards, seed)
        self.dealt.extend(record.result)
        return record

    def pool_for(self, code: str, traits: Sequence[str]) -> Mapping[str, int]:
        """What may come, by code, with the copies there are."""
        frame = self.frame_of(code)
        if frame is None:
            return {}
        pool = frame.pool
        owned = Collection.objects.filter(pk=self.terms.collection or 0).first()
        collection = owned.content if owned is not None else everything(pool)
        cards = whole_pool(collection, pool, frame.rulings)
        gone = handed_out([*self._held(), Counter(self.dealt)], pool)
        return open_to(frame, without(cards, gone), _printed(traits, frame))

    def frame_of(self, code: str) -> Frame | None:
        """What is settled about an investigator's deck; none for whom nobody knows."""
        content = self.decks.get(code) or empty_content(code)
        told = content.circumstances | self.circumstances_of(code)
        return Judged(Content(content.deck, told), current_judge()).frame

    def circumstances_of(self, code: str) -> dict[str, Any]:
        """What the table tells of an investigator's deck."""
        is_alone = self.campaign.standalone or self.campaign.simulated
        mode = Mode.STANDALONE if is_alone else Mode.CAMPAIGN
        told = circumstances_of(self.terms, code)
        players = len(self.state.alive())
        if players:
            told["players"] = players
        sworn = [each for each in self.state.ultimatums if each in ULTIMATUMS]
        if sworn:
            told["ultimatums"] = sworn
        return {"mode": mode.value, **told}

    def _held(self) -> Iterable[Mapping[str, int]]:
        """What lies in each deck, and what the log gave that is not yet there."""
        pool = current_judge().pool
        for code in {*self.decks, *self.state.people}:
            content, person = self.decks.get(code), self.state.people.get(code)
            listed = content.deck["slots"] if content else {}
            given = held_cards(person) if person is not None else {}
            # The deck may list another printing of what the log names.
            yield copies_by_card(listed, pool) | copies_by_card(given, pool)


def misnamed(given: Answer, pending: Pending | None) -> tuple[Finding, ...]:
    """What stands against the weaknesses that are named as drawn, if that is asked."""
    if pending is None or given.step != pending.step:
        return ()
    if pending.prompt not in ("weakness", CHOSEN_WEAKNESS):
        return ()
    named = tuple(card for cards in given.value.values() for card in cards)
    return tuple(are_weaknesses(Named(named, current_judge().pool, pending.traits)))


def decks_of(campaign: Campaign) -> dict[str, Content]:
    """The decks kept here that a table plays, by investigator."""
    seats: dict[int, Seat] = {
        seat.deck_id: seat
        for seat in campaign.seats.filter(deck__isnull=False)
        if seat.deck_id is not None
    }
    decks = Deck.objects.filter(pk__in=seats)
    return {seats[row.deck_id].investigator: row.content for row in latest(decks)}


def _printed(traits: Sequence[str], frame: Frame) -> list[str]:
    """Traits as cards have them, whatever a guide writes them like."""
    wanted = {each.casefold() for each in traits}
    if not wanted:
        return []
    known = {trait for card in frame.pool.values() for trait in card.traits}
    return sorted(each for each in known if each.casefold() in wanted) or list(traits)
