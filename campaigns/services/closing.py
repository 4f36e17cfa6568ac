"""Closes an account: its own things go, things of others stay.

Of two linked campaigns one may go; the other keeps what was decided in it.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from arkham.accounts.models import User
from campaigns.guides.keeping import let_go_of_left
from campaigns.guides.opening import GuideMissing
from campaigns.log.replays import linked_decisions
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Guest, LogEntry, Membership, Role, Seat
from campaigns.people.closing import (
    AccountClosing,
    TableFate,
    TableOnClosing,
    closing_of,
)
from campaigns.services.deck_terms import withdraw_terms


def part(campaign: Campaign) -> None:
    """Let the campaign this one is linked to go on with what was decided here.

    It stays where it is, and so do its decks; what is not decided yet its table is
    asked. Where this one's log can't be read there is nothing to keep.
    """
    # As it stands by now: both may go, one after the other.
    other = Campaign.objects.filter(linked=campaign.pk).first()
    if other is None:
        return
    try:
        decisions = linked_decisions(other)
    except (LogBroken, GuideMissing):
        decisions = {}
    Campaign.objects.filter(pk=other.pk).update(heard=decisions)


CLOSED = "closed-{pk}"


class ClosingMoved(Exception):
    """Something else would become of it than what was shown; ``now`` is what."""

    def __init__(self, now: AccountClosing) -> None:
        super().__init__("Something else would become of it now.")
        self.now = now


@transaction.atomic
def close_account(
    *, user: User, now: datetime, seen: str | None = None
) -> AccountClosing:
    """Close an account for good, and return what became of everything it had.

    Its decks, collections and keys go. A table it alone organised passes to who has
    sat there longest with an account; with guests alone it is put away; with nobody
    it goes. What it wrote in logs stays, under the name it was written by. The guides
    it brought stay with the tables that play by them, without their words. ``seen``
    is the mark of what was shown before. Raises ClosingMoved where that is not so any
    more.
    """
    User.objects.select_for_update().get(pk=user.pk)
    tables = Campaign.objects.filter(memberships__user=user).values("pk")
    held = Campaign.objects.select_for_update().filter(pk__in=tables)
    list(held.order_by("pk"))
    closing = closing_of(user)
    if seen is not None and seen != closing.mark:
        raise ClosingMoved(closing)
    for table in closing.tables:
        _left(table, now)
    played = Seat.objects.filter(deck__owner=user)
    played.update(deck=None, kind=Seat.Kind.PAPER)
    for member in Membership.objects.filter(user=user):
        _forget(member, now)
    user.delete()
    let_go_of_left()
    return closing


def _left(table: TableOnClosing, now: datetime) -> None:
    """What becomes of a table."""
    campaign = table.campaign
    match table.fate:
        case TableFate.GOES:
            part(campaign)
            withdraw_terms(campaign, now)
            campaign.delete()
        case TableFate.PUT_AWAY:
            Campaign.objects.filter(pk=campaign.pk, archived_at=None).update(
                archived_at=now
            )
        case TableFate.PASSES if table.heir is not None:
            Membership.objects.filter(pk=table.heir.pk).update(role=Role.ORGANISER)


def _forget(member: Membership, now: datetime) -> None:
    """Let what somebody wrote be that of someone who left; without it, nothing."""
    Seat.objects.filter(member=member).update(member=None)
    wrote = LogEntry.objects.filter(author=member).exists()
    if not wrote and not member.claimed.exists():
        member.delete()
        return
    member.user = None
    member.guest = Guest.objects.create(
        name="", digest=CLOSED.format(pk=member.pk), made_at=now
    )  # no key has this digest
    member.left_at = member.left_at or now
    member.save(update_fields=["user", "guest", "left_at"])
