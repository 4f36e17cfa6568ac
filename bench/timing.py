"""Measuring: medians of several runs, and percentiles, in the units of the table."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence

RUNS = 5


def median_seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """The median wall time of ``work`` in seconds, after one run to warm up."""
    work()
    return statistics.median(_seconds(work) for _run in range(runs))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def each_seconds(work: Iterable[Callable[[], object]]) -> list[float]:
    """The wall time of every piece of work in seconds, in order."""
    return [_seconds(piece) for piece in work]


def processor_ms(work: Callable[[], object]) -> float:
    """The processor time of ``work`` in milliseconds, whatever else is running."""
    start = time.process_time_ns()
    work()
    return (time.process_time_ns() - start) / 1_000_000


def percentile(samples: Sequence[float], percent: float) -> float:
    """The smallest sample that at least ``percent`` of the samples do not exceed."""
    ranked = sorted(samples)
    index = -(-len(ranked) * percent // 100) - 1
    return ranked[max(0, int(index))]
