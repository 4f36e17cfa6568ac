"""Webhooks and their deliveries."""

from __future__ import annotations

import secrets
from base64 import b64encode
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

LONGEST_ADDRESS = 1_000
LONGEST_SECRET = 60
LONGEST_ORIGIN = 300
SECRET_MARK = "whsec_"  # the prefix of Standard Webhooks  # noqa: S105
SECRET_BYTES = 32


def new_secret() -> str:
    """Return a secret to sign deliveries with, in the format of Standard Webhooks."""
    return SECRET_MARK + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def new_message_id() -> str:
    """Return an id for a message, which is the same each time it is sent."""
    return f"msg_{uuid4().hex}"


class Webhook(models.Model):
    """An address that gets an account's changes, and its state.

    ``events`` are kinds of changes; those up to ``seen_until`` are deliveries already.
    ``origin`` is Orne's address when it was created, with which addresses in messages
    begin. The secret is stored as it is, because every message is signed with it; so
    are its predecessors, with their expiry, latest first. ``failing_since`` is the
    first failure after the last success.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks"
    )
    address = models.CharField(max_length=LONGEST_ADDRESS)
    events = models.JSONField(default=list)
    secret = models.CharField(max_length=LONGEST_SECRET, default=new_secret)
    old_secrets = models.JSONField(default=list)
    origin = models.CharField(max_length=LONGEST_ORIGIN)
    made_at = models.DateTimeField()
    seen_until = models.DateTimeField()
    failing_since = models.DateTimeField(null=True, blank=True)
    switched_off_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.address[:80]

    def living_secrets(self, now: datetime) -> list[dict[str, Any]]:
        """Return the old secrets that messages are still signed with."""
        return [
            each
            for each in self.old_secrets
            if datetime.fromisoformat(each["until"]) > now
        ]

    def old_secret_until(self, now: datetime) -> datetime | None:
        """Return when the latest of those expires; None if there is none."""
        living = self.living_secrets(now)
        return datetime.fromisoformat(living[0]["until"]) if living else None


class Delivery(models.Model):
    """A message to a webhook: its content, its next try, and its result.

    ``object_id`` and ``path`` identify what changed; a test has none. While it waits,
    later changes of the same object are merged into it with a new ``message_id``,
    because programs ignore ids they have seen. ``answered`` is the status of the last
    answer, ``problem`` the reason if there was none.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        DELIVERED = "delivered", _("Delivered")
        FAILED = "failed", _("Failed")

    class Problem(models.TextChoices):
        UNREACHABLE = "unreachable", _("Not reached within five seconds")
        PRIVATE = "private-address", _("Leads to a private address")
        REFUSED = "refused-address", _("This server no longer sends there")
        SWITCHED_OFF = "switched-off", _("The webhook was switched off")

    webhook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, related_name="deliveries"
    )
    message_id = models.CharField(max_length=40, default=new_message_id)
    kind = models.CharField(max_length=20)
    object_id = models.PositiveBigIntegerField(null=True, blank=True)
    path = models.CharField(max_length=200, blank=True)
    changed_at = models.DateTimeField()
    state = models.CharField(
        max_length=10, choices=State.choices, default=State.WAITING
    )
    tries = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    next_try_at = models.DateTimeField()
    answered = models.PositiveSmallIntegerField(null=True, blank=True)
    problem = models.CharField(max_length=20, choices=Problem.choices, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [
            models.Index(
                fields=["next_try_at"],
                name="deliveries_to_be_tried",
                condition=models.Q(state="waiting"),
            )
        ]

    def __str__(self) -> str:
        return f"{self.message_id} {self.state}"
