"""The card pool in the test database: the embedded one, loaded once."""

from __future__ import annotations

import pytest
from pytest_django.plugin import DjangoDbBlocker

from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from cardpool import services


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The database with the embedded pool in it; every test sees it."""
    with django_db_blocker.unblock():
        services.ensure_embedded_pool()


@pytest.fixture
def rows(db: None) -> CardPool:
    """The pool whose rows the database holds, put back where a test emptied it."""
    services.ensure_embedded_pool()
    return embedded_pool()
