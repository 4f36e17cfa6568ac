"""Limits per visitor: work, changes, and stored things."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS
from rest_framework.throttling import SimpleRateThrottle

from arkham.web.errors import problem_or_page
from arkham.web.forms import sent
from arkham.web.http import Middleware
from arkham.web.problems import when_to_try_again
from arkham.web.quotas import QuotaReached
from arkham.web.request_limits import RateLimit, Throttle, address_of, note

MINUTE = 60
REPORT_FROM = 0.1  # seconds of work before other processes are informed
MOST_VISITORS = 10_000  # remembered at once; earlier minutes are forgotten
MILLISECONDS = 1_000


@dataclass(slots=True)
class _Spent:
    """The time a visitor's requests took in one minute, in seconds."""

    minute: int
    reported: float = 0.0  # in all processes, as of the last report
    unreported: float = 0.0  # here, since then

    @property
    def total(self) -> float:
        return self.reported + self.unreported


_visitors: dict[str, _Spent] = {}
_lock = threading.Lock()


def wait_for(visitor: str) -> int:
    """Return the seconds until the visitor may ask again; 0 if they may now."""
    most = settings.ORNE_WORK
    if not most:
        return 0
    now = time.time()
    spent = _visitors.get(visitor)
    if spent is None or spent.minute != now // MINUTE or spent.total < most:
        return 0
    return MINUTE - int(now % MINUTE)


def spent_by(visitor: str) -> tuple[int, int, int] | None:
    """Return a visitor's limit and use in milliseconds, and the seconds left.

    None if there is no limit.
    """
    most = settings.ORNE_WORK
    if not most:
        return None
    now = time.time()
    spent = _visitors.get(visitor)
    is_current = spent is not None and spent.minute == now // MINUTE
    taken = spent.total if spent is not None and is_current else 0.0
    left_of_minute = MINUTE - int(now % MINUTE)
    return round(most * MILLISECONDS), round(taken * MILLISECONDS), left_of_minute


def charge(visitor: str, seconds: float) -> None:
    """Record the time that a visitor's request took."""
    if not settings.ORNE_WORK:
        return
    minute = int(time.time() // MINUTE)
    with _lock:
        spent = _visitors.get(visitor)
        if spent is None or spent.minute != minute:
            _forget_earlier(minute)
            spent = _visitors[visitor] = _Spent(minute)
        spent.unreported += seconds
        if spent.unreported < REPORT_FROM:
            return
        unreported, spent.unreported = spent.unreported, 0.0
    spent.reported = _report(f"work:{visitor}:{minute}", unreported)


def _report(key: str, seconds: float) -> float:
    """Add to the total of all processes, and return it."""
    cache.add(key, 0, 2 * MINUTE)
    try:
        return cache.incr(key, round(seconds * MILLISECONDS)) / MILLISECONDS
    except ValueError:  # it expired between the two calls
        return seconds


def _forget_earlier(minute: int) -> None:
    if len(_visitors) < MOST_VISITORS:
        return
    for visitor in [key for key, each in _visitors.items() if each.minute != minute]:
        del _visitors[visitor]


FREE = ("/healthz", "/static/", "/cards/pictures/")  # never counted
View = TypeVar("View", bound=Callable[..., Any])


def keeps_something(view: View) -> View:
    """Decorate a page on which strangers create something that is stored."""
    view.keeps_something = True  # type: ignore[attr-defined]
    return view


def visitor_of(request: HttpRequest) -> str:
    """Return the key a visitor is counted by: the account on a page, else the address.

    Programs are counted by their address: much of the API needs no account.
    """
    if not request.path.startswith("/api/") and request.user.is_authenticated:
        return f"account-{request.user.pk}"
    return address_of(request)


class _VisitorThrottle(Throttle):
    """Counts requests of a page's visitor.

    ``accounts`` is whether accounts alone are counted, or strangers; None for both.
    """

    accounts: bool | None = None

    def get_rate(self) -> str | None:
        """Return the rate in the settings; None, for no limit, if there is none."""
        return self.THROTTLE_RATES.get(str(self.scope))

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """Return the visitor's counter; None for visitors not counted."""
        if self.accounts not in (None, request.user.is_authenticated):
            return None
        ident = visitor_of(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}


class ChangesOfStrangers(_VisitorThrottle):
    """Counts forms sent by strangers, by address."""

    scope = "pages_anonymous"


class ChangesOfAccounts(_VisitorThrottle):
    """Counts forms sent by an account."""

    scope = "pages_account"


class KeptForStrangers(_VisitorThrottle):
    """Counts what is stored for strangers, by address: drafts, guests, sessions."""

    scope, accounts = "kept_anonymous", False


class SharedByAccounts(_VisitorThrottle):
    """Counts what an account shares that falls under the quota for all strangers."""

    scope, accounts = KeptForStrangers.scope, True


class JobsOfAccounts(_VisitorThrottle):
    """Counts the jobs an account starts, on pages and by programs."""

    scope = "jobs"


class WebhooksOfAccounts(_VisitorThrottle):
    """Counts the messages an account sends by hand, and the webhooks it creates."""

    scope = "webhooks"


class ReportsOfVisitors(_VisitorThrottle):
    """Counts the published decks that a visitor reports."""

    scope = "reports"


class LimitsMiddleware(Middleware):
    """Answers 429 to too many requests, and 409 to too much storage.

    Work is counted on every page and API view; the API's throttles count its requests.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and count the time it took."""
        if request.path.startswith(FREE):
            return self.get_response(request)
        visitor = visitor_of(request)
        if wait := wait_for(visitor):
            _note_work(request, visitor)
            return too_many(request, wait)
        before = time.thread_time()
        try:
            return self.get_response(request)
        finally:
            charge(visitor, time.thread_time() - before)
            _note_work(request, visitor)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], *_args: Any
    ) -> HttpResponse | None:
        """Refuse a form beyond the limit."""
        if request.method in SAFE_METHODS or request.path.startswith("/api/"):
            return None
        throttles: list[SimpleRateThrottle] = []
        if request.user.is_authenticated:
            throttles.append(ChangesOfAccounts())
        else:
            throttles.append(ChangesOfStrangers())
            if getattr(view, "keeps_something", False):
                throttles.append(KeptForStrangers())
        for each in throttles:
            if refusal := refused_by(each, request):
                return refusal
        return None

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        """Return a page for a reached quota; the API has its own problem."""
        if not isinstance(exception, QuotaReached):
            return None
        return problem_or_page(
            request,
            409,
            _("Limit reached"),
            str(exception),
            kind="quota",
            way=_way_to_room(request, exception.kind),
        )


def _way_to_room(request: HttpRequest, kind: str) -> tuple[str, str] | None:
    """Return where the visitor can make room: an address and its label."""
    found = request.resolver_match
    args = [found.kwargs["pk"]] if found and "pk" in found.kwargs else []
    match kind:
        case "drafts" | "draft_letters":
            return reverse("account_login"), _("Sign in")
        case "decks":
            return reverse("decks:index"), _("My decks")
        case "revisions" if args:
            return reverse("decks:show", args=args), _("Back to the deck")
        case "collections":
            return reverse("decks:collections"), _("Collections")
        case "jobs":
            return reverse("jobs:index"), _("Jobs")
        case "webhooks":
            return reverse("webhooks:index"), _("Webhooks")
        case "links" | "organisers" if args:
            return reverse("campaigns:people", args=args), _("People")
        case "campaigns" | "branches":
            return reverse("campaigns:index"), _("Campaigns")
    return None


def _way_back(request: HttpRequest) -> tuple[str, str] | None:
    """Return the page with the sent form, if the browser names it."""
    page = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(page, {request.get_host()})
    if request.method != "POST" or not page or not is_ours:
        return None
    return page, _("Back to the form")


def refused_by(
    throttle: SimpleRateThrottle, request: HttpRequest
) -> HttpResponse | None:
    """Count the visitor; return 429 if they may do no more of this for now."""
    if throttle.allow_request(request, None):  # type: ignore[arg-type]
        return None
    return too_many(request, int(throttle.wait() or 0) + 1)


def _note_work(request: HttpRequest, visitor: str) -> None:
    """Report to the program how much work it has left."""
    if spent := spent_by(visitor):
        most, taken, more_in = spent
        unit = "processor-ms"
        note(request, RateLimit("work", most, MINUTE, most - taken, more_in, unit))


def too_many(request: HttpRequest, wait: int) -> HttpResponse:
    """Return 429 with the seconds to wait; a sent form can be sent again."""
    answer = problem_or_page(
        request,
        429,
        _("Too many requests"),
        when_to_try_again(wait),
        kind="throttled",
        way=_way_back(request),
        again=sent(request),
    )
    answer["Retry-After"] = str(wait)
    return answer
