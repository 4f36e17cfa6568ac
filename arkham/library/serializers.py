"""Describes an entry of the rules library for the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from arkham.rules.library import (
    TOPICS,
    VERSIONS,
    Entry,
    checks_of,
    library,
    open_questions,
)

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
        allow_blank=True, help_text=_("The FAQ that brought it, if that is on record.")
    )
    until = serializers.CharField(
        allow_blank=True, help_text=_("The FAQ that ended it, if one did.")
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
