"""Reading request bodies: bounded, UTF-8, strict JSON, and saying what is wrong.

What strict means is said where it is done, in ``arkham.rules.notation.reading``; here
its faults become problem documents.
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
from arkham.web.problems import Problem, pointer

# What the standard library raises at a broken or hostile zip.
ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)

# Of others Python unpacks all there is, however little of it is asked for.
ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

TOO_LARGE = "too-large"  # the kind of the problem
MOST_LENGTH_DIGITS = 15
MOST_DRAINED = 256 * 1024 * 1024  # who sends more is not listened to
CHUNK = 256 * 1024


def read(stream: IO[bytes], limit: int | None = None) -> bytes:
    """The whole body, refused with 413 above ``limit`` bytes.

    The default limit is the setting ``DATA_UPLOAD_MAX_MEMORY_SIZE``.
    """
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE if limit is None else limit
    body = stream.read(limit + 1)
    if len(body) > limit:
        raise too_large(limit)
    return body


class TooManyMembers(zipfile.BadZipFile):
    """The list of what a zip holds is longer than was allowed."""


class _Listed:
    """A zip whose endless list of members is never read at once."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream, self._most = stream, most

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def read(self, size: int = -1) -> bytes:
        """As of any file; TooManyMembers for more than the longest list."""
        if size > self._most:
            raise TooManyMembers
        return self._stream.read(size)


def open_zip(stream: IO[bytes], most_listed: int) -> zipfile.ZipFile:
    """A zip whose list of members has at most so many bytes.

    Raises TooManyMembers for a longer one, before it is read, or one of ``ZIP_FAULTS``.
    """
    listed: Any = _Listed(stream, most_listed)
    archive = zipfile.ZipFile(listed)
    archive.fp = stream
    return archive


def read_member(file: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """At most so many bytes of a file in a zip. Raises one of ``ZIP_FAULTS``."""
    if member.compress_type not in ZIP_METHODS:
        raise zipfile.BadZipFile(f"packing method {member.compress_type}")
    with file.open(member) as packed:
        return packed.read(most)


def announced_length(request: HttpRequest) -> int:
    """How many bytes the sender says the body has; 0 if it says nothing."""
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    is_number = length.isascii() and length.isdigit()
    return int(length[:MOST_LENGTH_DIGITS]) if is_number else 0


def drain_body(read: Callable[[int], bytes], length: int) -> None:
    """Read the rest of a refused body, so that the sender gets the answer."""
    if length <= MOST_DRAINED:
        while read(CHUNK):
            pass


def too_large(limit: int) -> Problem:
    """The refusal of a body of more than ``limit`` bytes."""
    return Problem(
        413,
        _("The body is larger than the %(limit)d bytes allowed here.")
        % {"limit": limit},
        kind=TOO_LARGE,
    )


def text(body: bytes) -> str:
    """The body as text; 400 with the position of the first byte that is not UTF-8."""
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
    """A fault as an entry of ``errors``: detail, pointer, expected, line, column."""
    # What was found may be a word of ours ("an integer") or a visitor's own.
    found = _(fault.found) if fault.found else ""
    return {
        "detail": _(fault.message).format(found=found),
        "pointer": fault.pointer,
        "expected": _(fault.expected),
        "line": fault.line,
        "column": fault.column,
    }


def strict_json(document: str) -> Any:
    """The value of a JSON document; 400 with line, column and what was expected."""
    try:
        return read_json(document)
    except Unreadable as error:
        faults = [fault_data(fault) for fault in error.faults]
        raise Problem(400, kind="not-json", **faults[0], errors=faults) from error


def whole(request: Request) -> bytes:
    """The body, read once and kept; 413 for more than its view takes.

    The framework has one limit for all views, lower than that of a view whose
    ``largest_body`` says that files come here.
    """
    asked: Any = request._request
    if not asked._read_started:
        view = (request.parser_context or {}).get("view")
        asked._body = read(asked, getattr(view, "largest_body", None))
        asked._stream = BytesIO(asked._body)
    return bytes(asked.body)


def value_of(request: Request) -> Any:
    """The value of a body that must be there: no body is no JSON, and no object."""
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
        """The value of the body."""
        return strict_json(text(read(stream, self.largest)))


class MergePatchParser(StrictJSONParser):
    """The same for what changes a part of something (RFC 7396)."""

    media_type = "application/merge-patch+json"


class LinesBody(BaseParser):
    """A body is JSON lines; its view reads it."""

    media_type = "application/x-ndjson"


class JSONLBody(LinesBody):
    """The same under its other name."""

    media_type = "application/jsonl"


class MethodsAlone(BaseMetadata):
    """Answers OPTIONS by the header ``Allow``: the API's description has the rest."""

    def determine_metadata(self, request: Request, view: Any) -> None:
        """Nothing."""


class Negotiation(DefaultContentNegotiation):
    """What ``Accept`` asks for; one that names nothing takes anything."""

    def get_accept_list(self, request: Request) -> list[str]:
        """The types it names."""
        named = [each for each in super().get_accept_list(request) if each]
        return named or ["*/*"]
