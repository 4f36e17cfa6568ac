"""The Redis cache that counts requests, and its fallback while Redis is unavailable.

Only imported if ``CACHE_URL`` is a Redis address: the Redis client is a production
dependency, missing in installations by ``./run``.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis
from redis.exceptions import ConnectionError as Gone
from redis.exceptions import NoScriptError, RedisError

logger = logging.getLogger(__name__)

PATIENCE = 1  # seconds to wait for an answer
PAUSE = 10  # seconds until Redis is tried again
MOST_ENTRIES = 20_000
# Counts a request by the list of the times of earlier ones, latest first: their number,
# and the time of the one that makes room when it leaves the window.
RECORD = """
local key, now, most, window, weight = KEYS[1], unpack(ARGV)
local oldest = redis.call("LINDEX", key, -1)
while oldest and tonumber(oldest) <= now - window do
  redis.call("RPOP", key)
  oldest = redis.call("LINDEX", key, -1)
end
local used = redis.call("LLEN", key)
local surplus = used + weight - most
if surplus > 0 then
  return {0, used, redis.call("LINDEX", key, -math.min(surplus, used)) or now}
end
for _ = 1, weight do redis.call("LPUSH", key, now) end
redis.call("EXPIRE", key, window)
return {1, used + weight, oldest or now}
"""
_RECORD_SHA = hashlib.sha1(RECORD.encode(), usedforsecurity=False).hexdigest()
_of_thread = threading.local()
_tried_again_at: dict[str, float] = {}  # by server, when it didn't answer


class KeptRedis(Redis):
    """A client for one thread, with one connection and nothing around each command.

    What redis-py does there, for pools and telemetry, takes twice as long as the rest.
    """

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Return the answer, by a new connection if Redis closed the kept one."""
        is_kept = self.connection is not None
        try:
            return self._ask(args, options)
        except Gone:
            if is_kept:
                return self._ask(args, options)
            raise

    def _ask(self, args: Any, options: Any) -> Any:
        kept: Any = self.connection
        if kept is None or kept.pid != os.getpid():  # a forked process needs its own
            kept = self.connection = self.connection_pool.get_connection()
        kept.send_command(*args)
        return self.parse_response(kept, args[0], **options)  # type: ignore[no-untyped-call]


class KeptClient(RedisCacheClient):
    """Django's client, which keeps a connection for each thread.

    A cache of Django's belongs to one request where requests have contexts (ASGI).
    """

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """Return this thread's client for reading or for writing."""
        own: Any = self
        clients = _of_thread.__dict__
        server = own._servers[own._get_connection_pool_index(write)]
        if server not in clients:
            pool = own._get_connection_pool(write)
            clients[server] = KeptRedis(connection_pool=pool)
        return clients[server]

    def record(self, key: str, *numbers: float) -> tuple[bool, int, float]:
        """Count a request in one step; see :data:`RECORD`."""
        client = self.get_client(key, write=True)
        asked = (1, key, *map(repr, numbers))
        try:
            found = client.evalsha(_RECORD_SHA, *asked)
        except NoScriptError:
            found = client.eval(RECORD, *asked)
        is_allowed, used, since = found
        return bool(is_allowed), used, float(since)


class Counters(RedisCache):
    """Django's Redis cache, with this process's memory as a fallback."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        waits = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
        options = {**waits, **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})
        self._class = KeptClient
        bounded = {"OPTIONS": {"MAX_ENTRIES": MOST_ENTRIES}}
        self.own = LocMemCache("orne-counters", {**params, **bounded})
        self._server = server

    @property
    def is_alone(self) -> bool:
        """Whether Redis is currently considered unavailable."""
        return time.monotonic() < _tried_again_at.get(self._server, 0.0)

    def _ask(self, method: str, *args: Any, **options: Any) -> Any:
        if not self.is_alone:
            try:
                return getattr(super(), method)(*args, **options)
            except RedisError as error:
                self._leave_alone(error)
        return getattr(self.own, method)(*args, **options)

    def _leave_alone(self, error: RedisError) -> None:
        _tried_again_at[self._server] = time.monotonic() + PAUSE
        logger.warning("Redis is gone, counting alone: %s", error)

    def record(self, key: str, *numbers: float) -> tuple[bool, int, float] | None:
        """Count a request in one step; None while Redis is unavailable."""
        client: KeptClient = self._cache  # type: ignore[assignment]
        if not self.is_alone:
            try:
                return client.record(self.make_key(key), *numbers)
            except RedisError as error:
                self._leave_alone(error)
        return None

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
