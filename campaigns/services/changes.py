"""Gathers what changed in an account: decks, campaigns, notices, jobs in one list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q
from django.urls import reverse

from arkham.accounts.models import User
from arkham.jobs.kinds import kind_of
from arkham.jobs.models import Job
from campaigns.models import Membership
from campaigns.people.table import Visitor
from campaigns.queries import seen_campaigns
from decks.models import Deck, Notice
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
