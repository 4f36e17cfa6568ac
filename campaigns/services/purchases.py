"""Writes into the log what cards bought for a deck do to its investigator."""

from __future__ import annotations

from datetime import datetime

from campaigns.guides.opening import GuideMissing
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Seat
from campaigns.settling.trauma import unstated
from decks.models import Deck

CAUSE = "purchase"


def hold_campaigns(deck: Deck) -> None:
    """Let nobody write at the tables of a deck until the transaction ends."""
    if deck.is_draft:  # it has a seat nowhere
        return
    for campaign in Campaign.objects.filter(seats__deck=deck).order_by("pk"):
        store.locked_with_linked(campaign)


def state_purchases_of(deck: Deck, now: datetime) -> None:
    """State what the deck's purchases do in the log of its campaign."""
    if deck.is_draft:
        return
    for seat in Seat.objects.filter(deck=deck, campaign__archived_at=None):
        state_purchases(seat.campaign, seat, now=now)


def state_purchases(campaign: Campaign, seat: Seat, *, now: datetime) -> None:
    """State what the log does not say yet of a seat's deck, and take back the rest.

    A log that cannot be read or takes no more is left as it is: the deck was changed
    all the same.
    """
    try:
        entries = unstated(replayed(campaign), seat)
        if entries:
            store.append(
                campaign,
                entries,
                after=campaign.last,
                author=seat.member,
                now=now,
                cause=CAUSE,
            )
    except (GuideMissing, store.LogBroken, store.LogFull):
        return
