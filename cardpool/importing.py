"""Read card data from a folder, a zip of one, or an API like ArkhamDB's.

Every source becomes a ``SourceReading``. A source that can't be fetched or opened at
all raises ``UnreadableSource``; faults inside it are among the reading's problems.
"""

from __future__ import annotations

import stat
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from email.message import Message
from http.client import HTTPResponse
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from arkham.web.bodies import ZIP_FAULTS, read_member
from arkham.web.reaching import (
    PORTS,
    HostUnreachable,
    PrivateAddress,
    RemotePlace,
    Timeouts,
    ask,
    place_of,
    quoted_path,
    shown_address,
)
from cardpool.languages import ENGLISH
from cardpool.reading import (
    ParsedSource,
    SourceReading,
    in_language,
    read_directory,
    read_source,
    read_translation,
    read_value,
)

MOST_BYTES = 256 * 1024 * 1024  # unpacked, or in an API's answer
MOST_FILES = 5_000
TIMEOUTS = Timeouts(seconds=180, to_connect=10)  # for one answer
MOST_REDIRECTS = 3
API_PATHS = {
    "cards": "/api/public/cards/?encounter=1",
    "packs": "/api/public/packs/",
    "taboos": "/api/public/taboos/",
}


class UnreadableSource(Exception):
    """A source that can't be opened; the message says what was found and expected."""


def is_address(place: str) -> bool:
    """Return True if a place is on the web, not a folder or zip."""
    return place.startswith(("http://", "https://"))


def name_of(place: str) -> str:
    """Return the name of a place in the credits: its host, folder or zip."""
    if is_address(place):
        return urlsplit(place).hostname or place
    return Path(place).name


def read_place(
    place: str, language: str = ENGLISH, own: frozenset[str] | None = None
) -> SourceReading:
    """Read an API, a folder or a zip, whichever the place is."""
    if is_address(place):
        return read_api(place, language, own)
    return read_path(Path(place), language)


def read_path(path: Path, language: str = ENGLISH) -> SourceReading:
    """Read a folder in the layout of json-data, or a zip of one."""
    if path.is_dir():
        return _read_folder(path, language)
    if not path.is_file():
        raise UnreadableSource(
            _("We can’t find %(path)s. Expected: a folder or a zip of card data.")
            % {"path": path}
        )
    with unpacked(path) as folder:
        return _read_folder(folder, language)


def _read_folder(folder: Path, language: str) -> SourceReading:
    reading = read_directory(folder)
    if language == ENGLISH:
        return reading
    translated = read_translation(folder, language)
    if not translated:
        raise UnreadableSource(
            _("There is no folder translations/%(language)s with card texts in it.")
            % {"language": language}
        )
    return in_language(reading, translated)


# -- a zip --


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Unpack a zip of card data temporarily, and yield its folder.

    Only JSON files inside the folder are unpacked, and their total size is checked
    while they are unpacked.
    """
    try:
        archive = zipfile.ZipFile(path)
    except ZIP_FAULTS as error:
        raise UnreadableSource(
            _("%(path)s isn’t a zip file: %(fault)s.") % {"path": path, "fault": error}
        ) from error
    with archive, tempfile.TemporaryDirectory(prefix="orne-import-") as folder:
        members = [each for each in archive.infolist() if _is_wanted(each)]
        if len(members) > MOST_FILES:
            raise UnreadableSource(
                _("The zip has %(files)d JSON files; we read at most %(most)d.")
                % {"files": len(members), "most": MOST_FILES}
            )
        room = MOST_BYTES
        for member in members:
            room = _unpack(archive, member, Path(folder), room)
        yield _root(Path(folder))


def _is_wanted(member: zipfile.ZipInfo) -> bool:
    """Return True for a JSON file; refuse a path or link that leads outside."""
    place = PurePosixPath(member.filename.replace("\\", "/"))
    outside = place.is_absolute() or ".." in place.parts or ":" in member.filename
    if outside or stat.S_ISLNK(member.external_attr >> 16):
        raise UnreadableSource(
            _("The zip has “%(name)s”, which leads out of it.")
            % {"name": member.filename[:100]}
        )
    return place.suffix == ".json" and not member.is_dir()


def _unpack(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, room: int
) -> int:
    """Unpack one member; return the number of bytes still allowed."""
    try:
        data = read_member(archive, member, room + 1)
        if len(data) > room:
            raise _too_much(MOST_BYTES)
        target = folder / member.filename.replace("\\", "/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    except ZIP_FAULTS as error:
        raise UnreadableSource(
            _("“%(name)s” in the zip can’t be unpacked: %(fault)s.")
            % {"name": member.filename[:100], "fault": error}
        ) from error
    return room - len(data)


def _too_much(most: int) -> UnreadableSource:
    return UnreadableSource(
        _("The source is larger than the %(most)d bytes allowed.") % {"most": most}
    )


def _root(folder: Path) -> Path:
    """Return the folder with ``packs.json``, at the top or one or two levels below."""
    for pattern in ("packs.json", "*/packs.json", "*/*/packs.json"):
        for found in sorted(folder.glob(pattern)):
            return found.parent
    return folder  # reading it reports what is missing


# -- an API --


def read_api(
    base: str, language: str = ENGLISH, own: frozenset[str] | None = None
) -> SourceReading:
    """Read an API like ArkhamDB's, whose root is ``base``.

    ``own`` are the operator's sites, by default with ``base`` among them. The API lacks
    the names of cycles, the contents of repackaged products, and encounter sets without
    cards; those come from the embedded card pool.
    """
    base = base.rstrip("/")
    own = own_sites(base) if own is None else own
    answers = {name: _list_at(base + path, own) for name, path in API_PATHS.items()}
    known = embedded_pool()
    packs = [_pack_record(each, known) for each in answers["packs"]]
    reading = read_source(
        ParsedSource(
            records=tuple(("cards", record) for record in answers["cards"]),
            packs=tuple(packs),
            cycles=tuple(_cycle_records(answers["packs"], known)),
            encounters=tuple(
                {"code": code, "name": name}
                for code, name in known.encounter_sets.items()
            ),
            taboos=tuple(answers["taboos"]),
        )
    )
    return reading if language == ENGLISH else in_language(reading, answers["cards"])


class Unreached(UnreadableSource):
    """A source that did not answer, or not in time."""


class Reply(NamedTuple):
    """The answer from a place."""

    status: int
    headers: Message
    body: bytes


def own_sites(*named: str) -> frozenset[str]:
    """Return the hosts and ports that the operator named, here and in the settings.

    They may use plain HTTP and have private addresses.
    """
    found = set()
    for address in (*named, settings.CARD_SOURCE, settings.CARD_IMAGES):
        with suppress(ValueError):
            parts = urlsplit(address)
            if parts.scheme in PORTS and parts.hostname:
                found.add(f"{parts.hostname}:{parts.port or PORTS[parts.scheme]}")
    return frozenset(found)


def fetch(
    address: str,
    accept: str,
    own: frozenset[str],
    *,
    most: int,
    timeouts: Timeouts = TIMEOUTS,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """Fetch an address, following redirects within its host.

    Raises Unreached, and UnreadableSource for forbidden addresses and large answers.
    """

    def read(response: HTTPResponse) -> Reply:
        body = response.read(most + 1)
        if len(body) > most:
            raise _too_much(most)
        return Reply(response.status, response.headers, body)

    place = _place_at(address, own)
    for _turn in range(MOST_REDIRECTS + 1):
        reply = _asked(place, accept, timeouts, read, headers)
        if reply.status not in (301, 302, 303, 307, 308):
            return reply
        there = urljoin(place.address, reply.headers.get("Location", ""))
        if urlsplit(there)[:2] != urlsplit(place.address)[:2]:
            raise UnreadableSource(
                _("%(address)s leads to another host: %(there)s.")
                % {"address": address, "there": shown_address(there, 200)}
            )
        place = _place_at(there, own)
    raise UnreadableSource(
        _("%(address)s redirects in circles.") % {"address": address}
    )


def _place_at(address: str, own: frozenset[str]) -> RemotePlace:
    try:
        parts = urlsplit(address)
        if address.split() != [address]:
            raise ValueError(address)
        place = place_of(parts, quoted_path(parts), [parts.hostname or ""], own)
    except ValueError:
        raise UnreadableSource(
            _("“%(address)s” isn’t an address. It should start with https://.")
            % {"address": shown_address(address, 200)}
        ) from None
    if place is None:
        raise _private(address)
    return place


def _private(address: str) -> UnreadableSource:
    return UnreadableSource(
        _(
            "%(address)s is on a private network or an unusual port. Name it in "
            "CARD_SOURCE or CARD_IMAGES to allow it."
        )
        % {"address": address[:200]}
    )


def _asked(
    place: RemotePlace,
    accept: str,
    timeouts: Timeouts,
    read: Callable[[HTTPResponse], Reply],
    headers: Mapping[str, str] | None,
) -> Reply:
    try:
        return ask(place, accept, timeouts, read, headers)
    except PrivateAddress:
        raise _private(place.address) from None
    except HostUnreachable as error:
        fault = error.__cause__ or _("no answer in time")
        raise Unreached(
            _("%(address)s doesn’t answer: %(fault)s.")
            % {"address": place.address, "fault": fault}
        ) from error


def _list_at(address: str, own: frozenset[str]) -> list[Any]:
    """Fetch a list of JSON from an address."""
    reply = fetch(address, "application/json", own, most=MOST_BYTES)
    if reply.status != 200:
        raise UnreadableSource(
            _("%(address)s answers with status %(status)d.")
            % {"address": address, "status": reply.status}
        )
    try:
        value = read_value(reply.body.decode())
    except ValueError as error:
        raise UnreadableSource(
            _("%(address)s doesn’t answer with JSON: %(fault)s.")
            % {"address": address, "fault": error}
        ) from error
    if not isinstance(value, list):
        raise UnreadableSource(
            _("%(address)s answers with %(found)s. Expected: a list.")
            % {"address": address, "found": type(value).__name__}
        )
    return value


def api_records(base: str, own: frozenset[str]) -> dict[str, dict[str, Any]]:
    """Fetch an API's record of each card, by code."""
    answer = _list_at(base.rstrip("/") + API_PATHS["cards"], own)
    return {str(each.get("code")): each for each in answer if isinstance(each, dict)}


def _pack_record(answer: Any, known: CardPool) -> Any:
    """Return a product in json-data's layout, from the API's record of it."""
    if not isinstance(answer, dict):
        return answer
    record = {**answer, "date_release": answer.get("available") or None}
    pack = known.packs.get(str(answer.get("code")))
    record["cycle_code"] = pack.cycle if pack else _cycle_code(answer, known)
    if pack is not None:
        record["chapter"] = pack.chapter
        record["reprint_packs"] = list(pack.holds)
        record["reprint_type"] = pack.holds_type
    return record


def _cycle_code(answer: dict[str, Any], known: CardPool) -> str:
    position = answer.get("cycle_position")
    for cycle in known.cycles.values():
        if cycle.position == position:
            return cycle.code
    return f"cycle_{position}"


def _cycle_records(packs: list[Any], known: CardPool) -> Iterator[dict[str, Any]]:
    """Yield the cycles of the products: known ones, and numbers for the others."""
    yield from (asdict(cycle) for cycle in known.cycles.values())
    strange = {
        code: each.get("cycle_position")
        for each in packs
        if isinstance(each, dict)
        and str(each.get("code")) not in known.packs
        and (code := _cycle_code(each, known)) not in known.cycles
    }
    for code, position in sorted(strange.items()):
        name = _("Cycle %(number)s") % {"number": position}
        yield {"code": code, "name": name, "position": position}
