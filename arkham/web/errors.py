"""Answers for errors outside views: a page, or a problem for programs.

If something is deleted while a view works on it, the answer is 404.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import BadRequest, ObjectDoesNotExist, RequestDataTooBig
from django.db import DatabaseError, IntegrityError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    JsonResponse,
    UnreadablePostError,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.log import log_response
from django.utils.translation import gettext as _
from oauthlib.common import INVALID_HEX_PATTERN

from arkham.web import bodies
from arkham.web.forms import Sent, sent, written_here
from arkham.web.http import Middleware
from arkham.web.problems import problem_response, unreadable

logger = logging.getLogger(__name__)

MEGABYTE = 1024 * 1024
FOR_PROGRAMS = ("/api/", "/v1/", "/oauth/v2/token/", "/oauth/v2/revoke/")
# PostgreSQL's code for a write on a read-only server.
_ONLY_READS = "25006"
_NAMES_OF_FAULTS = ("sqlstate", "sqlite_errorname")
# Codes for a missing table or column; SQLite uses it for other errors too.
_MISSES_A_TABLE = {"42P01", "42703", "SQLITE_ERROR"}
# PostgreSQL's and SQLite's codes for a reference to a missing row.
_REFERS_TO_NOTHING = {"23503", "SQLITE_CONSTRAINT_FOREIGNKEY"}


def is_for_programs(path: str) -> bool:
    """Return whether only programs use this address, or what is below it."""
    return f"{path}/".startswith(FOR_PROGRAMS)


def problem_or_page(
    request: HttpRequest,
    status: int,
    title: str,
    detail: str,
    *,
    kind: str = "",
    way: tuple[str, str] | None = None,
    again: Sent | None = None,
    written: Sequence[str] = (),
) -> HttpResponse:
    """Return a refusal: a plain page, or for programs a problem of this kind.

    ``way`` is the next step on the page: an address and its label; ``again`` is a form
    that can be sent again; ``written`` is the visitor's text from a form that can't.
    """
    if is_for_programs(request.path):
        return problem_response(request, status, detail, kind=kind)
    shown = {"title": title, "detail": detail, "way": way, "again": again}
    return render(request, "error.html", shown | {"written": written}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 400; 413 for a large body without a length to refuse it by."""
    if isinstance(exception, RequestDataTooBig):
        answer = too_large(request, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    else:
        title, detail = _("Unreadable request"), unreadable(exception)
        answer = problem_or_page(request, 400, title, detail)
    return _logged(request, answer, str(exception) or "Bad Request")


def _logged(request: HttpRequest, answer: HttpResponse, why: str) -> HttpResponse:
    """Log a refusal as one line: Django would add a traceback, and call it an error."""
    log_response("%s: %s", why, request.path, response=answer, request=request)
    return answer


def too_large(request: HttpRequest, limit: int) -> HttpResponse:
    """Return 413: a page, or for programs the same problem as API views."""
    if is_for_programs(request.path):
        detail = str(bodies.too_large(limit).detail)
    else:
        number = max(limit // MEGABYTE, 1)
        detail = _("You can send at most %(number)d MB here.") % {"number": number}
    return problem_or_page(
        request, 413, _("That is too large"), detail, kind=bodies.TOO_LARGE
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 403."""
    detail = _("You don’t have permission to do this.")
    answer = problem_or_page(request, 403, _("No access"), detail)
    return _logged(request, answer, str(exception) or "Forbidden")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return 403 for a form with a missing or old token, showing what was written.

    It can't be resent from the page, because a forged form could be too; text that
    another site sent is not shown. A form that broke off gets 400.
    """
    if getattr(getattr(request, "_stream", None), "is_broken", False):
        return bad_request(request, BadRequest())
    return problem_or_page(
        request,
        403,
        _("This form has expired"),
        _("Go back, reload the page and send the form again. Allow cookies."),
        written=written_here(request),
    )


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return 404; strangers are offered to sign in."""
    title, detail = _("Not found"), _("There is nothing at this address.")
    user = getattr(request, "user", None)
    if is_for_programs(request.path) or user is None or user.is_authenticated:
        return problem_or_page(request, 404, title, detail)
    to = urlencode({"next": request.get_full_path()})
    why = getattr(request, "sign_in_reason", "") or _(
        "If this is a private page of yours, sign in to see it."
    )
    context = {
        "title": title,
        "detail": f"{detail} {why}",
        "sign_in": f"{reverse('account_login')}?{to}",
    }
    return render(request, "error.html", context, status=404)


class DeletedMeanwhileMiddleware(Middleware):
    """Answers 404 if something is deleted while a view works on it.

    Another device may do so at any moment, and may close the account too.
    """

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        """Return 404; None for all other errors."""
        if not misses_a_row(exception):
            return None
        logger.warning("Deleted meanwhile: %s", request.path, exc_info=exception)
        detail = _("It was deleted a moment ago. Your change wasn’t saved.")
        user, accounts = request.user, get_user_model()._base_manager
        if user.is_authenticated and not accounts.filter(pk=user.pk).exists():
            request.user = AnonymousUser()
            detail = _("Your account was closed. Your change wasn’t saved.")
        return problem_or_page(request, 404, _("Deleted"), detail)


def misses_a_row(error: Exception) -> bool:
    """Return whether an error means that a row has been deleted meanwhile.

    It wasn't found, couldn't be updated, or couldn't be referenced.
    """
    if isinstance(error, IntegrityError):
        names = {getattr(error.__cause__, each, "") for each in _NAMES_OF_FAULTS}
        return not names.isdisjoint(_REFERS_TO_NOTHING)
    # Django's error for updating a deleted row has no cause in the database.
    is_unwritten = type(error) is DatabaseError and error.__cause__ is None
    return is_unwritten or isinstance(error, ObjectDoesNotExist)


class ParametersOfLibrariesMiddleware(Middleware):
    """Refuses NUL in queries to the admin and to the OAuth 2 library.

    Both pass their input to the database, and PostgreSQL refuses NUL. The latter fails
    at ``%`` without two hex digits, too. Our own pages validate input themselves.
    """

    def process_view(self, request: HttpRequest, *_args: Any) -> HttpResponse | None:
        """Refuse these with 400: an OAuth 2 error for programs, else BadRequest."""
        match = request.resolver_match
        name = (match.url_name if match else None) or ""
        is_oauth = name.startswith("oauth_")
        if not is_oauth and not (match and match.app_name == "admin"):
            return None
        # The admin's forms validate what is sent with them.
        try:
            sent = (request.GET, request.POST) if is_oauth else (request.GET,)
        except UnreadablePostError as error:
            raise BadRequest from error
        pairs = (pair for values in sent for pair in values.lists())
        has_nul = any("\x00" in text for key, many in pairs for text in (key, *many))
        query = request.META.get("QUERY_STRING", "")
        if has_nul or (is_oauth and INVALID_HEX_PATTERN.search(query)):
            if name in ("oauth_token", "oauth_revoke"):
                return JsonResponse({"error": "invalid_request"}, status=400)
            raise BadRequest
        return None


class WrongMethodMiddleware(Middleware):
    """Shows a page where Django answers 405 with an empty body."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the answer, or a page instead."""
        response = self.get_response(request)
        if not isinstance(response, HttpResponseNotAllowed):
            return response
        page = not_allowed(request, opens="GET" in response["Allow"])
        page["Allow"] = response["Allow"]
        return page


def not_allowed(request: HttpRequest, *, opens: bool) -> HttpResponse:
    """Return 405; ``opens`` if the address can be opened but takes no form."""
    if opens:
        detail = _("You can’t send a form to this page, only open it.")
    else:
        detail = _(
            "This address is only for sending a form. Go back to the page with "
            "the form."
        )
    return problem_or_page(request, 405, _("Not possible here"), detail)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return 500, or 503 if the database is unavailable, read-only or unprepared.

    It doesn't use the session, which may be the cause, nor the database unless that has
    answered.
    """
    status, title = 500, _("Something went wrong")
    detail = _("This is our fault, and we’ve recorded it. Please try again later.")
    error = sys.exception()
    if _is_out_of_reach(error):
        status, title = 503, _("Not now")
        detail = _(
            "Orne can’t read or write its data just now. Please try again in a minute."
        )
    elif _is_unprepared(error):
        status, title = 503, _("Not now")
        detail = _("Orne is being updated. Please try again in a few minutes.")
        logger.error("The database isn't prepared: run manage.py up --prepare")
    response: HttpResponse
    if is_for_programs(request.path):
        response = problem_response(request, status, detail)
    else:
        again = sent(request) if status == 503 else None
        context = {"title": title, "detail": detail, "again": again}
        response = render(None, "500.html", context, status=status)
    if status == 503:
        response["Retry-After"] = "60"  # seconds
    return response


def missing_migrations() -> int:
    """Return the number of migrations not yet applied."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _is_unprepared(error: BaseException | None) -> bool:
    """Return whether a table or column is missing that preparation creates."""
    cause = getattr(error, "__cause__", None)
    names = {getattr(cause, each, "") for each in _NAMES_OF_FAULTS}
    if names.isdisjoint(_MISSES_A_TABLE):
        return False
    try:
        return missing_migrations() > 0 or _lacks_its_cache()
    except DatabaseError:  # within a failed transaction
        return False


def _lacks_its_cache() -> bool:
    """Return whether the cache should be in the database, but has no table."""
    cache = settings.CACHES["default"]
    is_there = cache["BACKEND"].endswith("DatabaseCache")
    return is_there and cache["LOCATION"] not in connection.introspection.table_names()


def _is_out_of_reach(error: BaseException | None) -> bool:
    """Return whether the database was unavailable, full, locked or read-only.

    SQLite reports a faulty statement with the same class, with the code SQLITE_ERROR.
    """
    cause = getattr(error, "__cause__", None)
    if isinstance(error, OperationalError):
        return getattr(cause, "sqlite_errorname", "") != "SQLITE_ERROR"
    is_ours = isinstance(error, DatabaseError)
    return is_ours and getattr(cause, "sqlstate", "") == _ONLY_READS
