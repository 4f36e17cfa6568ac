"""The API of the rules library: search rules, read an entry."""

from __future__ import annotations

from typing import Annotated

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from arkham.rest.messages import Message, many, schema, source
from arkham.rest.public import IF_NONE_MATCH, UNCHANGED, PublicView
from arkham.rules.library import (
    NEWEST,
    TOPICS,
    VERSIONS,
    Entry,
    checks_of,
    find,
    library,
    open_questions,
)
from arkham.web.problems import Problem

Faq = Annotated[str, schema(enum=VERSIONS)]
Slug = Annotated[str, schema(pattern="^[-a-zA-Z0-9_]+$")]


class SourceShape(Message):
    """A document and a section in it; rank 1 takes precedence."""

    rank: int
    document: Annotated[str, source("name")]
    section: str


class ParagraphShape(Message):
    """A paragraph or a list, in Markdown; links name other entries."""

    text: str
    since: Annotated[str, "The FAQ that brought it, if that is on record."]
    until: Annotated[str, "The FAQ that ended it, if one did."]


class ChangeShape(Message):
    """A change by a version of the FAQ."""

    version: Faq
    was: list[ParagraphShape]
    now: list[ParagraphShape]


class SupersededShape(Message):
    """A text of another document, and the source that is followed instead."""

    source: str
    said: str
    instead: SourceShape


class RuleShape(Message):
    """An entry in a list."""

    slug: Slug
    title: str
    polish: str
    also: list[str]
    topic: Annotated[str, schema(enum=list(TOPICS))]
    url: Annotated[str, "The address of the whole entry."]


class RuleDetailShape(RuleShape):
    """A whole entry, as of a version of the FAQ."""

    faq: Annotated[Faq, "The version of the FAQ that the text is of."]
    text: Annotated[list[ParagraphShape], "The paragraphs in force then."]
    sources: list[SourceShape]
    changes: list[ChangeShape]
    superseded: list[SupersededShape]
    related: list[Slug]
    checks: Annotated[
        list[str],
        source(lambda entry: [each.id for each in checks_of(library(), entry)]),
        "The ids of the rules and prices that use it.",
    ]
    rulings: Annotated[
        list[str],
        source(lambda entry: [each.id for each in open_questions(entry)]),
        "The ids of the questions about it that each table decides.",
    ]


class LibraryView(PublicView):
    """Views whose answers depend only on the library, which comes with the program."""

    def version(self) -> object:
        """Return the fingerprint of the library in use."""
        return library().fingerprint


class Rules(LibraryView):
    """The rules and terms of the library."""

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
        responses={200: many(RuleShape), 304: UNCHANGED},
    )
    def get(self, request: Request) -> Response:
        """Every entry of the rules library, or those that a search finds."""
        text = request.query_params.get("q", "").strip()
        entries = find(library(), text) if text else list(library().values())
        return Response(
            [RuleShape.data(each, url=_url(request, each)) for each in entries]
        )


class RuleDetail(LibraryView):
    """One rule or term."""

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
                    "Reference before any. If no version is recorded, we assume that "
                    "the rule has always been so."
                ),
            ),
            IF_NONE_MATCH,
        ],
        responses={200: RuleDetailShape, 304: UNCHANGED},
    )
    def get(self, request: Request, slug: str) -> Response:
        """One entry of the rules library, as of a version of the FAQ."""
        entry = library().get(slug)
        if entry is None:
            raise Http404
        version = _version(request)
        text = [ParagraphShape.data(each) for each in entry.as_of(version)]
        url = _url(request, entry)
        return Response(RuleDetailShape.data(entry, url=url, faq=version, text=text))


def _url(request: Request, entry: Entry) -> str:
    return reverse("api:library:rule", args=[entry.slug], request=request)


def _version(request: Request) -> str:
    asked = request.query_params.get("faq", NEWEST)
    if asked not in VERSIONS:
        expected = ", ".join(VERSIONS)
        raise Problem(
            400,
            _("We don’t know FAQ %(found)s. Expected one of %(expected)s.")
            % {"found": asked, "expected": expected},
            kind="faq",
            parameter="faq",
            found=asked,
            expected=expected,
        )
    return asked
