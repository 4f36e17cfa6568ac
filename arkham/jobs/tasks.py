"""Chunks as tasks: acknowledged when done, and retried if that may help."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from celery.utils.time import get_exponential_backoff_interval
from django.db import DatabaseError
from django.utils import timezone

from arkham.jobs import services

MOST_RETRIES = 10
LONGEST_WAIT = 300  # seconds; less than a broker waits for a silent worker


@shared_task(
    bind=True, acks_late=True, reject_on_worker_lost=True, max_retries=MOST_RETRIES
)
def work_chunk(task: Any, /, chunk: int, **kwargs: Any) -> None:
    """Process a chunk of a job. Safe to repeat.

    With a full disk or an unavailable database it is retried, with doubling waits.
    """
    try:
        services.work(chunk)
    except (OSError, DatabaseError) as error:
        tries = task.request.retries
        if tries >= MOST_RETRIES:
            services.stop(chunk, error)
            raise
        wait = get_exponential_backoff_interval(1, tries, LONGEST_WAIT, True)
        raise task.retry(exc=error, countdown=wait) from error
    except Exception as error:
        services.stop(chunk, error)
        raise


@shared_task
def resend_stalled(**kwargs: Any) -> None:
    """Send jobs without progress again. Safe to repeat."""
    services.resend_stalled(now=timezone.now())
