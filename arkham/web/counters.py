"""Counters in Redis, which may be gone: limits must not take the server down with them.

While Redis does not answer, each process counts for itself, as it does where no
``CACHE_URL`` is set.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PATIENCE = 1  # seconds for an answer
PAUSE = 10  # seconds until one that did not answer is asked again
MOST_ENTRIES = 20_000


class Counters(RedisCache):
    """Django's cache in Redis, with memory of this process to fall back upon."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        waits = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
        options = {**waits, **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})
        bounded = {"OPTIONS": {"MAX_ENTRIES": MOST_ENTRIES}}
        self.own = LocMemCache("orne-counters", {**params, **bounded})
        self._asked_again_at = 0.0

    def _ask(self, method: str, *args: Any, **told: Any) -> Any:
        if time.monotonic() >= self._asked_again_at:
            try:
                return getattr(super(), method)(*args, **told)
            except RedisError as error:
                self._asked_again_at = time.monotonic() + PAUSE
                logger.warning("Redis is gone, counting alone: %s", error)
        return getattr(self.own, method)(*args, **told)

    def add(self, *args: Any, **told: Any) -> Any:
        """Keep a value unless there is one; whether it was kept."""
        return self._ask("add", *args, **told)

    def get(self, *args: Any, **told: Any) -> Any:
        """What is kept."""
        return self._ask("get", *args, **told)

    def set(self, *args: Any, **told: Any) -> Any:
        """Keep a value."""
        return self._ask("set", *args, **told)

    def delete(self, *args: Any, **told: Any) -> Any:
        """Forget a value."""
        return self._ask("delete", *args, **told)

    def has_key(self, *args: Any, **told: Any) -> Any:
        """Whether there is one."""
        return self._ask("has_key", *args, **told)

    def incr(self, *args: Any, **told: Any) -> Any:
        """Add to a number; ValueError where there is none."""
        return self._ask("incr", *args, **told)
