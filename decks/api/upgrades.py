"""The API for upgrades: what a deck may become, and the price."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from arkham.rest.idempotency import idempotent
from arkham.rules.legality import finding_data
from arkham.rules.notation.reading import Unreadable
from arkham.rules.pricing import invoice_of, invoice_text, read_upgrade
from arkham.web.bodies import value_of
from arkham.web.http import require_match
from arkham.web.problems import Problem
from cardpool.catalog import current_judge
from decks import services
from decks.api import examples
from decks.api.answers import (
    conflict_data,
    content_data,
    desk_data,
    etag_of,
    etag_of_desk,
    revision_data,
    seen_revision,
)
from decks.api.bodies import MISSHAPEN, UpgradeWish, check_named, refusal, wished
from decks.api.decks import DeckView, closed
from decks.api.legality import OpenView
from decks.models import Desk, Revision
from decks.pages.reckoning import Reckoning
from decks.serializers.decks import RevisionShape
from decks.serializers.life import (
    AgreedUpgradeShape,
    DeskShape,
    OpeningShape,
    PreviewShape,
    WishedUpgradeShape,
)
from decks.serializers.priced import InvoiceShape, UpgradeShape
from decks.services import ledger
from decks.services.windows import PricedUpgrade, start_of, window_after


class UpgradePrice(OpenView):
    """The price of turning one deck into another."""

    @extend_schema(
        operation_id="upgrade_price",
        tags=["legality"],
        request={"application/json": UpgradeShape},
        responses={200: InvoiceShape},
        examples=[
            OpenApiExample("Two revisions", examples.UPGRADE, request_only=True),
            OpenApiExample("Its invoice", examples.INVOICE, response_only=True),
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Price one upgrade.

        Takes two decks in ArkhamDB's format and answers with the lowest price the
        printed rules allow, line by line. Illegal and unfinished decks are priced too:
        what is wrong is a finding and changes no price. For an unknown investigator we
        assume the one of the old deck, or any.
        """
        value = self.value(request)
        try:
            asked, judge = read_upgrade(value), current_judge()
            check_named(asked.circumstances, judge.pool)
            invoice = invoice_of(judge, asked)
        except Unreadable as error:
            raise refusal(error, MISSHAPEN) from None
        answer = invoice_text(asked.id, invoice)
        return HttpResponse(answer, content_type="application/json")


TAGS = ["life of a deck"]
WISHED = OpenApiExample("A card upgraded", examples.WISHED, request_only=True)


class UpgradeView(DeckView):
    """Base of views that start from the deck after its last game."""

    refuses = ("409",)

    def base(self, latest: Revision) -> Revision:
        """Return the revision last played; 409 if there was no game yet."""
        found = start_of(latest)
        if found is None:
            raise _not_played()
        return found

    def require_open(self, latest: Revision) -> None:
        """Raise a 409 while a campaign forbids all upgrades."""
        closing = services.closing_of(latest.deck)
        if closing is not None and closing.is_whole:
            raise closed(self.request, closing)

    def previewed(self, latest: Revision, wish: UpgradeWish) -> PricedUpgrade:
        """Price the wish, with an upgrade that wasn't played yet refunded."""
        return services.preview_upgrade(
            deck=latest.deck, content=wish.content, window=wish.window
        )


class DeckUpgrade(UpgradeView):
    """The start of an upgrade, and the upgrade itself."""

    revisioned = ("POST",)

    @extend_schema(operation_id="deck_opening", tags=TAGS, responses=OpeningShape)
    def get(self, request: Request, pk: int) -> Response:
        """The start of an upgrade: the deck after its last game.

        ``available`` is the balance, as if an upgrade not played yet were undone;
        ``window`` is what was recorded after the game.
        """
        latest = self.editable(pk)
        base = self.base(latest)
        balance = ledger.balance_of(latest.deck)
        given_back = ledger.spent_since(latest.deck, base.number)
        return Response(
            OpeningShape.data(
                base,
                base=base.number,
                balance=balance,
                available=balance + given_back,
                **content_data(services.opened(base)),
                window=window_after(base),
            )
        )

    @extend_schema(
        operation_id="deck_upgrade",
        tags=TAGS,
        request={"application/json": AgreedUpgradeShape},
        responses={201: RevisionShape},
        examples=[WISHED],
    )
    @idempotent
    @transaction.atomic
    def post(self, request: Request, pk: int) -> Response:
        """Upgrade to this deck and pay for it.

        The price is the lowest the printed rules allow, with the pins and refusals of
        the window. An earlier upgrade since the same game is undone first. If it breaks
        a rule it is 422 with its ``findings``, unless ``repair`` gives the reason to
        upgrade anyway. While a scenario is played in the campaign of the deck, or its
        guide doesn't let you spend experience, it is 409 (``closed``) with the reason
        and the table in ``campaign_url``.
        """
        latest = self.lock_latest(pk)
        base, sent = start_of(latest), value_of(request)
        wish = wished(sent, services.opened(base)) if base else None
        yours = content_data(wish.content) if wish else sent
        versions = conflict_data(request, latest, yours, seen_revision(request, latest))
        require_match(request, etag_of(latest), **versions)
        if wish is None:
            raise _not_played()
        self.require_open(latest)
        try:
            revision = services.upgrade_deck(
                deck=latest.deck,
                content=wish.content,
                window=wish.window,
                expected_revision=latest.number,
                repair=wish.repair,
                actor=self.actor(),
                now=timezone.now(),
            )
        except services.UpgradeRefused as refused:
            _refuse(refused.preview)
        made = self.editable(pk)
        answer = Response(revision_data(revision), status=201)
        answer["ETag"] = etag_of(made)
        answer["Location"] = reverse(
            "api:decks:revision", [pk, revision.number], request=request
        )
        return answer


class UpgradePreview(UpgradeView):
    """The price of an upgrade that isn't made."""

    only_reads = True

    @extend_schema(
        operation_id="deck_upgrade_preview",
        tags=TAGS,
        request={"application/json": AgreedUpgradeShape},
        responses=PreviewShape,
        examples=[WISHED],
    )
    def post(self, request: Request, pk: int) -> Response:
        """The invoice, the verdict on the new deck, and the balance; nothing changes.

        ``otherwise`` are pins that would change the price, ``reducing`` the cards whose
        reductions may be refused; ``difference`` is how much more you would pay.
        """
        latest = self.editable(pk)
        base = self.base(latest)
        wish = wished(value_of(request), services.opened(base))
        preview = self.previewed(latest, wish)
        return Response(_preview_data(preview))


class DeskDetail(UpgradeView):
    """The upgrade in progress, on all devices of its owner."""

    revisioned = ("PUT", "DELETE")

    @extend_schema(operation_id="deck_desk", tags=TAGS, responses=DeskShape)
    def get(self, request: Request, pk: int) -> Response:
        """The upgrade in progress; send its ETag as ``If-Match``."""
        return _desk_answer(self._desk(self.editable(pk)))

    @extend_schema(
        operation_id="deck_desk_lay_out",
        tags=TAGS,
        request={"application/json": WishedUpgradeShape},
        responses=DeskShape,
        examples=[WISHED],
    )
    @idempotent
    @transaction.atomic
    def put(self, request: Request, pk: int) -> Response:
        """Save an upgrade in progress; nothing is bought yet."""
        latest = self.lock_latest(pk)
        base = self.base(latest)
        desk = self._desk(latest)
        wish = wished(value_of(request), services.opened(base))
        yours = content_data(wish.content) | {"window": wish.window}
        require_match(request, etag_of_desk(desk), current=desk_data(desk), yours=yours)
        self.require_open(latest)
        saved = services.save_desk(
            deck=desk.deck,
            content=wish.content,
            window=wish.window,
            seen=desk.seen,
            expected_version=desk.version,
            now=timezone.now(),
        )
        return _desk_answer(saved)

    @extend_schema(operation_id="deck_desk_clear", tags=TAGS, responses={204: None})
    @idempotent
    @transaction.atomic
    def delete(self, request: Request, pk: int) -> Response:
        """Discard the upgrade in progress; nothing was bought."""
        desk = self._desk(self.lock_latest(pk))
        require_match(request, etag_of_desk(desk), current=desk_data(desk))
        services.clear_desk(deck=desk.deck, expected_version=desk.version)
        return Response(status=204)

    def _desk(self, latest: Revision) -> Desk:
        self.base(latest)
        desk = services.desk_of(latest)
        assert desk is not None
        return desk


def _not_played() -> Problem:
    """Return a 409: there is no game yet to upgrade after."""
    detail = _(
        "The deck hasn’t been played yet: edit it. Its cards are paid for when its "
        "first scenario is recorded."
    )
    return Problem(409, detail, kind="not-played")


def _desk_answer(desk: Desk) -> Response:
    headers = {"ETag": etag_of_desk(desk), "Cache-Control": "private, no-cache"}
    return Response(desk_data(desk), headers=headers)


def _preview_data(preview: PricedUpgrade) -> dict[str, Any]:
    """Return the price and verdict of an upgrade."""
    reckoning = Reckoning(preview, current_judge())
    deck = preview.base.deck_id
    return PreviewShape.data(
        reckoning,
        invoice={"id": deck, **preview.invoice.as_data()},
        verdict={"id": deck, **reckoning.judged.verdict.as_data()},
    )


def _refuse(preview: PricedUpgrade) -> NoReturn:
    """Raise a 422: the upgrade breaks a rule, and nothing was bought."""
    raise Problem(
        422,
        _("The upgrade breaks a rule. Correct it, or give the reason in “repair”."),
        kind="refused",
        findings=[finding_data(each) for each in preview.findings],
        invoice={"id": preview.base.deck_id, **preview.invoice.as_data()},
    )
