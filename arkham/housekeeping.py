"""Deletes what is past its time and counts published decks, also without a worker.

With a broker a worker does so once a day. Without one the server does, after an answer
has been sent, and ``./run manage tidy`` does at any time.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.signals import request_finished
from django.db import DatabaseError
from django.utils import timezone

logger = logging.getLogger(__name__)

DAY = 24 * 60 * 60  # seconds
_KEY = "housekeeping"
_LOOK = 10 * 60  # seconds from one look at the cache to the next, in one process
_next_look = 0.0  # on the clock of time.monotonic


def forget_expired(*, now: datetime) -> int:
    """Delete all that is past its time; returns how many things that were."""
    # All are loaded after this module, which starts with the server.
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


def tidy_once_a_day() -> None:
    """Forget what has expired and count played cards, unless done within a day.

    Processes that share a cache do it once between them. A database that is busy,
    read-only or not yet set up puts it off to the next day: the answer has been sent,
    and nobody waits for this.
    """
    from decks import services as decks

    try:
        if not cache.add(_KEY, True, DAY):
            return
        forget_expired(now=timezone.now())
        decks.count_played_cards()
    except DatabaseError:
        logger.exception("tidying failed")


def after_answer(**kwargs: Any) -> None:
    """Tidy if a day is over, looking at the cache now and then only.

    A look takes four queries where the database holds the cache, more than many answers
    do.
    """
    global _next_look
    now = time.monotonic()
    if now < _next_look:
        return
    _next_look = now + _LOOK
    tidy_once_a_day()


def start() -> None:
    """Do so after answers, if there is no worker to do it."""
    if settings.TIDY_AFTER_ANSWERS:
        request_finished.connect(after_answer, dispatch_uid=_KEY)
