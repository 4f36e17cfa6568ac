"""The API's door to achievements, and to the FAQ a table keeps to."""

from __future__ import annotations

from typing import NamedTuple

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.openapi import IDEMPOTENCY_KEY
from arkham.rules.library import NEWEST
from campaigns import services
from campaigns.api.answers import Data
from campaigns.api.entries import LogView, written_answer
from campaigns.log.codec import Ticked
from campaigns.log.replays import replayed
from campaigns.pages.achievements import Told, achievements_of
from campaigns.pages.board import names_at
from campaigns.serializers.beside import (
    AchievementShape,
    FaqPinShape,
    KeptFaqShape,
    TickShape,
)
from campaigns.serializers.tables import WrittenShape
from campaigns.services.beside import pinned

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
        return Response([_told(each) for each in found])

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
        body: TickBody = self.told(TickBody)
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
        body: PinBody = self.told(PinBody)
        done = services.pin_faq(
            campaign=member.campaign,
            member=member,
            faq=body.faq,
            sight=self.sight(body.after),
        )
        return written_answer(member, done)


def _told(each: Told) -> Data:
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
