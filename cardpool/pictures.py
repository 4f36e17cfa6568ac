"""Import pictures of cards from the operator's sources.

A source is an API like ArkhamDB's, a pattern of addresses with ``{code}``, a folder or
a zip. Anything that is not a picture, or damaged, or too large, is refused; pictures
are stored as WebP in two sizes, under names that change with their content.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from arkham.rules.vocabulary import is_digits
from arkham.web.bodies import ZIP_FAULTS, read_member
from arkham.web.reaching import Timeouts
from cardpool.importing import Unreached, UnreadableSource, fetch, is_address, name_of
from cardpool.models import Picture
from cardpool.shown import PICTURE_SIZES

MOST_BYTES = 12 * 1024 * 1024  # for one picture
MOST_PIXELS = 16_000_000
MOST_FILES = 50_000  # in a folder or a zip
FORMATS = ("PNG", "JPEG", "WEBP")
ENDINGS = (".png", ".jpg", ".jpeg", ".webp")
QUALITY = 82
DIGEST = 16  # characters
TIMEOUTS = Timeouts(seconds=30, to_connect=10)

Mark = dict[str, Any]
Wait = Callable[[float], None]  # waits this many seconds; may raise to end the import


class UnusablePicture(Exception):
    """The data is not a picture that can be stored; the message says why."""


class SourceGone(Exception):
    """The source stopped answering or wants a pause; the message says what to do."""


class SentPicture(NamedTuple):
    """A picture from a source, and the mark by which changes are recognized."""

    data: bytes
    mark: Mark


class Unchanged:
    """The source has the same picture as before."""


class PictureSource(Protocol):
    """A source of pictures; ``name`` is its name in the credits."""

    name: str

    @property
    def names(self) -> Container[str] | None:
        """The pictures it has, as ``01001``, ``01001b``; None if unknown."""

    def find(self, name: str, mark: Mark, wait: Wait) -> SentPicture | Unchanged | None:
        """Return the picture of this name; None if there is none.

        ``mark`` is that of the stored picture. Raises UnusablePicture, or SourceGone if
        it makes no sense to continue.
        """


# -- sources --


class FolderPictures:
    """The files of a folder and its subfolders: ``01001.png``, ``01001b.jpg``."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.names = self._files = _by_name(_files_in(path))

    def find(self, name: str, mark: Mark, wait: Wait) -> SentPicture | Unchanged | None:
        """Return a file, unless its size and date are the same as before."""
        path = self._files.get(name)
        if path is None:
            return None
        try:
            found = path.stat()
            now = {"size": found.st_size, "time": int(found.st_mtime)}
            if now == mark:
                return Unchanged()
            with path.open("rb") as file:
                return SentPicture(_limited(file.read(MOST_BYTES + 1)), now)
        except OSError as error:
            raise UnusablePicture(str(error.strerror)) from error


def _files_in(path: Path) -> Iterator[Path]:
    found = sorted(islice(path.rglob("*"), MOST_FILES))
    return (each for each in found if each.is_file())


def _by_name(paths: Iterable[Path]) -> dict[str, Path]:
    return {each.stem: each for each in paths if each.suffix.lower() in ENDINGS}


class ZippedPictures:
    """The files of a zip, read in place without unpacking."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        try:
            self._zip = zipfile.ZipFile(path)
        except ZIP_FAULTS as error:
            raise UnreadableSource(
                _("%(path)s isn’t a zip file: %(fault)s.")
                % {"path": path, "fault": error}
            ) from error
        members = self._zip.infolist()[:MOST_FILES]
        self.names = self._members = {
            Path(each.filename).stem: each
            for each in members
            if Path(each.filename).suffix.lower() in ENDINGS
        }

    def find(self, name: str, mark: Mark, wait: Wait) -> SentPicture | Unchanged | None:
        """Return a file, unless the zip says that it is the same as before."""
        member = self._members.get(name)
        if member is None:
            return None
        now = {"size": member.file_size, "crc": member.CRC}
        if now == mark:
            return Unchanged()
        try:
            found = read_member(self._zip, member, MOST_BYTES + 1)
            return SentPicture(_limited(found), now)
        except Exception as error:  # a damaged zip may raise anything
            raise UnusablePicture(str(error)) from error


def _limited(data: bytes) -> bytes:
    if len(data) > MOST_BYTES:
        raise UnusablePicture(
            _("larger than %(most)d MB") % {"most": MOST_BYTES // 1024**2}
        )
    return data


PAUSE = 0.5  # seconds between two requests
PATIENCE = 30.0  # seconds to wait after a failure that names no time
LONGEST_PATIENCE = 600.0  # seconds; a source that asks for more is not asked again
MOST_FAILURES = 4  # in a row


class RemotePictures:
    """Pictures at addresses, requested one at a time with a pause before each.

    A source that says when to retry is asked again then; after some failures in a row
    it is not asked again.
    """

    def __init__(
        self,
        name: str,
        address_of: Callable[[str], str | None],
        own: frozenset[str],
        names: Container[str] | None = None,
    ) -> None:
        self.name = name
        self.names = names
        self._address_of = address_of
        self._own = own
        self._failures = 0

    def find(self, name: str, mark: Mark, wait: Wait) -> SentPicture | Unchanged | None:
        """Request this picture at its address."""
        address = self._address_of(name)
        if address is None:
            return None
        headers = {
            header: str(mark[header])
            for header in ("If-None-Match", "If-Modified-Since")
            if mark.get("address") == address and mark.get(header)
        }
        while True:
            wait(PAUSE)
            found = self._asked(address, headers)
            if not isinstance(found, float):
                self._failures = 0
                return found
            self._failures += 1
            if self._failures >= MOST_FAILURES or found > LONGEST_PATIENCE:
                raise SourceGone(
                    _("%(host)s stopped answering. Continue later.")
                    % {"host": urlsplit(address).hostname}
                )
            wait(found)

    def _asked(
        self, address: str, headers: Mapping[str, str]
    ) -> SentPicture | Unchanged | float | None:
        """Request a picture; or return after how many seconds to retry."""
        try:
            reply = fetch(
                address,
                "image/webp, image/png, image/jpeg",
                self._own,
                most=MOST_BYTES,
                timeouts=TIMEOUTS,
                headers=headers,
            )
        except Unreached:
            return PATIENCE
        except UnreadableSource as error:
            raise UnusablePicture(str(error)) from error
        if reply.status == 304 and headers:
            return Unchanged()
        if reply.status in (404, 410):
            return None
        if reply.status == 429 or reply.status >= 500:
            return _seconds(reply.headers.get("Retry-After", ""))
        if reply.status != 200:
            raise UnusablePicture(
                _("answered with status %(status)d") % {"status": reply.status}
            )
        mark = {
            "address": address,
            "If-None-Match": reply.headers.get("ETag", ""),
            "If-Modified-Since": reply.headers.get("Last-Modified", ""),
        }
        return SentPicture(reply.body, mark)


def _seconds(text: str) -> float:
    """Return the wait that ``Retry-After`` asks for; the usual one for a date or ""."""
    text = text.strip()
    return float(text[:9]) if is_digits(text) else PATIENCE


def source_of(
    place: str, own: frozenset[str], records: Mapping[str, Mapping[str, Any]]
) -> PictureSource:
    """Return the source of pictures at a place: a pattern, a folder, a zip, or an API.

    ``records`` are the API's records of cards, with the address of each picture. Raises
    UnreadableSource.
    """
    if is_address(place):
        host = name_of(place)
        if "{code}" in place:
            return RemotePictures(host, lambda name: place.replace("{code}", name), own)
        listed = _listed(records, place)
        return RemotePictures(host, listed.get, own, listed)
    path = Path(place)
    if path.is_dir():
        return FolderPictures(path)
    if path.is_file():
        return ZippedPictures(path)
    raise UnreadableSource(
        _(
            "We can’t find %(path)s. Expected: a folder, a zip, or an address with "
            "{code} in it."
        )
        % {"path": place}
    )


def _listed(records: Mapping[str, Mapping[str, Any]], base: str) -> dict[str, str]:
    """Return the addresses in an API's records, by the name of the picture."""
    found: dict[str, str] = {}
    for code, record in records.items():
        for field, name in (("imagesrc", code), ("backimagesrc", f"{code}b")):
            path = record.get(field)
            if isinstance(path, str) and path:
                found.setdefault(name, urljoin(base, path))
    return found


# -- storing pictures --


class WantedPicture(NamedTuple):
    """A side of a card, and the names its picture may have, one per printing."""

    code: str
    is_back: bool
    names: tuple[str, ...]


def folder() -> Path:
    """Return the folder of the files."""
    return Path(settings.DATA_DIR) / "pictures"


def file_of(code: str, side: str, digest: str, size: str) -> Path:
    """Return the file of a picture in one of its sizes."""
    return folder() / code[:2] / f"{code}-{side}-{digest}-{size}.webp"


def keep(
    wanted: WantedPicture,
    source: PictureSource,
    language: str,
    now: datetime,
    wait: Wait,
) -> tuple[Picture, bool]:
    """Fetch a side of a card if the source's picture differs from the stored one.

    Return its row, unsaved, and True if the picture is new. Raises UnusablePicture and
    SourceGone; a stored picture stays then.
    """
    side = {"code": wanted.code, "is_back": wanted.is_back, "language": language}
    row = Picture.objects.filter(**side).first() or Picture(**side)
    mark = row.mark if row.source == source.name and _has_files(row) else {}
    found: SentPicture | Unchanged | None = None
    for name in wanted.names:
        found = source.find(name, mark, wait)
        if found is not None:
            break
    row.checked_at = now
    is_new = False
    if isinstance(found, SentPicture):
        digest = sha256(found.data).hexdigest()[:DIGEST]
        if digest != row.digest or not _has_files(row):
            _replace(row, found.data, digest)
            is_new = True
        row.source, row.mark = source.name, found.mark
    elif found is None and not row.digest:
        row.source = source.name
    return row, is_new


def _has_files(row: Picture) -> bool:
    files = [file_of(row.code, row.side, row.digest, size) for size in PICTURE_SIZES]
    return all(each.is_file() for each in files)


def _replace(row: Picture, data: bytes, digest: str) -> None:
    """Write both sizes; then delete the files of the previous picture.

    Not if another language has the same picture, and so the same files.
    """
    old = row.digest
    image = decoded(data)
    for size, pixels in PICTURE_SIZES.items():
        path = file_of(row.code, row.side, digest, size)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        smaller = image.copy()
        smaller.thumbnail((pixels, pixels), Image.Resampling.LANCZOS)
        beside = path.with_suffix(f".{os.getpid()}")
        smaller.save(beside, "WEBP", quality=QUALITY)
        beside.replace(path)
        if size == "large":
            row.width, row.height = smaller.size
    row.digest = digest
    alike = Picture.objects.filter(code=row.code, is_back=row.is_back, digest=old)
    if old and old != digest and not alike.exclude(pk=row.pk).exists():
        for size in PICTURE_SIZES:
            file_of(row.code, row.side, old, size).unlink(missing_ok=True)


def decoded(data: bytes) -> Image.Image:
    """Decode a picture; raise UnusablePicture.

    Its size is checked before it is unpacked: a small file can contain a huge picture.
    """
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                raise UnusablePicture(
                    _("%(width)d × %(height)d pixels are too many")
                    % {"width": image.width, "height": image.height}
                )
            upright = ImageOps.exif_transpose(image)
            return upright.convert("RGBA" if image.has_transparency_data else "RGB")
    except UnusablePicture:
        raise
    except Exception as error:  # decoders may raise anything for untrusted data
        raise UnusablePicture(_("not a picture, or a damaged one")) from error
