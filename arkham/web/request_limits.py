"""Limit the number and size of requests; headers say what is left.

``RateLimit-Policy`` names every limit that counted a request, ``RateLimit`` the rest
of each, in the format of draft-ietf-httpapi-ratelimit-headers-10 (structured fields):

    RateLimit-Policy: "user";q=600;w=60, "work";q=20000;w=60;qu="processor-ms"
    RateLimit: "user";r=598;t=41, "work";r=19877;t=52

``q`` is allowed in ``w`` seconds, ``r`` is left, more is granted in ``t`` seconds;
``qu`` is the unit unless it is requests.

Today's refusals are recorded for the operator. Each process counts for itself and adds
its counts to the shared ones now and then, so that counting doesn't make a flood more
expensive. Two processes that add at the same moment may lose a few.

Bodies that are too large are refused before any part is read, uploads included.
"""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from http import HTTPStatus
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.core.cache import BaseCache, cache
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

from arkham.rules.vocabulary import is_digits
from arkham.web import bodies
from arkham.web.errors import is_for_programs, problem_or_page, too_large
from arkham.web.http import Middleware

MOST_ASKERS = 50  # askers that are stored
MOST_HERE = 1_000  # stored by one process until it reports them
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
    """Return who was refused most today, and how often, as far as reported."""
    key = f"refused:{timezone.now():%F}"
    with _lock:
        new = Counter(_unreported)
        _unreported.clear()
    known = Counter(cache.get(key) or {})
    if new:
        known.update(new)
        cache.set(key, dict(known.most_common(MOST_ASKERS)), DAY)
    return known.most_common(MOST_ASKERS)


IPV6_NETWORK = 64  # bits; one address of a network represents all of it
# All without an address, as behind a socket, count as one visitor.
NOWHERE = "0.0.0.0"  # noqa: S104


def address_of(request: Any) -> str:
    """Return the address of a request; for IPv6 its network."""
    return _address(BaseThrottle().get_ident(request) or "")


@lru_cache(maxsize=1_000)  # several parts of a request ask for its address
def _address(text: str) -> str:
    """Read an IPv4 address mapped to IPv6 as IPv4: servers of both map all of them."""
    try:
        address = ipaddress.ip_address(text)
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
    """A limit, and a visitor's use of it; times are in seconds."""

    name: str
    quota: int
    window: int
    left: int
    more_in: float
    unit: str = ""

    def policy(self) -> str:
        """Return the allowed amount, for the header."""
        unit = f';qu="{self.unit}"' if self.unit else ""
        return f'"{self.name}";q={self.quota};w={self.window}{unit}'

    def state(self) -> str:
        """Return the remaining amount, for the header."""
        return f'"{self.name}";r={max(0, self.left)};t={math.ceil(self.more_in)}'


def note(request: HttpRequest | Request, limit: RateLimit) -> None:
    """Store a limit for the headers of the answer to this request."""
    bare = request._request if isinstance(request, Request) else request
    bare.__dict__.setdefault(_NOTED, []).append(limit)


class RateLimitMiddleware(Middleware):
    """Adds the limits that counted a request to the headers of its answer."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer with what is left; note refusals for the operator."""
        response = self.get_response(request)
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            note_refusal(_name_of(request))
        limits = request.__dict__.get(_NOTED)
        if limits and is_for_programs(request.path):
            response[POLICY] = ", ".join(each.policy() for each in limits)
            response[STATE] = ", ".join(each.state() for each in limits)
        return response


def _name_of(request: HttpRequest) -> str:
    """Return the asker's name for the operator: a key, an account, an address."""
    if prefix := getattr(getattr(request, "auth", None), "prefix", ""):
        return f"orne_{prefix}_…"
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return str(user.get_username())
    return address_of(request)


class Recorded(NamedTuple):
    """A request that was counted or refused, with the earlier ones of its window."""

    is_allowed: bool
    used: int  # requests of the window, with this one if it is allowed
    since: float  # when the request was sent that makes room when it leaves the window


def record(
    store: BaseCache, key: str, now: float, most: int, window: int, weight: int = 1
) -> Recorded:
    """Count a request as ``weight`` ones if at most ``most`` are in the window then.

    A cache may do so in one step, by a method ``record`` with the same arguments, which
    returns None if it can't now. Otherwise requests sent at once may count as one.
    """
    at_once = getattr(store, "record", None)
    if at_once and (found := at_once(key, now, most, window, weight)):
        return Recorded(*found)
    times = [each for each in store.get(key, ()) if each > now - window]  # latest first
    surplus = len(times) + weight - most
    if surplus > 0:
        since = times[-min(surplus, len(times))] if times else now
        return Recorded(is_allowed=False, used=len(times), since=since)
    times[:0] = [now] * weight
    store.set(key, times, window)
    return Recorded(is_allowed=True, used=len(times), since=times[-1])


class Throttle(SimpleRateThrottle):
    """The base of all API throttles, which report the remaining requests."""

    cache_format = "requests_%(scope)s_%(ident)s"
    weight = 1  # requests that this one counts as
    now: float
    recorded: Recorded
    num_requests: int
    duration: int  # seconds

    def get_ident(self, request: Any) -> str:
        """Return the address of a stranger, or its IPv6 network."""
        return address_of(request)

    def allow_request(self, request: Any, view: Any) -> bool:
        """Return whether the request is allowed; count it, and note what is left."""
        key = self.get_cache_key(request, view) if self.rate else None
        if key is None:
            return True
        most, window = self.num_requests, self.duration
        self.now = self.timer()
        self.recorded = record(self.cache, key, self.now, most, window, self.weight)
        left, more_in = most - self.recorded.used, self.wait()
        note(request, RateLimit(str(self.scope), most, window, left, more_in))
        return self.recorded.is_allowed

    def wait(self) -> float:
        """Return the seconds until there is room for another request."""
        return self.recorded.since + self.duration - self.now


class AnonThrottle(Throttle, AnonRateThrottle):
    """Counts the requests of an address without an account."""


class UserThrottle(Throttle, UserRateThrottle):
    """Counts the requests of an account."""


AROUND_A_FILE = 64 * 1024  # bytes that a form adds to a file
View = TypeVar("View", bound=Callable[..., Any])


def takes_up_to(most: int) -> Callable[[View], View]:
    """Decorate a page to which signed-in visitors may send larger bodies."""

    def limited(view: View) -> View:
        view.largest_body = most  # type: ignore[attr-defined]
        return view

    return limited


class BodyLimitMiddleware(Middleware):
    """Answers 413 if a request announces too large a body, and 411 if it has no length.

    Nothing here unpacks bodies: compressed ones are 415. A length that isn't a number
    is 400, because readers of the body rely on one.

    The limit is the setting ``MAX_BODY_BYTES``, or the view's own: a page's by
    :func:`takes_up_to`, an API view's by its attribute ``largest_body``. It must come
    before all middleware that reads bodies, because a form is read, and its files
    written to disk, as soon as the CSRF token is looked up.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the answer, after reading what the view left of the body.

        Otherwise servers close the connection, and a program that reuses it loses its
        next request, or this answer. Large bodies of strangers stay unread.
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
        """Refuse a body too large for this view, compressed, or of unknown length."""
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
        if not is_digits(request.META.get("CONTENT_LENGTH") or "0"):
            raise BadRequest
        length, limit = bodies.announced_length(request), _limit(request, view)
        return None if length <= limit else too_large(request, limit)


def _limit(request: HttpRequest, view: Callable[..., Any]) -> int:
    """Return the most bytes this view accepts from a visitor."""
    usual: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    of_class: int | None = getattr(getattr(view, "cls", None), "largest_body", None)
    if of_class is not None:
        return of_class
    own: int | None = getattr(view, "largest_body", None)
    return own if own is not None and request.user.is_authenticated else usual
