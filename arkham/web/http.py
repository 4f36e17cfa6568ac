"""HTTP helpers for pages and API views.

Cross-origin use of the API, revisions as ETags, and pages or fragments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import blake2b, md5
from typing import Any

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import parse_etags, parse_http_date_safe, quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django_htmx.middleware import HtmxDetails
from rest_framework.request import Request

from arkham.web.problems import Problem, problem_response

SIZE = 8  # letters
MOST = 1_000  # pieces of one page


def mark_of(*shown: object) -> str:
    """Return letters that change if anything shown changes."""
    return blake2b(repr(shown).encode(), digest_size=SIZE // 2).hexdigest()


def marks_in(sent: str, edition: str) -> frozenset[str]:
    """Return the marks of the pieces that the page shows.

    Empty if the page was made in another ``edition``, which all pieces depend on.
    """
    of, _dot, marks = sent.partition(".")
    if of != edition:
        return frozenset()
    ends = range(SIZE, min(len(marks), MOST * SIZE) + 1, SIZE)
    return frozenset(marks[end - SIZE : end] for end in ends)


API_PREFIXES = ("/api/v1/", "/api/public/", "/api/oauth2/", "/api/schema")
# Scripts of any site may use these: also for tokens, and as for arkham.build.
CROSS_ORIGIN = (*API_PREFIXES, "/oauth/v2/token", "/oauth/v2/revoke", "/v1/")
# Headers that decide between a page and a part of it.
HTMX_HEADERS = ("HX-Request", "HX-Target", "HX-Boosted", "HX-History-Restore-Request")
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
UTF_8 = ("utf-8", "utf8")
PACKED = ("font/", "image/png", "image/webp")  # nothing is gained by gzip
BARE = (204, 304)  # no content, so nothing to compress
Asked = HttpRequest | Request
_NO_GZIP = re.compile(r"\bgzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)")


class Middleware:
    """A middleware that passes everything on; subclasses add hooks.

    An error raised in ``__call__`` would have no page, and no view is known there.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the view's answer."""
        return self.get_response(request)


class Utf8FormsMiddleware(Middleware):
    """Refuses forms in encodings other than UTF-8: they would be misread."""

    def process_view(self, request: HttpRequest, *_args: Any) -> None:
        """Refuse a form in another encoding; BadRequest becomes 400."""
        charset = (request.content_params or {}).get("charset", "utf-8")
        if request.content_type in FORMS and charset.lower() not in UTF_8:
            raise BadRequest


def takes_gzip(request: Asked) -> bool:
    """Return whether the sender accepts gzip; ``gzip;q=0`` is no (RFC 9110, 12.5.3)."""
    accepted = request.headers.get("Accept-Encoding", "").lower()
    return "gzip" in accepted and not _NO_GZIP.search(accepted)


class PackingMiddleware(GZipMiddleware):
    """Compresses answers for clients that accept it."""

    def process_request(self, request: HttpRequest) -> None:
        """Adapt the conditions to WhiteNoise, which compares only strong ETags.

        It ignores If-Range, so without the Range the whole file is sent.
        """
        sent = request.META
        if "HTTP_IF_NONE_MATCH" in sent:  # always compared weakly (RFC 9110, 13.1.2)
            known = sent["HTTP_IF_NONE_MATCH"]
            sent["HTTP_IF_NONE_MATCH"] = known.strip().removeprefix("W/")
        if "HTTP_IF_RANGE" in sent:
            sent.pop("HTTP_RANGE", None)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the answer in gzip, except packed kinds and for clients without gzip.

        Whether a short answer is compressed depends on random padding, which hides its
        size; if it would grow, it is sent as it is. Its ETag is weak either way, so
        that a state always has the same one, also where there is nothing to compress.
        """
        if response.get("Content-Type", "").startswith(PACKED):
            return response
        etag, takes, packed = response.get("ETag", ""), takes_gzip(request), response
        is_bare = response.status_code in BARE or "Content-Range" in response
        if is_bare or not takes:
            patch_vary_headers(response, ("Accept-Encoding",))
        else:
            packed = super().process_response(request, response)
        if isinstance(packed, StreamingHttpResponse) and request.method == "HEAD":
            packed.streaming_content = ()  # else nothing in gzip, which is something
        is_state = packed.status_code == 304 or getattr(packed, "content", True)
        if takes and is_state and etag.startswith('"'):
            packed["ETag"] = f"W/{etag}"
        return packed


class PrivateByDefaultMiddleware(Middleware):
    """Keeps answers out of shared caches unless they declare otherwise.

    Every page shows who is signed in. With ``no-cache`` a browser may store a page but
    must revalidate it, so nothing is shown from the cache after signing out.

    The answer to a form is only for the browser's history, which respects ``Vary``:
    after a visitor's first cookie, as with a first deck, Back would show an error
    instead of the page.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the answer, private unless the view decides otherwise."""
        response = self.get_response(request)
        if "Cache-Control" not in response:
            response["Cache-Control"] = "private, no-cache"
            is_known = settings.SESSION_COOKIE_NAME in request.COOKIES
            is_page = response.get("Content-Type", "").startswith("text/html")
            if request.method == "POST" and is_page and not is_known:
                del response["Vary"]
        return response


class PolicyMiddleware(CSPMiddleware):
    """Adds the content security policy, which is built once for most answers."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the answer with the policy of all, or its own."""
        if settings.DEBUG or any(name.startswith("_csp_") for name in vars(response)):
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, _policy())
        return response


@cache
def _policy() -> str:
    return build_policy()


class ConditionalApiMiddleware(MiddlewareMixin):
    """Answers 304 if a program already has what it asks the API for, lists included.

    An answer without an ETag gets one from its content, even if caches may not store
    it: a program may have. Refusals and redirects get none, because they are not the
    state of anything.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return an API answer with an ETag, or 304; others unchanged.

        For HEAD the content is still here: the server drops it later.
        """
        is_read = request.method in ("GET", "HEAD")
        is_ours = request.path.startswith(API_PREFIXES)
        if not (is_read and is_ours) or response.status_code >= 300:
            return response
        if not isinstance(response, HttpResponse):
            return response
        if not response.has_header("ETag"):
            digest = md5(response.content, usedforsecurity=False)
            response["ETag"] = quote_etag(digest.hexdigest())
        since = response.get("Last-Modified")
        modified = parse_http_date_safe(since) if since else None
        return conditional(request, response["ETag"], modified, response)


def conditional(
    request: HttpRequest,
    current_etag: str,
    modified: int | None,
    response: HttpResponse,
) -> HttpResponseBase:
    """Return 304 if the sender has this state, 412 if it wants another one.

    ``modified`` is in seconds. The refusal is a problem, as everywhere.
    """
    final = get_conditional_response(request, current_etag, modified, response)
    if final is None or final.status_code != 412:
        return final or response
    if _names(request, current_etag):
        return response
    now = {"etag": current_etag}
    detail = _("The state isn’t the one you expected: it is %(etag)s.") % now
    return problem_response(request, 412, detail, kind="precondition", **now)


def _names(request: Asked, current_etag: str) -> bool:
    """Return whether ``If-Match`` names this state, as a strong or weak tag."""
    wanted = parse_etags(request.headers.get("If-Match", ""))
    current = current_etag.removeprefix("W/")
    return wanted == ["*"] or current in (each.removeprefix("W/") for each in wanted)


class CrossOriginMiddleware(Middleware):
    """Lets scripts of any site use the API anonymously, never with credentials."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a preflight; add the permission to every other answer."""
        if not request.path.startswith(CROSS_ORIGIN) or "Origin" not in request.headers:
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
                "Authorization, Content-Type, Idempotency-Key, If-Match, "
                "If-Modified-Since, If-None-Match"
            )
            response["Access-Control-Max-Age"] = "86400"
        else:
            response = self.get_response(request)
            response["Access-Control-Expose-Headers"] = (
                "ETag, Idempotent-Replayed, Link, Location, RateLimit, "
                "RateLimit-Policy, Retry-After, X-Request-ID"
            )
        response["Access-Control-Allow-Origin"] = "*"
        return response


def with_or_without_slash(
    route: str,
    view: Callable[..., HttpResponseBase],
    name: str | None = None,
) -> list[URLPattern]:
    """Return a route like ArkhamDB's, also with a trailing slash, which clients add.

    Reversed addresses have no slash.
    """
    return [path(f"{route}/", view), path(route, view, name=name)]


def etag(*parts: object) -> str:
    """Return a strong ETag: ``etag(deck.pk, deck.revision)`` → ``"7-3"``."""
    return '"' + "-".join(str(part) for part in parts) + '"'


def is_known(request: Asked, current_etag: str) -> bool:
    """Return whether the sender already has the state with this ETag.

    Compared weakly (RFC 9110, 13.1.2): compression on the way weakens ETags.
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
    """Refuse an unsafe request whose sender has not seen the current state.

    ``current_etag`` names that state. Raises a 428 problem if ``If-Match`` is missing
    and 412 if it names another. The problem shows the versions, so that nothing is
    lost: ``current``, what is stored, ``yours``, the sender's version (None for a
    deletion), and ``base``, their common origin (None if unknown).

    A weakened tag is accepted: compression turns ``"7-3"`` into ``W/"7-3"``, which
    still names exactly one revision.
    """
    header = request.headers.get("If-Match", "")
    if not header:
        raise Problem(
            428,
            _("Send If-Match with the ETag you last saw, here %(etag)s.")
            % {"etag": current_etag},
            kind="revision-required",
            etag=current_etag,
        )
    if not _names(request, current_etag):
        raise Problem(
            412,
            _("This has changed: you sent %(sent)s, it is now %(etag)s.")
            % {"sent": header, "etag": current_etag},
            kind="stale",
            current=current,
            yours=yours,
            base=base,
            etag=current_etag,
        )


class FragmentCacheMiddleware(Middleware):
    """Keeps fragments and pages of one address apart in every cache.

    htmx loads a fragment from its page's address and may leave that address in the
    browser's history. A browser going back shows what it has stored for the address,
    however old, so a stored fragment would be shown as a page. Doing this for all views
    makes sure that none forgets it.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Vary by the deciding headers, and don't store answers to htmx.

        A view with only fragments at its address may override that.
        """
        response = self.get_response(request)
        by_htmx = "HX-Request" in request.headers
        if by_htmx or response.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, HTMX_HEADERS)
        if by_htmx and "Cache-Control" not in response:
            response["Cache-Control"] = "no-store"
        return response


# For pages that change in place: going back would show the first version, with outdated
# forms.
changed_in_place = cache_control(no_store=True)


def wants_fragment(request: HttpRequest) -> bool:
    """Return whether htmx asks for a part of the page.

    Boosted links and going back ask for whole pages.
    """
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    if htmx is None or not htmx:
        return False
    return not (htmx.boosted or htmx.history_restore_request)


def wants_part(request: HttpRequest, target: str) -> bool:
    """Return whether htmx asks for the part of the page with this id."""
    return wants_fragment(request) and request.headers.get("HX-Target") == target


def page_or_fragment(
    request: HttpRequest,
    page: str,
    fragment: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Render the whole page, or just the fragment if htmx asks for it.

    ``page`` and ``fragment`` are template names; the page includes the fragment.
    """
    template = fragment if wants_fragment(request) else page
    return render(request, template, dict(context), status=status)
