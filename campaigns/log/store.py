"""The only access to the entries of a log: append and read them.

Only a writer who has seen the last entry may append. Folds are cached by the digest of
the whole log, so one more answer is folded from where the last fold ended, and no
process ever sees the result of another log.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
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
NUMBERED = "{key}#{number}"  # the keys of the entries after the first


class LogMoved(Exception):
    """Others have written to the log since; ``missed`` are their entries, in order."""

    def __init__(self, missed: Sequence[LogEntry], last: int) -> None:
        super().__init__(f"{len(missed)} entries were written since")
        self.missed = tuple(missed)
        self.last = last


class LogBroken(Exception):
    """An entry of a log can't be read, or is missing."""

    def __init__(self, campaign: int, sequence: int) -> None:
        super().__init__(f"{campaign}/{sequence}")
        self.sequence = sequence


class LogTooLong(Exception):
    """The log would have more than ``MOST_ENTRIES`` entries."""


class Appended(NamedTuple):
    """The entries written; ``is_new`` is false if they had been written before."""

    entries: tuple[LogEntry, ...]
    is_new: bool


class LockedCampaign(NamedTuple):
    """A locked campaign, and the entries already written under a key (``known``)."""

    campaign: Campaign
    known: tuple[LogEntry, ...]


def locked_at(campaign: Campaign, *, after: int, key: str = "") -> LockedCampaign:
    """Return the current campaign, locked until the transaction ends.

    Raises LogMoved if its log is longer than ``after``, unless it has the key.
    """
    locked = locked_with_linked(campaign)
    known = _written_as(locked, key) if key else ()
    if not known and locked.last != after:
        raise LogMoved(rows(locked, since=min(after, locked.last)), locked.last)
    return LockedCampaign(locked, known)


def locked_with_linked(campaign: Campaign, beside: Iterable[int] = ()) -> Campaign:
    """Return the current campaign, locked together with its linked campaign.

    An entry of one may be settled in the decks of both. ``beside`` are keys of other
    campaigns to lock.
    """
    found = lock_with_linked([campaign.pk, *beside])
    if campaign.pk not in found:
        raise Campaign.DoesNotExist
    return found[campaign.pk]


def lock_with_linked(keys: Collection[int]) -> dict[int, Campaign]:
    """Lock campaigns and those linked with them; return them by key.

    They are always locked in the same order, to avoid deadlocks.
    """
    rows = Campaign.objects.select_for_update()
    found = rows.filter(Q(pk__in=keys) | Q(linked__in=keys)).order_by("pk")
    return {each.pk: each for each in found}


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

    Entries written under ``key`` before are not repeated, but returned. Raises LogMoved
    if the log is longer than its author saw; LogTooLong. Updates the last entry of
    ``campaign``.
    """
    locked, known = locked_at(campaign, after=after, key=key)
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
    """Write entries at the end of a locked campaign's log.

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
    """Update a campaign that was read before to the end of its log."""
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
    """Return the rows of new entries, and move the campaign's end to the last."""
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
    """Return a key as it is stored, separate for each author; "" is no key.

    What someone sent as a guest, and sends again after their account claimed the
    guest's entries, keeps the guest's key.
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


def has_entry(row: LogEntry, entry: Entry) -> bool:
    """Return whether a row contains this entry."""
    encoded = codec.encode(entry)
    kind, version, payload = row.kind, row.version, row.payload
    return chained("", 0, kind, version, payload) == chained("", 0, *encoded)


def is_written(member: Membership, key: str) -> bool:
    """Return whether a member has written something under this key before."""
    own = member.campaign.entries.filter(key=key_of(member, key))
    return bool(key) and own.exists()


def _written_as(campaign: Campaign, key: str) -> tuple[LogEntry, ...]:
    """Return the entries written under a key, in order."""
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
    """Return the head of a log after one more entry."""
    text = json.dumps(
        [head, sequence, kind, version, payload],
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    return hashlib.sha256(text.encode()).hexdigest()


def head_of(found: Iterable[LogEntry]) -> str:
    """Return the head of a log with these rows."""
    head = ""
    for row in found:
        head = chained(head, row.sequence, row.kind, row.version, row.payload)
    return head


def copies(found: Iterable[LogEntry], campaign: Campaign) -> list[LogEntry]:
    """Return the same rows for the log of another campaign, not yet saved.

    The authors' names are kept, though they may not be members there.
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
    """Return the rows of the log after the entry ``since``, in order.

    Raises LogBroken if an entry is missing.
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
    """Return the entry in a row. Raises LogBroken if it can't be read."""
    try:
        return codec.decode(row.kind, row.version, row.payload, row.sequence)
    except Unreadable as error:
        raise LogBroken(row.campaign_id, row.sequence) from error


def entries(campaign: Campaign, since: int = 0) -> list[Entry]:
    """Return the entries after ``since``, in order. Raises LogBroken."""
    return [entry_of(row) for row in rows(campaign, since)]
