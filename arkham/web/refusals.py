"""Remembers who was refused today for asking too much, for the operator.

Each process counts by itself and adds its counts to those of all now and then: a flood
is not made dearer by counting it. Two that add at the same moment may lose a few.
"""

from __future__ import annotations

import threading
import time
from collections import Counter

from django.core.cache import cache
from django.utils import timezone

MOST = 50  # askers that are kept
MOST_HERE = 1_000  # that one process keeps until it reports them
REPORT_EVERY = 5.0  # seconds
DAY = 24 * 60 * 60

_lock = threading.Lock()
_unreported: Counter[str] = Counter()
_next_report = 0.0  # on the clock of time.monotonic


def note(asker: str) -> None:
    """Count a refusal."""
    global _next_report
    now = time.monotonic()
    with _lock:
        if asker in _unreported or len(_unreported) < MOST_HERE:
            _unreported[asker] += 1
        if now < _next_report:
            return
        _next_report = now + REPORT_EVERY
    most_refused()


def most_refused() -> list[tuple[str, int]]:
    """Who was refused most today, and how often, as far as that was reported."""
    key = f"refused:{timezone.now():%F}"
    with _lock:
        new = Counter(_unreported)
        _unreported.clear()
    known = Counter(cache.get(key) or {})
    if new:
        known.update(new)
        cache.set(key, dict(known.most_common(MOST)), DAY)
    return known.most_common(MOST)
