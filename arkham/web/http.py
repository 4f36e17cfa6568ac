"""What pages and API views share about HTTP.

Cross-origin use of the API, revisions as ETags, and "the page or only its fragment?".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from hashlib import blake2b, md5
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
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
    """Letters that differ where anything of this differs."""
    return blake2b(repr(shown).encode(), digest_size=SIZE // 2).hexdigest()


def marks_sent(request: HttpRequest, edition: str) -> frozenset[str]:
    """The marks of the pieces that the page shows.

    None of them if it was made in another ``edition``: what all its pieces depend on.
    """
    of, _dot, marks = request.POST.get("shows", "").partition(".")
    if of != edition:
        return frozenset()
    ends = range(SIZE, min(len(marks), MOST * SIZE) + 1, SIZE)
    return frozenset(marks[end - SIZE : end] for end in ends)


API_PREFIXES = ("/api/v1/", "/api/public/", "/api/oauth2/", "/api/schema")
# Where scripts of any site may ask: also for tokens, and as they ask arkham.build.
CROSS_ORIGIN = (*API_PREFIXES, "/oauth/v2/token", "/oauth/v2/revoke", "/v1/")
# What decides whether an address answers with its page or a part of it.
HTMX_HEADERS = ("HX-Request", "HX-Target", "HX-Boosted", "HX-History-Restore-Request")
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
UTF_8 = ("utf-8", "utf8")
Asked = HttpRequest | Request
_NO_GZIP = re.compile(r"\bgzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)")


class Utf8FormsMiddleware:
    """Refuses forms in another encoding than UTF-8: they would be misread."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Go on; what is raised here would have no page."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_args: Any) -> None:
        """Refuse a form in another encoding; BadRequest is answered with 400."""
        charset = (request.content_params or {}).get("charset", "utf-8")
        if request.content_type in FORMS and charset.lower() not in UTF_8:
            raise BadRequest


def takes_gzip(request: Asked) -> bool:
    """Whether the sender takes gzip; ``gzip;q=0`` says no (RFC 9110, 12.5.3)."""
    accepted = request.headers.get("Accept-Encoding", "").lower()
    return "gzip" in accepted and not _NO_GZIP.search(accepted)


class PackingMiddleware(GZipMiddleware):
    """Packs answers for those who take them so."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The answer in gzip; pictures, and what is refused so, as they are.

        A short answer is packed or not by chance: padding of random length hides its
        size, and what would grow by it is sent as it is. Its ETag is weak either way,
        so the same state always has the same one.
        """
        if response.get("Content-Type") == "image/webp":
            return response
        if not takes_gzip(request):
            patch_vary_headers(response, ("Accept-Encoding",))
            return response
        packed = super().process_response(request, response)
        etag = packed.get("ETag", "")
        has_content = isinstance(packed, HttpResponse) and bool(packed.content)
        is_packed = "Content-Encoding" in packed
        if has_content and not is_packed and etag.startswith('"'):
            packed["ETag"] = f"W/{etag}"
        return packed


class PrivateByDefaultMiddleware:
    """Keeps answers out of shared caches unless they say that they are for all.

    Every page shows who is signed in. ``no-cache`` lets a browser keep one and ask
    whether it is current, so that nothing is shown from the cache after signing out.

    The page that answers a form is kept for the browser's own history alone, which
    looks at ``Vary`` all the same: once a visitor gets a first cookie, as with a first
    deck, Back would show an error in place of the page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, private unless the view decides otherwise."""
        response = self.get_response(request)
        if "Cache-Control" not in response:
            response["Cache-Control"] = "private, no-cache"
            is_known = settings.SESSION_COOKIE_NAME in request.COOKIES
            is_page = response.get("Content-Type", "").startswith("text/html")
            if request.method == "POST" and is_page and not is_known:
                del response["Vary"]
        return response


class ParametersOfLibrariesMiddleware:
    """Refuses NUL in what is asked of the admin, or of the library for OAuth 2.

    Both hand what they are given to the database as it is, and PostgreSQL takes no
    NUL. Our own pages look at what they are given.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Go on; the page has to be known first."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_args: Any) -> HttpResponse | None:
        """Refuse NUL with 400: an error of OAuth 2 for programs, else BadRequest."""
        match = request.resolver_match
        name = (match.url_name if match else None) or ""
        is_oauth = name.startswith("oauth_")
        if not is_oauth and not (match and match.app_name == "admin"):
            return None
        # The forms of the admin look at what is sent with them.
        sent = (request.GET, request.POST) if is_oauth else (request.GET,)
        pairs = (pair for values in sent for pair in values.lists())
        if any("\x00" in text for key, many in pairs for text in (key, *many)):
            if name in ("oauth_token", "oauth_revoke"):
                return JsonResponse({"error": "invalid_request"}, status=400)
            raise BadRequest
        return None


class ConditionalApiMiddleware(MiddlewareMixin):
    """Answers 304 where a program has what it asks the API for, lists included.

    An answer without an ETag of its own is named by its content, one that no cache may
    keep too: a program may have kept it. A refusal gets none, nor does a redirection:
    they are not the state of anything.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The answer of the API with an ETag, or 304; any other as it is.

        What HEAD would get has its content here still: a server drops it later.
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
    """What is read: 304 where the sender has it, 412 where another state is wanted.

    ``modified`` are seconds. A refusal is a problem here as everywhere.
    """
    final = get_conditional_response(request, current_etag, modified, response)
    if final is None or final.status_code != 412:
        return final or response
    if _names(request, current_etag):
        return response
    detail = _("The state isn’t the one you expected: it is %(etag)s.")
    return problem_response(
        request, 412, detail % {"etag": current_etag}, kind="precondition"
    )


def _names(request: Asked, current_etag: str) -> bool:
    """Whether ``If-Match`` names this state, weakened on its way or not."""
    wanted = parse_etags(request.headers.get("If-Match", ""))
    current = current_etag.removeprefix("W/")
    return wanted == ["*"] or current in (each.removeprefix("W/") for each in wanted)


class CrossOriginMiddleware:
    """Lets any site's scripts use the API, as strangers: never with credentials."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

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
                "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match"
            )
            response["Access-Control-Max-Age"] = "86400"
        else:
            response = self.get_response(request)
            response["Access-Control-Expose-Headers"] = (
                "ETag, Idempotent-Replayed, Link, Location, RateLimit, "
                "RateLimit-Policy, Retry-After"
            )
        response["Access-Control-Allow-Origin"] = "*"
        return response


def with_or_without_slash(
    route: str,
    view: Callable[..., HttpResponseBase],
    name: str | None = None,
) -> list[URLPattern]:
    """A route of ArkhamDB's, answered with a slash at its end too: clients add one.

    Addresses are made without it.
    """
    return [path(f"{route}/", view), path(route, view, name=name)]


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

    ``current_etag`` names that state. Raises a 428 problem if ``If-Match`` is missing
    and 412 if it names another. The versions show what must not be lost: ``current``,
    what is there, ``yours``, what was to take its place (None if it was to go), and
    ``base``, what both grew from (None if that is not known).

    A tag that was weakened on its way is accepted: compression makes ``W/"7-3"`` of
    ``"7-3"``, and what it names is still exactly one revision.
    """
    header = request.headers.get("If-Match", "")
    if not header:
        raise Problem(
            428,
            _("Send If-Match with the ETag you last saw, here %(etag)s.")
            % {"etag": current_etag},
            kind="revision-required",
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


class FragmentCacheMiddleware:
    """Keeps fragments and pages of one address apart in every cache.

    htmx fetches a fragment from the address of its page and may leave that address in
    the browser's history. A browser going back takes what it has stored under the
    address, however old it is, so a stored fragment would be shown as a page. It is
    done here for all views, so that none can forget it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Name the headers that decide, and store no answer to htmx.

        A view whose address has nothing but a fragment may say otherwise itself.
        """
        response = self.get_response(request)
        by_htmx = "HX-Request" in request.headers
        if by_htmx or response.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, HTMX_HEADERS)
        if by_htmx and "Cache-Control" not in response:
            response["Cache-Control"] = "no-store"
        return response


# For pages that are changed in place. A browser going back would show what it once
# loaded, with forms that change a state of long ago.
changed_in_place = cache_control(no_store=True)


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page.

    A boosted link asks for a page, and so does going back.
    """
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    if htmx is None or not htmx:
        return False
    return not (htmx.boosted or htmx.history_restore_request)


def wants_part(request: HttpRequest, target: str) -> bool:
    """Whether htmx asks for the part of the page with this id."""
    return wants_fragment(request) and request.headers.get("HX-Target") == target


def page_or_fragment(
    request: HttpRequest,
    page: str,
    fragment: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Render the whole page, or the fragment alone when htmx asks for it.

    ``page`` and ``fragment`` are template names; the page includes the fragment.
    """
    template = fragment if wants_fragment(request) else page
    return render(request, template, dict(context), status=status)
