"""What a form has sent, so that it isn't lost where the form was refused."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NamedTuple

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError

from arkham.web.bodies import announced_length

FORM = "application/x-www-form-urlencoded"
TOKEN = "csrfmiddlewaretoken"  # noqa: S105 (the name of a field)
OURS = re.compile(r"\A(?:[{\[]|\d{5}\w*+ \S++\Z)")
MOST_SHOWN = 200_000  # bytes of a form that a page gives back
UNREADABLE = (OSError, BadRequest, MultiPartParserError, SuspiciousOperation)
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
    if request.method != "POST" or announced_length(request) > MOST_SHOWN:
        return None
    # The body may be what could not be read.
    with suppress(*UNREADABLE):
        fields = fields_of(request)
        if is_form(request) and fields and not is_secret(fields):
            return Sent(request.get_full_path(), fields, written(fields))
    return None


def written_here(request: HttpRequest) -> list[str]:
    """What was written in a form of this site; nothing that another site sent."""
    here = f"{request.scheme}://{request.get_host()}"
    is_ours = request.headers.get("Origin") == here
    if not is_ours or announced_length(request) > MOST_SHOWN:
        return []
    # The body may be what could not be read.
    with suppress(*UNREADABLE):
        fields = fields_of(request)
        return [] if is_secret(fields) else written(fields)
    return []


def is_form(request: HttpRequest) -> bool:
    """Whether it can be sent once more: a form, without a file that was chosen."""
    kind = request.content_type
    return kind == FORM or (kind == "multipart/form-data" and not request.FILES)


def fields_of(request: HttpRequest) -> Fields:
    """The fields of a form, in order."""
    return [
        (name, str(value)) for name, values in request.POST.lists() for value in values
    ]


def is_secret(fields: Fields) -> bool:
    """Whether a password is among them."""
    return any("password" in name for name, _value in fields)


def written(fields: Fields) -> list[str]:
    """What a person wrote themselves, as far as can be seen: more than one word.

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
