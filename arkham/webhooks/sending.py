"""Sends one message, signed as Standard Webhooks has it, and says how that went."""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import b64decode, b64encode
from datetime import UTC, datetime
from http.client import HTTPResponse
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from arkham.web.reaching import (
    HostUnreachable,
    PrivateAddress,
    RemotePlace,
    Timeouts,
    any_place,
    ask,
    quoted_path,
)
from arkham.webhooks.models import SECRET_MARK, Delivery, Webhook

PATIENCE = Timeouts(seconds=5.0, to_connect=3.0)
MOST_BYTES = 64 * 1024  # that are read of an answer; nothing of it is kept
Problem = Delivery.Problem


class TryResult(NamedTuple):
    """How a try went: the status of the answer, or why there was none."""

    answered: int | None
    problem: str = ""

    @property
    def is_good(self) -> bool:
        """Whether the message was taken."""
        return self.answered is not None and 200 <= self.answered < 300


def place_at(address: str) -> RemotePlace | None:
    """Where an address leads, if messages may be sent there."""
    try:
        parts = urlsplit(address)
        return any_place(parts, quoted_path(parts), settings.ORNE_OWN_WEBHOOK_SITES)
    except ValueError:
        return None


def message_of(delivery: Delivery) -> bytes:
    """The body of a message: what changed, where the API has it, and when."""
    origin, path = delivery.webhook.origin, delivery.path
    data = {"id": delivery.object_id, "address": origin + path if path else None}
    moment = _moment(delivery.changed_at)
    return json.dumps(
        {"type": delivery.kind, "timestamp": moment, "data": data}
    ).encode()


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """The signature of a message, of version 1."""
    key = b64decode(secret.removeprefix(SECRET_MARK))
    signed = b"%s.%d.%s" % (message_id.encode(), timestamp, body)
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    return f"v1,{b64encode(digest).decode()}"


def send(delivery: Delivery, *, now: datetime) -> TryResult:
    """Send a message once; redirects are answers like others."""
    webhook: Webhook = delivery.webhook
    place = place_at(webhook.address)
    if place is None:
        return TryResult(None, Problem.REFUSED)
    body, timestamp = message_of(delivery), int(now.timestamp())
    living = [each["secret"] for each in webhook.living_secrets(now)]
    signed = [
        signature(secret, delivery.message_id, timestamp, body)
        for secret in (webhook.secret, *living)
    ]
    headers = {
        "Content-Type": "application/json",
        "webhook-id": delivery.message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signed),
    }
    try:
        answered = ask(place, "*/*", PATIENCE, _status, headers, body)
    except PrivateAddress:
        return TryResult(None, Problem.PRIVATE)
    except HostUnreachable:
        return TryResult(None, Problem.UNREACHABLE)
    return TryResult(answered)


def _status(response: HTTPResponse) -> int:
    response.read(MOST_BYTES)
    return response.status
