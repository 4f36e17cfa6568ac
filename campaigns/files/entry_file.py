"""The log of a campaign as a file has it: its entries, each of any earlier version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.dateparse import parse_datetime

from arkham.rules.campaign.state.answers import Released, Retracted
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable
from campaigns.log import codec, shapes
from campaigns.log.codec import Corrected
from campaigns.log.store import MOST_ENTRIES
from campaigns.models import LogEntry
from campaigns.models.log import LONGEST_CAUSE
from campaigns.models.people import LONGEST_PERSON

_AIMED = Retracted | Released | Corrected  # entries about an earlier one
_SEEN = _("This is not what is expected here: {found}.")


class EntryRead(NamedTuple):
    """An entry as it is written in a file."""

    kind: str
    version: int
    payload: Mapping[str, Any]
    at: str
    author: str = ""
    cause: str = ""


def entry_data(row: LogEntry) -> dict[str, Any]:
    return {
        "kind": row.kind,
        "version": row.version,
        "payload": row.payload,
        "at": row.recorded_at.isoformat(),
        "author": row.author_name,
        "cause": row.cause,
    }


def read_rows(raw: object, faults: list[Fault]) -> Iterator[LogEntry]:
    """The entries as rows; what is wrong with them is added to ``faults``."""
    if type(raw) is not list:
        faults.append(Fault("/entries", _SEEN, "list", type(raw).__name__))
        return
    if len(raw) > MOST_ENTRIES:
        found = f"{len(raw)} entries"
        faults.append(Fault("/entries", _SEEN, f"at most {MOST_ENTRIES}", found))
        return
    for place, each in enumerate(raw):
        try:
            yield _row(each, place + 1)
        except Unreadable as error:
            at = f"/entries{token(str(place))}"
            faults.extend(fault.within(at) for fault in error.faults)


def _row(raw: object, sequence: int) -> LogEntry:
    read: EntryRead = shapes.read(EntryRead, raw)
    try:
        entry = codec.decode(read.kind, read.version, read.payload, sequence)
    except Unreadable as error:
        if error.faults[0].pointer in ("/kind", "/version"):
            raise
        raise Unreadable(*(each.within("/payload") for each in error.faults)) from error
    if isinstance(entry, _AIMED) and not 1 <= entry.target < sequence:
        expected = f"1 … {sequence - 1}"
        raise Unreadable(Fault("/payload/target", _SEEN, expected, str(entry.target)))
    for at, text, most in (
        ("/author", read.author, LONGEST_PERSON),
        ("/cause", read.cause, LONGEST_CAUSE),
    ):
        if len(text) > most:
            raise Unreadable(
                Fault(at, _SEEN, f"at most {most} letters", str(len(text)))
            )
    kind, version, payload = codec.encode(entry)
    return LogEntry(
        sequence=sequence,
        kind=kind,
        version=version,
        payload=payload,
        cause=read.cause,
        author_name=read.author,
        recorded_at=_moment(read.at),
    )


def _moment(text: str) -> datetime:
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        expected = "a time with its zone, as 2026-03-01T19:00:00+00:00"
        raise Unreadable(Fault("/at", _SEEN, expected, text[:60]))
    return found
