"""The API of webhooks: create, list and delete them, see and repeat deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import BaseThrottle

from arkham.accounts.models import User
from arkham.rest import reading
from arkham.rest.idempotency import idempotent
from arkham.rest.messages import Address, Count, Message, Number, many, schema, source
from arkham.web.bodies import value_of
from arkham.web.limits import WebhooksOfAccounts
from arkham.webhooks import services, tasks
from arkham.webhooks.models import LONGEST_ADDRESS, Delivery, Webhook
from decks.api.bodies import body_of

TAGS = ["webhooks"]
Event = Annotated[str, schema(enum=list(services.EVENTS))]
SENT = OpenApiExample(
    "Campaigns and jobs",
    {"address": "https://bot.example/orne", "events": ["campaign", "job"]},
    request_only=True,
)


class NewWebhookShape(Message):
    """An address of yours, and the events it gets."""

    address: Annotated[
        str,
        reading.text(LONGEST_ADDRESS, fewest=1),
        "It begins with https:// and is public.",
    ]
    events: Annotated[
        tuple[Event, ...], schema(minItems=1, maxItems=len(services.EVENTS))
    ]


class WebhookShape(Message):
    """A webhook and its state."""

    id: Annotated[Number, source("pk")]
    address: str
    events: list[Event]
    made_at: datetime
    failing_since: Annotated[
        datetime | None, "Since when messages fail; null if they don’t."
    ]
    switched_off_at: Annotated[datetime | None, "When it was switched off."]
    old_secret_until: Annotated[
        datetime | None,
        "Until then messages are also signed with the old secret; null: there is none.",
    ]
    deliveries: Address


class MadeWebhookShape(WebhookShape):
    """A webhook that was just created, or got a new secret."""

    secret: Annotated[str, "What messages are signed with; never shown again."]


class DeliveryShape(Message):
    """A message, and whether it was delivered."""

    id: Annotated[Number, source("pk")]
    message_id: Annotated[str, "The id in the header `webhook-id`."]
    kind: Annotated[str, schema(enum=[*services.EVENTS, "many", "test"])]
    object_id: Annotated[Number | None, "The id of what changed."]
    changed_at: datetime
    state: Annotated[str, schema(enum=list(Delivery.State.values))]
    tries: Count
    tried_at: datetime | None
    next_try_at: Annotated[datetime | None, "When it is sent again, if it is."]
    answered: Annotated[int | None, "The status of the last answer, if there was one."]
    problem: Annotated[
        str,
        "Why there was no answer: unreachable, private-address, refused-address or "
        "switched-off.",
    ]


class WebhookView(generics.GenericAPIView[Any]):
    """The base of the webhook views: they need an account."""

    permission_classes = [IsAuthenticated]

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the usual throttles; sending is also counted separately."""
        more = [WebhooksOfAccounts()] if self.request.method == "POST" else []
        return [*super().get_throttles(), *more]

    def owner(self) -> User:
        """Return the asker's account."""
        assert isinstance(self.request.user, User)
        return self.request.user

    def webhook(self, pk: int) -> Webhook:
        """Return one of the asker's webhooks; or 404."""
        return get_object_or_404(self.owner().webhooks, pk=pk)

    def data(
        self, webhook: Webhook, shape: type[WebhookShape] = WebhookShape
    ) -> Mapping[str, Any]:
        """Return the message for a webhook."""
        args = [webhook.pk]
        where = reverse("api:webhooks:deliveries", args=args, request=self.request)
        until = webhook.old_secret_until(timezone.now())
        return shape.data(webhook, deliveries=where, old_secret_until=until)


class Webhooks(WebhookView):
    """The webhooks of an account."""

    has_quota = ("POST",)
    ordering = "-id"

    @extend_schema(operation_id="webhooks", tags=TAGS, responses=many(WebhookShape))
    def get(self, request: Request) -> Response:
        """Your webhooks, latest first, a page at a time."""
        page = self.paginate_queryset(self.owner().webhooks.all()) or ()
        return self.get_paginated_response([self.data(each) for each in page])

    @extend_schema(
        operation_id="webhook_create",
        tags=TAGS,
        request=NewWebhookShape,
        examples=[SENT],
        responses={201: MadeWebhookShape},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Create a webhook: changes from now on are sent to your address."""
        wanted: Any = body_of(NewWebhookShape, value_of(request))
        try:
            webhook = services.make_webhook(
                owner=self.owner(),
                address=wanted.address,
                events=wanted.events,
                origin=request.build_absolute_uri("/").rstrip("/"),
                now=timezone.now(),
            )
        except services.RefusedAddress as error:
            raise ValidationError({"address": [str(error)]}) from None
        where = reverse("api:webhooks:webhook", args=[webhook.pk], request=request)
        data = self.data(webhook, MadeWebhookShape)
        return Response(data, status=201, headers={"Location": where})


class WebhookDetail(WebhookView):
    """One webhook."""

    @extend_schema(operation_id="webhook", tags=TAGS, responses=WebhookShape)
    def get(self, request: Request, pk: int) -> Response:
        """A webhook: its events, and whether it fails."""
        return Response(self.data(self.webhook(pk)))

    @extend_schema(operation_id="webhook_delete", tags=TAGS, responses={204: None})
    @idempotent
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a webhook with its deliveries; nothing more is sent."""
        self.webhook(pk).delete()
        return Response(status=204)


class WebhookTest(WebhookView):
    """Sends a test message."""

    @extend_schema(
        operation_id="webhook_test",
        tags=TAGS,
        request=None,
        responses={202: DeliveryShape},
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Send a test message of the kind `test`."""
        delivery = services.queue_test(webhook=self.webhook(pk), now=timezone.now())
        return _sent(delivery)


class SecretRotation(WebhookView):
    """Replaces a webhook's secret without losing messages."""

    @extend_schema(
        operation_id="webhook_rotate_secret",
        tags=TAGS,
        request=None,
        responses=MadeWebhookShape,
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Replace the secret: for 24 hours messages are signed with the old one too."""
        now = timezone.now()
        webhook = services.rotate_secret(webhook=self.webhook(pk), now=now)
        return Response(self.data(webhook, MadeWebhookShape))


class SwitchingOn(WebhookView):
    """Switches a failed webhook on again."""

    @extend_schema(
        operation_id="webhook_switch_on",
        tags=TAGS,
        request=None,
        responses=WebhookShape,
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Switch on a webhook that was switched off; changes in between aren't sent."""
        services.switch_on(webhook=self.webhook(pk), now=timezone.now())
        return Response(self.data(self.webhook(pk)))


class Deliveries(WebhookView):
    """The messages to a webhook."""

    ordering = "-id"

    @extend_schema(operation_id="deliveries", tags=TAGS, responses=many(DeliveryShape))
    def get(self, request: Request, pk: int) -> Response:
        """The messages to a webhook, latest first; they are kept for 30 days."""
        page = self.paginate_queryset(self.webhook(pk).deliveries.all()) or ()
        return self.get_paginated_response([_data(each) for each in page])


class SendingAgain(WebhookView):
    """Sends a message again."""

    @extend_schema(
        operation_id="delivery_send_again",
        tags=TAGS,
        request=None,
        responses={202: DeliveryShape},
    )
    @idempotent
    def post(self, request: Request, pk: int, delivery: int) -> Response:
        """Send a message again with its old id; a waiting one stays as it is."""
        found = get_object_or_404(self.webhook(pk).deliveries, pk=delivery)
        services.queue_again(delivery=found, now=timezone.now())
        found.refresh_from_db()
        return _sent(found)


def _sent(delivery: Delivery) -> Response:
    """Return 202, and send the message once the answer is stored."""
    transaction.on_commit(lambda: tasks.send_now(delivery))
    return Response(_data(delivery), status=202)


def _data(delivery: Delivery) -> Mapping[str, Any]:
    waits = delivery.state == Delivery.State.WAITING
    moment = delivery.next_try_at if waits else None
    return DeliveryShape.data(delivery, next_try_at=moment)
