"""The Celery app for background work."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arkham.settings")

app = Celery("arkham")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_ignore_result = True
app.conf.broker_connection_retry_on_startup = True
app.autodiscover_tasks()

MINUTE = 60  # seconds
DAY = 24 * 60 * MINUTE
app.conf.beat_schedule = {
    "tidy": {"task": "arkham.housekeeping.tidy", "schedule": DAY},
    "resend-stalled": {"task": "arkham.jobs.tasks.resend_stalled", "schedule": MINUTE},
    "work-off-webhooks": {"task": "arkham.webhooks.tasks.work_off", "schedule": 15},
    "look-for-new-cards": {
        "task": "cardpool.tasks.look_for_new_cards",
        "schedule": DAY,
    },
    # It finds nothing to do if "up" and "import_cards" have been run.
    "judge-decks-again": {"task": "decks.tasks.judge_decks_again", "schedule": DAY},
}
