"""Gets card data from a folder, a zip of one, or an API like ArkhamDB's.

Every source ends as a ``SourceReading``. What cannot be fetched or opened at all is
``UnreadableSource``; what is wrong inside is among the reading's problems.
"""

from __future__ import annotations

import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from django.utils.translation import gettext as _

from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from cardpool.reading import (
    ParsedSource,
    SourceReading,
    read_directory,
    read_source,
    read_value,
)

MOST_BYTES = 256 * 1024 * 1024  # unpacked, or answered by an API
MOST_FILES = 5_000
TIMEOUT = 60  # seconds to wait for a part of an answer
API_PATHS = {
    "cards": "/api/public/cards/?encounter=1",
    "packs": "/api/public/packs/",
    "taboos": "/api/public/taboos/",
}


# What the standard library raises at a broken or hostile zip.
_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)


class UnreadableSource(Exception):
    """A source that cannot be opened: says what was found and what was expected."""


def read_path(path: Path) -> SourceReading:
    """The reading of a folder in the layout of json-data, or of a zip of one."""
    if path.is_dir():
        return read_directory(path)
    if not path.is_file():
        raise UnreadableSource(
            _("%(path)s is not there. Expected: a folder or a zip of card data.")
            % {"path": path}
        )
    with unpacked(path) as folder:
        return read_directory(folder)


# -- a zip --


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """The folder of card data inside a zip, for as long as it is needed.

    Only JSON files are unpacked, and only such as stay inside the folder; how much
    they come to is checked against what the zip says and against what it yields.
    """
    try:
        archive = zipfile.ZipFile(path)
    except _FAULTS as error:
        raise UnreadableSource(
            _("%(path)s is no zip file: %(fault)s.") % {"path": path, "fault": error}
        ) from error
    with archive, tempfile.TemporaryDirectory(prefix="orne-import-") as folder:
        members = [each for each in archive.infolist() if _is_wanted(each)]
        if len(members) > MOST_FILES:
            raise UnreadableSource(
                _("The zip holds %(files)d JSON files; at most %(most)d are read.")
                % {"files": len(members), "most": MOST_FILES}
            )
        room = MOST_BYTES
        for member in members:
            room = _unpack(archive, member, Path(folder), room)
        yield _root(Path(folder))


def _is_wanted(member: zipfile.ZipInfo) -> bool:
    """Whether a member is a JSON file; a path or link that leads out is refused."""
    place = PurePosixPath(member.filename.replace("\\", "/"))
    outside = place.is_absolute() or ".." in place.parts or ":" in member.filename
    if outside or stat.S_ISLNK(member.external_attr >> 16):
        raise UnreadableSource(
            _("The zip holds “%(name)s”, which leads out of it.")
            % {"name": member.filename[:100]}
        )
    return not member.is_dir() and place.suffix == ".json"


def _unpack(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, room: int
) -> int:
    """Write one member; the bytes still allowed after it."""
    if member.file_size > room:
        raise _too_much()
    try:
        with archive.open(member) as packed:
            data = packed.read(room + 1)
        if len(data) > room:
            raise _too_much()
        target = folder / member.filename.replace("\\", "/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    except _FAULTS as error:
        raise UnreadableSource(
            _("“%(name)s” in the zip cannot be unpacked: %(fault)s.")
            % {"name": member.filename[:100], "fault": error}
        ) from error
    return room - len(data)


def _too_much() -> UnreadableSource:
    return UnreadableSource(
        _("The source holds more than the %(most)d bytes allowed.")
        % {"most": MOST_BYTES}
    )


def _root(folder: Path) -> Path:
    """The folder with ``packs.json`` in it, at the top or one or two below."""
    for pattern in ("packs.json", "*/packs.json", "*/*/packs.json"):
        for found in sorted(folder.glob(pattern)):
            return found.parent
    return folder  # the reading says what is missing


# -- an API --


def read_api(base: str) -> SourceReading:
    """The reading of an API like ArkhamDB's, whose root is ``base``.

    The API has neither the names of cycles, nor what repackaged products hold, nor
    encounter sets without cards; those are taken from the embedded card pool.
    """
    base = base.rstrip("/")
    answers = {name: _fetch(base + path) for name, path in API_PATHS.items()}
    known = embedded_pool()
    packs = [_pack_record(each, known) for each in answers["packs"]]
    return read_source(
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


class _StayHere(HTTPRedirectHandler):
    """Follows redirects only within the host that was asked, as it was asked."""

    def redirect_request(self, req: Request, *args: Any, **kwargs: Any) -> Any:
        target = args[-1] if args else kwargs.get("newurl", "")
        if urlsplit(str(target))[:2] != urlsplit(req.full_url)[:2]:
            raise URLError(_("it leads to another host"))
        return super().redirect_request(req, *args, **kwargs)


def _fetch(address: str) -> list[Any]:
    """The list that an address answers with."""
    if not address.startswith(("http://", "https://")):
        raise UnreadableSource(
            _("“%(address)s” is no address of an API. Expected: http:// or https://.")
            % {"address": address}
        )
    try:
        request = Request(address, headers={"Accept": "application/json"})  # noqa: S310
        with build_opener(_StayHere).open(request, timeout=TIMEOUT) as answer:
            body = answer.read(MOST_BYTES + 1)
    except (OSError, ValueError, HTTPException) as error:
        raise UnreadableSource(
            _("%(address)s does not answer: %(fault)s.")
            % {"address": address, "fault": error}
        ) from error
    if len(body) > MOST_BYTES:
        raise _too_much()
    try:
        value = read_value(body.decode())
    except ValueError as error:
        raise UnreadableSource(
            _("%(address)s does not answer with JSON: %(fault)s.")
            % {"address": address, "fault": error}
        ) from error
    if not isinstance(value, list):
        raise UnreadableSource(
            _("%(address)s answers with %(found)s. Expected: a list.")
            % {"address": address, "found": type(value).__name__}
        )
    return value


def _pack_record(answer: Any, known: CardPool) -> Any:
    """A product as json-data has it, from what the API says about it."""
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
    """The cycles of the products: those we know, and numbers for the others."""
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
