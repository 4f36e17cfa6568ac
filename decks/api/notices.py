"""The API's door to what is found otherwise of one's decks."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import idempotent
from arkham.rest.shapes import Refer, Schema, Shape, closed, or_null
from decks import queries, services
from decks.api import examples
from decks.api.decks import TAGS, DeckView
from decks.models import Notice
from decks.serializers.judged import FindingShape

_NUMBER: Schema = {"type": "integer", "minimum": 1}
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_STATUS: Schema = {"type": "string", "enum": ["legal", "incomplete", "illegal"]}
_EXPERIENCE: Schema = {"type": "integer", "minimum": 0}
_VERSION: Schema = {"type": "string"}


def notice_data(notice: Notice) -> dict[str, Any]:
    """A notice as JSON types."""
    return {
        "id": notice.pk,
        "deck": notice.deck_id,
        "revision": notice.revision,
        "made_at": notice.made_at,
        "dismissed_at": notice.dismissed_at,
        "serious": notice.is_serious,
        "before": {
            "status": notice.status_before,
            "experience_required": notice.experience_before,
            "rules_version": notice.rules_before,
            "pool_version": notice.pool_before,
        },
        "after": {
            "status": notice.status_after,
            "experience_required": notice.experience_after,
            "rules_version": notice.rules_after,
            "pool_version": notice.pool_after,
        },
        "appeared": notice.appeared,
        "gone": notice.gone,
    }


class NoticeShape(Shape):
    """What is found otherwise of a deck that nobody changed."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The verdict before and after, and the findings that tell them apart."""
        verdict = closed(
            status=_STATUS,
            experience_required=_EXPERIENCE,
            rules_version=_VERSION,
            pool_version=_VERSION,
        )
        findings: Schema = {"type": "array", "items": refer(FindingShape)}
        return closed(
            id=_NUMBER,
            deck=_NUMBER,
            revision=_NUMBER | {"description": "The revision judged twice."},
            made_at=_MOMENT,
            dismissed_at=or_null(_MOMENT),
            serious={
                "type": "boolean",
                "description": "Whether more than advice changed.",
            },
            before=verdict,
            after=verdict,
            appeared=findings,
            gone=findings,
        )


NOTICE = OpenApiExample("A notice", examples.NOTICE, response_only=True)


class Notices(DeckView):
    """What is found otherwise than before?"""

    ordering = "id"

    @extend_schema(
        operation_id="notices",
        tags=TAGS,
        responses=NoticeShape(many=True),
        examples=[NOTICE],
    )
    def get(self, request: Request) -> Response:
        """What the rules or the cards changed of one's decks and nobody dismissed."""
        page = self.paginate_queryset(queries.to_be_read(self.decks()))
        return self.get_paginated_response([notice_data(each) for each in page or ()])


class DeckNotices(DeckView):
    """What was found otherwise of this deck, ever?"""

    ordering = "id"

    @extend_schema(
        operation_id="deck_notices",
        tags=TAGS,
        responses=NoticeShape(many=True),
        examples=[NOTICE],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Every notice on the deck, the first one first, advice and dismissed too."""
        deck = get_object_or_404(self.decks(), pk=pk)
        page = self.paginate_queryset(deck.notices.all())
        return self.get_paginated_response([notice_data(each) for each in page or ()])


class Dismiss(DeckView):
    """Is this known now?"""

    @extend_schema(
        operation_id="notice_dismiss",
        tags=TAGS,
        request=None,
        responses=NoticeShape,
        examples=[NOTICE],
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Dismiss a notice, and those before it on the same deck; they stay written."""
        found = Notice.objects.filter(deck__in=self.decks()).select_related("deck")
        notice = get_object_or_404(found, pk=pk)
        services.dismiss_notices(deck=notice.deck, last=notice.pk, now=timezone.now())
        notice.refresh_from_db()
        return Response(notice_data(notice))
