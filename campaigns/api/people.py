"""The API of people: members and seats of a table."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import idempotent
from arkham.rest.messages import Data, Message, Number, many, schema, source
from arkham.rest.reading import Key
from arkham.rules.legality.verdict import finding_data
from campaigns import services
from campaigns.api import bodies
from campaigns.api.access import CampaignView, named
from campaigns.api.bodies import SitShape
from campaigns.api.tables import sitting_of
from campaigns.guides.opening import GuideMissing
from campaigns.log.replays import replayed
from campaigns.log.store import LogBroken
from campaigns.models import Membership, Role, Seat
from campaigns.people.rights import Right, require
from campaigns.settling.terms import DeckCompliance, deck_compliance
from decks.models import Deck
from decks.serializers.judged import FindingShape, Status
from decks.services.beginning import to_spend

TAGS = ["people at a table"]
RoleName = Annotated[str, schema(enum=Role.values)]
KINDS = Seat.Kind.values  # one name for them in the description
SeatKind = Annotated[str, schema(enum=KINDS)]


class MemberShape(Message):
    """A member of the table; ``left_at`` is set for former members."""

    id: Annotated[Number, source("pk")]
    name: str
    role: RoleName
    is_guest: Annotated[bool, source(lambda member: member.guest_id is not None)]
    joined_at: datetime
    left_at: datetime | None


class RoleShape(Message):
    """The new role of a member."""

    role: RoleName


class SeatShape(Message):
    """An investigator at the table.

    ``balance`` is the experience of its deck; below zero, too much was spent.
    ``status`` is the verdict on a deck stored here by the rules of the table: taboo
    list, environment and ultimatums. Findings are shown to the owner of the deck. While
    decks are upgraded, ``up_to_date`` says that the player is done.
    """

    id: Annotated[Number, source("pk")]
    investigator: str
    member: Annotated[Number | None, source("member_id")]
    name: str
    kind: SeatKind
    deck: Annotated[Number | None, source("deck_id")]
    balance: Annotated[int | None, source(lambda seat: _balance(seat.deck))]
    status: Status | None
    findings: list[FindingShape] | None
    up_to_date: Annotated[bool, source("is_up_to_date")]


class SeatMarkShape(Message):
    """Whether the player of a seat has finished upgrading its deck."""

    up_to_date: bool


class SeatChangeShape(Message):
    """An investigator's new player and deck; a deck has kind here."""

    member: Key | None
    kind: SeatKind
    deck: Key | None


class Members(CampaignView):
    """The members of a table."""

    ordering = "pk"

    @extend_schema(
        operation_id="campaign_members", tags=TAGS, responses=many(MemberShape)
    )
    def get(self, request: Request, pk: int) -> Response:
        """All members, including those who have left."""
        member = self.member(pk)
        found = member.campaign.memberships.select_related("user", "guest")
        page = self.paginate_queryset(found)
        return self.get_paginated_response(
            [MemberShape.data(each) for each in page or ()]
        )


class MemberDetail(CampaignView):
    """A member of the table."""

    refuses = ("409", "422")

    @extend_schema(
        operation_id="campaign_role",
        tags=TAGS,
        request={"application/json": RoleShape},
        responses=MemberShape,
    )
    @idempotent
    def patch(self, request: Request, pk: int, member: int) -> Response:
        """Change the role of a member; only an organiser can."""
        actor = self.member(pk)
        body = self.parse_body(RoleShape)
        other = _at(actor, member)
        services.change_role(
            member=other, actor=actor, role=body.role, now=timezone.now()
        )
        return Response(MemberShape.data(other))

    @extend_schema(operation_id="campaign_leave", tags=TAGS, responses={204: None})
    @idempotent
    def delete(self, request: Request, pk: int, member: int) -> Response:
        """Leave the table, or remove a member; seats and entries stay."""
        actor = self.member(pk)
        other = _at(actor, member)
        if other.pk == actor.pk:
            services.leave(member=other, now=timezone.now())
        else:
            services.remove_member(member=other, actor=actor, now=timezone.now())
        return Response(status=204)


class Seats(CampaignView):
    """The seats of a table."""

    ordering = "pk"

    @extend_schema(operation_id="campaign_seats", tags=TAGS, responses=many(SeatShape))
    def get(self, request: Request, pk: int) -> Response:
        """All seats, in the order they were added."""
        member = self.member(pk)
        page = self.paginate_queryset(member.campaign.seats.select_related("deck"))
        decks = _decks(member)
        data = [seat_data(each, member, decks) for each in page or ()]
        return self.get_paginated_response(data)

    @extend_schema(
        operation_id="campaign_sit",
        tags=TAGS,
        request={"application/json": SitShape},
        responses={201: SeatShape},
        examples=[OpenApiExample("Roland", bodies.SEAT, request_only=True)],
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Add a seat for an investigator; only an organiser can."""
        member = self.member(pk)
        body = self.parse_body(SitShape)
        require(member, Right.ORGANISE)
        seat = services.add_seat(
            campaign=member.campaign,
            member=member,
            sitting=sitting_of(body, member.user),
            now=timezone.now(),
        )
        return Response(seat_data(seat, member, _decks(member)), status=201)


class SeatDetail(CampaignView):
    """An investigator at the table."""

    @extend_schema(
        operation_id="campaign_seat_change",
        tags=TAGS,
        request={"application/json": SeatChangeShape},
        responses=SeatShape,
    )
    @idempotent
    def put(self, request: Request, pk: int, seat: int) -> Response:
        """Change who plays a seat (organisers) and with which deck (its owner)."""
        member = self.member(pk)
        body = self.parse_body(SeatChangeShape)
        found = get_object_or_404(
            member.campaign.seats.select_related("deck", "campaign__guide"), pk=seat
        )
        with transaction.atomic():
            _seated(found, member, body)
        return Response(seat_data(found, member, _decks(member)))

    @extend_schema(
        operation_id="campaign_seat_mark",
        tags=TAGS,
        request={"application/json": SeatMarkShape},
        responses=SeatShape,
    )
    @idempotent
    def patch(self, request: Request, pk: int, seat: int) -> Response:
        """Mark a deck as up to date, as its player or an organiser, during upgrades.

        Once every player’s deck is, the campaign goes on.
        """
        member = self.member(pk)
        body = self.parse_body(SeatMarkShape)
        found = get_object_or_404(member.campaign.seats.select_related("deck"), pk=seat)
        services.mark_up_to_date(
            campaign=member.campaign,
            codes=(found.investigator,),
            member=member,
            now=timezone.now(),
            is_done=body.up_to_date,
        )
        found.refresh_from_db(fields=["is_up_to_date"])
        return Response(seat_data(found, member, _decks(member)))


def seat_data(
    seat: Seat, member: Membership, decks: Mapping[str, DeckCompliance]
) -> Data:
    """Return a seat; ``decks`` are those stored here, judged by the table's terms."""
    judged = decks.get(seat.investigator)
    verdict = judged.judged.verdict if judged is not None else None
    mine = seat.deck is not None and seat.deck.owner_id == member.user_id
    return SeatShape.data(
        seat,
        status=verdict.status if verdict is not None else None,
        findings=[finding_data(each) for each in verdict.findings]
        if verdict is not None and mine
        else None,
    )


def _balance(deck: Deck | None) -> int | None:
    if deck is None:
        return None
    return to_spend(deck.revisions.get(number=deck.revision))


def _decks(member: Membership) -> dict[str, DeckCompliance]:
    """Return the table's decks judged by its terms; none if its log can't be read."""
    campaign = member.campaign
    try:
        return deck_compliance(campaign, replayed(campaign).replay)
    except (LogBroken, GuideMissing):
        return {}


def _seated(seat: Seat, member: Membership, body: SeatChangeShape) -> None:
    if body.member != seat.member_id:
        others = Membership.objects.filter(campaign=seat.campaign_id)
        other = None if body.member is None else named(others, body.member, "member")
        services.give_seat(seat=seat, member=other, actor=member)
    if body.kind == Seat.Kind.HERE and body.deck is not None:
        if body.deck != seat.deck_id:
            owned = Deck.objects.filter(owner__isnull=False, owner=member.user)
            deck = named(owned, body.deck, "deck")
            services.link_deck(seat=seat, member=member, deck=deck, now=timezone.now())
        return
    if body.deck is not None or body.kind == Seat.Kind.HERE:
        raise ValidationError({"deck": [_("Choose a deck saved here.")]})
    if (seat.kind, seat.deck_id) != (body.kind, None):
        services.unlink_deck(seat=seat, member=member, kind=body.kind)


def _at(actor: Membership, member: int) -> Membership:
    return get_object_or_404(
        Membership.objects.select_related("user", "guest", "campaign"),
        pk=member,
        campaign=actor.campaign_id,
    )
