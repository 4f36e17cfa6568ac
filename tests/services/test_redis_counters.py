"""Requests counted in a real Redis are the requests counted anywhere else."""

from __future__ import annotations

import random
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache.backends.locmem import LocMemCache
from redis import Redis

from arkham.web.counters import Counters
from arkham.web.request_limits import record


@pytest.fixture
def counters(broker: str) -> Counters:
    """Counters in Redis, which has no script of ours yet."""
    Redis.from_url(broker).script_flush()
    return Counters(broker, {"KEY_PREFIX": str(uuid.uuid4())})


@pytest.mark.parametrize("seed", range(10))
def test_redis_counts_as_other_caches_do(counters: Counters, seed: int) -> None:
    """Single requests and batches, allowed and refused, at the ends of windows too."""
    dice = random.Random(seed)
    other = LocMemCache(str(uuid.uuid4()), {})
    most, now = dice.randint(1, 12), 1_700_000_000.0
    refused = 0
    for _request in range(300):
        now += dice.choice((0.0, 0.25, 1 / 3, 7.0, 60.0))
        weight = dice.choice((1, 1, 1, 2, 5, most, most + 1))
        found = record(counters, "a", now, most, 60, weight)
        assert found == record(other, "a", now, most, 60, weight)
        refused += not found.is_allowed
    assert 0 < refused < 300


def test_requests_sent_at_once_are_all_counted(counters: Counters) -> None:
    """Of 200 by eight threads just the allowed number passes."""
    with ThreadPoolExecutor(8) as threads:
        found = threads.map(
            lambda _number: record(counters, "b", 1_700_000_000.0, 50, 60), range(200)
        )
    assert sum(each.is_allowed for each in found) == 50


def test_a_count_is_forgotten_after_its_window(counters: Counters) -> None:
    record(counters, "c", 1_700_000_000.0, 5, 60)

    client = counters._cache.get_client()
    assert 0 < client.ttl(counters.make_key("c")) <= 60
