"""Who sends messages, and when.

With a broker the clock has changes gathered every quarter of a minute, and workers
send. Without one a thread of the server does, some seconds after an answer; where
no request arrives, nothing changes, and a message to be tried again waits for the next
answer or for ``./run manage tidy``.
"""

from __future__ import annotations

import logging
import threading
from typing import Any

from celery import shared_task
from django.conf import settings
from django.core.signals import request_finished
from django.db import DatabaseError, connections
from django.utils import timezone

from arkham.webhooks import services
from arkham.webhooks.models import Delivery

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 20  # messages that a server without workers sends in one go
MOST_SENT = 200  # to workers, in one go
AFTER = services.REST.total_seconds() + 2  # seconds from an answer to the look


@shared_task
def work_off(**kwargs: Any) -> None:
    """Gather what changed, and hand what is due to workers. Safe to repeat."""
    now = timezone.now()
    services.gather(now=now)
    for each in services.due(now=now)[:MOST_SENT]:
        if services.lease(each, now=now):
            send_delivery.delay(each.pk, each.tries)


@shared_task
def send_delivery(delivery: int, tries: int, **kwargs: Any) -> None:
    """Try to send a message after so many tries. Safe to repeat."""
    services.attempt(key=delivery, tries=tries)


@shared_task
def forget_old(**kwargs: Any) -> None:
    """Delete deliveries that have long been over. Safe to repeat."""
    services.forget_old(now=timezone.now())


def send_now(delivery: Delivery) -> None:
    """Send a message after an answer: by a worker, or from a thread of this process."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        _after_answers.look_now()
    elif services.lease(delivery, now=timezone.now()):
        send_delivery.delay(delivery.pk, delivery.tries)


def work_off_here() -> None:
    """Gather what changed, and send some of what is due from this process."""
    now = timezone.now()
    services.gather(now=now)
    for each in services.due(now=now)[:MOST_AT_ONCE]:
        services.attempt(key=each.pk, tries=each.tries)


class _AfterAnswers:
    """Works off a while after an answer, once for all that come until then."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_set = False  # whether a look will come
        self._more = False  # whether there were answers since that was decided

    def note(self, **kwargs: Any) -> None:
        """An answer was sent."""
        with self._lock:
            self._more = True
            if self._is_set:
                return
            self._is_set = True
        self._wait()

    def look_now(self) -> None:
        """Work off at once, in a thread of its own."""
        threading.Thread(target=self._work_off, daemon=True).start()

    def _wait(self) -> None:
        self._more = False
        timer = threading.Timer(AFTER, self._look)
        timer.daemon = True
        timer.start()

    def _look(self) -> None:
        self._work_off()
        with self._lock:
            self._is_set = self._more
        if self._is_set:
            self._wait()

    def _work_off(self) -> None:
        """Do so, whatever happens to the database: the next look will come."""
        try:
            work_off_here()
        except DatabaseError:
            logger.exception("webhooks failed")
        finally:
            connections.close_all()


def start() -> None:
    """Do so after answers, if there is no worker to do it."""
    if settings.TIDY_AFTER_ANSWERS:
        request_finished.connect(_after_answers.note, dispatch_uid="webhooks")


_after_answers = _AfterAnswers()
