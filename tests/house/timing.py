"""How long something takes this process, however busy and however slow the machine."""

from __future__ import annotations

import gc
import re
import time
import unicodedata
from collections.abc import Callable

RUNS = 12
USUAL = 0.0015  # seconds of the known work, where docs/benchmarks.md was measured
_WORDS = " ".join(f"word{number} \u00e9\u0327" for number in range(1_500))


def processor_time(act: Callable[[], object], enough: float) -> float:
    """Seconds of processor time: the best of some runs, or the first that is short.

    What other processes do is not counted, and a run that was disturbed is not either.
    On a slower machine, what takes long is given in seconds of the usual one.
    What earlier tests left in memory is kept from the collector: walking it costs
    more the later a test runs.
    """
    gc.freeze()
    best = float("inf")
    for _run in range(RUNS):
        took = _taken(act)
        if took >= enough:
            took /= max(1.0, _taken(_known_work) / USUAL)
        best = min(best, took)
        if best < enough:
            break
    return best


def times_as_long(
    act: Callable[[], object], as_this: Callable[[], object], enough: float
) -> float:
    """How many times as long something takes as another thing: the best runs of both.

    They run in turns, so that a slow spell of the machine meets both; the first ratio
    below ``enough`` ends it.
    """
    gc.freeze()
    long = short = float("inf")
    for _run in range(RUNS):
        short = min(short, _taken(as_this))
        long = min(long, _taken(act))
        if long < enough * short:
            break
    return long / short


def _taken(act: Callable[[], object]) -> float:
    before = time.process_time()
    act()
    return time.process_time() - before


def _known_work() -> int:
    """Patterns, letters and a dictionary: what readers of text spend their time on."""
    found: dict[str, int] = {}
    for match in re.finditer(r"\w+", _WORDS):
        word = unicodedata.normalize("NFKD", match[0])
        found[word] = found.get(word, 0) + 1
    return len(found)
