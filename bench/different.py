"""Decks that differ: verdicts on decks that the judge has not met before.

Where the same decks are judged again and again (``legality.decks_per_second``), every
card's standing is at hand. Decks people build differ, so these measures lead: decks of
investigators and cards the judge has partly met, and a hundred thousand variations of
the bench's decks (``bench/make_different.py`` makes them from a seed).
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

from arkham.rules.checking import read_request
from arkham.rules.legality import Judge, check
from arkham.rules.snapshot import embedded_pool
from bench.legality import run_check_decks
from bench.make_different import DECKS, write
from bench.timing import RUNS

Measures = dict[str, tuple[float, str]]

MILD = 10_000
WILD = 100_000
RUNS_OF_MANY = 3


def _seconds(judge: Judge, decks: list[dict[str, Any]]) -> float:
    """From deck objects to verdicts."""
    start = time.perf_counter()
    for deck in decks:
        asked = read_request(deck)
        check(judge, asked.deck, asked.circumstances)
    return time.perf_counter() - start


def never_met() -> Measures:
    """The second half of the bench's decks, by a judge that knows the first half."""
    decks = [json.loads(line) for line in DECKS.read_text().splitlines()]
    known, others = decks[::2], decks[1::2]
    seconds = []
    for _run in range(RUNS):
        judge = Judge(embedded_pool())
        _seconds(judge, known)
        seconds.append(_seconds(judge, others))
    rate = len(others) / statistics.median(seconds)
    return {"different.never_met_per_second": (rate, "decks/s")}


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="orne-decks-")


@cache
def _made(kind: str, count: int) -> Path:
    """A file of so many different decks, made once."""
    path = Path(_folder().name) / f"{kind}.jsonl"
    write(kind, count, path)
    return path


# In a process of its own, for its memory: no more than some decks are held at once.
_JUDGED = """
import json, sys
from itertools import islice
from arkham.rules.legality import Judge
from arkham.rules.snapshot import embedded_pool
from bench.different import _seconds
pool = embedded_pool()
[*pool.values()]  # all cards are read, as before any long run
judge, seconds = Judge(pool), 0.0
with open(sys.argv[1]) as lines:
    while decks := [json.loads(line) for line in islice(lines, 1_000)]:
        seconds += _seconds(judge, decks)
for line in open("/proc/self/status"):
    if line.startswith("VmHWM:"):
        print(seconds, int(line.split()[1]) / 1_024)
"""


def _judged(path: Path) -> tuple[float, float]:
    """Seconds in which a fresh process judges a file, and its peak megabytes."""
    done = subprocess.run(  # noqa: S603 (this very interpreter)
        [sys.executable, "-c", _JUDGED, str(path)],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    seconds, peak = map(float, done.stdout.split())
    return seconds, peak


def _variations(kind: str, count: int) -> tuple[float, float]:
    """Decks a second and peak megabytes, from deck object to verdict."""
    path = _made(kind, count)
    runs = [_judged(path) for _run in range(RUNS_OF_MANY)]
    seconds, peak = (statistics.median(each) for each in zip(*runs, strict=True))
    return count / seconds, peak


def mild() -> Measures:
    """10,000 decks with a few cards swapped, by a judge that has met none."""
    rate, _peak = _variations("mild", MILD)
    return {"different.mild_per_second": (rate, "decks/s")}


def wild() -> Measures:
    """100,000 decks with many cards swapped, half of them under another list."""
    rate, peak = _variations("wild", WILD)
    return {
        "different.wild_per_second": (rate, "decks/s"),
        "different.wild_peak_mb": (peak, "MB"),
    }


def check_decks() -> Measures:
    """100,000 different decks through the command, its start and end included."""
    path = _made("wild", WILD)
    runs = [run_check_decks(str(path)) for _run in range(RUNS_OF_MANY)]
    seconds = statistics.median(run[0] for run in runs)
    peak = statistics.median(run[1] for run in runs)
    return {
        "different.check_decks_per_second": (WILD / seconds, "decks/s"),
        "different.check_decks_peak_mb": (peak, "MB"),
    }
