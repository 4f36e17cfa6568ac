"""Refusals of the API as problem documents (RFC 9457).

A problem document has ``type``, ``title``, ``status``, ``detail`` and ``instance``. For
a fault in the body, ``pointer`` is its JSON pointer (for the query string,
``parameter`` is its name) and ``errors`` lists every fault with its place. A refusal by
the rules has ``findings``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from itertools import islice
from math import ceil
from typing import Any

from django.conf import settings
from django.core import exceptions as core
from django.http import Http404, HttpRequest, JsonResponse, UnreadablePostError
from django.utils.encoding import escape_uri_path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from rest_framework import exceptions
from rest_framework.response import Response

from arkham.rules.notation.reading import MOST_FAULTS
from arkham.web.quotas import QuotaReached

CONTENT_TYPE = "application/problem+json"
# The kinds of refusals by the framework.
_KINDS: dict[type, str] = {exceptions.Throttled: "throttled"}
INVALID = "invalid"  # the kind of a request that isn't as described


class Problem(exceptions.APIException):
    """Raised by an API view to refuse a request with a problem document.

    ``kind`` is a permanent short name, published as ``urn:orne:problem:<kind>``; a 400
    or 422 that says where needs none. ``members`` are added unchanged (``pointer`` …).
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        kind: str = "",
        title: str = "",
        **members: Any,
    ) -> None:
        super().__init__(detail)
        placed = status in (400, 422) and members.keys() & {"pointer", "parameter"}
        self.status_code = status
        self.kind = kind or (INVALID if placed else "")
        self.title = title
        self.members = members


def pointer(*path: str | int) -> str:
    """Return a JSON pointer (RFC 6901): ``pointer("slots", 3)`` → ``/slots/3``.

    Without arguments, the empty pointer: the whole document.
    """
    return "".join(
        "/" + str(part).replace("~", "~0").replace("/", "~1") for part in path
    )


def document(
    status: int, detail: str, instance: str, *, kind: str = "", title: str = ""
) -> dict[str, Any]:
    """Return the five standard members of a problem; ``instance`` is a path."""
    usual = _("The request isn’t valid") if kind == INVALID else ""
    return {
        "type": f"urn:orne:problem:{kind}" if kind else "about:blank",
        "title": title or usual or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": escape_uri_path(instance),
    }


def problem_response(
    request: HttpRequest, status: int, detail: str, *, kind: str = "", **members: Any
) -> JsonResponse:
    """Return a problem document as a plain response, for use outside views.

    ``kind`` and ``members`` are those of :class:`Problem`.
    """
    return JsonResponse(
        document(status, detail, request.path, kind=kind) | members,
        status=status,
        content_type=CONTENT_TYPE,
    )


def problem_handler(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the problem document for an exception; None, a bug, for unknown ones."""
    request = context["request"]
    known = _known(exc)
    if known is None:
        return None
    if isinstance(known, exceptions.UnsupportedMediaType):
        known = _other_type(context["view"])
    if isinstance(known, exceptions.ValidationError):
        data = _invalid(known, request)
    else:
        data = document(
            known.status_code,
            _detail(known, context["view"]),
            request.path,
            kind=getattr(known, "kind", _KINDS.get(type(known), "")),
            title=getattr(known, "title", ""),
        )
        data.update(getattr(known, "members", {}))
    response = Response(data, status=data["status"], content_type=CONTENT_TYPE)
    if getattr(known, "auth_header", None):
        response["WWW-Authenticate"] = known.auth_header
    if getattr(known, "wait", None) is not None:
        response["Retry-After"] = str(int(known.wait))
    return response


def _detail(refusal: exceptions.APIException, view: Any) -> str:
    """Return why a request is refused; for the framework's own, what it expects."""
    match refusal:
        case exceptions.MethodNotAllowed():
            return _("Expected method: %s.") % ", ".join(view.allowed_methods)
        case exceptions.NotAcceptable():
            types = ", ".join(each.media_type for each in view.get_renderers())
            return _("Expected: an Accept header that takes %s.") % types
        case exceptions.NotAuthenticated():
            return _("Expected: Authorization: Bearer, with a key of your account.")
        case exceptions.Throttled():
            return when_to_try_again(getattr(refusal, "wait", None) or 0)
    return str(refusal.detail)


def when_to_try_again(seconds: float) -> str:
    """Return how long a visitor who sent too many requests waits, in words."""
    if seconds <= 60:
        return _("Wait a moment and try again. Nothing was changed.")
    minutes = ceil(seconds / 60)
    return ngettext(
        "Try again in %(number)d minute. Nothing was changed.",
        "Try again in %(number)d minutes. Nothing was changed.",
        minutes,
    ) % {"number": minutes}


def _other_type(view: Any) -> Problem:
    """Return the refusal of an unsupported body type, with the supported ones."""
    types = ", ".join(dict.fromkeys(each.media_type for each in view.get_parsers()))
    return Problem(415, _("Expected Content-Type: %s.") % types, expected=types)


def _known(exc: Exception) -> Any:
    """Return the exception as one of the API's, or None."""
    match exc:
        case exceptions.APIException():
            return exc
        case Http404():
            return exceptions.NotFound()
        case core.PermissionDenied():
            return exceptions.PermissionDenied()
        case QuotaReached():
            return Problem(409, str(exc), kind="quota")
        case core.RequestDataTooBig():
            return Problem(413, _("The body is too large."))
        case core.SuspiciousOperation() | UnreadablePostError():
            return Problem(400, unreadable(exc))
    return None


def unreadable(exc: Exception) -> str:
    """Return why a request can't be read, with the limits if it has too many parts."""
    if not isinstance(exc, core.TooManyFieldsSent | core.TooManyFilesSent):
        return _("We couldn’t read the request.")
    return _("Expected: at most %(fields)d parameters or fields, %(files)d files.") % {
        "fields": settings.DATA_UPLOAD_MAX_NUMBER_FIELDS,
        "files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
    }


def _invalid(exc: exceptions.ValidationError, request: Any) -> dict[str, Any]:
    """Return 422 for a body, 400 for a query string, with the place of every fault."""
    in_query = request.method in ("GET", "HEAD", "OPTIONS")
    faults = list(islice(_faults(exc.detail), MOST_FAULTS))
    where = "parameter" if in_query else "pointer"
    errors = [
        {
            where: ".".join(map(str, path)) if in_query else pointer(*path),
            "detail": text,
        }
        for path, text in faults
    ]
    detail = " ".join(dict.fromkeys(text for _path, text in faults))
    status = 400 if in_query else 422
    data = document(status, detail, request.path, kind=INVALID)
    return data | {where: errors[0][where], "errors": errors}


def _faults(
    detail: Any, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield every message of a validation error with the path to its member."""
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            own = key in ("non_field_errors", "__all__")
            yield from _faults(value, path if own else (*path, key))
    elif isinstance(detail, list):
        # A list of messages, or one item (perhaps empty) for each item of a list.
        nested = any(isinstance(item, Mapping | list) for item in detail)
        for index, item in enumerate(detail):
            yield from _faults(item, (*path, index) if nested else path)
    else:
        yield path, str(detail)
