"""Decks are judged and searched for in a database that holds the embedded pool."""

from __future__ import annotations

from tests.cardpool.conftest import django_db_setup, rows

__all__ = ["django_db_setup", "rows"]
