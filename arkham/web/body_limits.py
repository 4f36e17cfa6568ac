"""Refuses bodies that are too large before any of them is read, uploads included."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from arkham.web import bodies
from arkham.web.errors import problem_or_page, too_large

AROUND_A_FILE = 64 * 1024  # what a form puts around a file
View = TypeVar("View", bound=Callable[..., Any])


def takes_up_to(most: int) -> Callable[[View], View]:
    """Decorates a page to which those who are signed in may send larger bodies."""

    def limited(view: View) -> View:
        view.largest_body = most  # type: ignore[attr-defined]
        return view

    return limited


class BodyLimitMiddleware:
    """Answers 413 from the length a request announces, and 411 where it has none.

    Nothing here unpacks bodies: one that says it is packed is 415.
    A length that isn't a number is 400: whatever reads the body counts on one.

    The limit is the setting ``MAX_BODY_BYTES``, or what the view says of itself: a page
    by :func:`takes_up_to`, an API view by its attribute ``largest_body``. It stands
    before everything that looks into a body, for a form is read, and its files are
    written to the disk, as soon as the token is looked for in it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer; what the view left unread of a body is read first.

        Else servers close the connection without a word, and a program that keeps it
        loses its next request, or this answer. Too much of a stranger's stays unread.
        """
        response = self.get_response(request)
        length = bodies.announced_length(request)
        is_usual = length <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        is_refused = response.status_code == 413 or not is_usual
        if length and (not is_refused or request.user.is_authenticated):
            with suppress(OSError):  # the sender is gone
                bodies.drain_body(request.read, length)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], *_args: Any
    ) -> HttpResponse | None:
        """Refuse what is too large for this view, packed, or of an unknown length."""
        if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
            return problem_or_page(
                request,
                411,
                _("Send it in one piece"),
                _("The request doesn’t say how long its body is (Content-Length)."),
                kind="length-required",
            )
        if request.headers.get("Content-Encoding", "identity").lower() != "identity":
            detail = _("Expected: a body without Content-Encoding.")
            return problem_or_page(request, 415, _("Send it unpacked"), detail)
        if not _is_number(request.META.get("CONTENT_LENGTH") or "0"):
            raise BadRequest
        length, limit = bodies.announced_length(request), _limit(request, view)
        return None if length <= limit else too_large(request, limit)


def _is_number(length: str) -> bool:
    return length.isascii() and length.isdigit()


def _limit(request: HttpRequest, view: Callable[..., Any]) -> int:
    """The most bytes this view takes from a visitor."""
    usual: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    of_class: int | None = getattr(getattr(view, "cls", None), "largest_body", None)
    if of_class is not None:
        return of_class
    own: int | None = getattr(view, "largest_body", None)
    return own if own is not None and request.user.is_authenticated else usual
