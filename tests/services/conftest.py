"""A real Redis, for tests of what is only right there."""

from __future__ import annotations

import os

import pytest
import redis

BROKER = os.environ.get("ORNE_REDIS") or "redis://127.0.0.1:6379/15"


@pytest.fixture
def broker() -> str:
    """A Redis that answers."""
    try:
        redis.Redis.from_url(BROKER).ping()
    except redis.ConnectionError:
        pytest.skip(f"no Redis answers at {BROKER}; ORNE_REDIS names another")
    return BROKER
