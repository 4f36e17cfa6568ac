"""The API's door to an account as a whole: what it has, and closing it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.accounts.passwords import TooManyTries, confirms
from arkham.rest.messages import Count, Message, MessagePart, Number, source
from arkham.rest.reading import Sent
from arkham.web.problems import Problem
from campaigns import services
from campaigns.api.access import CampaignView
from campaigns.people.closing import TableFate, closing_of
from campaigns.services import ClosingMoved

TAGS = ["account"]


class TablePart(MessagePart):
    """A table, and what becomes of it; ``organiser`` is who organises it then."""

    campaign: Annotated[Number, source("campaign.pk")]
    name: Annotated[str, source("campaign.name")]
    fate: TableFate
    organiser: Annotated[
        str | None, source(lambda table: table.heir and table.heir.name)
    ]


class ClosingPart(MessagePart):
    """What an account has, and what would become of it.

    ``shown`` are the decks others see, ``entries`` those that stay in logs, ``backups``
    the campaigns of backups that wait for their guide.
    """

    decks: Count
    shown: Count
    collections: Count
    keys: Count
    entries: Count
    backups: Count
    tables: list[TablePart]
    guides_left: Annotated[
        list[Number], source(lambda closing: _keys(closing.guides_left))
    ]
    guides_gone: Annotated[
        list[Number], source(lambda closing: _keys(closing.guides_gone))
    ]
    seen: Annotated[str, source("mark")]


class NamePart(MessagePart):
    """Whose account it is."""

    name: Annotated[str, source("username")]
    since: Annotated[datetime, source("date_joined")]


class AccountShape(ClosingPart, NamePart, Message):
    """An account, and what would become of all it has."""


class CloseShape(Message):
    """That an account is to be closed: the password, and what was ``seen`` before."""

    password: Sent
    seen: Sent | None = None


def _keys(rows: Iterable[Model]) -> list[int]:
    return [each.pk for each in rows]


class AccountView(CampaignView):
    """Whose key or session this is, and what they have."""

    permission_classes = [IsAuthenticated]
    refuses = ("409", "422", "429")

    @extend_schema(operation_id="account", tags=TAGS, responses=AccountShape)
    def get(self, request: Request) -> Response:
        """What there is, and what would become of it if the account were closed."""
        user = self.user()
        closing = ClosingPart.data(closing_of(user))
        return Response({**NamePart.data(user), **closing})

    @extend_schema(
        operation_id="account_close",
        tags=TAGS,
        request={"application/json": CloseShape},
        responses={204: None},
    )
    def delete(self, request: Request) -> Response:
        """Close the account for good; the password is given again.

        With `seen` only if the same would become of everything as was shown: else 409.
        """
        body = self.parse_body(CloseShape)
        user = self.user()
        try:
            if not confirms(request=request, user=user, password=body.password):
                wrong = _("This is not your password.")
                raise ValidationError({"password": [wrong]})
            services.close_account(user=user, now=timezone.now(), seen=body.seen)
        except TooManyTries:
            raise Problem(
                429, _("Too many tries. Wait a minute."), kind="throttled"
            ) from None
        except ClosingMoved as moved:
            raise Problem(
                409,
                _("Something has changed since you looked. Nothing was closed."),
                kind="closing-moved",
                current=ClosingPart.data(moved.now),
            ) from None
        return Response(status=204)
