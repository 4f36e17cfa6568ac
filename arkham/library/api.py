"""The API's door to the rules library: look a rule up, read an entry."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.library.serializers import RuleDetailShape, RuleShape
from arkham.rest.public import IF_NONE_MATCH, UNCHANGED, PublicView
from arkham.rules.library import NEWEST, VERSIONS, find, library
from arkham.web.problems import Problem


class LibraryView(PublicView):
    """Depends on the library alone, which comes with the program."""

    def version(self) -> object:
        """The library that is in use."""
        return library().fingerprint


class Rules(LibraryView):
    """Which rules and terms are there?"""

    serializer_class = RuleShape

    @extend_schema(
        operation_id="rules",
        tags=["rules"],
        parameters=[
            OpenApiParameter(
                "q",
                str,
                description=(
                    "Words in English or Polish, or the id of a rule that a finding "
                    "names. The likeliest entry comes first; without it, all of them "
                    "come in the order of their titles."
                ),
            ),
            IF_NONE_MATCH,
        ],
        responses={200: RuleShape(many=True), 304: UNCHANGED},
    )
    def get(self, request: Request) -> Response:
        """Every entry of the rules library, or those that a search finds."""
        text = request.query_params.get("q", "").strip()
        entries = find(library(), text) if text else list(library().values())
        context = {"request": request}
        return Response(RuleShape(entries, many=True, context=context).data)


class RuleDetail(LibraryView):
    """What does this rule say?"""

    serializer_class = RuleDetailShape

    @extend_schema(
        operation_id="rule",
        tags=["rules"],
        parameters=[
            OpenApiParameter(
                "faq",
                str,
                enum=VERSIONS,
                description=(
                    "The version of the FAQ whose text is wanted; `none` is the Rules "
                    "Reference before any. What has no version on record is taken to "
                    "have held always."
                ),
            ),
            IF_NONE_MATCH,
        ],
        responses={200: RuleDetailShape, 304: UNCHANGED},
    )
    def get(self, request: Request, slug: str) -> Response:
        """One entry, as of a version of the FAQ."""
        entry = library().get(slug)
        if entry is None:
            raise Http404
        context: dict[str, Any] = {"request": request, "version": _version(request)}
        return Response(RuleDetailShape(entry, context=context).data)


def _version(request: Request) -> str:
    asked = request.query_params.get("faq", NEWEST)
    if asked not in VERSIONS:
        raise Problem(
            400,
            _("No FAQ %(found)s is known; expected one of %(expected)s.")
            % {"found": asked, "expected": ", ".join(VERSIONS)},
            kind="faq",
            parameter="faq",
            found=asked,
            expected=list(VERSIONS),
        )
    return asked
