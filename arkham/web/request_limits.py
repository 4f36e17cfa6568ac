"""How many requests, and how large ones, may be sent; headers say what is left.

``RateLimit-Policy`` names every limit that counted a request,
``RateLimit`` what is left of it, in the form of
draft-ietf-httpapi-ratelimit-headers-10 (structured fields):

    RateLimit-Policy: "user";q=600;w=60, "work";q=20000;w=60;qu="processor-ms"
    RateLimit: "user";r=598;t=41, "work";r=19877;t=52

``q`` is allowed in ``w`` seconds, ``r`` is left, more comes in ``t`` seconds; ``qu`` is
the unit where it isn't requests.

Who was refused today is remembered for the operator. Each process counts by itself and
adds its counts to those of all now and then: a flood is not made dearer by counting it.
Two that add at the same moment may lose a few.

Bodies that are too large are refused before any of them is read, uploads included.
"""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.throttling import (
    AnonRateThrottle,
    BaseThrottle,
    SimpleRateThrottle,
    UserRateThrottle,
)

from arkham.web import bodies
from arkham.web.errors import problem_or_page, too_large

MOST_ASKERS = 50  # askers that are kept
MOST_HERE = 1_000  # that one process keeps until it reports them
REPORT_EVERY = 5.0  # seconds
DAY = 24 * 60 * 60

_lock = threading.Lock()
_unreported: Counter[str] = Counter()
_next_report = 0.0  # on the clock of time.monotonic


def note_refusal(asker: str) -> None:
    """Count a refusal."""
    global _next_report
    now = time.monotonic()
    with _lock:
        if asker in _unreported or len(_unreported) < MOST_HERE:
            _unreported[asker] += 1
        if now < _next_report:
            return
        _next_report = now + REPORT_EVERY
    most_refused()


def most_refused() -> list[tuple[str, int]]:
    """Who was refused most today, and how often, as far as that was reported."""
    key = f"refused:{timezone.now():%F}"
    with _lock:
        new = Counter(_unreported)
        _unreported.clear()
    known = Counter(cache.get(key) or {})
    if new:
        known.update(new)
        cache.set(key, dict(known.most_common(MOST_ASKERS)), DAY)
    return known.most_common(MOST_ASKERS)


IPV6_NETWORK = 64  # bits; one address of a network stands for all of it
# All who name no address, as behind a socket, are one visitor. It is kept as any other.
NOWHERE = "0.0.0.0"  # noqa: S104


def address_of(request: Any) -> str:
    """The address a request comes from; the network of an IPv6 address.

    An IPv4 address that is written as one of IPv6 is that address all the same:
    servers that listen on both write all of them so.
    """
    try:
        address = ipaddress.ip_address(BaseThrottle().get_ident(request) or "")
    except ValueError:
        return NOWHERE
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    network = ipaddress.IPv6Network((int(address), IPV6_NETWORK), strict=False)
    return str(network.network_address)


POLICY, STATE = "RateLimit-Policy", "RateLimit"
_NOTED = "_rate_limits"


class RateLimit(NamedTuple):
    """A limit, and how much of it a visitor has used; times are seconds."""

    name: str
    quota: int
    window: int
    left: int
    more_in: float
    unit: str = ""

    def policy(self) -> str:
        """What is allowed."""
        unit = f';qu="{self.unit}"' if self.unit else ""
        return f'"{self.name}";q={self.quota};w={self.window}{unit}'

    def state(self) -> str:
        """What is left."""
        return f'"{self.name}";r={max(0, self.left)};t={math.ceil(self.more_in)}'


def note(request: HttpRequest | Request, limit: RateLimit) -> None:
    """Keep a limit for the headers of the answer to this request."""
    bare = request._request if isinstance(request, Request) else request
    bare.__dict__.setdefault(_NOTED, []).append(limit)


class RateLimitMiddleware:
    """Puts the limits that counted a request into the headers of its answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and say what is left; who was refused is noted for the operator."""
        response = self.get_response(request)
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            note_refusal(_name_of(request))
        limits = request.__dict__.get(_NOTED)
        if limits and request.path.startswith("/api/"):
            response[POLICY] = ", ".join(each.policy() for each in limits)
            response[STATE] = ", ".join(each.state() for each in limits)
        return response


def _name_of(request: HttpRequest) -> str:
    """What the operator knows an asker by: a key, an account, an address."""
    if prefix := getattr(getattr(request, "auth", None), "prefix", ""):
        return f"orne_{prefix}_…"
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return str(user.get_username())
    return address_of(request)


class Throttle(SimpleRateThrottle):
    """What all throttles of the API share: they say where one stands."""

    key: str | None = None
    now: float
    history: list[float]  # when requests came, the latest first
    num_requests: int
    duration: int  # seconds

    def get_ident(self, request: Any) -> str:
        """The address of a stranger, with its whole network."""
        return address_of(request)

    def allow_request(self, request: Any, view: Any) -> bool:
        """Whether there is room for the request; what is left then is noted."""
        is_allowed = bool(super().allow_request(request, view))
        if self.key is not None:
            note(request, self._limit(is_allowed))
        return is_allowed

    def _limit(self, is_allowed: bool) -> RateLimit:
        oldest = self.history[-1] if self.history else self.now
        more_in = self.duration - (self.now - oldest)
        if not is_allowed:
            more_in = self.wait() or more_in
        left = self.num_requests - len(self.history)
        return RateLimit(
            str(self.scope), self.num_requests, self.duration, left, more_in
        )


class AnonThrottle(Throttle, AnonRateThrottle):
    """Counts the requests of an address without an account."""


class UserThrottle(Throttle, UserRateThrottle):
    """Counts the requests of an account."""


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
