"""What has expired goes, with a worker or without."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import call_command
from django.core.signals import request_finished
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from arkham import housekeeping
from decks.lists.content import empty_content
from decks.models import Deck, SharedVerdict

pytestmark = pytest.mark.django_db


def _tidy() -> None:
    call_command("tidy", stdout=StringIO())


def _old_session() -> None:
    Session.objects.create(
        session_key="old", expire_date=timezone.now() - timedelta(days=1)
    )


def test_it_is_done_once_a_day(settings: Settings) -> None:
    """Not after every answer."""
    _old_session()
    housekeeping.tidy_once_a_day()
    assert not Session.objects.exists()
    _old_session()
    housekeeping.tidy_once_a_day()
    assert Session.objects.exists()
    cache.clear()  # as after a day
    housekeeping.tidy_once_a_day()
    assert not Session.objects.exists()


def test_a_database_that_refuses_disturbs_no_answer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One not yet set up, say; it is written down once, and tried the next day."""

    def refuse(*, now: datetime) -> int:
        raise DatabaseError("no such table")

    monkeypatch.setattr("arkham.accounts.services.forget_expired", refuse)
    housekeeping.tidy_once_a_day()
    housekeeping.tidy_once_a_day()

    assert [record.message for record in caplog.records] == ["tidying failed"]


def _left_behind() -> None:
    """A draft and a shared verdict that nobody came back to."""
    client, form = Client(), {"content": empty_content("01001").as_json()}
    client.post("/decks/bring/", form)
    client.post("/decks/share/", form)
    long_ago = timezone.now() - timedelta(days=1_000)
    Deck.objects.update(changed_at=long_ago)
    SharedVerdict.objects.update(seen_at=long_ago)


@pytest.mark.parametrize(
    "do", [housekeeping.tidy_once_a_day, housekeeping.tidy.delay, _tidy]
)
def test_what_strangers_left_goes_too(do: Callable[[], None]) -> None:
    """By the server, the worker and the command, though nobody leaves more."""
    _left_behind()

    do()

    assert not Deck.objects.exists()
    assert not SharedVerdict.objects.exists()


@pytest.mark.parametrize("without_worker", [True, False])
def test_the_server_does_it_only_where_no_worker_does(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, without_worker: bool
) -> None:
    """After an answer has been sent."""
    connected: list[object] = []
    monkeypatch.setattr(
        request_finished,
        "connect",
        lambda receiver, **_more: connected.append(receiver),
    )
    settings.TIDY_AFTER_ANSWERS = without_worker
    housekeeping.start()

    assert connected == [housekeeping.after_answer] * without_worker


def test_a_command_does_it_at_any_time() -> None:
    """For who would rather have it in a timetable."""
    _old_session()
    out = StringIO()
    call_command("tidy", stdout=out)
    assert out.getvalue() == "Deleted 1.\n"
    assert not Session.objects.exists()


def test_the_cache_is_not_asked_after_every_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """But again ten minutes later: another process may have done it meanwhile."""
    clock, done = [5_000.0], []
    monkeypatch.setattr(housekeeping, "_next_look", 0.0)
    monkeypatch.setattr("arkham.housekeeping.time.monotonic", lambda: clock[0])
    monkeypatch.setattr(housekeeping, "tidy_once_a_day", lambda: done.append(clock[0]))
    for seconds in (0, 1, 300, 300, 1):
        clock[0] += seconds
        housekeeping.after_answer()

    assert done == [5_000.0, 5_601.0]
