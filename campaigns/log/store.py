"""The only door to the entries of a log: adding to it, reading it, folding it.

A log is added to by whoever saw its last entry. What it comes to is kept in memory by
the digest of the whole log, so that one answer more folds from where the last fold
was, and no process is ever shown what another log says.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q

from arkham.rules.notation.reading import Unreadable
from campaigns.log import entries as codec
from campaigns.log.entries import Entry
from campaigns.models import Campaign, LogEntry, Membership

MOST_ENTRIES = 20_000  # of one campaign
ROWS_AT_ONCE = 500  # sent to the database
NUMBERED = "{key}#{number}"  # of the entries after the first that share a key


class LogMoved(Exception):
    """Others wrote in the log since; ``missed`` is what they wrote, in order."""

    def __init__(self, missed: Sequence[LogEntry], last: int) -> None:
        super().__init__(f"{len(missed)} entries were written since")
        self.missed = tuple(missed)
        self.last = last


class LogBroken(Exception):
    """What stands in a log cannot be read, or something of it is missing."""

    def __init__(self, campaign: int, sequence: int) -> None:
        super().__init__(f"{campaign}/{sequence}")
        self.sequence = sequence


class LogTooLong(Exception):
    """No campaign is so long."""


class Appended(NamedTuple):
    """What was written; ``is_new`` unless it had been written before."""

    entries: tuple[LogEntry, ...]
    is_new: bool


class LockedCampaign(NamedTuple):
    """A campaign nobody else writes in, and what was ``known`` under a key already."""

    campaign: Campaign
    known: tuple[LogEntry, ...]


def held(campaign: Campaign, *, after: int, key: str = "") -> LockedCampaign:
    """The campaign as it is, held until the transaction ends.

    Raises LogMoved if its log is longer than ``after``, unless it has the key.
    """
    locked = locked_with_linked(campaign)
    known = _written_as(locked, key) if key else ()
    if not known and locked.last != after:
        raise LogMoved(rows(locked, since=min(after, locked.last)), locked.last)
    return LockedCampaign(locked, known)


def locked_with_linked(campaign: Campaign) -> Campaign:
    """The campaign as it is, held with the one it is linked to.

    What is written in one may be settled in the decks of both. They are always held in
    the same order, so that none waits for the other.
    """
    rows = Campaign.objects.select_for_update()
    both = rows.filter(Q(pk=campaign.pk) | Q(linked=campaign.pk)).order_by("pk")
    found = {each.pk: each for each in both}
    if campaign.pk not in found:
        raise Campaign.DoesNotExist
    return found[campaign.pk]


@transaction.atomic
def append(
    campaign: Campaign,
    entries: Iterable[Entry],
    *,
    after: int,
    author: Membership | None,
    now: datetime,
    key: str = "",
    cause: str = "",
) -> Appended:
    """Write entries at the end of a log whose last entry was ``after``.

    What was written under ``key`` before is not written again, but returned. Raises
    LogMoved if the log is longer than its author saw; LogTooLong. ``campaign`` knows
    its new last entry afterwards.
    """
    locked, known = held(campaign, after=after, key=key)
    appended = Appended(known, False)
    if not known:
        appended = add(locked, entries, author=author, now=now, key=key, cause=cause)
    sync_head(campaign, locked)
    return appended


def add(
    locked: Campaign,
    entries: Iterable[Entry],
    *,
    author: Membership | None,
    now: datetime,
    key: str = "",
    cause: str = "",
) -> Appended:
    """Write entries at the end of the log of a campaign that is held.

    Raises LogTooLong.
    """
    made = _rows_of(locked, entries, author, now, key, cause)
    if locked.last > MOST_ENTRIES:
        raise LogTooLong(str(locked))
    LogEntry.objects.bulk_create(made, batch_size=ROWS_AT_ONCE)
    locked.changed_at = now
    locked.save(update_fields=["last", "head", "changed_at"])
    return Appended(tuple(made), True)


def sync_head(campaign: Campaign, locked: Campaign) -> None:
    """Bring a row read before up to the end of the log."""
    campaign.last, campaign.head = locked.last, locked.head
    campaign.changed_at, campaign.fronts = locked.changed_at, locked.fronts


def _rows_of(
    campaign: Campaign,
    entries: Iterable[Entry],
    author: Membership | None,
    now: datetime,
    key: str,
    cause: str,
) -> list[LogEntry]:
    """The rows of new entries; the campaign gets its new end."""
    made = []
    for number, entry in enumerate(entries):
        kind, version, payload = codec.encode(entry)
        campaign.last += 1
        campaign.head = chained(campaign.head, campaign.last, kind, version, payload)
        own = key if number == 0 else NUMBERED.format(key=key, number=number)
        made.append(
            LogEntry(
                campaign=campaign,
                sequence=campaign.last,
                kind=kind,
                version=version,
                payload=payload,
                cause=cause,
                author=author,
                author_name=author.name if author is not None else "",
                recorded_at=now,
                key=own if key else None,
            )
        )
    return made


def key_of(member: Membership, key: str) -> str:
    """A key as it is kept: each author has names of their own. "" is no key.

    What was sent as a guest before, and is sent again after the account claimed what
    the guest had, keeps the name the guest gave it.
    """
    if not key:
        return ""
    for guest in member.claimed.values_list("pk", flat=True):
        given = _kept_key(guest, key)
        if member.campaign.entries.filter(key=given).exists():
            return given
    return _kept_key(member.pk, key)


def _kept_key(author: int, key: str) -> str:
    return hashlib.sha256(f"{author}:{key}".encode()).hexdigest()


def says(row: LogEntry, entry: Entry) -> bool:
    """Whether an entry is what stands in a row."""
    encoded = codec.encode(entry)
    kind, version, payload = row.kind, row.version, row.payload
    return chained("", 0, kind, version, payload) == chained("", 0, *encoded)


def is_written(member: Membership, key: str) -> bool:
    """Whether somebody wrote something at their table under this key before."""
    own = member.campaign.entries.filter(key=key_of(member, key))
    return bool(key) and own.exists()


def _written_as(campaign: Campaign, key: str) -> tuple[LogEntry, ...]:
    """What was written under a key, in order."""
    first = campaign.entries.filter(key=key).first()
    if first is None:
        return ()
    later = campaign.entries.filter(
        key__startswith=f"{key}#", sequence__gt=first.sequence
    )
    found = [first]
    for number, row in enumerate(later.order_by("sequence"), 1):
        if row.key != NUMBERED.format(key=key, number=number):
            break
        found.append(row)
    return tuple(found)


def chained(head: str, sequence: int, kind: str, version: int, payload: Any) -> str:
    """The head of a log with one entry more."""
    text = json.dumps(
        [head, sequence, kind, version, payload],
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    return hashlib.sha256(text.encode()).hexdigest()


def head_of(found: Iterable[LogEntry]) -> str:
    """The head of a log of these rows."""
    head = ""
    for row in found:
        head = chained(head, row.sequence, row.kind, row.version, row.payload)
    return head


def copies(found: Iterable[LogEntry], campaign: Campaign) -> list[LogEntry]:
    """The same rows in the log of another campaign, not yet saved.

    Who wrote them stays to be read, though they may not sit at that table.
    """
    return [
        LogEntry(
            campaign=campaign,
            sequence=row.sequence,
            kind=row.kind,
            version=row.version,
            payload=row.payload,
            cause=row.cause,
            author_name=row.author_name,
            recorded_at=row.recorded_at,
        )
        for row in found
    ]


def rows(campaign: Campaign, since: int = 0) -> list[LogEntry]:
    """What stands in the log after the entry ``since``, in order.

    Raises LogBroken where an entry is missing.
    """
    wanted = campaign.entries.filter(sequence__gt=since, sequence__lte=campaign.last)
    found = list(wanted.order_by("sequence"))
    for expected, row in enumerate(found, since + 1):
        if row.sequence != expected:
            raise LogBroken(campaign.pk, expected)
    if since + len(found) < campaign.last:
        raise LogBroken(campaign.pk, since + len(found) + 1)
    return found


def entry_of(row: LogEntry) -> Entry:
    """The entry in a row. Raises LogBroken where it cannot be read."""
    try:
        return codec.decode(row.kind, row.version, row.payload, row.sequence)
    except Unreadable as error:
        raise LogBroken(row.campaign_id, row.sequence) from error


def entries(campaign: Campaign, since: int = 0) -> list[Entry]:
    """The entries after ``since``, in order. Raises LogBroken."""
    return [entry_of(row) for row in rows(campaign, since)]
