"""The API's door to what is found otherwise of one's decks."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import idempotent
from decks import queries, services
from decks.api import examples
from decks.api.decks import TAGS, DeckView
from decks.models import Notice
from decks.serializers.notices import NoticeShape, notice_data

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
