"""An account as a whole: what changed in it, what closing it would mean, closing it.

Its own things go, things of others stay. Of two linked campaigns one may go; the other
keeps what was decided in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.urls import reverse

from arkham.accounts.models import User
from arkham.jobs.models import Job, kind_of
from campaigns.guides.keeping import let_go_of_left
from campaigns.guides.opening import GuideMissing
from campaigns.log.replays import linked_decisions
from campaigns.log.store import LogBroken
from campaigns.models import (
    Campaign,
    Guest,
    Guide,
    LogEntry,
    Membership,
    Role,
    Seat,
    WaitingBackup,
)
from campaigns.models.campaign import stay_with_tables
from campaigns.people.table import Visitor
from campaigns.queries import seen_campaigns
from campaigns.services.deck_terms import withdraw_terms
from decks.models import Collection, Deck, Notice, Showing
from decks.queries import in_bin, to_be_read, visible_to

# A change may be committed late: so much of the past is listed once more.
OVERLAP = timedelta(seconds=10)
BEGINNING = datetime(2016, 1, 1, tzinfo=UTC)
KINDS = ("deck", "deck-deleted", "campaign", "notice", "job")


class AccountChange(NamedTuple):
    """One thing that changed, and its path in the API; "" if it is deleted."""

    changed_at: datetime
    kind: str
    id: int
    name: str
    path: str = ""


def changes_of(user: User, after: datetime) -> list[AccountChange]:
    """The changes of an account after a moment, the earliest first."""
    return sorted(_changes(user, after))


def may_have_changes(owner: str, after: str) -> Q:
    """A condition of rows with an account and a moment, by the names of these fields.

    Where it does not hold, ``changes_of`` finds nothing: one query leaves out the many
    accounts in which nothing happens.
    """
    mine, later = OuterRef(owner), OuterRef(after)
    decks = Deck.everything.filter(owner=mine)
    sits = Membership.objects.filter(user=mine, left_at=None)
    notices = Notice.objects.filter(deck__owner=mine)
    jobs = Job.objects.filter(owner=mine)
    return (
        Q(Exists(decks.filter(changed_at__gt=later)))
        | Q(Exists(decks.filter(deleted_at__gt=later)))
        | Q(Exists(decks.filter(showing__changed_at__gt=later)))
        | Q(Exists(sits.filter(campaign__changed_at__gt=later)))
        | Q(Exists(notices.filter(made_at__gt=later)))
        | Q(Exists(jobs.filter(ended_at__gt=later)))
    )


def _changes(user: User, after: datetime) -> Iterator[AccountChange]:
    yield from _decks(user, after)
    for deck in in_bin(user).filter(deleted_at__gt=after):
        assert deck.deleted_at is not None
        yield AccountChange(deck.deleted_at, "deck-deleted", deck.pk, deck.name)
    tables = seen_campaigns(Visitor(user)).filter(changed_at__gt=after)
    for table in tables:
        path = reverse("api:campaigns:campaign", args=[table.pk])
        yield AccountChange(table.changed_at, "campaign", table.pk, table.name, path)
    notices = to_be_read(visible_to(user)).filter(made_at__gt=after)
    for notice in notices.select_related("deck"):
        path = reverse("api:decks:deck-notices", args=[notice.deck_id])
        yield AccountChange(notice.made_at, "notice", notice.pk, notice.deck.name, path)
    for job in Job.objects.filter(owner=user, ended_at__gt=after):
        assert job.ended_at is not None
        path = reverse("api:jobs:job", args=[job.pk])
        title = str(kind_of(job).title)
        yield AccountChange(job.ended_at, "job", job.pk, title, path)


def _decks(user: User, after: datetime) -> Iterable[AccountChange]:
    """Decks that changed, or what others see of them, or their file."""
    is_new = Q(changed_at__gt=after) | Q(showing__changed_at__gt=after)
    mine: Iterable[Deck] = (
        visible_to(user).filter(is_new).annotate(shown_at=F("showing__changed_at"))
    )
    for deck in mine:
        shown_at = getattr(deck, "shown_at", None)
        path = reverse("api:decks:deck", args=[deck.pk])
        moment = max(deck.changed_at, shown_at or deck.changed_at)
        yield AccountChange(moment, "deck", deck.pk, deck.name, path)


class TableFate(StrEnum):
    """What becomes of a table when an account is closed."""

    STAYS = "stays"  # another member organises it
    PASSES = "passes"  # another member organises it from then on
    PUT_AWAY = "put-away"  # only guests are left, who cannot organise
    GOES = "goes"  # no member is left


class TableOnClosing(NamedTuple):
    """A table of the account, what becomes of it, and its next organiser."""

    campaign: Campaign
    fate: TableFate
    heir: Membership | None = None


class AccountClosing(NamedTuple):
    """All that an account has, by what becomes of it.

    ``entries`` is what it wrote in logs that stay, ``backups`` the campaigns that wait
    for their guide. ``mark`` is the same as long as
    the same would become of the same.
    """

    decks: int
    shown: int
    collections: int
    keys: int
    entries: int
    backups: int
    tables: tuple[TableOnClosing, ...]
    guides_left: tuple[Guide, ...]
    guides_gone: tuple[Guide, ...]

    def with_fate(self, *fates: TableFate) -> tuple[TableOnClosing, ...]:
        """The tables of which one of these becomes."""
        return tuple(each for each in self.tables if each.fate in fates)

    @property
    def passing(self) -> tuple[TableOnClosing, ...]:
        """The tables another member organises from then on."""
        return self.with_fate(TableFate.PASSES)

    @property
    def put_away(self) -> tuple[TableOnClosing, ...]:
        """The tables that are put away, for their guests to read."""
        return self.with_fate(TableFate.PUT_AWAY)

    @property
    def staying(self) -> tuple[TableOnClosing, ...]:
        """The tables that go on as they are."""
        return self.with_fate(TableFate.STAYS)

    @property
    def going(self) -> tuple[TableOnClosing, ...]:
        """The tables without another member."""
        return self.with_fate(TableFate.GOES)

    @property
    def stays(self) -> bool:
        """Whether anything is left of it."""
        is_left = len(self.going) < len(self.tables)
        return is_left or bool(self.guides_left or self.entries)

    @property
    def mark(self) -> str:
        """A digest of it all."""
        parts = [
            self[:6],
            [
                (table.campaign.pk, table.fate, table.heir and table.heir.pk)
                for table in self.tables
            ],
            [[guide.pk for guide in found] for found in self[7:]],
        ]
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def closing_of(user: User) -> AccountClosing:
    """What would become of everything an account has."""
    decks = Deck.objects.filter(owner=user)
    tables = tuple(map(_table, _sitting(user)))
    gone = [each.campaign.pk for each in tables if each.fate is TableFate.GOES]
    left, going = _guides(user, gone)
    written = LogEntry.objects.filter(
        Q(author__user=user) | Q(author__claimed_by__user=user)
    )
    return AccountClosing(
        decks.count(),
        Showing.objects.filter(deck__in=decks).count(),
        Collection.objects.filter(owner=user).count(),
        user.api_keys.filter(revoked_at=None).count(),
        written.exclude(campaign__in=gone).count(),
        WaitingBackup.objects.filter(user=user).count(),
        tables,
        left,
        going,
    )


def _sitting(user: User) -> Iterable[Membership]:
    found = Membership.objects.filter(user=user, left_at=None)
    return found.select_related("campaign").defer(
        "campaign__guide__prepared", "campaign__guide__words"
    )


def _table(member: Membership) -> TableOnClosing:
    """What becomes of a table when the account of a member is closed."""
    others = member.campaign.memberships.filter(left_at=None).exclude(pk=member.pk)
    if member.role != Role.ORGANISER or others.filter(role=Role.ORGANISER).exists():
        return TableOnClosing(member.campaign, TableFate.STAYS)
    heir = heir_among(others.select_related("user"))
    if heir is not None:
        return TableOnClosing(member.campaign, TableFate.PASSES, heir)
    return TableOnClosing(
        member.campaign, TableFate.PUT_AWAY if others.exists() else TableFate.GOES
    )


def heir_among(others: Iterable[Membership]) -> Membership | None:
    """Who organises a table after its last organiser: who has sat there longest.

    A member with an open account; spectators come last.
    """
    able = [each for each in others if each.user is not None and each.user.is_active]
    order = (
        (each.role == Role.SPECTATOR, each.joined_at, each.pk, each) for each in able
    )
    return min(order, default=(None,), key=lambda each: each[:3])[-1]


def _guides(user: User, gone: list[int]) -> tuple[tuple[Guide, ...], tuple[Guide, ...]]:
    """The guides of an account that stay with their tables, and the others."""
    own = Guide.objects.filter(owner=user).defer("prepared", "words")
    stays = stay_with_tables(own, Campaign.objects.exclude(pk__in=gone))
    return (
        tuple(each for each in own if each.pk in stays),
        tuple(each for each in own if each.pk not in stays),
    )


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
    sat there longest with an account; with guests alone it is put away; with no one
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
    """Let what an account wrote be that of someone who left; without it, nothing."""
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
