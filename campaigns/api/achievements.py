"""The API's doors to achievements, to statistics, and to the FAQ a table keeps to."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.accounts.models import User
from arkham.rest.openapi import IDEMPOTENCY_KEY
from arkham.rules.library import NEWEST
from campaigns import services
from campaigns.api.access import CampaignView
from campaigns.api.answers import Data
from campaigns.api.entries import LogView, written_answer
from campaigns.log.entries import Ticked
from campaigns.log.replays import replayed
from campaigns.pages.achievements import ShownAchievement, achievements_of
from campaigns.pages.board import names_at
from campaigns.pages.statistics import Sift, Statistics, shelf_of, statistics_of
from campaigns.serializers.achievements import (
    AchievementShape,
    FaqPinShape,
    KeptFaqShape,
    StatisticsShape,
    TickShape,
)
from campaigns.serializers.entries import WrittenShape
from campaigns.services.achievements import pinned
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
        return Response(_statistics_data(statistics_of(found, current_pool())))


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


def _statistics_data(told: Statistics) -> Data:
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


TAGS = ["log of a campaign"]


class TickBody(NamedTuple):
    """How an achievement stands."""

    after: int
    achievement: str
    number: int = 1
    items: tuple[str, ...] = ()


class PinBody(NamedTuple):
    """The version of the FAQ that is kept to."""

    after: int
    faq: str


class Achievements(LogView):
    """The achievements of a campaign."""

    pagination_class = None

    @extend_schema(
        operation_id="campaign_achievements",
        tags=TAGS,
        responses=AchievementShape(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        """All of them in the order of the guide, ticked or not."""
        member = self.member(pk)
        found = achievements_of(replayed(member.campaign), names_at(member))
        return Response([_achievement_data(each) for each in found])

    @extend_schema(
        operation_id="campaign_tick",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": TickShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Say how one stands, in place of what was said of it before.

        What the log knows needs no tick, and none takes it away. A mistake is taken
        back by a retraction.
        """
        member = self.member(pk)
        body: TickBody = self.parse_body(TickBody)
        done = services.tick_achievement(
            campaign=member.campaign,
            member=member,
            ticked=Ticked(body.achievement, body.number, body.items),
            sight=self.sight(body.after),
        )
        return written_answer(member, done)


class FaqPin(LogView):
    """The FAQ a table keeps to."""

    @extend_schema(operation_id="campaign_faq", tags=TAGS, responses=KeptFaqShape)
    def get(self, request: Request, pk: int) -> Response:
        """The version rules are shown in; what is reported is settled by the newest."""
        version = pinned(self.member(pk).campaign)
        return Response({"faq": version, "settled_by": NEWEST})

    @extend_schema(
        operation_id="campaign_pin_faq",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": FaqPinShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Keep to another version from here on: an organiser says so."""
        member = self.member(pk)
        body: PinBody = self.parse_body(PinBody)
        done = services.pin_faq(
            campaign=member.campaign,
            member=member,
            faq=body.faq,
            sight=self.sight(body.after),
        )
        return written_answer(member, done)


def _achievement_data(each: ShownAchievement) -> Data:
    return {
        "id": each.id,
        "title": each.title,
        "kind": each.kind,
        "done": each.is_done,
        "by_log": each.by_log,
        "number": each.number,
        "most": each.most or None,
        "items": [
            {
                "id": item.id,
                "name": item.name,
                "ticked": item.is_ticked,
                "by_log": item.by_log,
            }
            for item in each.items
        ],
        "entry": each.entry or None,
        "needed": list(each.needed),
    }
