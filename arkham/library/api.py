"""The API's door to the rules library: look a rule up, read an entry."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

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

Shape = serializers.Serializer[Any]


class SourceShape(Shape):
    """A document and a section in it; rank 1 wins over all others."""

    rank = serializers.IntegerField()
    document = serializers.CharField(source="name")
    section = serializers.CharField(allow_blank=True)


class ParagraphShape(Shape):
    """A paragraph or a list, in Markdown; links name other entries."""

    text = serializers.CharField()
    since = serializers.CharField(
        allow_blank=True,
        help_text=gettext_lazy("The FAQ that brought it, if that is on record."),
    )
    until = serializers.CharField(
        allow_blank=True, help_text=gettext_lazy("The FAQ that ended it, if one did.")
    )


class ChangeShape(Shape):
    """What a version of the FAQ changed."""

    version = serializers.ChoiceField(choices=VERSIONS)
    was = ParagraphShape(many=True)
    now = ParagraphShape(many=True)


class SupersededShape(Shape):
    """What another document says, and the one that is followed instead."""

    source = serializers.CharField()  # type: ignore[assignment]
    said = serializers.CharField()
    instead = SourceShape()


class RuleShape(Shape):
    """An entry in a list."""

    slug = serializers.SlugField()
    title = serializers.CharField()
    polish = serializers.CharField(allow_blank=True)
    also = serializers.ListField(child=serializers.CharField())
    topic = serializers.ChoiceField(choices=list(TOPICS))
    url = serializers.SerializerMethodField()

    def get_url(self, entry: Entry) -> str:
        """The address of the whole entry."""
        request = self.context.get("request")
        return reverse("api:library:rule", args=[entry.slug], request=request)


class RuleDetailShape(RuleShape):
    """A whole entry, as of a version of the FAQ."""

    faq = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField()
    sources = SourceShape(many=True)
    changes = ChangeShape(many=True)
    superseded = SupersededShape(many=True)
    related = serializers.ListField(child=serializers.SlugField())
    checks = serializers.SerializerMethodField()
    rulings = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ChoiceField(choices=VERSIONS))
    def get_faq(self, entry: Entry) -> str:
        """The version of the FAQ that the text is of."""
        return str(self.context["version"])

    @extend_schema_field(ParagraphShape(many=True))
    def get_text(self, entry: Entry) -> Any:
        """The paragraphs in force then."""
        return ParagraphShape(entry.as_of(self.context["version"]), many=True).data

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_checks(self, entry: Entry) -> list[str]:
        """The ids of the rules and prices that rest on it."""
        return [each.id for each in checks_of(library(), entry)]

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_rulings(self, entry: Entry) -> list[str]:
        """The ids of the questions about it that are left to each table."""
        return [each.id for each in open_questions(entry)]


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
        expected = ", ".join(VERSIONS)
        raise Problem(
            400,
            _("No FAQ %(found)s is known; expected one of %(expected)s.")
            % {"found": asked, "expected": expected},
            kind="faq",
            parameter="faq",
            found=asked,
            expected=expected,
        )
    return asked
