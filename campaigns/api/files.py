"""The API's door to campaigns as files: saved whole, and taken in."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from arkham.rest.idempotency import idempotent
from arkham.web.bodies import value_of
from campaigns import queries, services
from campaigns.api.access import CampaignView
from campaigns.api.answers import campaign_data
from campaigns.log.replays import replayed
from campaigns.serializers.files import CampaignFileShape
from campaigns.serializers.tables import CampaignShape

TAGS = ["campaigns"]


class Export(CampaignView):
    """A campaign as one file."""

    @extend_schema(
        operation_id="campaign_export", tags=TAGS, responses=CampaignFileShape
    )
    def get(self, request: Request, pk: int) -> Response:
        """Its whole log with authors and times, its guide by digest, its seats.

        What is in play is in it, and the campaign it is linked to, if you sit there
        too. No account is named in it, and nothing tells what will be drawn.
        """
        return Response(services.export_campaign(member=self.member(pk)))


class Import(CampaignView):
    """A campaign out of a file."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="campaign_import",
        tags=TAGS,
        request={"application/json": CampaignFileShape},
        responses={201: CampaignShape},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Make a campaign of a file as the export writes it; you organise it.

        The guide is the very version the file names, or else your newest of it. What it
        was linked to is linked again, if you organise that or it is in the file.
        """
        imported = services.import_campaign(
            organiser=self.user(),
            data=value_of(request),
            usable=queries.usable_guides(self.visitor(), standalone=True),
            now=timezone.now(),
        )
        member = self.member(imported.campaign.pk)
        known = replayed(member.campaign)
        answer = Response(campaign_data(member, known), status=201)
        answer["Location"] = reverse(
            "api:campaigns:campaign", [member.campaign_id], request=request
        )
        return answer
