"""The Redis cache that counts requests, and its fallback while Redis is unavailable.

Only imported if ``CACHE_URL`` is a Redis address: the Redis client is a production
dependency, missing in installations by ``./run``.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PATIENCE = 1  # seconds to wait for an answer
PAUSE = 10  # seconds until Redis is tried again
MOST_ENTRIES = 20_000


class KeptClient(RedisCacheClient):
    """Django's client, reused: creating one takes longer than its answer."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._kept: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """Return the client for reading or for writing; threads may share it."""
        if write not in self._kept:
            self._kept[write] = super().get_client(key, write=write)
        return self._kept[write]


class Counters(RedisCache):
    """Django's Redis cache, with this process's memory as a fallback."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        waits = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
        options = {**waits, **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})
        self._class = KeptClient
        bounded = {"OPTIONS": {"MAX_ENTRIES": MOST_ENTRIES}}
        self.own = LocMemCache("orne-counters", {**params, **bounded})
        self._asked_again_at = 0.0

    @property
    def is_alone(self) -> bool:
        """Whether Redis is currently considered unavailable."""
        return time.monotonic() < self._asked_again_at

    def _ask(self, method: str, *args: Any, **options: Any) -> Any:
        if not self.is_alone:
            try:
                return getattr(super(), method)(*args, **options)
            except RedisError as error:
                self._asked_again_at = time.monotonic() + PAUSE
                logger.warning("Redis is gone, counting alone: %s", error)
        return getattr(self.own, method)(*args, **options)

    def add(self, *args: Any, **options: Any) -> Any:
        """Store a value unless there is one; return whether it was stored."""
        return self._ask("add", *args, **options)

    def get(self, *args: Any, **options: Any) -> Any:
        """Return the stored value."""
        return self._ask("get", *args, **options)

    def set(self, *args: Any, **options: Any) -> Any:
        """Store a value."""
        return self._ask("set", *args, **options)

    def delete(self, *args: Any, **options: Any) -> Any:
        """Delete a value."""
        return self._ask("delete", *args, **options)

    def has_key(self, *args: Any, **options: Any) -> Any:
        """Return whether there is a value."""
        return self._ask("has_key", *args, **options)

    def incr(self, *args: Any, **options: Any) -> Any:
        """Add to a number; raises ValueError if there is none."""
        return self._ask("incr", *args, **options)
