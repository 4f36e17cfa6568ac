"""What every test may ask for: three people, their clients, the shared data."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.management.commands import flush
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from hypothesis import HealthCheck, settings
from pytest_django.plugin import DjangoDbBlocker
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from tests.prepared import migrated

PROJECT = Path(__file__).resolve().parent.parent

# One set of profiles for every property. The suite tries the same examples each time,
# so that a failure is of the change, and takes the time it takes: a busy machine is no
# fault. "--hypothesis-profile=hunt" looks for new examples.
REPEATED = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("usual", REPEATED, max_examples=30)
settings.register_profile("hunt", max_examples=2_000, deadline=None)
settings.load_profile("usual")


# By these a test has a database, whether it is marked or not.
DATABASE = frozenset({"db", "transactional_db", "live_server", "django_db_setup"})


def pytest_addoption(parser: pytest.Parser) -> None:
    """By these a run leaves out what another one has shown."""
    parser.addoption("--passed-to", type=Path, help="file for names of passed tests")
    parser.addoption("--without", type=Path, help="file of names of tests to leave out")


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Mark what touches a database; slow tests go first.

    At the end one process would wait for the other's.
    """
    if file := config.getoption("--without"):
        left_out = set(file.read_text("utf-8").splitlines())
        items[:] = [item for item in items if item.nodeid not in left_out]
    for item in items:
        if _touches_a_database(item):
            item.add_marker(pytest.mark.database)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def _touches_a_database(item: pytest.Item) -> bool:
    asked = set(getattr(item, "fixturenames", ()))
    alone = {"services", "browser"} & set(item.path.parts)
    return bool(item.get_closest_marker("django_db") or DATABASE & asked or alone)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With ``ORNE_NO_SKIPS`` set, as in CI, a skipped test fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # one of several processes
        return
    if os.environ.get("ORNE_NO_SKIPS") and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if file := session.config.getoption("--passed-to"):
        passed = (each.nodeid for each in reporter.stats.get("passed", ()))
        file.write_text("".join(f"{each}\n" for each in passed), "utf-8")


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    """Throttles count afresh in every test."""
    cache.clear()


@pytest.fixture(scope="session", autouse=True)
def _emptied_fast() -> Iterator[None]:
    """Tests that commit leave the card pool in the database, since none changes it.

    Django truncates every table after such a test. On PostgreSQL that takes as long as
    many a story, and to fill the tables of the cards again takes longer than most.
    """
    cards = {
        each._meta.db_table for each in apps.get_app_config("cardpool").get_models()
    }

    def sql_flush(
        _style: object, on: BaseDatabaseWrapper, **_options: object
    ) -> list[str]:
        tables = on.introspection.django_table_names(only_existing=True)
        return [
            f"DELETE FROM {on.ops.quote_name(name)}"  # noqa: S608
            for name in tables
            if name not in cards
        ]

    with patch.object(flush, "sql_flush", sql_flush):
        yield


@pytest.fixture(scope="session")
def django_db_keepdb(
    request: pytest.FixtureRequest, django_db_modify_db_settings: None
) -> Iterator[bool]:
    """On SQLite the database begins as a copy of one that has its tables."""
    own: bool = request.config.getvalue("reuse_db")
    if connection.vendor != "sqlite" or own:
        yield own
        return
    file = Path(connection.settings_dict["TEST"]["NAME"])
    _remove(file)
    shutil.copy(migrated(), file)
    yield True
    _remove(file)


def _remove(database: Path) -> None:
    """Remove a database with what SQLite wrote ahead, if a run left any."""
    for ending in ("", "-wal", "-shm"):
        Path(f"{database}{ending}").unlink(missing_ok=True)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The database with the embedded pool in it, loaded once; every test sees it."""
    with django_db_blocker.unblock():
        ensure_embedded_pool()


@pytest.fixture
def rows(db: None) -> CardPool:
    """The pool whose rows the database holds, put back where a test emptied it."""
    ensure_embedded_pool()
    return embedded_pool()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of shared data: ``ORNE_SHARED``, or ``../shared`` beside the project.

    Card data lies in ``data/arkhamdb``, decks in ``data/decks``.
    """
    folder = Path(os.environ.get("ORNE_SHARED") or PROJECT.parent / "shared")
    if not (folder / "data").is_dir():
        pytest.skip("the shared data is absent; ORNE_SHARED names its folder")
    return folder


@pytest.fixture
def alice(db: None) -> User:
    """Owns things."""
    return User.objects.create_user("alice", password="alice-of-arkham")


@pytest.fixture
def bob(db: None) -> User:
    """Is a member of Alice's table."""
    return User.objects.create_user("bob", password="bob-of-arkham")


@pytest.fixture
def charlie(db: None) -> User:
    """Is a stranger to both."""
    return User.objects.create_user("charlie", password="charlie-of-arkham")


def _client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def as_alice(alice: User) -> Client:
    """A browser signed in as Alice."""
    return _client_of(alice)


@pytest.fixture
def as_bob(bob: User) -> Client:
    """A browser signed in as Bob."""
    return _client_of(bob)


@pytest.fixture
def as_charlie(charlie: User) -> Client:
    """A browser signed in as Charlie."""
    return _client_of(charlie)


@pytest.fixture
def api() -> APIClient:
    """A program without an account."""
    return APIClient()
