"""Read the files of guides from a folder, a zip or an address, and nothing else.

Nothing is unpacked to disk. The sizes that a zip declares are not trusted: bytes are
counted while unpacking. Every fault is reported before any file is used. An address
must be that of a zip on a host the operator named; each account may send a limited
number an hour.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from arkham.rules.campaign.reading.files import LARGEST_FILE
from arkham.web.bodies import ZIP_FAULTS, ZIP_METHODS, TooManyMembers, open_zip
from arkham.web.reaching import (
    HostUnreachable,
    PrivateAddress,
    RemotePlace,
    Timeouts,
    ask,
    named_hosts,
    other_site,
    place_of,
    quoted_path,
    shown_address,
)
from arkham.web.request_limits import AROUND_A_FILE, UserThrottle

MOST_FILES = 5_000
MOST_BYTES_TOGETHER = 200_000_000  # limit of all files together
FOLDERS = ("campaigns", "return_campaigns")


class UnusableGuides(ValueError):
    """No guides can be read from the source; the message says why."""


def guide_files(folder: Path) -> dict[str, bytes]:
    """Return the guide files of a checkout, by their path in it.

    Links and other special files are not followed. Raises :class:`UnusableGuides` if
    there are none, or more than any guide needs.
    """
    found: dict[str, bytes] = {}
    size = 0
    for name in FOLDERS:
        for path in sorted(_json_files(folder / name)):
            if not path.name.isprintable():
                raise UnusableGuides(f"{str(path)!a} is no name of a file of a guide.")
            size += path.stat().st_size
            if len(found) >= MOST_FILES or size > MOST_BYTES_TOGETHER:
                raise UnusableGuides(f"{folder} has more files than guides need.")
            try:
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
            except OSError as error:
                raise UnusableGuides(f"{path}: {error.strerror}.") from None
    if not found:
        raise UnusableGuides(
            f"There are no guides in {folder}: it has no campaigns folder."
        )
    return found


def _json_files(folder: Path) -> list[Path]:
    return [
        path
        for place, _folders, names in os.walk(folder)
        for path in (Path(place) / name for name in names)
        if path.suffix == ".json" and path.is_file() and not path.is_symlink()
    ]


MOST_ZIP_BYTES = 64 * 1024 * 1024  # packed; a whole checkout has half of it
MOST_BYTES = 48 * 1024 * 1024  # of all guide files, unpacked; today they have 12
MOST_VALUES = 500_000  # of all guide files; today half as many, read in two seconds
MOST_DIRECTORY_BYTES = 4 * 1024 * 1024  # of the list of members
MOST_MEMBERS = 20_000  # of any kind
MOST_RATIO = 100  # JSON shrinks to a tenth; a bomb to a thousandth
ALWAYS_FIT = 1024 * 1024  # unpacked bytes allowed at any ratio
MOST_DEPTH = 3  # folders around the one that contains campaigns
LONGEST_PATH = 200
CHUNK = 64 * 1024

_GUIDE = re.compile(rf"\A((?:[^/]++/)*?)((?:{'|'.join(FOLDERS)})/[^/]+/[^/]+\.json)")


def zipped_guide_files(stream: IO[bytes]) -> dict[str, bytes]:
    """Return the guide files in a zip, by path below the folder with ``campaigns``.

    Raises :class:`UnusableGuides` if it is not a zip, larger than guides are, has paths
    that lead out of it, or has no guides.
    """
    _check_size(stream)
    with _opened(stream) as archive:
        members = archive.infolist()
        _check_members(members, stream)
        wanted = _guides_among(members)
        return dict(_unpacked(archive, wanted))


def _check_size(stream: IO[bytes]) -> None:
    size = stream.seek(0, 2)
    stream.seek(0)
    if size > MOST_ZIP_BYTES:
        raise UnusableGuides(too_large())


def too_large() -> str:
    """Return the message for a zip with more bytes than are read."""
    return _("The zip is larger than %(most)d MB. It should contain only guides.") % {
        "most": MOST_ZIP_BYTES >> 20
    }


def _too_many(most: int) -> UnusableGuides:
    return UnusableGuides(
        _("The zip has more than %(most)d files. It should contain only guides.")
        % {"most": most}
    )


@contextmanager
def _opened(stream: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    try:
        archive = open_zip(stream, MOST_DIRECTORY_BYTES)
    except TooManyMembers:
        raise _too_many(MOST_MEMBERS) from None
    except ZIP_FAULTS as fault:
        raise UnusableGuides(
            _("We can’t read this zip: %(fault)s. Choose a zip with guides.")
            % {"fault": _in_words(fault)}
        ) from fault
    with archive:
        yield archive


def _in_words(fault: Exception) -> str:
    words = str(fault).strip(" .") or type(fault).__name__
    return words[:100]


# -- the list of members --


def _check_members(members: list[zipfile.ZipInfo], stream: IO[bytes]) -> None:
    """Raise UnusableGuides for too many members, paths out of the zip, or overlaps."""
    if len(members) > MOST_MEMBERS:
        raise _too_many(MOST_MEMBERS)
    for member in members:
        if _leads_out(member):
            raise _refusal(member, _("leads out of the zip"))
    size = stream.seek(0, 2)
    if sum(member.compress_size for member in members) > size:
        raise UnusableGuides(_("Files in the zip overlap. Pack it again."))


def _guides_among(members: Iterable[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """Return the members that are guide files, by path below the right folder."""
    placed: dict[str, dict[str, zipfile.ZipInfo]] = {}
    for member in members:
        found = _GUIDE.fullmatch(member.filename)
        if found is not None and found[1].count("/") <= MOST_DEPTH:
            inside = placed.setdefault(found[1], {})
            if found[2] in inside:
                raise _refusal(member, _("is there twice"))
            inside[found[2]] = member
    wanted = placed[_root(placed)]
    if len(wanted) > MOST_FILES:
        raise _too_many(MOST_FILES)
    for member in wanted.values():
        _check(member)
    return wanted


def _root(roots: Iterable[str]) -> str:
    """Return the folder that contains ``campaigns``: the only one, or the outermost."""
    by_depth = Counter(each.count("/") for each in roots)
    if not by_depth:
        raise UnusableGuides(
            _(
                "The zip has no guides. It needs files such as "
                "campaigns/NAME/campaign.json, at the top or in one folder."
            )
        )
    depth = min(by_depth)
    if by_depth[depth] > 1:
        raise UnusableGuides(
            _("The zip has several folders with guides. Pack only one of them.")
        )
    return next(each for each in roots if each.count("/") == depth)


def _check(member: zipfile.ZipInfo) -> None:
    """Raise UnusableGuides for a member that can't be a guide or unpacked safely."""
    name, kind = member.filename, stat.S_IFMT(member.external_attr >> 16)
    is_odd = len(name) > LONGEST_PATH or not name.isprintable()
    for is_so, what in (
        (kind not in (0, stat.S_IFREG), _("is a link")),
        (member.flag_bits & 0x1, _("is locked with a password")),
        (is_odd, _("has a name that guides don’t use")),
        (
            member.compress_type not in ZIP_METHODS,
            _("is packed in a way we can’t read"),
        ),
    ):
        if is_so:
            raise _refusal(member, what)


def _refusal(member: zipfile.ZipInfo, what: str) -> UnusableGuides:
    name = member.filename.encode("utf-8", "replace").decode()
    shown = "".join(each if each.isprintable() else "?" for each in name)
    return UnusableGuides(
        _("“%(name)s” in the zip %(what)s. Nothing was imported.")
        % {"name": shown[:100], "what": what}
    )


def _leads_out(member: zipfile.ZipInfo) -> bool:
    name = member.filename
    return (
        name.startswith("/")
        or "\\" in name
        or re.match("[A-Za-z]:", name) is not None
        or ".." in name.split("/")
    )


# -- the content --


def _unpacked(
    archive: zipfile.ZipFile, wanted: dict[str, zipfile.ZipInfo]
) -> Iterator[tuple[str, bytes]]:
    room, values = MOST_BYTES, 0
    for path, member in wanted.items():
        content = _content(archive, member, room)
        room -= len(content)
        values += _values_at_most(content)
        if values > MOST_VALUES:
            raise UnusableGuides(
                _(
                    "The guides in the zip have more than %(most)d values: reading "
                    "them would take too long. Import them as several zips."
                )
                % {"most": MOST_VALUES}
            )
        yield path, content


def _values_at_most(content: bytes) -> int:
    """Return an upper bound of the values in unread JSON, which are what it costs."""
    return sum(map(content.count, (b",", b"[", b"{")))


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo, room: int) -> bytes:
    """Return the bytes of a member, counting them while unpacking."""
    fit = max(ALWAYS_FIT, MOST_RATIO * member.compress_size)
    found = bytearray()
    try:
        with archive.open(member) as packed:
            while chunk := packed.read(CHUNK):
                found += chunk
                _check_count(member, len(found), fit, room)
    except ZIP_FAULTS as fault:
        what = _("can’t be unpacked (%(fault)s)") % {"fault": _in_words(fault)}
        raise _refusal(member, what) from fault
    return bytes(found)


def _check_count(member: zipfile.ZipInfo, count: int, fit: int, room: int) -> None:
    if count > fit:
        raise _refusal(member, _("unpacks to far more than its stated size"))
    if count > LARGEST_FILE:
        raise _refusal(
            member,
            _("is larger than %(most)d MB") % {"most": LARGEST_FILE // 1_000_000},
        )
    if count > room:
        raise UnusableGuides(
            _("The guides in the zip unpack to more than %(most)d MB.")
            % {"most": MOST_BYTES >> 20}
        )


MOST_SECONDS = 20.0  # for everything, from the name look-up to the last byte
MOST_SECONDS_TO_CONNECT = 5.0  # to each address of a host
IN_MEMORY = 4 * 1024 * 1024
LONGEST_ADDRESS = 1_000


def guide_files_at(address: str) -> dict[str, bytes]:
    """Return the guide files in a zip at an address; raises UnusableGuides."""
    place = guide_place(address.strip())
    patience = Timeouts(MOST_SECONDS, MOST_SECONDS_TO_CONNECT)
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as body:
        try:
            ask(place, "application/zip", patience, lambda it: _keep(it, place, body))
        except PrivateAddress:
            raise _other_site(place.host) from None
        except HostUnreachable as error:
            raise UnusableGuides(
                _("We couldn’t reach %(host)s, or it didn’t answer in time.")
                % {"host": place.host}
            ) from error
        return zipped_guide_files(body)


def guide_place(address: str) -> RemotePlace:
    """Return the place of an address that may be read; raises UnusableGuides."""
    sites, own = settings.ORNE_GUIDE_SITES, settings.ORNE_OWN_GUIDE_SITES
    try:
        if len(address) > LONGEST_ADDRESS:
            raise ValueError(address)
        parts = urlsplit(address)
        place = place_of(parts, quoted_path(parts), sites, own)
    except ValueError:
        raise UnusableGuides(
            _("“%(address)s” isn’t the address of a zip. It should begin with https://")
            % {"address": shown_address(address)}
        ) from None
    if place is None:
        raise _other_site(parts.netloc.lower().rstrip("."))
    return place


def named_sites() -> list[str]:
    """Return the hosts that guides are read from, by the settings."""
    return named_hosts(settings.ORNE_GUIDE_SITES, settings.ORNE_OWN_GUIDE_SITES)


def _other_site(host: str) -> UnusableGuides:
    instead = _("Import the zip itself.")
    return UnusableGuides(other_site(host, named_sites(), instead))


def _keep(response: HTTPResponse, place: RemotePlace, body: IO[bytes]) -> None:
    """Write a place's answer to ``body``, up to the size limit of a zip."""
    if 300 <= response.status < 400:
        raise UnusableGuides(
            _("%(host)s redirects to %(there)s, which we don’t follow.")
            % {
                "host": place.host,
                "there": shown_address(response.headers.get("Location", "?"), 200),
            }
        )
    if response.status != 200:
        raise UnusableGuides(
            _("%(host)s has nothing at this address (status %(status)d).")
            % {"host": place.host, "status": response.status}
        )
    size = 0
    while chunk := response.read(CHUNK):
        size += len(chunk)
        if size > MOST_ZIP_BYTES:
            raise UnusableGuides(too_large())
        body.write(chunk)


MOST_FORM_BYTES = MOST_ZIP_BYTES + AROUND_A_FILE


class BringingThrottle(UserThrottle):
    """Counts the imports of an account: reading guides takes seconds."""

    scope = "guides"
