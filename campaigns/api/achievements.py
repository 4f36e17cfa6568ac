"""The API of achievements, of statistics, and of a table's FAQ version."""

from __future__ import annotations

from typing import Annotated

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.accounts.models import User
from arkham.rest.messages import (
    Count,
    Message,
    MessagePart,
    Number,
    many,
    schema,
    source,
)
from arkham.rest.openapi import IDEMPOTENCY_KEY
from arkham.rest.reading import Sent, Sequence
from arkham.rules.library import NEWEST, VERSIONS
from arkham.rules.vocabulary import is_digits
from campaigns import services
from campaigns.api.access import CampaignView
from campaigns.api.answers import WrittenShape
from campaigns.api.entries import LogView, written_answer
from campaigns.log.entries import Ticked
from campaigns.log.replays import replayed
from campaigns.pages.board import names_at
from campaigns.pages.ending import achievements_of
from campaigns.pages.statistics import CampaignFilter, campaigns_of, statistics_of
from campaigns.services.agreements import pinned
from cardpool.catalog import current_pool

TAGS = ["log of a campaign"]
_KEY = {"type": "integer", "minimum": 1, "maximum": 999_999_999}


class ResultCount(MessagePart):
    """The number of campaigns with this result."""

    result: Annotated[str, source(0)]
    campaigns: Annotated[Count, source(1)]


class DifficultyCount(MessagePart):
    """The number of campaigns at this difficulty."""

    difficulty: Annotated[str, source(0)]
    campaigns: Annotated[Count, source(1)]


class ResolutionCount(MessagePart):
    """The number of games with this resolution."""

    resolution: Annotated[str, source(0)]
    games: Annotated[Count, source(1)]


class ScenarioStatistics(MessagePart):
    """A scenario; ``experience`` is the total of all its ``players``."""

    guide: str
    scenario: str
    name: str
    games: Count
    players: Count
    experience: int
    resolutions: list[ResolutionCount]


class InvestigatorStatistics(MessagePart):
    """An investigator."""

    code: str
    name: str
    classes: list[str]
    campaigns: Count
    games: Count
    experience: int
    physical: int
    mental: int
    alive: Count
    killed: Count
    insane: Count
    retired: Count


class ClassCount(MessagePart):
    """The number of investigators of a class."""

    class_: Annotated[str, source(0)]
    investigators: Annotated[Count, source(1)]


class StatisticsShape(Message):
    """Statistics of all campaigns.

    A result is win, survived or lose; empty while a campaign isn't over.
    """

    campaigns: Count
    left: Count
    results: list[ResultCount]
    difficulties: list[DifficultyCount]
    scenarios: list[ScenarioStatistics]
    investigators: Annotated[list[InvestigatorStatistics], source("people")]
    classes: list[ClassCount]


class CampaignStatistics(CampaignView):
    """The combined statistics of the account's campaigns."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="campaign_statistics",
        tags=["campaigns"],
        parameters=[
            OpenApiParameter("campaign", _KEY, description="Count only this one."),
            OpenApiParameter("guide", str, description="Only with this guide (id)."),
            OpenApiParameter(
                "person", _KEY, description="Only those played with this account."
            ),
        ],
        responses=StatisticsShape,
    )
    def get(self, request: Request) -> Response:
        """Outcomes, difficulties, scenarios by resolution, investigators, classes.

        Copies aren't counted. ``left`` campaigns aren't counted yet or can't be read;
        ask again.
        """
        user = request.user
        assert isinstance(user, User)
        found = campaigns_of(user).matching(_filter(request))
        return Response(StatisticsShape.data(statistics_of(found, current_pool())))


def _filter(request: Request) -> CampaignFilter:
    query = request.query_params
    return CampaignFilter(
        _key(request, "campaign"), query.get("guide", ""), _key(request, "person")
    )


def _key(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (is_digits(text, 9) and int(text)):
        raise ValidationError({name: [_("Expected: a whole number, 1 or more.")]})
    return int(text)


class AchievementItemPart(MessagePart):
    """An item of an achievement's list."""

    id: str
    name: str
    ticked: Annotated[bool, source("is_ticked")]
    by_log: bool


class AchievementShape(Message):
    """An achievement and its state.

    ``by_log``: the log proves it, with everything ``needed``. ``entry`` ticked it by
    hand; ``most`` is null if a count has no limit.
    """

    id: str
    title: str
    kind: Annotated[str, schema(enum=["binary", "count", "list"])]
    done: Annotated[bool, source("is_done")]
    by_log: bool
    number: Number
    most: Annotated[Number | None, source(lambda each: each.most or None)]
    items: list[AchievementItemPart]
    entry: Annotated[Number | None, source(lambda each: each.entry or None)]
    needed: list[str]


class TickShape(Message):
    """The table's tick of an achievement.

    ``number`` is 1, or 0 to untick it; for a list, ``items`` are the ticked ones.
    """

    after: Sequence
    achievement: Sent
    number: Sequence = 1
    items: Annotated[tuple[Sent, ...], schema(maxItems=60)] = ()


Faq = Annotated[str, schema(enum=list(VERSIONS))]


class KeptFaqShape(Message):
    """The FAQ whose rules a table is shown, and the one its answers are settled by.

    ``none`` is the Rules Reference before any FAQ.
    """

    faq: Faq
    settled_by: Faq


class FaqPinShape(Message):
    """The FAQ to show; ``none`` is the Rules Reference before any FAQ."""

    after: Sequence
    faq: Faq


class Achievements(LogView):
    """The achievements of a campaign."""

    pagination_class = None

    @extend_schema(
        operation_id="campaign_achievements",
        tags=TAGS,
        responses=many(AchievementShape),
    )
    def get(self, request: Request, pk: int) -> Response:
        """All achievements in the order of the guide, ticked or not."""
        member = self.member(pk)
        found = achievements_of(replayed(member.campaign), names_at(member))
        return Response([AchievementShape.data(each) for each in found])

    @extend_schema(
        operation_id="campaign_tick",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": TickShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Tick an achievement, or change its number or items.

        What the log shows is ticked already and stays so. To undo a tick, retract its
        entry.
        """
        member = self.member(pk)
        body = self.parse_body(TickShape)
        done = services.tick_achievement(
            campaign=member.campaign,
            member=member,
            ticked=Ticked(body.achievement, body.number, body.items),
            context=self.write_context(body.after),
        )
        return written_answer(member, done)


class FaqPin(LogView):
    """The FAQ version a table has pinned."""

    @extend_schema(operation_id="campaign_faq", tags=TAGS, responses=KeptFaqShape)
    def get(self, request: Request, pk: int) -> Response:
        """The FAQ version whose rules are shown; answers are settled by the newest."""
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
        """Show the rules of another FAQ version from now on; only an organiser can."""
        member = self.member(pk)
        body = self.parse_body(FaqPinShape)
        done = services.pin_faq(
            campaign=member.campaign,
            member=member,
            faq=body.faq,
            context=self.write_context(body.after),
        )
        return written_answer(member, done)
