"""When messages are sent, and by which process.

With a broker, beat gathers changes every quarter of a minute, and workers send. Without
one, a thread of the server does so some seconds after an answer; without requests
nothing changes, and messages to be retried wait for the next answer or for ``./run
manage tidy``.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from celery import shared_task
from django.conf import settings
from django.core.signals import request_finished
from django.db import DatabaseError, connections
from django.utils import timezone

from arkham.webhooks import services
from arkham.webhooks.models import Delivery

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 20  # messages sent at once by a server without workers
MOST_SENT = 200  # messages sent to workers at once
AFTER = services.REST.total_seconds() + 2  # seconds after an answer


@shared_task
def work_off(**kwargs: Any) -> None:
    """Gather changes, and send due messages to workers. Safe to repeat."""
    now = timezone.now()
    services.gather(now=now)
    for each in services.due(now=now)[:MOST_SENT]:
        if services.lease(each, now=now):
            send_delivery.delay(each.pk, each.tries)


@shared_task
def send_delivery(delivery: int, tries: int, **kwargs: Any) -> None:
    """Try to send a message after ``tries`` tries. Safe to repeat."""
    services.attempt(key=delivery, tries=tries)


def send_now(delivery: Delivery) -> None:
    """Send a message after an answer: by a worker, or from a thread of this process."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        work = partial(services.attempt, key=delivery.pk, tries=delivery.tries)
        _after_answers.do_now(work)
    elif services.lease(delivery, now=timezone.now()):
        send_delivery.delay(delivery.pk, delivery.tries)


def work_off_here() -> None:
    """Gather changes, and send some due messages from this process."""
    now = timezone.now()
    services.gather(now=now)
    for each in services.due(now=now)[:MOST_AT_ONCE]:
        services.attempt(key=each.pk, tries=each.tries)


class _AfterAnswers:
    """Works some time after an answer, once for all answers until then."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_set = False  # whether a run is scheduled
        self._more = False  # whether there were answers after it was scheduled

    def note(self, **kwargs: Any) -> None:
        """Schedule a run after an answer."""
        with self._lock:
            self._more = True
            if self._is_set:
                return
            self._is_set = True
        self._wait()

    def do_now(self, work: Callable[[], None]) -> None:
        """Run something at once, in its own thread."""
        threading.Thread(target=self._do, args=[work], daemon=True).start()

    def _wait(self) -> None:
        self._more = False
        timer = threading.Timer(AFTER, self._look)
        timer.daemon = True
        timer.start()

    def _look(self) -> None:
        try:
            self._do(work_off_here)
        finally:  # in any case: a failed run must not be the last
            with self._lock:
                self._is_set = self._more
            if self._is_set:
                self._wait()

    def _do(self, work: Callable[[], None]) -> None:
        """Run something; the database may be temporarily unavailable."""
        try:
            work()
        except DatabaseError:
            logger.exception("webhooks failed")
        finally:
            connections.close_all()


def start() -> None:
    """Work after answers, if there are no workers."""
    if settings.TIDY_AFTER_ANSWERS:
        request_finished.connect(_after_answers.note, dispatch_uid="webhooks")


_after_answers = _AfterAnswers()
