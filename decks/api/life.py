"""The API for the life of a deck: games, experience, and changed verdicts."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Annotated, Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import idempotent
from arkham.rest.messages import Count, Message, MessagePart, Number, many, source
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, shortened
from arkham.rules.upgrade.facts import copies_by_card
from arkham.rules.upgrade.window import window_copies
from arkham.web.bodies import value_of
from arkham.web.http import require_match
from arkham.web.problems import Problem
from cardpool.catalog import current_pool
from decks import queries, services
from decks.api import examples
from decks.api.answers import (
    answer_of,
    conflict_data,
    etag_of,
    kept_data,
    seen_revision,
)
from decks.api.bodies import MISSHAPEN, corrected, refusal, reported
from decks.api.decks import TAGS as DECK_TAGS
from decks.api.decks import DeckView
from decks.lists.content import Content
from decks.models import Notice
from decks.serializers.decks import KeptDeckShape
from decks.serializers.judged import Findings, Status
from decks.serializers.life import CorrectionShape, GameShape, LedgerEntryShape
from decks.services import ledger
from decks.services.ledger import EntryBalance

TAGS = ["life of a deck"]


def _check_exiled(game: services.PlayedGame, content: Content) -> None:
    """Raise a 422 problem for exiled copies that the deck of the game doesn't have.

    Cards that came in the same game can be exiled in it.
    """
    pool, deck = current_pool(), content.asked().deck
    granted = window_copies(game.aftermath, "granted")
    left: Counter[str] = Counter()
    for each in (deck.entries, deck.side_deck, granted):
        left += copies_by_card(each, pool)
    faults = []
    for code, copies in window_copies(game.aftermath, "exiled").items():
        (card,) = copies_by_card({code: copies}, pool)
        if copies > left[card]:
            known = pool.get_card(code)
            name = f"{copies} × {known.title if known else code}"
            message = gettext_noop("The deck has too few copies to exile {found}.")
            at = f"/window/exiled{token(code)}"
            faults.append(Fault(at, message, f"at most {left[card]}", shortened(name)))
        left[card] -= copies
    if faults:
        raise refusal(Unreadable(*faults), MISSHAPEN, "")


class Games(DeckView):
    """The games of a deck."""

    revisioned = ("POST", "DELETE")

    @extend_schema(
        operation_id="deck_game",
        tags=TAGS,
        request={"application/json": GameShape},
        responses=KeptDeckShape,
        examples=[OpenApiExample("A game", examples.GAME, request_only=True)],
    )
    @idempotent
    @transaction.atomic
    def post(self, request: Request, pk: int) -> Response:
        """Record a game: what it gave, and what the next upgrade needs to know.

        No game counts twice: if the last game is already recorded it is 409, unless
        ``again`` says that this is another game, played without an upgrade in between.
        """
        latest = self.lock_latest(pk)
        yours = value_of(request)
        report = reported(yours, latest.content)
        seen = seen_revision(request, latest)
        members = conflict_data(request, latest, yours, seen)
        require_match(request, etag_of(latest), **members)
        goes_on = report.again and latest.played_at is not None
        _check_exiled(
            report.game, services.opened(latest) if goes_on else latest.content
        )
        write = services.play_again if report.again else services.mark_played
        try:
            write(
                deck=latest.deck,
                game=report.game,
                expected_revision=latest.number,
                actor=self.actor(),
                now=timezone.now(),
            )
        except services.AlreadyPlayed:
            detail = _(
                "The last game is already in the ledger. Was this a different one?"
            )
            raise Problem(409, detail, kind="written-already") from None
        except services.Unpayable as error:
            raise Problem(422, str(error), kind="unpayable", pointer="/cost") from None
        except services.NotPlayed:
            detail = _(
                "You haven’t played a game since the deck was built or upgraded."
            )
            raise Problem(409, detail, kind="not-played") from None
        return answer_of(request, self.editable(pk))

    @extend_schema(
        operation_id="deck_game_take_back",
        tags=TAGS,
        responses={200: KeptDeckShape},
    )
    @idempotent
    @transaction.atomic
    def delete(self, request: Request, pk: int) -> Response:
        """Undo the last game.

        The ledger reverses what it gave and cost; an upgrade in progress is discarded.
        It is 409 if the deck was upgraded since, or if its games are recorded by a
        campaign.
        """
        latest = self.lock_latest(pk)
        require_match(request, etag_of(latest), current=kept_data(request, latest))
        try:
            services.take_back_game(
                deck=latest.deck,
                expected_revision=latest.number,
                actor=self.actor(),
                now=timezone.now(),
            )
        except services.NotPlayed:
            detail = _("No scenario is recorded for this deck.")
            raise Problem(409, detail, kind="not-played") from None
        except services.UpgradedSince:
            detail = _("The deck was upgraded or changed after its last game.")
            raise Problem(409, detail, kind="upgraded-since") from None
        except services.OfCampaign:
            detail = _("The deck is in a campaign: undo the scenario there.")
            raise Problem(409, detail, kind="of-campaign") from None
        return answer_of(request, self.editable(pk))


class Ledger(DeckView):
    """The ledger of a deck: its experience, entry by entry."""

    has_quota = ("POST",)

    ordering = "number"

    @extend_schema(
        operation_id="deck_ledger",
        tags=TAGS,
        responses=many(LedgerEntryShape),
    )
    def get(self, request: Request, pk: int) -> Response:
        """Every entry of the ledger, oldest first, each with the balance after it."""
        deck = get_object_or_404(self.decks(), pk=pk)
        page = self.paginate_queryset(deck.ledger.select_related("author")) or []
        before = ledger.balance_before(page[0]) if page else 0
        data = [
            LedgerEntryShape.data(each) for each in ledger.with_balances(page, before)
        ]
        return self.get_paginated_response(data)

    @extend_schema(
        operation_id="deck_correct",
        tags=TAGS,
        request={"application/json": CorrectionShape},
        responses={201: LedgerEntryShape},
        examples=[OpenApiExample("A correction", examples.CORRECTION)],
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Correct the experience, with a reason; nothing is erased."""
        deck = self.editable(pk).deck
        wanted = corrected(value_of(request))
        entry = services.correct_ledger(
            deck=deck,
            amount=wanted.amount,
            reason=wanted.reason,
            actor=self.actor(),
            now=timezone.now(),
        )
        balance = ledger.balance_before(entry) + entry.amount
        return Response(LedgerEntryShape.data(EntryBalance(entry, balance)), status=201)


class JudgedPart(MessagePart):
    """The verdict on a deck at one time."""

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
    """A change of verdict on a deck that wasn't changed: before, after, and the
    findings that differ."""

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
    """Changed verdicts on the decks of the account."""

    ordering = "id"

    @extend_schema(
        operation_id="notices",
        tags=DECK_TAGS,
        responses=many(NoticeShape),
        examples=[NOTICE],
    )
    def get(self, request: Request) -> Response:
        """Verdicts on your decks that cards or rules changed, until dismissed."""
        page = self.paginate_queryset(queries.to_be_read(self.decks()))
        return self.get_paginated_response(
            [NoticeShape.data(each) for each in page or ()]
        )


class DeckNotices(DeckView):
    """All changed verdicts on one deck."""

    ordering = "id"

    @extend_schema(
        operation_id="deck_notices",
        tags=DECK_TAGS,
        responses=many(NoticeShape),
        examples=[NOTICE],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Every notice on the deck, the oldest first, those with advice only and
        those dismissed included."""
        deck = get_object_or_404(self.decks(), pk=pk)
        page = self.paginate_queryset(deck.notices.all())
        return self.get_paginated_response(
            [NoticeShape.data(each) for each in page or ()]
        )


class Dismiss(DeckView):
    """Dismisses notices."""

    @extend_schema(
        operation_id="notice_dismiss",
        tags=DECK_TAGS,
        request=None,
        responses=NoticeShape,
        examples=[NOTICE],
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Dismiss a notice and the earlier ones on the same deck; they stay on
        record."""
        found = Notice.objects.filter(deck__in=self.decks()).select_related("deck")
        notice = get_object_or_404(found, pk=pk)
        services.dismiss_notices(deck=notice.deck, last=notice.pk, now=timezone.now())
        notice.refresh_from_db()
        return Response(NoticeShape.data(notice))
