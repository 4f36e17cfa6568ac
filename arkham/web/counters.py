"""The cache in Redis that counts requests, and what counts while Redis is gone.

Only a Redis address in ``CACHE_URL`` brings this module in: Redis' client belongs to
the packages of production, and is missing where ``./run`` set itself up.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PATIENCE = 1  # seconds for an answer
PAUSE = 10  # seconds until one that did not answer is asked again
MOST_ENTRIES = 20_000


class KeptClient(RedisCacheClient):
    """Django's client, kept: making one takes longer than its answer."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._kept: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The one that reads or the one that writes; threads may share it."""
        if write not in self._kept:
            self._kept[write] = super().get_client(key, write=write)
        return self._kept[write]


class Counters(RedisCache):
    """Django's cache in Redis, with memory of this process to fall back upon."""

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
        """Whether Redis did not answer just now."""
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
        """Keep a value unless there is one; whether it was kept."""
        return self._ask("add", *args, **options)

    def get(self, *args: Any, **options: Any) -> Any:
        """What is kept."""
        return self._ask("get", *args, **options)

    def set(self, *args: Any, **options: Any) -> Any:
        """Keep a value."""
        return self._ask("set", *args, **options)

    def delete(self, *args: Any, **options: Any) -> Any:
        """Forget a value."""
        return self._ask("delete", *args, **options)

    def has_key(self, *args: Any, **options: Any) -> Any:
        """Whether there is one."""
        return self._ask("has_key", *args, **options)

    def incr(self, *args: Any, **options: Any) -> Any:
        """Add to a number; ValueError where there is none."""
        return self._ask("incr", *args, **options)
