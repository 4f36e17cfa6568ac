"""How long something takes this process, however busy the machine is."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

RUNS = 12


def processor_time(act: Callable[[], object], enough: float) -> float:
    """Seconds of processor time: the best of some runs, or the first that is short.

    What other processes do is not counted, and a run that was disturbed is not either.
    What earlier tests left in memory is kept from the collector: walking it costs
    more the later a test runs.
    """
    gc.freeze()
    best = float("inf")
    for _run in range(RUNS):
        before = time.process_time()
        act()
        best = min(best, time.process_time() - before)
        if best < enough:
            break
    return best
