"""Refuse query parameters that an operation of the API doesn't know.

Ignoring a misspelt parameter gives a wrong answer that looks right: ``?after=2``
instead of ``since`` returned the whole log. An operation knows the parameters in its
description, so the two can't differ. Addresses like ArkhamDB's ignore unknown
parameters, as the site does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from rest_framework.views import APIView

from arkham.rest.openapi import query_parameters
from arkham.rules.notation.names import closest
from arkham.web.http import Middleware
from arkham.web.problems import problem_response

PREFIX = "/api/v1/"
ALIKE = 0.6  # a wrong letter in a short name


class KnownParametersMiddleware(Middleware):
    """Answers 400 with every unknown name, before a view of the API is called."""

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> HttpResponse | None:
        """Return the refusal, or None if every parameter is known."""
        api_view = getattr(view, "cls", None)
        if not (request.GET and api_view and request.path_info.startswith(PREFIX)):
            return None
        known = _known(api_view, request.method or "")
        unknown = sorted(request.GET.keys() - known) if known is not None else []
        return _refusal(request, unknown, sorted(known or ())) if unknown else None


@lru_cache(maxsize=1024)  # enough for every operation
def _known(api_view: type[APIView], method: str) -> frozenset[str] | None:
    method = "GET" if method == "HEAD" else method
    return query_parameters(api_view, method)


def _refusal(
    request: HttpRequest, unknown: list[str], known: list[str]
) -> HttpResponse:
    """Return 400 with the known names, and the closest one for each unknown name."""
    expected = ", ".join(known)
    errors = []
    for name in unknown:
        near = closest(name, known, most=1, alike=ALIKE)
        if near:
            detail = _("There is no parameter “%(name)s” here. Did you mean %(near)s?")
        elif known:
            detail = _("There is no parameter “%(name)s” here. Known: %(known)s.")
        else:
            detail = _("There is no parameter “%(name)s” here: this address has none.")
        words = {"name": name[:100], "near": near[0] if near else "", "known": expected}
        errors.append({"parameter": name[:100], "detail": detail % words})
    detail = ngettext(
        "We don’t know %(number)d query parameter.",
        "We don’t know %(number)d query parameters.",
        len(unknown),
    ) % {"number": len(unknown)}
    return problem_response(
        request,
        400,
        errors[0]["detail"] if len(errors) == 1 else detail,
        kind="unknown-parameter",
        parameter=errors[0]["parameter"],
        errors=errors,
    )
