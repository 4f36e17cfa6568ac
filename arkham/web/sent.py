"""What a form has sent, so that it isn't lost where the form was refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any, NamedTuple

from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from arkham.rules.notation.reading import Fault, Unreadable, read_json
from arkham.web.problems import Problem, pointer

TOO_LARGE = "too-large"  # the kind of the problem
MOST_LENGTH_DIGITS = 15
MOST_HEARD_OUT = 256 * 1024 * 1024  # who sends more is not listened to
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


def announced_length(request: HttpRequest) -> int:
    """How many bytes the sender says the body has; 0 if it says nothing."""
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(length[:MOST_LENGTH_DIGITS]) if length.isdecimal() else 0


def hear_out(read: Callable[[int], bytes], length: int) -> None:
    """Let somebody send a body that is refused, so that they hear the refusal."""
    if length <= MOST_HEARD_OUT:
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


def told(fault: Fault) -> dict[str, Any]:
    """A fault as an entry of ``errors``: detail, pointer, expected, line, column."""
    # What was found may be a word of ours ("an integer") or somebody's own.
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
        faults = [told(fault) for fault in error.faults]
        raise Problem(400, kind="not-json", **faults[0], errors=faults) from error


def value_of(request: Request) -> Any:
    """The value of a body that must be there: no body is no JSON, and no object."""
    return request.data if request.body else strict_json("")


class StrictJSONParser(BaseParser):
    """The parser of every API view: ``application/json``, strict and bounded."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The value of the body."""
        return strict_json(text(read(stream)))


class MergePatchParser(StrictJSONParser):
    """The same for what changes a part of something (RFC 7396)."""

    media_type = "application/merge-patch+json"


FORM = "application/x-www-form-urlencoded"
TOKEN = "csrfmiddlewaretoken"  # noqa: S105 (the name of a field)
OURS = re.compile(r"\A(?:[{\[]|\d{5}\w*+ \S++\Z)")
MOST_SHOWN = 200_000  # bytes of a form that a page gives back
Fields = list[tuple[str, str]]


class Sent(NamedTuple):
    """A form that can be sent once more: where to, its fields, what was written."""

    to: str
    fields: Fields
    written: list[str]


def sent(request: HttpRequest) -> Sent | None:
    """The form of a request; None for none, files, passwords and more than is shown.

    It has the token it was sent with and no new one: a form that was forged elsewhere
    stays refused.
    """
    is_form = request.method == "POST" and request.content_type == FORM
    if not is_form or announced_length(request) > MOST_SHOWN:
        return None
    # The body may be what could not be read.
    with suppress(OSError, BadRequest, SuspiciousOperation):
        fields = fields_of(request)
        if fields and not is_secret(fields):
            return Sent(request.get_full_path(), fields, written(fields))
    return None


def written_here(request: HttpRequest) -> list[str]:
    """What somebody wrote in a form of this site; nothing that another site sent."""
    here = f"{request.scheme}://{request.get_host()}"
    is_ours = request.headers.get("Origin") == here
    if not is_ours or announced_length(request) > MOST_SHOWN:
        return []
    # The body may be what could not be read.
    with suppress(OSError, BadRequest, SuspiciousOperation):
        fields = fields_of(request)
        return [] if is_secret(fields) else written(fields)
    return []


def fields_of(request: HttpRequest) -> Fields:
    """The fields of a form, in order."""
    return [
        (name, str(value)) for name, values in request.POST.lists() for value in values
    ]


def is_secret(fields: Fields) -> bool:
    """Whether a password is among them."""
    return any("password" in name for name, _value in fields)


def written(fields: Fields) -> list[str]:
    """What a person wrote themselves, as far as one can tell: more than one word.

    A field's value before it was changed, a deck as JSON and a card with what was
    chosen for it are our own.
    """
    return [
        value
        for name, value in fields
        if len(value.split()) > 1
        and not name.startswith("initial-")
        and not OURS.match(value)
    ]
