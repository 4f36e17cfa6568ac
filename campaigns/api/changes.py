"""The changes of an account since a moment: decks, campaigns, notices, jobs in one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, NamedTuple

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.accounts.models import User
from arkham.rest.messages import Address, Message, MessagePart, Number, schema
from arkham.web.problems import Problem
from campaigns.api.access import CampaignView
from campaigns.services.changes import BEGINNING, KINDS, OVERLAP, changes_of

LONGEST_MOMENT = 40


class ChangePart(MessagePart):
    """One thing that changed, and where it is."""

    kind: Annotated[str, schema(enum=list(KINDS))]
    id: Number
    name: Annotated[str, "Of the deck, campaign or kind of job, as it is called now."]
    changed_at: datetime
    address: Annotated[Address | None, "Where the API has it; null if it is deleted."]


class AccountChangesShape(Message):
    """Changes, the earliest first, and the moment to ask from the next time."""

    changes: list[ChangePart]
    since: Annotated[datetime, "To be sent as `since` the next time."]


class Latest(NamedTuple):
    """The latest moment that was answered for."""

    since: datetime


class AccountChanges(CampaignView):
    """Tells programs what changed in their account."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="changes",
        tags=["account"],
        parameters=[
            OpenApiParameter(
                "since",
                {"type": "string", "format": "date-time"},
                description="`since` of the last answer; without it everything.",
            )
        ],
        responses=AccountChangesShape,
    )
    def get(self, request: Request) -> Response:
        """List changes of the account: decks, campaigns, notices, jobs that ended.

        Changes within the last seconds before `since` come once more, so that nothing
        is missed; with `If-None-Match`, 304 says that nothing has changed.
        """
        assert isinstance(request.user, User)
        since = _moment(request)
        found = changes_of(request.user, since - OVERLAP)
        here = request.build_absolute_uri
        changes = [
            ChangePart.data(each, address=here(each.path) if each.path else None)
            for each in found
        ]
        last = Latest(max([since, *(each.changed_at for each in found)]))
        return Response(AccountChangesShape.data(last, changes=changes))


def _moment(request: Request) -> datetime:
    """Since when; 400 for what is no moment."""
    text = request.query_params.get("since")
    if text is None:
        return BEGINNING
    try:
        # A plus that was sent as it is has become a blank.
        found = parse_datetime(text[:LONGEST_MOMENT].strip().replace(" ", "+"))
        if found is not None and found.tzinfo is not None:
            return max(found.astimezone(UTC), BEGINNING)
    except (ValueError, OverflowError):
        pass
    raise Problem(
        400, _("Expected: the “since” of an earlier answer."), parameter="since"
    )
