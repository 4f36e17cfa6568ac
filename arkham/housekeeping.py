"""Delete what has expired and count published decks, with or without a worker.

With a broker a worker runs ``tidy`` once a day. Without one the server does, after
sending an answer, and ``./run manage tidy`` does at any time.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime
from typing import Any

from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.core.signals import request_finished
from django.db import DatabaseError
from django.utils import timezone

logger = logging.getLogger(__name__)

DAY = 24 * 60 * 60  # seconds
_KEY = "housekeeping"
_LOOK = 10 * 60  # seconds between two checks of the cache, per process
_next_look = 0.0  # on the clock of time.monotonic


def forget_expired(*, now: datetime) -> int:
    """Delete everything that has expired; return the number of deleted things."""
    # These are imported late: this module is loaded when the server starts.
    from arkham.accounts import services as accounts
    from arkham.jobs import services as jobs
    from arkham.webhooks import services as webhooks
    from campaigns import services as campaigns
    from decks import services as decks

    return (
        accounts.forget_expired(now=now)
        + decks.forget_drafts(now=now)
        + decks.forget_deleted(now=now)
        + decks.forget_verdicts(now=now)
        + campaigns.forget_guests(now=now)
        + jobs.forget_old(now=now)
        + webhooks.forget_old(now=now)
    )


@shared_task
def tidy(**kwargs: Any) -> None:
    """Delete what has expired and count played cards. Safe to repeat."""
    from decks import services as decks

    forget_expired(now=timezone.now())
    decks.count_played_cards()


def tidy_once_a_day() -> None:
    """Continue jobs that the end of a server interrupted; tidy, unless done today.

    Processes with a shared cache do so once between them. If the database is busy,
    read-only or not set up, it waits for the next day: the answer has been sent
    already, and no one is waiting.
    """
    from arkham.jobs import services as jobs

    try:
        jobs.resend_stalled(now=timezone.now())
        if cache.add(_KEY, True, DAY):
            tidy()
    except DatabaseError:
        logger.exception("tidying failed")


def after_answer(**kwargs: Any) -> None:
    """Tidy once a day, checking the cache only now and then.

    If the database contains the cache, a check takes four queries, more than many
    answers.
    """
    global _next_look
    now = time.monotonic()
    if now < _next_look:
        return
    _next_look = now + _LOOK
    tidy_once_a_day()


def start() -> None:
    """Tidy after answers, if there is no worker to do it."""
    if settings.TIDY_AFTER_ANSWERS:
        request_finished.connect(after_answer, dispatch_uid=_KEY)
