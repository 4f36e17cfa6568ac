"""Counts what requests cost: seconds of processor time a minute, of one visitor.

A request is counted by what it took, whatever it asked for: a thousand polls cost less
than one page about a deck of four hundred cards. Costs are added up in this process
and told the shared cache now and then, so that a cheap request asks no server.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache

MINUTE = 60
TOLD_FROM = 0.1  # seconds of work that the other processes do not know of yet
MOST_VISITORS = 10_000  # kept in mind; those of earlier minutes are forgotten
MILLISECONDS = 1_000


@dataclass(slots=True)
class _Spent:
    """What a visitor's requests took in one minute, in seconds."""

    minute: int
    told: float = 0.0  # in all processes, as far as the cache knew
    untold: float = 0.0  # here, since then

    @property
    def total(self) -> float:
        return self.told + self.untold


_visitors: dict[str, _Spent] = {}
_lock = threading.Lock()


def wait_for(visitor: str) -> int:
    """Seconds until the visitor may ask again; 0 for one with work left."""
    most = settings.ORNE_WORK
    if not most:
        return 0
    now = time.time()
    spent = _visitors.get(visitor)
    if spent is None or spent.minute != now // MINUTE or spent.total < most:
        return 0
    return MINUTE - int(now % MINUTE)


def spent_by(visitor: str) -> tuple[int, int, int] | None:
    """Milliseconds a visitor may take this minute, and took; its seconds that are left.

    None where nothing is limited.
    """
    most = settings.ORNE_WORK
    if not most:
        return None
    now = time.time()
    spent = _visitors.get(visitor)
    is_current = spent is not None and spent.minute == now // MINUTE
    taken = spent.total if spent is not None and is_current else 0.0
    left_of_minute = MINUTE - int(now % MINUTE)
    return round(most * MILLISECONDS), round(taken * MILLISECONDS), left_of_minute


def charge(visitor: str, seconds: float) -> None:
    """Note what a request of the visitor took."""
    if not settings.ORNE_WORK:
        return
    minute = int(time.time() // MINUTE)
    with _lock:
        spent = _visitors.get(visitor)
        if spent is None or spent.minute != minute:
            _forget_earlier(minute)
            spent = _visitors[visitor] = _Spent(minute)
        spent.untold += seconds
        if spent.untold < TOLD_FROM:
            return
        untold, spent.untold = spent.untold, 0.0
    spent.told = _tell(f"work:{visitor}:{minute}", untold)


def _tell(key: str, seconds: float) -> float:
    """Add to what all processes know of; the sum."""
    cache.add(key, 0, 2 * MINUTE)
    try:
        return cache.incr(key, round(seconds * MILLISECONDS)) / MILLISECONDS
    except ValueError:  # it ran out between the two
        return seconds


def _forget_earlier(minute: int) -> None:
    if len(_visitors) < MOST_VISITORS:
        return
    for visitor in [key for key, each in _visitors.items() if each.minute != minute]:
        del _visitors[visitor]
