"""Folds: recorded campaigns in this process, warm, on one core.

The campaigns are those of the shared data (``ORNE_SHARED``); without it nothing is
measured.
"""

from __future__ import annotations

import gc
import json
import statistics
from collections.abc import Callable
from functools import cache, partial

from arkham.rules.campaign.replay import Replay
from arkham.rules.replaying import AskedRun, Reader
from bench.guides import _files, _folder, _library
from bench.timing import median_seconds, percentile

Measures = dict[str, tuple[float, str]]
MICRO = 1_000_000
MILLI = 1_000


@cache
def _reader() -> Reader:
    library = _library()
    gc.collect()
    gc.freeze()  # as everybody does who keeps guides in memory
    return Reader(library, {}, strict=False)


@cache
def _runs() -> list[AskedRun]:
    if not _files():
        return []
    lines = (_folder() / "cases.jsonl").read_text().splitlines()
    return [_reader().read(json.loads(line)) for line in lines]


def _seconds(work: Callable[[], Replay]) -> float:
    return median_seconds(work)


def campaigns() -> Measures:
    """Whole campaigns, from the first answer to the last."""
    runs = _runs()
    if not runs:
        return {}
    seconds = [_seconds(partial(_reader().replay, run)) for run in runs]
    longest = max(range(len(runs)), key=lambda index: len(runs[index].answers))
    each = seconds[longest] / len(runs[longest].answers)
    return {
        "fold.campaign_ms": (statistics.median(seconds) * MILLI, "ms"),
        "fold.campaign_p90_ms": (percentile(seconds, 90) * MILLI, "ms"),
        "fold.answer_longest_us": (each * MICRO, "µs"),
    }


def one_more() -> Measures:
    """One more answer after every tenth of each campaign; the worst tenth of them."""
    samples: list[float] = []
    for run in _runs():
        for share in range(1, 10):
            cut = len(run.answers) * share // 10
            before = _reader().replay(run._replace(answers=run.answers[:cut]))
            more = run._replace(answers=run.answers[: cut + 1])
            samples.append(median_seconds(partial(_reader().replay, more, before), 3))
    if not samples:
        return {}
    return {
        "fold.one_more_ms": (statistics.median(samples) * MILLI, "ms"),
        "fold.one_more_p99_ms": (percentile(samples, 99) * MILLI, "ms"),
    }
