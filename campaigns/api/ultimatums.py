"""The API of ultimatums, retirement, and moving to another campaign."""

from __future__ import annotations

from typing import Annotated

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import idempotent
from arkham.rest.messages import Message, MessagePart, Number, many, schema, source
from arkham.rest.openapi import IDEMPOTENCY_KEY
from arkham.rest.reading import Key, Sent, Sequence
from arkham.rules.campaign.judging.ultimatum_choice import AFTER_PLAY
from arkham.rules.campaign.state.answers import UltimatumChosen
from arkham.rules.ultimatums import ALL
from campaigns import services
from campaigns.api.access import CampaignView
from campaigns.api.answers import WrittenShape
from campaigns.api.entries import LogView, written_answer
from campaigns.log.replays import replayed
from campaigns.models import Seat
from campaigns.pages.ultimatums import scenario_for, ultimatum_and_name
from campaigns.queries import usable_guides
from campaigns.services.agreements import chosen_ultimatums

TAGS = ["people at a table"]
MOST_UNSPENT = 999


class OathShape(Message):
    """An ultimatum, boon or refraction in use.

    ``scenario`` is the first it applies to; a drawn one applies to that scenario only.
    """

    sequence: Number
    ultimatum: str
    name: Annotated[str, source(lambda chosen: _name(chosen))]
    scenario: str
    drawn: Annotated[bool, source(lambda chosen: chosen.record is not None)]


class SwearShape(Message):
    """The id of a printed ultimatum, or any id with a ``name`` of your own."""

    after: Sequence
    ultimatum: Sent
    name: Sent = ""


class OathDrawShape(Message):
    """A draw for the next game; ``also`` includes those that change decks after it."""

    after: Sequence
    also: Annotated[
        tuple[Annotated[str, schema(enum=list(AFTER_PLAY))], ...],
        schema(maxItems=len(AFTER_PLAY)),
    ] = ()


class RetireShape(Message):
    """An investigator retires, with the reason for the log."""

    after: Sequence
    reason: Sent


class GoingPart(MessagePart):
    """An investigator who moves on; null ``unspent`` is what the deck here has left."""

    seat: Key
    unspent: Annotated[int, schema(minimum=0, maximum=MOST_UNSPENT)] | None = None


class TransferShape(Message):
    """Another campaign, and who moves on to it."""

    guide: Key
    going: Annotated[tuple[GoingPart, ...], schema(minItems=1, maxItems=40)]
    name: Sent = ""


class TransferredShape(Message):
    """The id of the new campaign."""

    campaign: Number


class UltimatumsView(LogView):
    """The ultimatums, boons and refractions the table has chosen."""

    pagination_class = None

    @extend_schema(operation_id="campaign_oaths", tags=TAGS, responses=many(OathShape))
    def get(self, request: Request, pk: int) -> Response:
        """The ultimatums and boons in use, in the order of the log."""
        known = replayed(self.member(pk).campaign)
        return Response([OathShape.data(each) for each in chosen_ultimatums(known)])

    @extend_schema(
        operation_id="campaign_swear",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": SwearShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Choose an ultimatum or boon, to the end of the campaign; only an organiser
        can. To drop one chosen by mistake, retract it with a ``reason``."""
        member = self.member(pk)
        body = self.parse_body(SwearShape)
        campaign = member.campaign
        ultimatum, name = ultimatum_and_name(body.ultimatum, body.name)
        scenario = scenario_for(campaign, replayed(campaign))
        done = services.choose_ultimatum(
            campaign=campaign,
            member=member,
            chosen=UltimatumChosen(scenario, ultimatum, name),
            context=self.write_context(body.after),
        )
        return written_answer(member, done)


class UltimatumDrawView(LogView):
    """Draws under the Ultimatum of Ultimatums."""

    @extend_schema(
        operation_id="campaign_draw_ultimatum",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": OathDrawShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Draw an ultimatum or boon for the next game; its entry records the draw."""
        member = self.member(pk)
        body = self.parse_body(OathDrawShape)
        done = services.draw_ultimatum(
            campaign=member.campaign,
            member=member,
            also=body.also,
            context=self.write_context(body.after),
        )
        return written_answer(member, done)


class Retirement(LogView):
    """Retires an investigator from this campaign."""

    @extend_schema(
        operation_id="campaign_retire",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": RetireShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int, seat: int) -> Response:
        """Retire an investigator between two games, with a reason; their log stays."""
        member = self.member(pk)
        body = self.parse_body(RetireShape)
        seats = member.campaign.seats.select_related("campaign__guide")
        found = get_object_or_404(seats, pk=seat)
        done = services.retire(
            seat=found,
            member=member,
            reason=body.reason[:300],
            context=self.write_context(body.after),
        )
        member.campaign.refresh_from_db()
        return written_answer(member, done)


class Transfers(CampaignView):
    """Moves investigators to another campaign."""

    @extend_schema(
        operation_id="campaign_transfer",
        tags=TAGS,
        request={"application/json": TransferShape},
        responses={201: TransferredShape},
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Start another campaign with investigators of this one; only an organiser can.

        Decks, ``unspent`` experience, trauma and earned cards go with them.
        """
        member = self.member(pk)
        self.user()
        body = self.parse_body(TransferShape)
        begun = services.transfer_campaign(
            campaign=member.campaign,
            member=member,
            guide=get_object_or_404(usable_guides(self.visitor()), pk=body.guide),
            going=[self._going(member.campaign_id, each) for each in body.going],
            name=body.name,
            now=timezone.now(),
        )
        return Response({"campaign": begun.pk}, status=201)

    def _going(self, campaign: int, each: GoingPart) -> services.SeatTransfer:
        seats = Seat.objects.select_related("deck", "member__user", "member__guest")
        seat = get_object_or_404(seats, pk=each.seat, campaign=campaign)
        return services.SeatTransfer(seat, each.unspent)


def _name(chosen: UltimatumChosen) -> str:
    row = ALL.get(chosen.ultimatum)
    return row.name if row is not None else chosen.name
