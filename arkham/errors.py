"""What is shown when no view could answer: a page, or under /api/ a problem."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from arkham.problems import problem_response


def _answer(request: HttpRequest, status: int, title: str, detail: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return problem_response(request, status, detail)
    context = {"title": title, "detail": detail}
    return render(request, "error.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400."""
    return _answer(
        request, 400, _("Not understood"), _("The request could not be read.")
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    return _answer(
        request, 403, _("Not yours"), _("You do not have the right to do this.")
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403, for a form whose token is missing or old."""
    return _answer(
        request,
        403,
        _("This form has expired"),
        _("Go back, reload the page and send the form again. Cookies must be allowed."),
    )


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404."""
    return _answer(request, 404, _("Not found"), _("There is nothing at this address."))


def server_error(request: HttpRequest) -> HttpResponse:
    """500; it asks nothing of the database or the session, which may be the fault."""
    title = _("Something broke")
    detail = _("The fault is ours and has been recorded. Please try again later.")
    if request.path.startswith("/api/"):
        return problem_response(request, 500, detail)
    return render(None, "500.html", {"title": title, "detail": detail}, status=500)
