"""The API's door to what is found otherwise of one's decks."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import idempotent
from arkham.rest.messages import Count, Message, MessagePart, Number, many, source
from decks import queries, services
from decks.api import examples
from decks.api.decks import TAGS, DeckView
from decks.models import Notice
from decks.serializers.judged import Findings, Status


class JudgedPart(MessagePart):
    """What was found of a deck at one time."""

    status: Annotated[Status, source(0)]
    experience_required: Annotated[Count, source(1)]
    rules_version: Annotated[str, source(2)]
    pool_version: Annotated[str, source(3)]


def _before(notice: Notice) -> tuple[Any, ...]:
    return (
        notice.status_before,
        notice.experience_before,
        notice.rules_before,
        notice.pool_before,
    )


def _after(notice: Notice) -> tuple[Any, ...]:
    return (
        notice.status_after,
        notice.experience_after,
        notice.rules_after,
        notice.pool_after,
    )


class NoticeShape(Message):
    """What is found otherwise of a deck that nobody changed.

    The verdict before and after, and the findings in which they differ.
    """

    id: Annotated[Number, source("pk")]
    deck: Annotated[Number, source("deck_id")]
    revision: Annotated[Number, "The revision judged twice."]
    made_at: datetime
    dismissed_at: datetime | None
    serious: Annotated[bool, source("is_serious"), "Whether more than advice changed."]
    before: Annotated[JudgedPart, source(_before)]
    after: Annotated[JudgedPart, source(_after)]
    appeared: Findings
    gone: Findings


NOTICE = OpenApiExample("A notice", examples.NOTICE, response_only=True)


class Notices(DeckView):
    """What is found otherwise than before?"""

    ordering = "id"

    @extend_schema(
        operation_id="notices",
        tags=TAGS,
        responses=many(NoticeShape),
        examples=[NOTICE],
    )
    def get(self, request: Request) -> Response:
        """What the rules or the cards changed of one's decks and nobody dismissed."""
        page = self.paginate_queryset(queries.to_be_read(self.decks()))
        return self.get_paginated_response(
            [NoticeShape.data(each) for each in page or ()]
        )


class DeckNotices(DeckView):
    """What was found otherwise of this deck, ever?"""

    ordering = "id"

    @extend_schema(
        operation_id="deck_notices",
        tags=TAGS,
        responses=many(NoticeShape),
        examples=[NOTICE],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Every notice on the deck, the first one first, advice and dismissed too."""
        deck = get_object_or_404(self.decks(), pk=pk)
        page = self.paginate_queryset(deck.notices.all())
        return self.get_paginated_response(
            [NoticeShape.data(each) for each in page or ()]
        )


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
        return Response(NoticeShape.data(notice))
