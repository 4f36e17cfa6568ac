"""What pages and API views share about HTTP.

Cross-origin use of the API, revisions as ETags, and "the page or only its fragment?".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails
from rest_framework.request import Request

from arkham.problems import Problem

API_PREFIXES = ("/api/v1/", "/api/public/")
Asked = HttpRequest | Request


class CrossOriginMiddleware:
    """Lets any site's scripts use the API, as strangers: never with credentials."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a preflight; add the permission to every other answer."""
        if not request.path.startswith(API_PREFIXES) or "Origin" not in request.headers:
            return self.get_response(request)
        if (
            request.method == "OPTIONS"
            and "Access-Control-Request-Method" in request.headers
        ):
            response = HttpResponse(status=204)
            response["Access-Control-Allow-Methods"] = (
                "GET, HEAD, POST, PUT, PATCH, DELETE"
            )
            response["Access-Control-Allow-Headers"] = (
                "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match"
            )
            response["Access-Control-Max-Age"] = "86400"
        else:
            response = self.get_response(request)
            response["Access-Control-Expose-Headers"] = (
                "ETag, Idempotent-Replayed, Location, Retry-After"
            )
        response["Access-Control-Allow-Origin"] = "*"
        return response


def etag(*parts: object) -> str:
    """A strong ETag of the parts: ``etag(deck.pk, deck.revision)`` → ``"7-3"``."""
    return '"' + "-".join(str(part) for part in parts) + '"'


def is_known(request: Asked, current_etag: str) -> bool:
    """Whether the sender has what this ETag names already.

    Compared weakly (RFC 9110, 13.1.2): an answer that was compressed on its way has a
    weak ETag.
    """
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return known == ["*"] or current_etag in (each.removeprefix("W/") for each in known)


def require_match(
    request: Asked,
    current_etag: str,
    *,
    current: Any,
    yours: Any = None,
    base: Any = None,
) -> None:
    """Refuse an unsafe request that was not made in sight of the current state.

    ``current_etag`` names that state. Raises a 428 problem if ``If-Match`` is
    missing and the problem :func:`stale`, with these versions, if it names another.
    """
    header = request.headers.get("If-Match", "")
    if not header:
        raise Problem(
            428,
            _("Send If-Match with the ETag you last saw, here %(etag)s.")
            % {"etag": current_etag},
            kind="revision-required",
        )
    wanted = parse_etags(header)
    if wanted != ["*"] and current_etag not in wanted:
        raise stale(request, current_etag, current=current, yours=yours, base=base)


def stale(
    request: Asked,
    current_etag: str,
    *,
    current: Any,
    yours: Any = None,
    base: Any = None,
) -> Problem:
    """412: what was to be changed is not what was seen.

    ``current_etag`` names what is there now. The versions show what nobody should lose:
    ``current``, what is there, ``yours``, what was to take its place (None if it was to
    go), and ``base``, what both grew from (None if that is not known).
    """
    return Problem(
        412,
        _("This was changed since: you sent %(sent)s, it is now %(etag)s.")
        % {"sent": request.headers.get("If-Match", ""), "etag": current_etag},
        kind="stale",
        current=current,
        yours=yours,
        base=base,
        etag=current_etag,
    )


def page_or_fragment(
    request: HttpRequest,
    page: str,
    fragment: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """The whole page, or the fragment alone when htmx asks for it.

    A boosted link asks for a page, and so does going back. ``page`` and ``fragment``
    are template names; the page includes the fragment.
    """
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    is_whole = not htmx or htmx.boosted or htmx.history_restore_request
    template = page if is_whole else fragment
    response = render(request, template, dict(context), status=status)
    # A browser going back must not show the fragment as if it were the page.
    patch_vary_headers(
        response, ["HX-Request", "HX-Boosted", "HX-History-Restore-Request"]
    )
    return response
