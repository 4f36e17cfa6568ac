"""The API's door to an account as a whole: what it has, and closing it."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.accounts.passwords import TooManyTries, confirms
from arkham.web.problems import Problem
from campaigns import services
from campaigns.api.access import CampaignView
from campaigns.people.closing import AccountClosing, closing_of
from campaigns.serializers.people import AccountShape, CloseShape
from campaigns.services import ClosingMoved

TAGS = ["account"]


class CloseBody(NamedTuple):
    """That an account is to be closed."""

    password: str
    seen: str | None = None


class AccountView(CampaignView):
    """Whose key or session this is, and what they have."""

    permission_classes = [IsAuthenticated]
    refuses = ("409", "422", "429")

    @extend_schema(operation_id="account", tags=TAGS, responses=AccountShape)
    def get(self, request: Request) -> Response:
        """What there is, and what would become of it if the account were closed."""
        user = self.user()
        told = _told(closing_of(user))
        return Response({"name": user.username, "since": user.date_joined, **told})

    @extend_schema(
        operation_id="account_close",
        tags=TAGS,
        request={"application/json": CloseShape},
        responses={204: None},
    )
    def delete(self, request: Request) -> Response:
        """Close the account for good; the password is told again.

        With `seen` only if the same would become of everything as was shown: else 409.
        """
        body: CloseBody = self.parse_body(CloseBody)
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
                current=_told(moved.now),
            ) from None
        return Response(status=204)


def _told(closing: AccountClosing) -> dict[str, Any]:
    return {
        "decks": closing.decks,
        "shown": closing.shown,
        "collections": closing.collections,
        "keys": closing.keys,
        "entries": closing.entries,
        "backups": closing.backups,
        "tables": [
            {
                "campaign": each.campaign.pk,
                "name": each.campaign.name,
                "fate": each.fate.value,
                "organiser": each.heir.name if each.heir is not None else None,
            }
            for each in closing.tables
        ],
        "guides_left": [each.pk for each in closing.guides_left],
        "guides_gone": [each.pk for each in closing.guides_gone],
        "seen": closing.mark,
    }
