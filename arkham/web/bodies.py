"""Read request bodies: limited in size, UTF-8, strict JSON, with precise errors.

``arkham.rules.notation.reading`` defines what strict means; here its faults become
problem documents.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import IO, Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.metadata import BaseMetadata
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from arkham.rules.notation.reading import Fault, Unreadable, read_json
from arkham.rules.vocabulary import is_digits
from arkham.web.problems import Problem, pointer

# Errors of the standard library for a broken or hostile zip.
ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)

# With other methods Python unpacks everything, however little is read.
ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

TOO_LARGE = "too-large"  # the kind of the problem
MOST_LENGTH_DIGITS = 15
MOST_DRAINED = 256 * 1024 * 1024  # larger bodies are not read to the end
CHUNK = 256 * 1024


def read(stream: IO[bytes], limit: int | None = None) -> bytes:
    """Return the whole body; raise 413 above ``limit`` bytes.

    The default limit is the setting ``DATA_UPLOAD_MAX_MEMORY_SIZE``.
    """
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE if limit is None else limit
    body = stream.read(limit + 1)
    if len(body) > limit:
        raise too_large(limit)
    return body


class TooManyMembers(zipfile.BadZipFile):
    """The member list of a zip is longer than allowed."""


class _Listed:
    """A zip whose member list is refused if it is too long to read."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream, self._most = stream, most

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def read(self, size: int = -1) -> bytes:
        """Read like a file; raise TooManyMembers for more than the longest list."""
        if size > self._most:
            raise TooManyMembers
        return self._stream.read(size)


def open_zip(stream: IO[bytes], most_listed: int) -> zipfile.ZipFile:
    """Open a zip whose member list has at most ``most_listed`` bytes.

    Raises TooManyMembers for a longer list, unread, or one of ``ZIP_FAULTS``.
    """
    listed: Any = _Listed(stream, most_listed)
    archive = zipfile.ZipFile(listed)
    archive.fp = stream
    return archive


def read_member(file: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """Return at most ``most`` bytes of a member. Raises one of ``ZIP_FAULTS``."""
    if member.compress_type not in ZIP_METHODS:
        raise zipfile.BadZipFile(f"packing method {member.compress_type}")
    with file.open(member) as packed:
        return packed.read(most)


def announced_length(request: HttpRequest) -> int:
    """Return the announced length of the body in bytes; 0 if there is none."""
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    digits = length.lstrip("0")[:MOST_LENGTH_DIGITS] if is_digits(length) else ""
    return int(digits or "0")


def drain_body(read: Callable[[int], bytes], length: int) -> None:
    """Read the rest of a refused body, so that the sender gets the answer."""
    if length <= MOST_DRAINED:
        while read(CHUNK):
            pass


def too_large(limit: int) -> Problem:
    """Return the problem for a body of more than ``limit`` bytes."""
    return Problem(
        413,
        _("The body is larger than the %(limit)d bytes allowed here.")
        % {"limit": limit},
        kind=TOO_LARGE,
    )


def text(body: bytes) -> str:
    """Return the body as text; raise 400 with the first byte that is not UTF-8."""
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem(
            400,
            _("Byte %(byte)d of the body is not UTF-8.") % {"byte": error.start},
            kind="not-utf-8",
            pointer=pointer(),
        ) from error


def fault_data(fault: Fault) -> dict[str, Any]:
    """Return a fault as an item of ``errors``: detail, pointer, expected, position."""
    # What was found may be one of our phrases ("an integer") or the visitor's text.
    found = _(fault.found) if fault.found else ""
    return {
        "detail": _(fault.message).format(found=found),
        "pointer": fault.pointer,
        "expected": _(fault.expected),
        "line": fault.line,
        "column": fault.column,
    }


def strict_json(document: str) -> Any:
    """Return the value of a JSON document; raise 400 with the place of the fault."""
    try:
        return read_json(document)
    except Unreadable as error:
        faults = [fault_data(fault) for fault in error.faults]
        raise Problem(400, kind="not-json", **faults[0], errors=faults) from error


def whole(request: Request) -> bytes:
    """Return the body, read once and cached; raise 413 above the view's limit.

    The framework has one limit for all views, which is lower than ``largest_body`` of
    views that receive files.
    """
    asked: Any = request._request
    if not asked._read_started:
        view = (request.parser_context or {}).get("view")
        asked._body = read(asked, getattr(view, "largest_body", None))
        asked._stream = BytesIO(asked._body)
    return bytes(asked.body)


def value_of(request: Request) -> Any:
    """Return the value of a required body; an empty one is not valid JSON."""
    return request.data if whole(request) else strict_json("")


class StrictJSONParser(BaseParser):
    """The parser of every API view: ``application/json``, strict and bounded."""

    media_type = "application/json"
    largest: int | None = None  # bytes; the usual limit if None

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the value of the body."""
        return strict_json(text(read(stream, self.largest)))


class MergePatchParser(StrictJSONParser):
    """The parser for partial changes (RFC 7396)."""

    media_type = "application/merge-patch+json"


class LinesBody(BaseParser):
    """Accepts JSON lines; the view reads the body."""

    media_type = "application/x-ndjson"


class JSONLBody(LinesBody):
    """The same under the other media type."""

    media_type = "application/jsonl"


class MethodsAlone(BaseMetadata):
    """Answers OPTIONS with just ``Allow``; the API's description has the rest."""

    def determine_metadata(self, request: Request, view: Any) -> None:
        """Return nothing."""


class Negotiation(DefaultContentNegotiation):
    """Content negotiation in which an empty ``Accept`` accepts everything."""

    def get_accept_list(self, request: Request) -> list[str]:
        """Return the media types it names."""
        named = [each for each in super().get_accept_list(request) if each]
        return named or ["*/*"]
