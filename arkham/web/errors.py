"""What is shown when no view could answer: a page, or under /api/ a problem.

Where something was deleted while a view was at work with it, that is 404.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ObjectDoesNotExist, RequestDataTooBig
from django.db import DatabaseError, IntegrityError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from arkham.web import bodies
from arkham.web.forms import Sent, sent, written_here
from arkham.web.problems import problem_response

logger = logging.getLogger(__name__)

MEGABYTE = 1024 * 1024
# Said to a program that asked while the data could not be reached, in seconds.
_RETRY_AFTER = 60
# PostgreSQL's code for a write on a server that only reads.
_ONLY_READS = "25006"
_NAMES_OF_FAULTS = ("sqlstate", "sqlite_errorname")
# What both call a table or a column that isn't there; SQLite other faults too.
_MISSES_A_TABLE = {"42P01", "42703", "SQLITE_ERROR"}
# What PostgreSQL and SQLite call a row that refers to one that isn't there.
_REFERS_TO_NOTHING = {"23503", "SQLITE_CONSTRAINT_FOREIGNKEY"}


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
    """A refusal: a plain page, or under /api/ a problem document of this kind.

    ``way`` is where to go on from the page: its address and what it is called;
    ``again`` the form that can be sent again from there; ``written`` is what a visitor
    wrote in one that can't.
    """
    if request.path.startswith("/api/"):
        return problem_response(request, status, detail, kind=kind)
    context = {
        "title": title,
        "detail": detail,
        "way": way,
        "again": again,
        "written": written,
    }
    return render(request, "error.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400; 413 where a body had no length that could be refused before."""
    if isinstance(exception, RequestDataTooBig):
        return too_large(request, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    return problem_or_page(
        request, 400, _("Unreadable request"), _("We couldn’t read the request.")
    )


def too_large(request: HttpRequest, limit: int) -> HttpResponse:
    """413: a page, or under /api/ the problem that every API view answers with."""
    if request.path.startswith("/api/"):
        detail = str(bodies.too_large(limit).detail)
    else:
        detail = _("You can send at most %(number)d MB here.") % {
            "number": max(limit // MEGABYTE, 1)
        }
    return problem_or_page(
        request, 413, _("That is too large"), detail, kind=bodies.TOO_LARGE
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    return problem_or_page(
        request, 403, _("No access"), _("You don’t have permission to do this.")
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403, for a form whose token is missing or old, with what was written in it.

    It can't be sent again from the page, or a forged one could be too; nor is it shown
    what another site made a browser send.
    """
    return problem_or_page(
        request,
        403,
        _("This form has expired"),
        _("Go back, reload the page and send the form again. Allow cookies."),
        written=written_here(request),
    )


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404; without an account the page offers the way to sign in."""
    title, detail = _("Not found"), _("There is nothing at this address.")
    user = getattr(request, "user", None)
    if request.path.startswith("/api/") or user is None or user.is_authenticated:
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


class Middleware:
    """Answers what the view answers; others add what they do beside it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Nothing but what the view answers."""
        return self.get_response(request)


class DeletedMeanwhileMiddleware(Middleware):
    """Answers 404 where something is deleted while a view is at work with it.

    Another device may do so at any moment, and close an account too.
    """

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        """404; None for all other faults."""
        if not misses_a_row(exception):
            return None
        logger.warning("Deleted meanwhile: %s", request.path, exc_info=exception)
        detail = _("It was deleted a moment ago. Your change wasn’t saved.")
        user = request.user
        if user.is_authenticated and not _is_known(user):
            request.user = AnonymousUser()
            detail = _("Your account was closed. Your change wasn’t saved.")
        return problem_or_page(request, 404, _("Deleted"), detail)


def _is_known(user: AbstractBaseUser) -> bool:
    return get_user_model()._base_manager.filter(pk=user.pk).exists()


def misses_a_row(error: Exception) -> bool:
    """Whether an error says that a row isn't there which was seen before.

    It wasn't found, couldn't be written, or another row was to refer to it.
    """
    if isinstance(error, IntegrityError):
        names = {getattr(error.__cause__, each, "") for each in _NAMES_OF_FAULTS}
        return not names.isdisjoint(_REFERS_TO_NOTHING)
    # Django's own where the row it updates is gone has no cause in the database.
    is_unwritten = type(error) is DatabaseError and error.__cause__ is None
    return is_unwritten or isinstance(error, ObjectDoesNotExist)


class WrongMethodMiddleware(Middleware):
    """Shows a page where Django answers 405 without a word."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, or the page in its place."""
        response = self.get_response(request)
        if not isinstance(response, HttpResponseNotAllowed):
            return response
        page = not_allowed(request, opens="GET" in response["Allow"])
        page["Allow"] = response["Allow"]
        return page


def not_allowed(request: HttpRequest, *, opens: bool) -> HttpResponse:
    """405; ``opens`` where the address can be opened, but takes no form."""
    if opens:
        detail = _("You can’t send a form to this page, only open it.")
    else:
        detail = _(
            "This address is only for sending a form. Go back to the page with "
            "the form."
        )
    return problem_or_page(request, 405, _("Not possible here"), detail)


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 where the database is away, full, read-only or not prepared.

    It asks nothing of the session, which may be the fault, and nothing of the database
    unless that has answered.
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
    if request.path.startswith("/api/"):
        response = problem_response(request, status, detail)
    else:
        again = sent(request) if status == 503 else None
        context = {"title": title, "detail": detail, "again": again}
        response = render(None, "500.html", context, status=status)
    if status == 503:
        response["Retry-After"] = str(_RETRY_AFTER)
    return response


def missing_migrations() -> int:
    """How many migrations are still to be applied to the database."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _is_unprepared(error: BaseException | None) -> bool:
    """Whether the database misses a table or a column that preparing it makes."""
    cause = getattr(error, "__cause__", None)
    names = {getattr(cause, each, "") for each in _NAMES_OF_FAULTS}
    if names.isdisjoint(_MISSES_A_TABLE):
        return False
    try:
        return missing_migrations() > 0 or _lacks_its_cache()
    except DatabaseError:  # within a transaction that has failed
        return False


def _lacks_its_cache() -> bool:
    """Whether the cache is to be in the database, and its table isn't there."""
    cache = settings.CACHES["default"]
    is_there = cache["BACKEND"].endswith("DatabaseCache")
    return is_there and cache["LOCATION"] not in connection.introspection.table_names()


def _is_out_of_reach(error: BaseException | None) -> bool:
    """Whether the database was away, full, locked or read-only.

    SQLite reports a faulty statement with the same class, by the code SQLITE_ERROR.
    """
    cause = getattr(error, "__cause__", None)
    if isinstance(error, OperationalError):
        return getattr(cause, "sqlite_errorname", "") != "SQLITE_ERROR"
    is_ours = isinstance(error, DatabaseError)
    return is_ours and getattr(cause, "sqlstate", "") == _ONLY_READS
