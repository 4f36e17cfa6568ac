"""Give a deck the terms of its campaign, and withdraw them.

Ultimatums in force, allies lost to The Scream and other lost cards become part of the
deck's circumstances, so that its desk refuses cards its table may not use. What the
player set before stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime

from arkham.rules.legality.signatures import fills_weakness_slot, most_asked
from campaigns.models import Campaign, Seat, Settlement
from cardpool.catalog import current_pool
from decks.lists.content import whole
from decks.services import settling
from decks.services.campaign_changes import CampaignChange, current_content

TERMS_ROW = "$told"  # used instead of a scenario
LOST, GIVEN = "lost_cards", "given_signatures"
# Key in the content of such a row: copies lost before the deck came to the table.
ELSEWHERE = "elsewhere"

Values = Mapping[str, Iterable[str]]
_NONE: Counter[str] = Counter()


def terms_apply(row: Settlement) -> bool:
    """Return whether a row has terms that are still applied to its deck."""
    return row.scenario == TERMS_ROW and row.taken_back_at is None


class CircumstanceSync:
    """Keeps the circumstances of one deck in step with its table."""

    def __init__(self, campaign: Campaign, seat: Seat, now: datetime) -> None:
        assert seat.deck is not None
        self.campaign, self.seat, self.deck, self.now = campaign, seat, seat.deck, now

    def apply(self, rows: list[Settlement], terms: Mapping[str, Counter[str]]) -> None:
        """Add new terms to the deck and withdraw those that no longer apply.

        ``rows`` are the terms it was given before, perhaps at another table.
        """
        here = [row for row in rows if row.seat_id == self.seat.pk]
        had = _together(row.content["terms"] for row in rows)
        if len(here) == len(rows) < 2 and had == dict(terms):
            return
        own = _together(row.content["made"] for row in rows)
        there = current_content(self.deck).circumstances
        elsewhere = self._lost_elsewhere(here, there, terms)
        if not here:
            for known in (had, own):
                if LOST in known:
                    known[LOST] -= _required(known[LOST])
        made: dict[str, list[str]] = {}
        change: dict[str, tuple[tuple[str, int], ...]] = {}
        for key in {*had, *terms}:
            now, ours = terms.get(key, _NONE), own.get(key, _NONE)
            stated: Counter[str] = Counter(there.get(key) or ())
            if key == LOST:
                stated -= elsewhere
            more = now - (had.get(key, _NONE) | stated)
            if key == LOST:
                more = self._at_most(more, elsewhere)
            made[key] = sorted((more + (ours & now)).elements())
            gone = ours - now
            gone &= stated - now  # a game may have given some of them back by now
            found = sorted(more.items())
            found += [(each, -times) for each, times in sorted(gone.items())]
            if found:
                change[key] = tuple(found)
        if change:
            settling.settle_without_game(
                deck=self.deck,
                reason=whole(self.campaign.name),
                change=CampaignChange(terms=change),
                now=self.now,
                actor=self.deck.owner,
            )
        self._note(rows, terms, made, elsewhere)

    def _lost_elsewhere(
        self, here: list[Settlement], there: Values, terms: Mapping[str, Counter[str]]
    ) -> Counter[str]:
        """Return required cards lost before the deck came: they stay waived (DECK-19).

        What this table loses is lost in addition. Copies that it had lost by then may
        be the same ones.
        """
        if not here:
            lost = Counter(there.get(LOST) or ())
            return _required(lost) - terms.get(LOST, _NONE)
        kept = ({LOST: row.content.get(ELSEWHERE, ())} for row in here)
        return _together(kept)[LOST]

    def _at_most(self, more: Counter[str], elsewhere: Counter[str]) -> Counter[str]:
        """Limit copies of a signature to the number that the deck requires."""
        pool, investigator = current_pool(), self.seat.investigator
        found = +more
        for code, copies in elsewhere.items():
            card = pool.get_card(code)
            if card and not fills_weakness_slot(card):
                left = most_asked(code, investigator, pool) - copies
                found[code] = min(found[code], max(left, 0))
        return +found

    def _note(
        self,
        rows: Iterable[Settlement],
        terms: Mapping[str, Counter[str]],
        made: Values,
        elsewhere: Counter[str],
    ) -> None:
        for row in rows:
            row.taken_back_at = self.now
            row.save(update_fields=["taken_back_at"])
        if terms or elsewhere:
            data = {key: sorted(each.elements()) for key, each in terms.items()}
            Settlement.objects.create(
                seat=self.seat,
                deck=self.deck,
                scenario=TERMS_ROW,
                sequence=self.campaign.last,
                content={
                    "terms": data,
                    "made": made,
                    ELSEWHERE: sorted(elsewhere.elements()),
                },
                made_at=self.now,
            )


def withdraw_terms(campaign: Campaign, now: datetime) -> None:
    """Withdraw a deleted campaign's terms from decks; their cards stay as they are."""
    rows = Settlement.objects.filter(seat__campaign=campaign, deck__deleted_at=None)
    for row in filter(terms_apply, rows.select_related("seat", "deck__owner")):
        row.seat.deck = row.deck  # it may have left the table
        had = _together([row.content["terms"]])
        kept = {LOST: _required(had.get(LOST, _NONE)), GIVEN: had.get(GIVEN, _NONE)}
        CircumstanceSync(campaign, row.seat, now).apply([row], kept)


def _required(lost: Counter[str]) -> Counter[str]:
    """Keep the copies of signatures and of cards that fill a weakness slot."""
    pool = current_pool()
    cards = {code: pool.get_card(code) for code in lost}
    return Counter(
        {
            code: lost[code]
            for code, card in cards.items()
            if card and (card.signature or fills_weakness_slot(card))
        }
    )


def _together(several: Iterable[Values]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for each in several:
        for key, values in each.items():
            found[key] = found.get(key, _NONE) | Counter(values)
    return found
