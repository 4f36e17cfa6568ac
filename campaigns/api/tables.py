"""The API of campaigns: start, read, change, copy, link and delete them."""

from __future__ import annotations

import zlib
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from arkham.accounts.models import User
from arkham.rest.idempotency import idempotent
from arkham.rest.messages import many
from arkham.rest.public import IF_NONE_MATCH, UNCHANGED
from arkham.web.http import etag, is_known, require_match
from arkham.web.limits import KeptForStrangers
from campaigns import queries, services
from campaigns.api import bodies
from campaigns.api.access import CampaignView, IsAccountOrGuest, named
from campaigns.api.answers import (
    CampaignShape,
    CampaignSummaryShape,
    DifferencesShape,
    campaign_data,
)
from campaigns.api.bodies import (
    AdoptShape,
    BranchShape,
    CampaignChangeShape,
    LinkShape,
    SeatPart,
    StartShape,
    check_name,
    check_terms,
)
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Guide, Membership
from campaigns.pages.ultimatums import ultimatum_and_name
from campaigns.people.rights import Right, require
from campaigns.services import Sitting, WriteContext
from decks.models import Deck

TAGS = ["campaigns"]


class Campaigns(CampaignView):
    """The campaigns of a visitor."""

    ordering = "pk"
    refuses = ("404", "409")  # 404 for another account's guide or deck

    def get_permissions(self) -> list[BasePermission]:
        """Require an account to start a campaign."""
        return [
            IsAuthenticated() if self.request.method == "POST" else IsAccountOrGuest()
        ]

    @extend_schema(
        operation_id="campaigns", tags=TAGS, responses=many(CampaignSummaryShape)
    )
    def get(self, request: Request) -> Response:
        """Your campaigns, oldest first, a page at a time."""
        page = self.paginate_queryset(queries.seen_campaigns(self.visitor()))
        return self.get_paginated_response(
            [CampaignSummaryShape.data(each) for each in page or ()]
        )

    @extend_schema(
        operation_id="campaign_start",
        tags=TAGS,
        request={"application/json": StartShape},
        responses={201: CampaignShape},
        examples=[OpenApiExample("A campaign", bodies.STARTED, request_only=True)],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Start a campaign, or a standalone scenario; you organise it.

        ``oaths`` are the ultimatums, boons and refractions in use from the beginning to
        the end.
        """
        body = self.parse_body(StartShape)
        check_terms(body.terms)
        alone = bool(body.standalone)
        guides = queries.usable_guides(self.visitor(), standalone=alone)
        options: dict[str, Any] = {
            "organiser": self.user(),
            "guide": named(guides, body.guide, "guide"),
            "name": body.name,
            "terms": body.terms,
            "sitting": [
                sitting_of(each, self.user(), "seats", at)
                for at, each in enumerate(body.seats)
            ],
            "ultimatums": [
                ultimatum_and_name(each.ultimatum, each.name) for each in body.oaths
            ],
            "now": timezone.now(),
        }
        if body.both_halves and not (body.standalone or body.simulated):
            campaign = services.start_halves(usable=guides, **options)
        else:
            options |= {"standalone": body.standalone, "simulated": body.simulated}
            campaign = services.start_campaign(**options)
        answer = _shown(self.member(campaign.pk), 201)
        answer["Location"] = reverse(
            "api:campaigns:campaign", [campaign.pk], request=request
        )
        return answer


class CampaignDetail(CampaignView):
    """One campaign."""

    matched_if_named = ("PATCH", "DELETE")

    @extend_schema(
        operation_id="campaign",
        tags=TAGS,
        parameters=[IF_NONE_MATCH],
        responses={200: CampaignShape, 304: UNCHANGED},
    )
    def get(self, request: Request, pk: int) -> Response:
        """A campaign: its state, the next question, every problem of its log."""
        return _shown(self.member(pk), 200, request)

    @extend_schema(
        operation_id="campaign_change",
        tags=TAGS,
        request={"application/json": CampaignChangeShape},
        responses=CampaignShape,
    )
    @idempotent
    def patch(self, request: Request, pk: int) -> Response:
        """Change a campaign's name or terms, archive or unarchive it."""
        member = self.member(pk)
        body = self.parse_body(CampaignChangeShape)
        campaign = member.campaign
        with transaction.atomic():
            require(member, Right.ORGANISE)
            self._require_match(member, yours=request.data)
            if body.name is not None:
                check_name(body.name)
                services.rename_campaign(
                    campaign=campaign, member=member, name=body.name
                )
            if body.terms is not None:
                check_terms(body.terms)
                services.change_terms(
                    campaign=campaign, member=member, terms=body.terms
                )
            if body.archived is not None:
                now = timezone.now() if body.archived else None
                services.archive(campaign=campaign, member=member, now=now)
        return _shown(member)

    @extend_schema(operation_id="campaign_delete", tags=TAGS, responses={204: None})
    @idempotent
    @transaction.atomic
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a campaign with its log; decks keep what it gave them."""
        member = self.member(pk)
        self._require_match(member)
        now = timezone.now()
        services.delete_campaign(campaign=member.campaign, member=member, now=now)
        return Response(status=204)

    def _require_match(self, member: Membership, yours: Any = None) -> None:
        """Check If-Match, if the request sends it.

        It is optional, because the ETag changes with every answer of the table.
        """
        if self.request.headers.get("If-Match"):
            # No other request may change it between this check and the action.
            store.locked_with_linked(member.campaign)
            current, tag = _seen(self.member(member.campaign_id))
            require_match(self.request, tag, current=current, yours=yours)


class Branches(CampaignView):
    """Copies of a campaign, to try something else."""

    throttle_classes = [*CampaignView.throttle_classes, KeptForStrangers]

    @extend_schema(
        operation_id="campaign_branch",
        tags=TAGS,
        request={"application/json": BranchShape},
        responses={201: CampaignShape},
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Copy the campaign as it was after an entry; you organise the copy.

        No deck is linked to it. The campaign itself stays as it is.
        """
        member = self.member(pk)
        body = self.parse_body(BranchShape)
        twin = services.branch(
            campaign=member.campaign,
            member=member,
            up_to=body.up_to,
            name=body.name,
            now=timezone.now(),
        )
        return _shown(self.member(twin.pk), 201)


class LinkedView(CampaignView):
    """Links two campaigns that are played side by side."""

    @extend_schema(
        operation_id="campaign_link",
        tags=TAGS,
        request={"application/json": LinkShape},
        responses=CampaignShape,
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Link two campaigns that you organise, each with the other's decisions."""
        member = self.member(pk)
        body = self.parse_body(LinkShape)
        other = self.member(body.campaign)
        require(other, Right.ORGANISE)
        services.link_campaigns(
            campaign=member.campaign,
            member=member,
            other=other.campaign,
            now=timezone.now(),
        )
        return _shown(self.member(pk))


class OtherGuide(CampaignView):
    """Another version of the guide."""

    @extend_schema(
        operation_id="campaign_compare", tags=TAGS, responses=DifferencesShape
    )
    def get(self, request: Request, pk: int, guide: int) -> Response:
        """Compare the log under another version of the guide; nothing changes."""
        member = self.member(pk)
        found = services.compare_guides(
            campaign=member.campaign, guide=self._guide(member, guide)
        )
        return Response(DifferencesShape.data(found))

    @extend_schema(
        operation_id="campaign_adopt",
        tags=TAGS,
        request={"application/json": AdoptShape},
        responses=DifferencesShape,
    )
    @idempotent
    def post(self, request: Request, pk: int, guide: int) -> Response:
        """Use another version of the guide from now on; decks are settled with it."""
        member = self.member(pk)
        body = self.parse_body(AdoptShape)
        found = services.adopt_guide(
            campaign=member.campaign,
            member=member,
            guide=self._guide(member, guide),
            context=WriteContext(body.after, timezone.now()),
        )
        return Response(DifferencesShape.data(found))

    def _guide(self, member: Membership, guide: int) -> Guide:
        found = queries.other_versions(member.campaign, self.visitor())
        return get_object_or_404(found, pk=guide)


def sitting_of(body: SeatPart, user: User | None, *place: str | int) -> Sitting:
    """Return the seating in a body; 404 for another account's deck."""
    deck = None
    if body.deck is not None:
        owned = Deck.objects.filter(owner__isnull=False, owner=user)
        deck = named(owned, body.deck, *place, "deck")
    return Sitting(body.investigator, body.name, deck, body.kind, body.mine)


def _shown(
    member: Membership, status: int = 200, request: Request | None = None
) -> Response:
    """Return the campaign with its ETag; 304 if the visitor has that version."""
    data, tag = _seen(member)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if request is not None and is_known(request, tag):
        return Response(status=304, headers=headers)
    return Response(data, status=status, headers=headers)


def _seen(member: Membership) -> tuple[dict[str, Any], str]:
    """Return the campaign as a member sees it, and its ETag."""
    campaign = member.campaign
    data = campaign_data(member, replayed(campaign))
    text = JSONRenderer().render(data)
    return data, etag(campaign.pk, f"{zlib.crc32(text):x}")
