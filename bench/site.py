"""A site to measure: a fresh database with the embedded cards, as in production."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client


@cache
def visitor() -> Client:
    """A program or browser without an account, that takes compressed answers."""
    import logging

    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)

    logging.disable(logging.WARNING)  # refusals are what some measures ask for

    from django.test import Client

    from cardpool.services import ensure_embedded_pool

    ensure_embedded_pool()
    return Client(headers={"accept-encoding": "gzip"}, SERVER_NAME="localhost")
