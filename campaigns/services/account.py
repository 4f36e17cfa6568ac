"""List the changes in an account, preview what closing it would do, and close it.

Closing deletes the account's own data and leaves other people's alone. If only one of
two linked campaigns is deleted, the other keeps its decisions.
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
from campaigns.guides.keeping import delete_unused_left_guides
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

# A change may be committed late, so changes of the last few seconds are listed again.
OVERLAP = timedelta(seconds=10)
BEGINNING = datetime(2016, 1, 1, tzinfo=UTC)
KINDS = ("deck", "deck-deleted", "campaign", "notice", "job")


class AccountChange(NamedTuple):
    """One thing that changed, with its path in the API ("" if it was deleted)."""

    changed_at: datetime
    kind: str
    id: int
    name: str
    path: str = ""


def changes_of(user: User, after: datetime) -> list[AccountChange]:
    """Return the changes of an account after a moment, earliest first."""
    return sorted(_changes(user, after))


def may_have_changes(owner: str, after: str) -> Q:
    """Return a condition for rows that have an account and a moment.

    ``owner`` and ``after`` are the names of these fields. For rows that fail the
    condition ``changes_of`` finds nothing, so one query can skip the many idle
    accounts.
    """
    mine, later = OuterRef(owner), OuterRef(after)
    decks = Deck.everything.filter(owner=mine)
    sits = Membership.objects.filter(user=mine, left_at=None)
    notices = Notice.objects.filter(deck__owner=mine)
    jobs = Job.objects.filter(owner=mine)
    return (
        Q(Exists(decks.filter(changed_at__gt=later)))
        | Q(Exists(decks.filter(noted_at__gt=later)))
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
    """Yield the decks that changed themselves, in their sharing or in their file."""
    mine = visible_to(user).annotate(shown_at=F("showing__changed_at"))
    moments = ("changed_at", "noted_at", "shown_at")
    is_new = Q(*((f"{each}__gt", after) for each in moments), _connector=Q.OR)
    for deck in mine.filter(is_new):
        path = reverse("api:decks:deck", args=[deck.pk])
        moment = max(filter(None, (getattr(deck, each) for each in moments)))
        yield AccountChange(moment, "deck", deck.pk, deck.name, path)


class TableFate(StrEnum):
    """What happens to a table when an account is closed."""

    STAYS = "stays"  # already has another organiser
    PASSES = "passes"  # another member becomes its organiser
    PUT_AWAY = "put-away"  # only guests are left, who cannot organise
    GOES = "goes"  # no member is left


class TableOnClosing(NamedTuple):
    """A table of the account, what happens to it, and its next organiser."""

    campaign: Campaign
    fate: TableFate
    heir: Membership | None = None


class AccountClosing(NamedTuple):
    """All that an account has, by what happens to it when it is closed.

    ``entries`` counts its entries in logs that remain, ``backups`` the campaigns that
    wait for a guide. ``mark`` changes if the outcome would change.
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
        """Return the tables with one of these fates."""
        return tuple(each for each in self.tables if each.fate in fates)

    @property
    def passing(self) -> tuple[TableOnClosing, ...]:
        """The tables that get another member as their organiser."""
        return self.with_fate(TableFate.PASSES)

    @property
    def put_away(self) -> tuple[TableOnClosing, ...]:
        """The tables that are archived, for their guests to read."""
        return self.with_fate(TableFate.PUT_AWAY)

    @property
    def staying(self) -> tuple[TableOnClosing, ...]:
        """The tables that go on as they are."""
        return self.with_fate(TableFate.STAYS)

    @property
    def going(self) -> tuple[TableOnClosing, ...]:
        """The tables that have no other member."""
        return self.with_fate(TableFate.GOES)

    @property
    def stays(self) -> bool:
        """Whether anything of the account remains after it is closed."""
        is_left = len(self.going) < len(self.tables)
        return is_left or bool(self.guides_left or self.entries)

    @property
    def mark(self) -> str:
        """A digest of everything listed here."""
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
    """Return what closing an account would do to everything it has."""
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
    """Return what happens to a member's table when their account is closed."""
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
    """Return the member who becomes organiser: the one who has been there longest.

    Only members with an active account qualify; spectators come last.
    """
    able = [each for each in others if each.user is not None and each.user.is_active]
    order = (
        (each.role == Role.SPECTATOR, each.joined_at, each.pk, each) for each in able
    )
    return min(order, default=(None,), key=lambda each: each[:3])[-1]


def _guides(user: User, gone: list[int]) -> tuple[tuple[Guide, ...], tuple[Guide, ...]]:
    """Return the account's guides that stay with their tables, and the others."""
    own = Guide.objects.filter(owner=user).defer("prepared", "words")
    stays = stay_with_tables(own, Campaign.objects.exclude(pk__in=gone))
    return (
        tuple(each for each in own if each.pk in stays),
        tuple(each for each in own if each.pk not in stays),
    )


def keep_decisions_for_linked(campaign: Campaign) -> None:
    """Give the linked campaign this one's decisions before this one is deleted.

    The linked campaign and its decks don't change; its table is asked whatever is not
    decided yet. If this log can't be read, no decisions are kept.
    """
    # Read it again: both campaigns may be deleted, one after the other.
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
    """Closing the account would do something other than shown; ``now`` says what."""

    def __init__(self, now: AccountClosing) -> None:
        super().__init__("Something else would become of it now.")
        self.now = now


@transaction.atomic
def close_account(
    *, user: User, now: datetime, seen: str | None = None
) -> AccountClosing:
    """Close an account permanently, and return what happened to everything it had.

    Its decks, collections and keys are deleted. A table it organised alone passes to
    the member with an account who has been there longest; a table with guests only is
    archived; an empty one is deleted. Its log entries stay under their author's name.
    Guides it imported stay with tables that use them, without their texts. ``seen`` is
    the mark of the preview. Raises ClosingMoved if the preview no longer matches.
    """
    User.objects.select_for_update().get(pk=user.pk)
    tables = Campaign.objects.filter(memberships__user=user).values("pk")
    locked = Campaign.objects.select_for_update().filter(pk__in=tables)
    list(locked.order_by("pk"))
    closing = closing_of(user)
    if seen is not None and seen != closing.mark:
        raise ClosingMoved(closing)
    for table in closing.tables:
        _left(table, now)
    played = Seat.objects.filter(deck__owner=user)
    played.update(deck=None, kind=Seat.Kind.PAPER)
    Campaign.objects.filter(pk__in=tables).update(changed_at=now)
    for member in Membership.objects.filter(user=user):
        _forget(member, now)
    user.delete()
    delete_unused_left_guides()
    return closing


def _left(table: TableOnClosing, now: datetime) -> None:
    """Do to a table what its fate says."""
    campaign = table.campaign
    match table.fate:
        case TableFate.GOES:
            keep_decisions_for_linked(campaign)
            withdraw_terms(campaign, now)
            campaign.delete()
        case TableFate.PUT_AWAY:
            Campaign.objects.filter(pk=campaign.pk, archived_at=None).update(
                archived_at=now
            )
        case TableFate.PASSES if table.heir is not None:
            Membership.objects.filter(pk=table.heir.pk).update(role=Role.ORGANISER)


def _forget(member: Membership, now: datetime) -> None:
    """Detach a member from the account; delete members who wrote no entries."""
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
