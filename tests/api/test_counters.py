"""Limits are counted in Redis, and in the process while Redis is unavailable."""

from __future__ import annotations

import os
from contextvars import Context

import pytest
from django.core.cache import BaseCache, caches
from django.test import Client
from pytest_django import Settings
from redis import ConnectionPool
from redis.exceptions import ConnectionError as Gone

from arkham.web import counters
from arkham.web.counters import Counters

GONE = "redis://127.0.0.1:1/0"  # no server listens there


@pytest.fixture
def gone(settings: Settings) -> BaseCache:
    """Counters in a Redis that can't be reached."""
    counters._tried_again_at.clear()
    vars(counters._of_thread).clear()
    settings.CACHES = {
        "default": {"BACKEND": "arkham.web.counters.Counters", "LOCATION": GONE}
    }
    cache = caches["default"]
    assert isinstance(cache, Counters)
    cache.own.clear()
    return cache


def test_counters_work_without_redis(gone: BaseCache) -> None:
    """All operations that counting needs give the same results."""
    assert gone.add("a", 1, 60)
    assert not gone.add("a", 2, 60)
    assert gone.incr("a", 4) == 5
    gone.set("b", [1, 2], 60)
    gone.delete("a")

    assert (gone.get("a"), gone.get("b"), "b" in gone) == (None, [1, 2], True)
    with pytest.raises(ValueError, match="a"):
        gone.incr("a")


def test_an_unavailable_redis_is_not_tried_at_every_request(
    gone: BaseCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hanging one would delay each by a second."""
    asked = []

    def connect(pool: ConnectionPool) -> None:
        asked.append(pool)
        raise Gone

    monkeypatch.setattr(ConnectionPool, "get_connection", connect)
    for _each in range(5):
        # A request that has a context of its own has a cache of its own.
        Context().run(lambda: caches["default"].get("a"))
    assert len(asked) == 1


class _Connection:
    """A connection that Redis closes before its second command."""

    def __init__(self) -> None:
        self.pid, self.sent = os.getpid(), 0

    def send_command(self, *_command: str) -> None:
        self.sent += 1
        if self.sent == 2:
            raise Gone

    def read_response(self) -> None:
        return None


def test_a_thread_keeps_its_connection_after_a_restart_of_redis(
    gone: BaseCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each request with a context of its own had one of its own."""
    made = []

    def connect(_pool: ConnectionPool) -> _Connection:
        made.append(_Connection())
        return made[-1]

    monkeypatch.setattr(ConnectionPool, "get_connection", connect)
    for _each in range(2):
        Context().run(lambda: caches["default"].get("a"))
    assert [each.sent for each in made] == [3]
    assert not counters._tried_again_at


@pytest.mark.django_db
def test_requests_are_answered_and_counted_without_redis(gone: BaseCache) -> None:
    """The counts are in the headers as always."""
    client, deck = Client(), {"investigator_code": "01001", "slots": {"01006": 1}}
    told = [
        client.post("/api/v1/legality", deck, content_type="application/json")
        for _each in range(2)
    ]
    form = client.post("/account/login/", {"login": "no", "password": "one"})

    assert [each.status_code for each in (*told, form)] == [200, 200, 200]
    assert told[0]["RateLimit"] != told[1]["RateLimit"]
