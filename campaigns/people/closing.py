"""What would become of everything an account has if it were closed now."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from django.db.models import Q

from arkham.accounts.models import User
from campaigns.models import Campaign, Guide, LogEntry, Membership, Role, WaitingBackup
from campaigns.models.campaign import stay_with_tables
from decks.models import Collection, Deck, Showing


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
