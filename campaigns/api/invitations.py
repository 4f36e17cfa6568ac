"""The API of invitation links, and of joining a table by one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from arkham.rest.idempotency import idempotent
from arkham.rest.messages import Address, Data, Message, Number, many, schema, source
from arkham.rest.reading import Key, Sent
from arkham.web.limits import KeptForStrangers
from campaigns import services
from campaigns.api.access import CampaignView, named
from campaigns.api.people import TAGS, MemberShape, RoleName
from campaigns.models import Invitation, Membership
from campaigns.people.rights import Right, require
from campaigns.people.table import (
    COOKIE,
    guest_behind,
    invitation_behind,
    key_in,
    remember_guest,
    token_of,
)
from campaigns.services.people import LIFETIME, LONGEST_LIFETIME, MOST_USES

AN_HOUR = timedelta(hours=1)
Uses = Annotated[int, schema(minimum=1, maximum=MOST_USES)]


class InviteShape(Message):
    """A link to create."""

    role: RoleName = "player"
    seat: Key | None = None
    hours: Annotated[
        int,
        schema(minimum=1, maximum=LONGEST_LIFETIME // AN_HOUR),
        f"How long it lasts; {LIFETIME.days} days by default.",
    ] = LIFETIME // AN_HOUR
    most_uses: Annotated[
        Uses | None, "How many people it lets in; null for any number."
    ] = None


class InvitationShape(Message):
    """A link that lets people join the table; it can be shown again.

    The ``token`` is what /campaigns/join takes.
    """

    id: Annotated[Number, source("pk")]
    token: Annotated[str, source(token_of)]
    page: Annotated[Address, "The page to send to people who join."]
    role: RoleName
    seat: Annotated[Number | None, source("seat_id")]
    uses: int
    most_uses: int | None
    made_at: datetime
    expires_at: datetime
    revoked_at: datetime | None


class JoinShape(Message):
    """The link to join by; a guest adds their name."""

    token: Sent
    name: Sent = ""


class JoinedShape(Message):
    """The campaign that was joined, and the new member."""

    campaign: Annotated[Number, source("campaign_id")]
    member: Annotated[MemberShape, source(lambda member: member)]


class Invitations(CampaignView):
    """Links that let people join the table."""

    ordering = "pk"
    refuses = ("403", "409")

    @extend_schema(
        operation_id="campaign_invitations", tags=TAGS, responses=many(InvitationShape)
    )
    def get(self, request: Request, pk: int) -> Response:
        """All invitations to the table, for organisers."""
        member = self.member(pk)
        require(member, Right.ORGANISE)
        page = self.paginate_queryset(member.campaign.invitations.all())
        data = [invitation_data(request, each) for each in page or ()]
        return self.get_paginated_response(data)

    @extend_schema(
        operation_id="campaign_invite",
        tags=TAGS,
        request={"application/json": InviteShape},
        responses={201: InvitationShape},
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Create an invitation, a link: anyone who opens it joins as ``role``."""
        member = self.member(pk)
        body = self.parse_body(InviteShape)
        seats = member.campaign.seats.all()
        seat = named(seats, body.seat, "seat") if body.seat else None
        made = services.invite(
            campaign=member.campaign,
            member=member,
            role=body.role,
            seat=seat,
            lifetime=timedelta(hours=body.hours),
            most_uses=body.most_uses,
            now=timezone.now(),
        )
        return Response(invitation_data(request, made), status=201)


class InvitationDetail(CampaignView):
    """One invitation link."""

    @extend_schema(
        operation_id="campaign_revoke_invitation", tags=TAGS, responses={204: None}
    )
    @idempotent
    def delete(self, request: Request, pk: int, invitation: int) -> Response:
        """Revoke an invitation: its link stops working."""
        member = self.member(pk)
        found = get_object_or_404(member.campaign.invitations, pk=invitation)
        services.revoke_invitation(invitation=found, member=member, now=timezone.now())
        return Response(status=204)


class Joining(CampaignView):
    """Joins a table by its link."""

    permission_classes = [AllowAny]
    throttle_classes = [*CampaignView.throttle_classes, KeptForStrangers]
    refuses = ("404", "409")
    largest_body = 64 * 1024

    @extend_schema(
        operation_id="campaign_join",
        tags=TAGS,
        request={"application/json": JoinShape},
        responses={201: JoinedShape},
    )
    def post(self, request: Request) -> Response:
        """Join the table of a link, with your account or as a guest.

        The answer sets a cookie that identifies the guest.
        """
        body = self.parse_body(JoinShape)
        invitation = invitation_behind(body.token)
        if invitation is None:
            raise Http404
        now, user = timezone.now(), self.visitor().user
        if user is not None:
            member = services.join(invitation=invitation, user=user, now=now)
            return _joined(request, member, "")
        guest = guest_behind(key_in(request))
        member, key = services.join_as_guest(
            invitation=invitation, name=body.name, guest=guest, now=now
        )
        return _joined(request, member, key)


class Claiming(CampaignView):
    """Claims a guest's memberships for an account."""

    pagination_class = None
    permission_classes = [IsAuthenticated]
    refuses = ("404", "409")

    @extend_schema(
        operation_id="campaign_claim",
        tags=TAGS,
        request=None,
        responses=many(MemberShape),
    )
    def post(self, request: Request) -> Response:
        """Claim for your account what you have as a guest (by your cookie)."""
        guest = guest_behind(key_in(request))
        if guest is None:
            raise Http404
        claimed = services.claim(guest=guest, user=self.user(), now=timezone.now())
        answer = Response([MemberShape.data(each) for each in claimed])
        answer.delete_cookie(COOKIE)
        return answer


def invitation_data(request: Request, invitation: Invitation) -> Data:
    """Return a link, with the address of its page."""
    page = reverse("campaigns:join", [token_of(invitation)], request=request)
    return InvitationShape.data(invitation, page=page)


def _joined(request: Request, member: Membership, key: str) -> Response:
    answer = Response(JoinedShape.data(member), status=201)
    if key:
        remember_guest(answer, request, key)
    return answer
