"""Middleware for all pages of campaigns."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import resolve
from django.utils.translation import gettext as _

from arkham.web.http import Middleware
from arkham.web.limits import charge, visitor_of, wait_for
from campaigns import queries
from campaigns.guides.opening import GuideMissing
from campaigns.log.store import LogBroken
from campaigns.people import table

_NEWS = re.compile(r"/campaigns/(\d{1,18})/(?:scenario/)?news", re.ASCII)
MOST_KNOWN = 10_000  # browsers of members


class NewsMiddleware:
    """Answers requests for news early if nothing is new, because phones ask often.

    A member is remembered by the cookies of an earlier request. One query checks that
    these are still valid and nothing changed; otherwise, and for visitors over their
    limit, the request is handled as usual.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._known: dict[str, tuple[table.Visitor, str, str]] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return 204 if nothing is new for a known browser."""
        asked = _NEWS.fullmatch(request.path_info) if request.method == "GET" else None
        if asked is None:
            return self.get_response(request)
        cookies = request.headers.get("Cookie", "")
        known = self._known.get(cookies)
        if known is not None and self._is_old(request, int(asked[1]), *known):
            headers = {"Cache-Control": "private, no-store"}
            return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=headers)
        response = self.get_response(request)
        if response.status_code < HTTPStatus.BAD_REQUEST and hasattr(request, "user"):
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            visitor, key = table.visitor_of(request), request.session.session_key
            self._known[cookies] = visitor, key or "", visitor_of(request)
        return response

    def _is_old(
        self, request: HttpRequest, pk: int, visitor: table.Visitor, key: str, who: str
    ) -> bool:
        if wait_for(who):
            return False
        before = time.thread_time()
        mark = queries.mark_of(pk, visitor, key)
        charge(who, time.thread_time() - before)
        request.resolver_match = resolve(request.path_info)  # for the measurements
        return mark is not None and mark.is_seen(request.GET)


class UnreadableCampaigns(Middleware):
    """Shows a page for an unreadable log or a missing guide, which is not our bug.

    The API returns the same as problems (``campaigns.api.access``).
    """

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        """Return 409 with the reason; None for all other errors."""
        match exception:
            case LogBroken():
                detail = _(
                    "We can’t read entry %(sequence)d of the log. Nothing is lost: "
                    "the operator of this server can restore it."
                ) % {"sequence": exception.sequence}
            case GuideMissing():
                detail = str(exception)
            case _:
                return None
        context = {"title": _("We can’t read this campaign"), "detail": detail}
        return render(request, "error.html", context, status=409)
