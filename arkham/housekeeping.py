"""Deletes what is past its time, also where no worker runs.

With a broker a worker does so once a day. Without one the server does, after an answer
has been sent, and ``./run manage tidy`` does at any time.
"""

from __future__ import annotations

import logging
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


def forget_expired(*, now: datetime) -> int:
    """Delete all that is past its time; returns how many things that were."""
    # All are loaded after this module, which starts with the server.
    from arkham.accounts import services as accounts
    from campaigns import services as campaigns
    from decks import services as decks

    return (
        accounts.forget_expired(now=now)
        + decks.forget_drafts(now=now)
        + decks.forget_deleted(now=now)
        + decks.forget_verdicts(now=now)
        + campaigns.forget_guests(now=now)
    )


def tidy_once_a_day(**kwargs: Any) -> None:
    """Forget what has expired, unless that was done within a day.

    Processes that share a cache do it once between them. A database that is busy,
    read-only or not yet set up puts it off to the next day: the answer has been sent,
    and nobody waits for this.
    """
    if not cache.add(_KEY, True, DAY):
        return
    try:
        forget_expired(now=timezone.now())
    except DatabaseError:
        logger.exception("tidying failed")


def start() -> None:
    """Look after every answer, if there is no worker to do it."""
    if settings.TIDY_AFTER_ANSWERS:
        request_finished.connect(tidy_once_a_day, dispatch_uid=_KEY)
