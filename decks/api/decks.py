"""The API for the decks of an account, using the same services as the pages.

Other people's decks don't exist here. Drafts without an owner belong to browsers.
"""

from __future__ import annotations

import re
from typing import Any

from django.db import transaction
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
from arkham.rest.idempotency import idempotent
from arkham.rest.messages import many
from arkham.rules.checking import judge_request
from arkham.rules.vocabulary import is_digits
from arkham.web.bodies import MergePatchParser, StrictJSONParser, value_of, whole
from arkham.web.http import require_match
from arkham.web.problems import Problem
from cardpool.catalog import current_judge
from decks import queries, services
from decks.api import examples
from decks.api.answers import (
    answer_of,
    etag_of,
    kept_data,
    revision_data,
    seen_revision,
    versions_data,
)
from decks.api.bodies import WrittenDeck, patched, written
from decks.models import Deck, Revision
from decks.pages.differences import differences
from decks.pages.life import Comparison
from decks.serializers.decks import (
    ComparisonShape,
    DeckChangesShape,
    DeckSummaryShape,
    DifferencePart,
    KeptDeckShape,
    RevisionShape,
    RevisionSummaryShape,
    WrittenDeckShape,
)
from decks.serializers.judged import VerdictShape
from decks.services.sharing import labels_of, mark_of

MOST = 999_999_999  # no revision has a higher number
TAGS = ["decks"]
WRITTEN = OpenApiExample("A deck", examples.WRITTEN, request_only=True)
FOLDER = OpenApiParameter(
    "folder",
    {"type": "string", "pattern": "^(none|[1-9][0-9]{0,8})$"},
    description="Only decks in this folder; none: only those in no folder.",
)
ARCHIVED = OpenApiParameter(
    "archived",
    {"type": "boolean"},
    description="true: only decks in the archive; false: only the others.",
)
KEPT = OpenApiExample("The deck", examples.KEPT, response_only=True)


def closed(request: Request, closing: services.DeskClosing) -> Problem:
    """Return a 409: a campaign keeps the deck from being changed now."""
    return Problem(
        409,
        closing.reason,
        kind="closed",
        rule=closing.rule,
        campaign_url=request.build_absolute_uri(closing.url),
    )


class DeckView(generics.GenericAPIView[Any]):
    """Base of views for signed-in users."""

    permission_classes = [IsAuthenticated]

    def handle_exception(self, exc: Exception) -> Response:
        """Answer 409 if a campaign keeps a deck from being changed."""
        if isinstance(exc, services.Closed):
            exc = closed(self.request, exc.closing)
        return super().handle_exception(exc)

    def decks(self) -> QuerySet[Deck]:
        """Return the decks that the user may see."""
        return queries.visible_to(self.request.user)

    def actor(self) -> User:
        """Return the signed-in user."""
        assert isinstance(self.request.user, User)
        return self.request.user

    def latest(self, pk: int) -> Revision:
        """Return the latest revision of one of them, with the deck; or 404."""
        revision = queries.latest(self.decks().filter(pk=pk)).first()
        if revision is None:
            raise Http404
        return revision

    def lock_latest(self, pk: int) -> Revision:
        """Lock a deck and return its latest revision; or 404.

        ``If-Match`` is compared with it, so that nothing changes between that and the
        write: services check less than the ETag covers. Only in a transaction.
        """
        deck = self.editable(pk).deck
        whole(self.request)  # don't keep the deck locked for a slow sender
        services.lock_tables(deck)  # always lock tables before decks
        Deck.objects.select_for_update().filter(pk=pk).first()
        return self.editable(pk)

    def editable(self, pk: int) -> Revision:
        """Return the latest revision of a deck that the user may change; or 404."""
        decks = queries.editable_by(self.request.user)
        revision = queries.latest(decks.filter(pk=pk)).first()
        if revision is None:
            raise Http404
        return revision


class Decks(DeckView):
    """The decks of the account."""

    has_quota = ("POST",)

    ordering = "deck_id"

    @extend_schema(
        operation_id="decks",
        tags=TAGS,
        parameters=[FOLDER, ARCHIVED],
        responses=many(DeckSummaryShape),
    )
    def get(self, request: Request) -> Response:
        """Your decks, the oldest first, a page at a time.

        Archived decks are included unless you select by ``archived``.
        """
        decks = self._filed(request, self.decks())
        page = self.paginate_queryset(queries.latest(decks))
        found = [DeckSummaryShape.data(each) for each in page or ()]
        return self.get_paginated_response(found)

    def _filed(self, request: Request, decks: QuerySet[Deck]) -> QuerySet[Deck]:
        """Filter by folder and archive, as the query string asks."""
        folder = request.query_params.get("folder")
        if folder == "none":
            decks = decks.filter(folder=None)
        elif folder is not None:
            if not re.fullmatch(r"[1-9]\d{0,8}", folder, re.ASCII):
                message = _("Expected: the id of a folder, or none.")
                raise ValidationError({"folder": message})
            decks = decks.filter(folder=int(folder))
        archived = request.query_params.get("archived")
        if archived is None:
            return decks
        if archived not in ("true", "false"):
            raise ValidationError({"archived": _("Expected: true or false.")})
        return decks.filter(archived_at__isnull=archived == "false")

    @extend_schema(
        operation_id="deck_create",
        tags=TAGS,
        request={"application/json": WrittenDeckShape},
        responses={201: KeptDeckShape},
        examples=[WRITTEN, KEPT],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Create a deck; it may be unfinished or illegal."""
        given = written(value_of(request))
        deck = services.create_deck(
            owner=self.actor(),
            content=given.content,
            now=timezone.now(),
            carried=given.carried,
            **given.labels._asdict(),
        )
        answer = answer_of(request, self.latest(deck.pk), 201)
        answer["Location"] = reverse("api:decks:deck", [deck.pk], request=request)
        return answer


class DeckDetail(DeckView):
    """One deck of the account."""

    revisioned = ("PUT", "PATCH", "DELETE")
    parser_classes = [StrictJSONParser, MergePatchParser]

    @extend_schema(
        operation_id="deck", tags=TAGS, responses=KeptDeckShape, examples=[KEPT]
    )
    def get(self, request: Request, pk: int) -> Response:
        """The current deck; send its ETag as ``If-Match``."""
        return answer_of(request, self.latest(pk))

    @extend_schema(
        operation_id="deck_revise",
        tags=TAGS,
        request={"application/json": WrittenDeckShape},
        responses=KeptDeckShape,
        examples=[WRITTEN, KEPT],
    )
    @idempotent
    @transaction.atomic
    def put(self, request: Request, pk: int) -> Response:
        """Make this the latest revision; earlier ones stay.

        Without a change there is no new revision. A stale ``If-Match`` is 412 with
        three versions: ``current``, ``yours``, and ``base``, their common origin (null
        if unknown).
        """
        latest = self.lock_latest(pk)
        return self._revised(latest, written(value_of(request)))

    @extend_schema(
        operation_id="deck_change",
        tags=TAGS,
        request={
            "application/json": DeckChangesShape,
            "application/merge-patch+json": DeckChangesShape,
        },
        responses=KeptDeckShape,
        examples=[OpenApiExample("Add one card, remove one", examples.CHANGES), KEPT],
    )
    @idempotent
    @transaction.atomic
    def patch(self, request: Request, pk: int) -> Response:
        """Change some of the deck, by a JSON merge patch (RFC 7396)."""
        latest = self.lock_latest(pk)
        return self._revised(latest, patched(latest, value_of(request)))

    @extend_schema(operation_id="deck_delete", tags=TAGS, responses={204: None})
    @idempotent
    @transaction.atomic
    def delete(self, request: Request, pk: int) -> Response:
        """Move the deck to the bin for 30 days, from which it can be restored.

        Its link and its published version end; shared verdicts stay.
        """
        latest = self.lock_latest(pk)
        require_match(request, etag_of(latest), current=kept_data(request, latest))
        services.delete_deck(
            deck=latest.deck, expected_revision=latest.number, now=timezone.now()
        )
        return Response(status=204)

    def _revised(self, latest: Revision, given: WrittenDeck) -> Response:
        """Revise the deck, if its sender had seen the latest revision."""
        deck = latest.deck
        seen = seen_revision(self.request, latest)
        versions = versions_data(self.request, latest, given, seen)
        require_match(self.request, etag_of(latest), **versions)
        try:
            services.revise_deck(
                deck=deck,
                content=given.content,
                labels=given.labels,
                seen=mark_of(labels_of(deck)),
                expected_revision=latest.number,
                actor=self.actor(),
                now=timezone.now(),
            )
        except services.AlreadyPlayed:
            raise Problem(
                409,
                _("The deck has been played: change it by an upgrade."),
                kind="played",
                upgrade=reverse("api:decks:upgrade", [deck.pk], request=self.request),
            ) from None
        return answer_of(self.request, self.latest(deck.pk))


class DeckLegality(DeckView):
    """The verdict on a deck."""

    @extend_schema(operation_id="deck_legality", tags=TAGS, responses=VerdictShape)
    def get(self, request: Request, pk: int) -> HttpResponse:
        """The verdict on the deck as it is now, under its circumstances."""
        asked = self.latest(pk).content.asked()._replace(id=pk)
        verdict, _outcome = judge_request(current_judge(), asked)
        return HttpResponse(verdict, content_type="application/json")


class Revisions(DeckView):
    """The revisions of a deck."""

    ordering = "number"

    @extend_schema(
        operation_id="deck_revisions", tags=TAGS, responses=many(RevisionSummaryShape)
    )
    def get(self, request: Request, pk: int) -> Response:
        """Every revision of the deck, the first one first, a page at a time."""
        deck = get_object_or_404(self.decks(), pk=pk)
        revisions = deck.revisions.select_related("made_by")
        light = revisions.defer("list", "circumstances", "window", "aftermath")
        page = self.paginate_queryset(light)
        found = [RevisionSummaryShape.data(each) for each in page or ()]
        return self.get_paginated_response(found)


class RevisionDetail(DeckView):
    """One revision of a deck."""

    @extend_schema(operation_id="deck_revision", tags=TAGS, responses=RevisionShape)
    def get(self, request: Request, pk: int, number: int) -> Response:
        """One revision of the deck, and what was paid for it."""
        deck = get_object_or_404(self.decks(), pk=pk)
        revision = get_object_or_404(deck.revisions, number=number)
        return Response(revision_data(revision))


def revision_parameter(name: str, description: str) -> OpenApiParameter:
    """Return a query parameter that is the number of a revision."""
    number = {"type": "integer", "minimum": 1, "maximum": MOST}
    return OpenApiParameter(name, number, description=description)


class DeckComparison(DeckView):
    """The differences between two revisions."""

    @extend_schema(
        operation_id="deck_compare",
        tags=TAGS,
        parameters=[
            revision_parameter("before", "A revision; the one before “after” if none."),
            revision_parameter("after", "A revision; the latest if none is named."),
        ],
        responses=ComparisonShape,
        examples=[OpenApiExample("Changes", examples.COMPARISON, response_only=True)],
    )
    def get(self, request: Request, pk: int) -> Response:
        """The differences between two revisions of the deck, the earlier first."""
        deck = get_object_or_404(self.decks(), pk=pk)
        after = number_in(request, "after", deck.revision)
        before = number_in(request, "before", max(after - 1, 1))
        before, after = sorted((before, after))
        if after > deck.revision:
            raise Http404
        pool = current_judge().pool
        life = Comparison(deck, before, after, pool)
        apart = differences(life.earlier.content, life.later.content, pool)
        found = [DifferencePart.data(each) for each in apart]
        return Response(
            ComparisonShape.data(life, before=before, after=after, differences=found)
        )


def number_in(request: Request, name: str, default: int) -> int:
    """Return the number of a revision in the query string."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if is_digits(text, len(str(MOST))) and 1 <= int(text) <= MOST:
        return int(text)
    raise ValidationError({name: _("Expected: the number of a revision.")})
