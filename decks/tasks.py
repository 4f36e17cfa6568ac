"""What is done with decks in the background."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from django.utils import timezone

from decks import services


@shared_task
def judge_decks_again(**kwargs: Any) -> None:
    """Judge what was judged by other rules or cards. Safe to repeat, and to stop."""
    for _so_far in services.judge_again(now=timezone.now()):
        pass


def judge_again_by_new_cards(**kwargs: Any) -> None:
    """Have decks judged again once other cards were imported."""
    judge_decks_again.delay()


@shared_task
def forget_left(**kwargs: Any) -> None:
    """Delete what was long in the bin, and drafts and shared verdicts left alone.

    Safe to repeat.
    """
    now = timezone.now()
    services.forget_deleted(now=now)
    services.forget_drafts(now=now)
    services.forget_verdicts(now=now)
