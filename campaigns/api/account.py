"""The API of an account: its data, its preferences, closing it, and its changes.

Changes since a moment combine decks, campaigns, notices and jobs.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, NamedTuple

from django.db.models import Model
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.accounts.authentication import TooManyTries, confirms
from arkham.accounts.models import User
from arkham.accounts.preferences import NAMES, THEMES, preferences_of, save_preferences
from arkham.rest.messages import (
    Address,
    Count,
    Message,
    MessagePart,
    Number,
    schema,
    source,
)
from arkham.rest.reading import Sent
from arkham.web.problems import Problem
from campaigns import services
from campaigns.api.access import CampaignView
from campaigns.services import ClosingMoved
from campaigns.services.account import (
    BEGINNING,
    KINDS,
    OVERLAP,
    TableFate,
    changes_of,
    closing_of,
)
from cardpool.catalog import current_pool, loaded
from cardpool.languages import languages_of
from decks.pages.terms import first_terms

TAGS = ["account"]


class TablePart(MessagePart):
    """A table, and what happens to it; ``organiser`` is its organiser afterwards."""

    campaign: Annotated[Number, source("campaign.pk")]
    name: Annotated[str, source("campaign.name")]
    fate: TableFate
    organiser: Annotated[
        str | None, source(lambda table: table.heir and table.heir.name)
    ]


class ClosingPart(MessagePart):
    """An account's possessions, and what closing it would do to them.

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
    """The account's name and age."""

    name: Annotated[str, source("username")]
    since: Annotated[datetime, source("date_joined")]


TermText = Annotated[str, schema(maxLength=20)]
Theme = Annotated[str, schema(enum=["", *THEMES])]


class PreferencesShape(Message):
    """Defaults that pages fill in at the start; "" is no preference.

    ``taboo`` is the id of a list, or ``latest``; ``environment`` may be ``current``,
    ``mode`` ``campaign`` or ``standalone``. Without a ``theme`` pages follow the
    system's. ``card_language`` is one that pages offer; the API's cards stay in
    English.
    """

    taboo: TermText
    environment: TermText
    mode: TermText
    theme: Theme
    card_language: TermText


class PreferenceChangeShape(Message):
    """The preferences to change; those left out stay."""

    taboo: TermText | None = None
    environment: TermText | None = None
    mode: TermText | None = None
    theme: Theme | None = None
    card_language: TermText | None = None


class AccountShape(ClosingPart, NamePart, Message):
    """An account, its preferences, and what closing it would do."""

    preferences: PreferencesShape


class CloseShape(Message):
    """A request to close an account: the password, and the ``seen`` mark of GET."""

    password: Sent
    seen: Sent | None = None


def _keys(rows: Iterable[Model]) -> list[int]:
    return [each.pk for each in rows]


class AccountView(CampaignView):
    """The account of a key or session, and what it has."""

    permission_classes = [IsAuthenticated]
    refuses = ("409", "422", "429")

    @extend_schema(operation_id="account", tags=TAGS, responses=AccountShape)
    def get(self, request: Request) -> Response:
        """The account's possessions, and what closing it would do to them."""
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


LONGEST_MOMENT = 40


class ChangePart(MessagePart):
    """One thing that changed, and its address."""

    kind: Annotated[str, schema(enum=list(KINDS))]
    id: Number
    name: Annotated[str, "The name it has now, of the deck, campaign or kind of job."]
    changed_at: datetime
    address: Annotated[Address | None, "Where the API has it; null if it is deleted."]


class AccountChangesShape(Message):
    """Changes, earliest first, and the moment to ask from the next time."""

    changes: list[ChangePart]
    since: Annotated[datetime, "Send it as `since` the next time."]


class Latest(NamedTuple):
    """The moment up to which the answer is complete."""

    since: datetime


class AccountChanges(CampaignView):
    """The changes in an account."""

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
    """Return the moment to start from; 400 if it isn't one."""
    text = request.query_params.get("since")
    if text is None:
        return BEGINNING
    try:
        # An unescaped plus arrives as a blank; RFC 3339 allows small t and z.
        text = text[:LONGEST_MOMENT].strip().replace(" ", "+").upper()
        found = parse_datetime(text)
        if found is not None and found.tzinfo is not None:
            return max(found.astimezone(UTC), BEGINNING)
    except (ValueError, OverflowError):
        pass
    detail = _("Expected: the “since” of an earlier answer.")
    raise Problem(400, detail, parameter="since")
