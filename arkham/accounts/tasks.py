"""Housekeeping in the background."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from django.utils import timezone

from arkham.accounts import services


@shared_task
def forget_expired(**kwargs: Any) -> None:
    """Delete expired sessions, invitations and answers. Safe to repeat."""
    services.forget_expired(now=timezone.now())
