"""Background tasks of campaigns."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from django.utils import timezone

from campaigns import services


@shared_task
def forget_guests(**kwargs: Any) -> None:
    """Delete the guests who left every table. Safe to repeat."""
    services.forget_guests(now=timezone.now())
