"""What a form has sent: kept where it was refused, done once where it came twice."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from hashlib import sha256
from typing import Any, NamedTuple

from django.core.cache import cache
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase

from arkham.web.bodies import announced_length

FORM = "application/x-www-form-urlencoded"
TOKEN = "csrfmiddlewaretoken"  # noqa: S105 (the name of a field)
OURS = re.compile(r"\A(?:[{\[]|\d{5}\w*+ \S++\Z)")
MOST_SHOWN = 200_000  # bytes of a form that a page gives back
SECOND_PRESS = 5  # seconds after its answer in which the same form is a second press
LONGEST_WAIT = 20  # seconds for the answer to the first press
LOOK = 0.05
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


def sent_once(view: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a page whose form begins or ends something: done once if pressed twice.

    A page has a token of its own, so the same fields with the same token are the same
    form. The second press is answered as the first, which the browser has dropped.
    """

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer: HttpResponseBase
        if request.method != "POST" or not request.POST.get(TOKEN):
            answer = view(request, *args, **kwargs)
            return answer
        key = _press(request)
        if first := _first_answer(key):
            answer, session = first
            if session and request.session.session_key is None:
                request.session = type(request.session)(session)
                request.session.modified = True
            return answer
        kept = None
        try:
            answer = view(request, *args, **kwargs)
            if answer.status_code < 400:
                if request.session.modified:
                    request.session.save()
                kept = answer, request.session.session_key
        finally:
            if kept:
                cache.set(key, kept, SECOND_PRESS)
            else:
                cache.delete(key)
        return answer

    return page


def _press(request: HttpRequest) -> str:
    """A digest of a form, who sent it and from which page."""
    files = [(str(each), getattr(each, "size", 0)) for each in request.FILES.values()]
    form = (request.user.pk, request.get_full_path(), fields_of(request), files)
    return f"press:{sha256(repr(form).encode()).hexdigest()}"


def _first_answer(key: str) -> Any:
    """What the first press was answered; None for the first, or one that takes long."""
    until = time.monotonic() + LONGEST_WAIT
    while not cache.add(key, (), LONGEST_WAIT) and time.monotonic() < until:
        if found := cache.get(key):
            return found
        time.sleep(LOOK)
    return None
