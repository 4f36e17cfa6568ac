"""A whole campaign as one file: its log, its guide by digest, its terms and its seats.

It names no account and doesn't reveal future draws. Authors are written as the table
knew them. Each of two linked campaigns has the other in its file, if the exporter is a
member of both. Files of any earlier version can be read: each entry may have any
earlier version, and missing parts are empty.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from arkham.rest import reading
from arkham.rest.messages import Message, MessagePart, schema, source
from arkham.rest.reading import MOST_NUMBER, Sent
from arkham.rules.campaign.state.answers import Retracted, UltimatumDropped
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.arkhamdb_json import shown
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, instant_of, kind_of
from campaigns.log import entries
from campaigns.log.entries import EntryCorrection
from campaigns.log.replays import linked_decisions
from campaigns.log.store import MOST_ENTRIES
from campaigns.models import Campaign, LogEntry, PlayState
from campaigns.models.campaign import LONGEST_NAME, LONGEST_SCENARIO
from campaigns.models.log import LONGEST_CAUSE
from campaigns.models.people import LONGEST_CODE, LONGEST_PERSON
from campaigns.play import in_play
from campaigns.play.plays import MOST_PLAYS, PlayPart, faults_of
from campaigns.settling.terms import read_terms, terms_data

_AIMED = Retracted | UltimatumDropped | EntryCorrection  # entries about an earlier one
_SEEN = _("This isn’t what we expect here: {found}.")


class EntryPart(MessagePart):
    """An entry in a file."""

    kind: Sent
    version: Annotated[int, schema(minimum=1)]
    payload: Mapping[str, Any]
    at: Annotated[
        str, schema(format="date-time"), source(lambda row: row.recorded_at.isoformat())
    ]
    author: Annotated[str, reading.text(LONGEST_PERSON), source("author_name")] = ""
    cause: Annotated[str, reading.text(LONGEST_CAUSE)] = ""


def read_rows(raw: object, faults: list[Fault]) -> Iterator[LogEntry]:
    """Yield the entries as rows; add their faults to ``faults``."""
    if type(raw) is not list:
        faults.append(Fault("/entries", _SEEN, _("a list"), kind_of(raw)))
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
    read: EntryPart = reading.read(EntryPart, raw)
    try:
        entry = entries.decode(read.kind, read.version, read.payload, sequence)
    except Unreadable as error:
        if error.faults[0].pointer in ("/kind", "/version"):
            raise
        raise Unreadable(*(each.within("/payload") for each in error.faults)) from error
    if isinstance(entry, _AIMED) and not 1 <= entry.target < sequence:
        expected = f"1 … {sequence - 1}"
        raise Unreadable(Fault("/payload/target", _SEEN, expected, str(entry.target)))
    kind, version, payload = entries.encode(entry)
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
    found = instant_of(text)
    if found is None:
        expected = "a time with its zone, as 2026-03-01T19:00:00+00:00"
        raise Unreadable(Fault("/at", _SEEN, expected, text[:60]))
    return found


FORMAT = "orne-campaign"
VERSION = 2
MOST_BYTES = 16 * 1024 * 1024
OLDEST = -1  # of guide versions: begun before there were any
MOST_SEATS = 40
LONGEST_ID = 32  # hexadecimal digits
FileId = Annotated[str, reading.text(LONGEST_ID)]
ScenarioId = Annotated[str, reading.text(LONGEST_SCENARIO)]

Data = dict[str, Any]


class GuideNamed(MessagePart):
    """The guide of a campaign."""

    id: Annotated[Sent, source("guide_id")]
    digest: Sent
    side_digest: Sent = ""
    name: Sent = ""


class Seated(MessagePart):
    """An investigator, their player's name, and whom they replace."""

    investigator: Annotated[str, reading.text(LONGEST_CODE)]
    name: Annotated[
        str,
        reading.text(LONGEST_PERSON),
        source(lambda seat: (seat.member or seat).name),
    ] = ""
    instead: Annotated[
        str,
        reading.text(LONGEST_CODE),
        source(lambda seat: seat.instead.investigator if seat.instead else ""),
    ] = ""


class LinkedFile(MessagePart):
    """The linked campaign: its id in files, and its file."""

    id: FileId
    campaign: Mapping[str, Any] | None = None


class HeardDecision(MessagePart):
    """A decision of the linked campaign, as this one knows it."""

    link: Annotated[Sent, source(0)]
    decision: Annotated[Sent, source(1)]


Heard = Annotated[tuple[HeardDecision, ...], schema(maxItems=MOST_PLAYS)]


FrontCode = Annotated[str, reading.text(LONGEST_CODE)]
Fronts = Annotated[dict[FrontCode, FrontCode], schema(maxProperties=MOST_SEATS)]


class CampaignFileHead(MessagePart):
    """Everything in a file but the entries.

    Files of the first version have no ``id``, ``plays`` and ``linked``.
    """

    format: Annotated[str, schema(enum=[FORMAT])]
    file_version: Annotated[int, schema(minimum=1, maximum=VERSION)]
    id: FileId = ""
    name: Annotated[str, reading.text(LONGEST_NAME)]
    guide: GuideNamed
    guide_version: Annotated[
        int, schema(minimum=OLDEST, maximum=MOST_NUMBER), source("version")
    ]
    standalone: ScenarioId
    simulated: ScenarioId = ""
    terms: Mapping[str, Any]
    seats: Annotated[tuple[Seated, ...], schema(maxItems=MOST_SEATS)]
    plays: Annotated[tuple[PlayPart, ...], schema(maxItems=MOST_PLAYS)] = ()
    linked: LinkedFile | None = None
    heard: Heard | None = None
    fronts: Fronts | None = None


class CampaignFileShape(CampaignFileHead, Message):
    """A whole campaign: its guide, its terms, its seats, and its log in order."""

    entries: Annotated[tuple[EntryPart, ...], schema(maxItems=MOST_ENTRIES)]


class Read(NamedTuple):
    """A campaign read from a file; ``rows`` are unsaved and have no campaign yet.

    ``id`` is the campaign's id in files, ``linked_id`` that of the linked campaign, and
    ``linked`` the linked campaign itself if the file contains it.
    """

    name: str
    guide: GuideNamed
    guide_version: int
    standalone: str
    terms: Data
    seats: tuple[Seated, ...]
    rows: tuple[LogEntry, ...]
    plays: tuple[PlayPart, ...] = ()
    linked_id: str = ""
    linked: Read | None = None
    simulated: str = ""
    id: str = ""
    heard: tuple[HeardDecision, ...] | None = None
    fronts: Mapping[str, str] | None = None

    def decisions(self) -> dict[str, str] | None:
        """Return the linked campaign's decisions, by link."""
        if self.heard is None:
            return None
        return {each.link: each.decision for each in self.heard}


# -- writing --


def file_id(campaign: Campaign) -> str:
    """Return a campaign's id in files; it doesn't reveal the secret behind it."""
    text = f"{FORMAT}/{campaign.secret}"
    return hashlib.sha256(text.encode()).hexdigest()[:LONGEST_ID]


def file_of(
    campaign: Campaign,
    rows: Iterable[LogEntry],
    plays: Iterable[PlayState] = (),
    linked: Data | None = None,
) -> Data:
    """Return a campaign as JSON; ``linked`` is the file of its linked campaign."""
    other = campaign.linked
    terms = {key: each for key, each in campaign.terms.items() if key != "collection"}
    beside = "member__user", "member__guest", "instead"
    seats = campaign.seats.select_related(*beside).order_by("pk")
    heard = linked_decisions(campaign) if linked is None else None
    return CampaignFileShape.data(
        campaign,
        format=FORMAT,
        file_version=VERSION,
        id=file_id(campaign),
        terms=terms,
        seats=[Seated.data(each) for each in seats],
        plays=[
            PlayPart.data(in_play.read(each.content), scenario=each.scenario)
            for each in plays
        ],
        linked={"id": file_id(other), "campaign": linked} if other else None,
        heard=None if heard is None else [*map(HeardDecision.data, heard.items())],
        entries=[EntryPart.data(each) for each in rows],
    )


# -- reading --


def read_file(data: object) -> Read:
    """Return the campaign in a file.

    Raises :class:`Unreadable` with every fault, each with its JSON pointer.
    """
    if type(data) is not dict or data.get("format") != FORMAT:
        found = shown(data.get("format") if type(data) is dict else data)
        raise Unreadable(Fault("/format", _SEEN, FORMAT, found))
    raw = _upcast({key: each for key, each in data.items() if key != "entries"})
    head: CampaignFileHead = reading.read(CampaignFileHead, raw)
    faults = [*_twice_seated(head), *faults_of(head.plays)]
    rows = tuple(read_rows(data.get("entries"), faults))
    linked = _read_linked(head.linked, faults)
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
        head.plays,
        head.linked.id if head.linked is not None else "",
        linked,
        head.simulated,
        head.id,
        head.heard,
        head.fronts,
    )


def _from_1(data: Data) -> Data:
    """Add the linked campaign and the states of play, not saved in version 1."""
    return {**data, "id": "", "plays": [], "linked": None}


UPCASTS: dict[int, Callable[[Data], Data]] = {1: _from_1}


def _upcast(data: Data) -> Data:
    """Return the head of a file converted to the current version."""
    version = data.get("file_version")
    if type(version) is not int or not 1 <= version <= VERSION:
        found = shown(version)
        raise Unreadable(Fault("/file_version", _SEEN, f"1 … {VERSION}", found))
    for each in range(version, VERSION):
        data = UPCASTS[each](data)
    return {**data, "file_version": VERSION}


def _read_linked(linked: LinkedFile | None, faults: list[Fault]) -> Read | None:
    """Return the linked campaign; add its faults to ``faults``."""
    if linked is None or linked.campaign is None:
        return None
    at = "/linked/campaign"
    if linked.campaign.get("linked") is not None:
        faults.append(Fault(f"{at}/linked", _SEEN, "null", "a third campaign"))
        return None
    try:
        return read_file(dict(linked.campaign))
    except Unreadable as error:
        faults.extend(each.within(at) for each in error.faults)
        return None


def _twice_seated(head: CampaignFileHead) -> Iterator[Fault]:
    codes = [seat.investigator for seat in head.seats]
    if len(set(codes)) < len(codes):
        expected = f"at most {MOST_SEATS} investigators, each once"
        yield Fault("/seats", _SEEN, expected, f"{len(codes)} seats")
