"""The decks app."""

from __future__ import annotations

import gc
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db import connections
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

TABLE = "decks_showing"  # its primary keys are the public numbers
GARBAGE_THRESHOLD = 10_000  # allocations between two garbage collections


class DecksConfig(AppConfig):
    """Registers the app under its name."""

    name = "decks"
    verbose_name = _("Decks")

    def ready(self) -> None:
        """Connect signals, register job kinds and owned cards, tune garbage collection.

        A verdict with thousands of findings should not start dozens of collections, nor
        should a collection that scans all modules delay a request.
        """
        from cardpool.filters import register_owned
        from cardpool.tasks import pool_imported
        from decks.services.collecting import cards_owned_by
        from decks.tasks import judge_again_by_new_cards, register_kinds

        post_migrate.connect(begin_numbers, sender=self)
        pool_imported.connect(judge_again_by_new_cards)
        register_kinds()
        register_owned(lambda request: cards_owned_by(request.user))
        gc.freeze()
        gc.set_threshold(GARBAGE_THRESHOLD, 10, 10)


def begin_numbers(*, using: str, **_about: Any) -> None:
    """Let the numbers of published decks begin at ``ORNE_FIRST_NUMBER``.

    Numbers are only raised, so that none is used twice.
    """
    last = settings.ORNE_FIRST_NUMBER - 1
    connection = connections[using]
    with connection.cursor() as cursor:
        if TABLE not in connection.introspection.table_names(cursor):
            return
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT setval(name, %s) FROM pg_get_serial_sequence(%s, 'id') AS name "
                "WHERE coalesce(pg_sequence_last_value(name::regclass), 0) < %s",
                [last, TABLE, last],
            )
            return
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [TABLE])
        found = cursor.fetchone()
        if found is None:
            cursor.execute("INSERT INTO sqlite_sequence VALUES (%s, %s)", [TABLE, last])
        elif found[0] < last:
            cursor.execute(
                "UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [last, TABLE]
            )
