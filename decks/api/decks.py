"""The API's door to the decks one has: the services of the pages, told to programs.

A deck of somebody else's does not exist here. Drafts of nobody's belong to browsers.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from arkham.accounts.models import User
from arkham.bodies import MergePatchParser, StrictJSONParser, value_of
from arkham.http import require_match, stale
from arkham.idempotency import idempotent
from arkham.problems import Problem
from arkham.rules.checking import judge_request
from decks import examples, queries, services
from decks.api.answers import (
    answer_of,
    content_data,
    etag_of,
    kept_data,
    marks_data,
    seen_revision,
    summary_data,
    versions_data,
)
from decks.api.writing import Written, patched, written
from decks.differences import differences
from decks.judging import current_judge
from decks.models import Deck, Revision
from decks.serializers.judged import VerdictShape
from decks.serializers.kept import (
    ComparisonShape,
    DeckChangesShape,
    DeckSummaryShape,
    KeptDeckShape,
    RevisionShape,
    RevisionSummaryShape,
    WrittenDeckShape,
)

MOST = 999_999_999  # no revision has a higher number
TAGS = ["decks"]
WRITTEN = OpenApiExample("A deck", examples.WRITTEN, request_only=True)
KEPT = OpenApiExample("The deck", examples.KEPT, response_only=True)


class DeckView(generics.GenericAPIView[Any]):
    """What all of these share: they are for those who are signed in."""

    permission_classes = [IsAuthenticated]
    filter_backends = []
    metadata_class = None  # the API's description tells what OPTIONS would

    def decks(self) -> QuerySet[Deck]:
        """The decks that exist for whoever asks."""
        return queries.visible_to(self.request.user)

    def latest(self, pk: int) -> Revision:
        """The latest revision of one of them, with the deck; or 404."""
        revision = queries.latest(self.decks().filter(pk=pk)).first()
        if revision is None:
            raise Http404
        return revision


class Decks(DeckView):
    """Which decks have I?"""

    ordering = "deck_id"

    @extend_schema(
        operation_id="decks",
        tags=TAGS,
        responses=DeckSummaryShape(many=True),
    )
    def get(self, request: Request) -> Response:
        """One's own decks, the oldest first, a page at a time."""
        page = self.paginate_queryset(queries.latest(self.decks()))
        return self.get_paginated_response([summary_data(each) for each in page or ()])

    @extend_schema(
        operation_id="deck_create",
        tags=TAGS,
        request={"application/json": WrittenDeckShape},
        responses={201: KeptDeckShape},
        examples=[WRITTEN, KEPT],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Begin a deck; it may be unfinished and illegal, and is kept as it is."""
        assert isinstance(request.user, User)
        given = written(value_of(request))
        deck = services.create_deck(
            owner=request.user,
            content=given.content,
            now=timezone.now(),
            **given.beside._asdict(),
        )
        answer = answer_of(self.latest(deck.pk), 201)
        answer["Location"] = reverse("api:decks:deck", [deck.pk], request=request)
        return answer


class DeckDetail(DeckView):
    """What is this deck, and what shall it be?"""

    revisioned = ("PUT", "PATCH", "DELETE")
    parser_classes = [StrictJSONParser, MergePatchParser]

    @extend_schema(
        operation_id="deck", tags=TAGS, responses=KeptDeckShape, examples=[KEPT]
    )
    def get(self, request: Request, pk: int) -> Response:
        """The deck as it is now; its ETag is what ``If-Match`` takes."""
        return answer_of(self.latest(pk))

    @extend_schema(
        operation_id="deck_revise",
        tags=TAGS,
        request={"application/json": WrittenDeckShape},
        responses=KeptDeckShape,
        examples=[WRITTEN, KEPT],
    )
    @idempotent
    def put(self, request: Request, pk: int) -> Response:
        """Make this the latest revision; earlier ones stay. No change is no revision.

        A stale ``If-Match`` is answered by 412 with three versions: ``current``,
        ``yours``, and ``base``, what both grew from (null if that is not known).
        """
        latest = self.latest(pk)
        return self._revised(latest, written(value_of(request)))

    @extend_schema(
        operation_id="deck_change",
        tags=TAGS,
        request={
            "application/json": DeckChangesShape,
            "application/merge-patch+json": DeckChangesShape,
        },
        responses=KeptDeckShape,
        examples=[
            OpenApiExample("One card more, one gone", examples.CHANGES),
            KEPT,
        ],
    )
    @idempotent
    def patch(self, request: Request, pk: int) -> Response:
        """Change some of the deck, by a JSON merge patch (RFC 7396)."""
        latest = self.latest(pk)
        return self._revised(latest, patched(latest, value_of(request)))

    @extend_schema(operation_id="deck_delete", tags=TAGS, responses={204: None})
    @idempotent
    def delete(self, request: Request, pk: int) -> Response:
        """Remove the deck with all its revisions; verdicts shared from it stay."""
        latest = self.latest(pk)
        require_match(request, etag_of(latest.deck), current=kept_data(latest))
        services.delete_deck(deck=latest.deck)
        return Response(status=204)

    def _revised(self, latest: Revision, given: Written) -> Response:
        """The deck with another latest revision, if the one there now was seen."""
        deck = latest.deck
        seen = deck.revisions.filter(number=seen_revision(self.request, deck)).first()
        versions = versions_data(latest, given, seen)
        require_match(self.request, etag_of(deck), **versions)
        try:
            services.revise_deck(
                deck=deck,
                content=given.content,
                beside=given.beside,
                expected_revision=latest.number,
                now=timezone.now(),
            )
        except services.Stale as moved:
            # Somebody was quicker, between the two lines above.
            latest = self.latest(deck.pk)
            versions = versions_data(latest, given, moved.base)
            raise stale(self.request, etag_of(latest.deck), **versions) from None
        except services.Played:
            raise Problem(
                409,
                _("The deck has been played: what changes now is an upgrade."),
                kind="played",
            ) from None
        return answer_of(self.latest(deck.pk))


class DeckLegality(DeckView):
    """May this deck be played?"""

    @extend_schema(
        operation_id="deck_legality",
        tags=TAGS,
        responses=VerdictShape,
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """The verdict on the deck as it is now, under its circumstances."""
        asked = self.latest(pk).content.asked()._replace(id=pk)
        verdict, _outcome = judge_request(current_judge(), asked)
        return HttpResponse(verdict, content_type="application/json")


class Revisions(DeckView):
    """How did this deck come to be?"""

    ordering = "number"

    @extend_schema(
        operation_id="deck_revisions",
        tags=TAGS,
        responses=RevisionSummaryShape(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        """Every revision of the deck, the first one first, a page at a time."""
        deck = get_object_or_404(self.decks(), pk=pk)
        page = self.paginate_queryset(deck.revisions.defer("list", "circumstances"))
        return self.get_paginated_response([marks_data(each) for each in page or ()])


class RevisionDetail(DeckView):
    """What was this deck then?"""

    @extend_schema(operation_id="deck_revision", tags=TAGS, responses=RevisionShape)
    def get(self, request: Request, pk: int, number: int) -> Response:
        """The deck as it stood in one revision."""
        deck = get_object_or_404(self.decks(), pk=pk)
        revision = get_object_or_404(deck.revisions, number=number)
        return Response(marks_data(revision) | content_data(revision.content))


def _revision_parameter(name: str, description: str) -> OpenApiParameter:
    number = {"type": "integer", "minimum": 1, "maximum": MOST}
    return OpenApiParameter(name, number, description=description)


class DeckComparison(DeckView):
    """What did change between two revisions?"""

    @extend_schema(
        operation_id="deck_compare",
        tags=TAGS,
        parameters=[
            _revision_parameter(
                "before", "A revision; the one before “after” if none."
            ),
            _revision_parameter("after", "A revision; the latest if none is named."),
        ],
        responses=ComparisonShape,
        examples=[OpenApiExample("Changes", examples.COMPARISON, response_only=True)],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Everything on which two revisions of the deck differ."""
        deck = get_object_or_404(self.decks(), pk=pk)
        after = _number(request, "after", deck.revision)
        before = _number(request, "before", max(after - 1, 1))
        found = {
            each.number: each.content
            for each in deck.revisions.filter(number__in=(before, after))
        }
        if not {before, after} <= found.keys():
            raise Http404
        apart = differences(found[before], found[after], current_judge().pool)
        told = [
            {
                "pointer": each.pointer,
                "what": str(each.what),
                "before": each.mine,
                "after": each.theirs,
            }
            for each in apart
        ]
        return Response({"before": before, "after": after, "differences": told})


def _number(request: Request, name: str, default: int) -> int:
    """The number of a revision in the query string."""
    text = request.query_params.get(name)
    if text is None:
        return default
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MOST))
    if is_number and 1 <= int(text) <= MOST:
        return int(text)
    raise ValidationError({name: _("The number of a revision is expected.")})
