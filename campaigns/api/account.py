"""The API's door to an account: what it is, its preferences, its end."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.accounts.passwords import TooManyTries, confirms
from arkham.accounts.preferences import NAMES, THEMES, preferences_of, save_preferences
from arkham.rest.messages import Count, Message, MessagePart, Number, schema, source
from arkham.rest.reading import Sent
from arkham.web.problems import Problem
from campaigns import services
from campaigns.api.access import CampaignView
from campaigns.people.closing import TableFate, closing_of
from campaigns.services import ClosingMoved
from cardpool.catalog import current_pool, loaded
from cardpool.languages import languages_of
from decks.pages.terms import first_terms

TAGS = ["account"]


class TablePart(MessagePart):
    """A table, and what happens to it; ``organiser`` is who organises it then."""

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


TermText = Annotated[str, schema(maxLength=20)]
Theme = Annotated[str, schema(enum=["", *THEMES])]


class PreferencesShape(Message):
    """What pages fill in where something begins; "" is no preference.

    ``taboo`` is the id of a list, or ``latest``; ``environment`` may be ``current``,
    ``mode`` ``campaign`` or ``standalone``. Without a
    ``theme`` pages follow the system's. ``card_language`` is one of those that pages
    offer; cards of the API stay in English.
    """

    taboo: TermText
    environment: TermText
    mode: TermText
    theme: Theme
    card_language: TermText


class PreferenceChangeShape(Message):
    """The preferences that change; those left out stay."""

    taboo: TermText | None = None
    environment: TermText | None = None
    mode: TermText | None = None
    theme: Theme | None = None
    card_language: TermText | None = None


class AccountShape(ClosingPart, NamePart, Message):
    """An account, its preferences, and what would happen to all it has."""

    preferences: PreferencesShape


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
        """What the account has, and what would happen to it if you closed the
        account."""
        user = self.user()
        closing = ClosingPart.data(closing_of(user))
        preferences = PreferencesShape.data(preferences_of(request))
        named = NamePart.data(user)
        return Response({**named, **closing, "preferences": preferences})

    @extend_schema(
        operation_id="account_preferences",
        tags=TAGS,
        request={"application/json": PreferenceChangeShape},
        responses=PreferencesShape,
        examples=[OpenApiExample("Dark", value={"theme": "dark"}, request_only=True)],
    )
    def patch(self, request: Request) -> Response:
        """Change preferences of the account; decks and campaigns stay as they are."""
        body = self.parse_body(PreferenceChangeShape)
        sent = {name: getattr(body, name) for name in NAMES}
        changed = {name: value for name, value in sent.items() if value is not None}
        choices = {
            name: [value for value, _label in offered]
            for name, offered in first_terms(current_pool()).items()
        }
        choices["card_language"] = ["", *(each.code for each in languages_of(loaded()))]
        for name, offered in choices.items():
            if changed.get(name, "") not in offered:
                raise ValidationError({name: [_("This isn’t one of the choices.")]})
        browser = preferences_of(request)
        saved = save_preferences(user=self.user(), changed=changed, browser=browser)
        return Response(PreferencesShape.data(saved))

    @extend_schema(
        operation_id="account_close",
        tags=TAGS,
        request={"application/json": CloseShape},
        responses={204: None},
    )
    def delete(self, request: Request) -> Response:
        """Close the account permanently.

        The body is an object with the `password`. With `seen`, the mark of what GET
        showed, it is 409 if closing would now do something else.
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
                _(
                    "Something has changed since you loaded this page. Your account "
                    "wasn’t closed."
                ),
                kind="closing-moved",
                current=ClosingPart.data(moved.now),
            ) from None
        return Response(status=204)
