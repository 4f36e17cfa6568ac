"""A whole campaign as one file: its log, its guide by digest, its terms and its seats.

No account is named in it, and nothing tells what will be drawn. Authors are written as
the table knew them. A file of any
earlier time reads: its entries are those of ``campaigns.codec``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.dateparse import parse_datetime

from arkham.rules.campaign.answers import Released, Retracted
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable
from campaigns import codec, shapes
from campaigns.entries import Corrected
from campaigns.log import MOST_ENTRIES
from campaigns.models import Campaign, LogEntry
from campaigns.models.campaign import LONGEST_NAME, LONGEST_SCENARIO
from campaigns.models.log import LONGEST_CAUSE
from campaigns.models.people import LONGEST_PERSON
from campaigns.models.seats import LONGEST_CODE
from campaigns.terms import read_terms, terms_data

FORMAT = "orne-campaign"
VERSION = 1
MOST_BYTES = 16 * 1024 * 1024
MOST_SEATS = 40
_AIMED = Retracted | Released | Corrected  # entries about an earlier one
_SEEN = _("This is not what is expected here: {found}.")

Data = dict[str, Any]


class GuideNamed(NamedTuple):
    """The guide a campaign was played by."""

    id: str
    digest: str
    side_digest: str = ""
    name: str = ""


class Seated(NamedTuple):
    """An investigator of the table, and what their player is called."""

    investigator: str
    name: str = ""


class EntryRead(NamedTuple):
    """An entry as it is written in a file."""

    kind: str
    version: int
    payload: Mapping[str, Any]
    at: str
    author: str = ""
    cause: str = ""


class _Head(NamedTuple):
    """What stands in a file beside the entries."""

    format: str
    file_version: int
    name: str
    guide: GuideNamed
    guide_version: int
    standalone: str
    terms: Mapping[str, Any]
    seats: tuple[Seated, ...]


class Read(NamedTuple):
    """A campaign as a file has it; ``rows`` are not saved and of no campaign."""

    name: str
    guide: GuideNamed
    guide_version: int
    standalone: str
    terms: Data
    seats: tuple[Seated, ...]
    rows: tuple[LogEntry, ...]


# -- written --


def file_of(campaign: Campaign, rows: Iterable[LogEntry]) -> Data:
    """A campaign as JSON."""
    guide = campaign.guide
    terms = {key: each for key, each in campaign.terms.items() if key != "collection"}
    seats = campaign.seats.select_related("member__user", "member__guest")
    return {
        "format": FORMAT,
        "file_version": VERSION,
        "name": campaign.name,
        "guide": {
            "id": guide.guide_id,
            "digest": guide.digest,
            "side_digest": guide.side_digest,
            "name": guide.name,
        },
        "guide_version": campaign.version,
        "standalone": campaign.standalone,
        "terms": terms,
        "seats": [
            {
                "investigator": seat.investigator,
                "name": seat.member.name if seat.member is not None else seat.name,
            }
            for seat in seats
        ],
        "entries": [_entry_data(row) for row in rows],
    }


def _entry_data(row: LogEntry) -> Data:
    return {
        "kind": row.kind,
        "version": row.version,
        "payload": row.payload,
        "at": row.recorded_at.isoformat(),
        "author": row.author_name,
        "cause": row.cause,
    }


# -- read --


def read_file(data: object) -> Read:
    """The campaign in a file.

    Raises :class:`Unreadable` with every fault, each with its JSON pointer.
    """
    if type(data) is not dict or data.get("format") != FORMAT:
        raise Unreadable(Fault("/format", _SEEN, FORMAT, _told(data)))
    raw = {key: each for key, each in data.items() if key != "entries"}
    head: _Head = shapes.read(_Head, raw)
    if head.file_version != VERSION:
        found = str(head.file_version)
        raise Unreadable(Fault("/file_version", _SEEN, str(VERSION), found))
    faults = [*_too_long(head)]
    rows = tuple(_rows(data.get("entries"), faults))
    if faults:
        raise Unreadable(*faults)
    terms = {key: each for key, each in head.terms.items() if key != "collection"}
    try:
        agreed = terms_data(read_terms(terms))
    except Unreadable as error:
        raise Unreadable(*(each.within("/terms") for each in error.faults)) from error
    return Read(
        head.name,
        head.guide,
        head.guide_version,
        head.standalone,
        agreed,
        head.seats,
        rows,
    )


def _told(data: object) -> str:
    if type(data) is not dict:
        return type(data).__name__
    return repr(data.get("format"))[:60]


def _too_long(head: _Head) -> Iterator[Fault]:
    for at, text, most in (
        ("/name", head.name, LONGEST_NAME),
        ("/standalone", head.standalone, LONGEST_SCENARIO),
        *(
            (f"/seats/{place}/investigator", seat.investigator, LONGEST_CODE)
            for place, seat in enumerate(head.seats)
        ),
        *(
            (f"/seats/{place}/name", seat.name, LONGEST_PERSON)
            for place, seat in enumerate(head.seats)
        ),
    ):
        if len(text) > most:
            yield Fault(at, _SEEN, f"at most {most} letters", f"{len(text)} letters")
    codes = [seat.investigator for seat in head.seats]
    if len(codes) > MOST_SEATS or len(set(codes)) < len(codes):
        expected = f"at most {MOST_SEATS} investigators, each once"
        yield Fault("/seats", _SEEN, expected, f"{len(codes)} seats")
    if not 1 <= head.guide_version <= 1_000_000:
        found = str(head.guide_version)
        yield Fault("/guide_version", _SEEN, "1 or more", found)


def _rows(raw: object, faults: list[Fault]) -> Iterator[LogEntry]:
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
