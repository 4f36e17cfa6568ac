"""The API's door to statistics across the campaigns somebody sits at."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.accounts.models import User
from campaigns.api.access import CampaignView
from campaigns.api.answers import Data
from campaigns.pages.statistics import Sift, Statistics, shelf_of, statistics_of
from campaigns.serializers.statistics import StatisticsShape
from cardpool.catalog import current_pool

_KEY = {"type": "integer", "minimum": 1, "maximum": 999_999_999}


class CampaignStatistics(CampaignView):
    """What all of one's campaigns come to together."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="campaign_statistics",
        tags=["campaigns"],
        parameters=[
            OpenApiParameter("campaign", _KEY, description="This one alone."),
            OpenApiParameter("guide", str, description="Those of a guide, by its id."),
            OpenApiParameter(
                "person", _KEY, description="Those played with this account."
            ),
        ],
        responses=StatisticsShape,
    )
    def get(self, request: Request) -> Response:
        """Outcomes, difficulties, scenarios by resolution, investigators, classes.

        Copies made to see what would be are not counted. ``left`` campaigns are still
        to be counted, or cannot be read; ask again.
        """
        user = request.user
        assert isinstance(user, User)
        found = shelf_of(user).sifted(_sift(request))
        return Response(_told(statistics_of(found, current_pool())))


def _sift(request: Request) -> Sift:
    told = request.query_params
    return Sift(
        _key(request, "campaign"), told.get("guide", ""), _key(request, "person")
    )


def _key(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and 0 < len(text) < 10 and int(text)):
        raise ValidationError({name: [_("A number from 1 on is expected.")]})
    return int(text)


def _told(told: Statistics) -> Data:
    return {
        "campaigns": told.campaigns,
        "left": told.left,
        "results": [{"result": r, "campaigns": n} for r, n in told.results],
        "difficulties": [
            {"difficulty": d, "campaigns": n} for d, n in told.difficulties
        ],
        "scenarios": [
            {
                "guide": each.guide,
                "scenario": each.scenario,
                "name": each.name,
                "games": each.games,
                "players": each.players,
                "experience": each.experience,
                "resolutions": [
                    {"resolution": name, "games": number}
                    for name, number in each.resolutions
                ],
            }
            for each in told.scenarios
        ],
        "investigators": [
            {**each._asdict(), "classes": list(each.classes)} for each in told.people
        ],
        "classes": [{"class": name, "investigators": n} for name, n in told.classes],
    }
