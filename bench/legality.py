"""Legality: verdicts in this process, warm, on one core; and the shell's doors.

The decks are ``bench/decks.jsonl``: the published ones, and as many again with taboo
lists, customizable cards, second decks, parallel sides and limited options, a quarter
of those illegal (``bench/make_decks.py`` made them).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from arkham.rules.checking import check_line, read_request
from arkham.rules.legality import Judge, check
from arkham.rules.snapshot import embedded_pool
from bench.site import visitor
from bench.timing import RUNS, each_seconds, median_seconds, percentile

Measures = dict[str, tuple[float, str]]
Deck = dict[str, Any]

DECKS = Path(__file__).with_name("decks.jsonl")
MANY = 100_000  # decks for check_decks
MICRO = 1_000_000
MILLI = 1_000


@cache
def _decks() -> list[Deck]:
    return [json.loads(line) for line in DECKS.read_text().splitlines()]


@cache
def _judge() -> Judge:
    return Judge(embedded_pool())


def _verdict(judge: Judge, deck: Deck) -> Any:
    asked = read_request(deck)
    return check(judge, asked.deck, asked.circumstances)


def _percentile(decks: list[Deck], percent: float) -> float:
    """The percentile over the decks of each deck's time, the median of the runs."""
    work: list[Callable[[], Any]] = [
        partial(_verdict, _judge(), deck) for deck in decks
    ]
    each_seconds(work)
    runs = (percentile(each_seconds(work), percent) for _run in range(RUNS))
    return statistics.median(runs)


def verdicts() -> Measures:
    """From an ArkhamDB deck object to a full verdict."""

    def all_of_them() -> None:
        judge = _judge()
        for deck in _decks():
            _verdict(judge, deck)

    illegal = [deck for deck in _decks() if not _verdict(_judge(), deck).legal]
    seconds = median_seconds(all_of_them)
    return {
        "legality.decks_per_second": (len(_decks()) / seconds, "decks/s"),
        "legality.p95_us": (_percentile(_decks(), 95) * MICRO, "µs"),
        "legality.illegal_p95_us": (_percentile(illegal, 95) * MICRO, "µs"),
    }


def texts() -> Measures:
    """From a line of JSON to the line that answers it."""
    lines = DECKS.read_bytes().splitlines()

    def all_of_them() -> None:
        judge = _judge()
        for number, line in enumerate(lines, 1):
            check_line(line, number, judge)

    seconds = median_seconds(all_of_them)
    return {"legality.texts_per_second": (len(lines) / seconds, "decks/s")}


def first_decks() -> Measures:
    """The slowest first deck of an investigator, by a judge that has met none."""
    firsts: dict[str, Deck] = {}
    for deck in _decks():
        firsts.setdefault(deck["investigator_code"], deck)

    def slowest() -> float:
        seconds = []
        for deck in firsts.values():
            judge = Judge(embedded_pool())
            start = time.perf_counter()
            _verdict(judge, deck)
            seconds.append(time.perf_counter() - start)
        return max(seconds)

    slowest()
    value = statistics.median(slowest() for _run in range(RUNS))
    return {"legality.first_deck_ms": (value * MILLI, "ms")}


def _process_seconds(arguments: list[str], fed: bytes = b"") -> float:
    """From the start of a process to its first line, or its end if it says nothing."""
    start = time.perf_counter()
    with subprocess.Popen(  # noqa: S603 (this very interpreter)
        [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(fed)
        process.stdin.flush()
        process.stdout.readline()
        seconds = time.perf_counter() - start
        process.stdin.close()
    return seconds


def _median_process(arguments: list[str], fed: bytes = b"") -> float:
    _process_seconds(arguments, fed)
    return statistics.median(_process_seconds(arguments, fed) for _run in range(RUNS))


def fresh_processes() -> Measures:
    """A process from its start until the pool is there, and to its first answer."""
    pool = "from arkham.rules.snapshot import embedded_pool; embedded_pool(); print()"
    line = json.dumps(_decks()[0]).encode() + b"\n"
    return {
        "legality.pool_ready_ms": (_median_process(["-c", pool]) * MILLI, "ms"),
        "legality.first_answer_ms": (
            _median_process(["-m", "arkham.rules", "check"], line) * MILLI,
            "ms",
        ),
    }


# The command as manage.py runs it; at the end, the most memory one of its processes
# ever took (its helpers share most of theirs with it).
_COMMAND = """
import resource, sys
from django.core.management import execute_from_command_line
try:
    execute_from_command_line(["manage.py", "check_decks", sys.argv[1]])
finally:
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            own = int(line.split()[1])
    helpers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(max(own, helpers) / 1_024, file=sys.stderr)
"""


def run_check_decks(path: str) -> tuple[float, float]:
    """Seconds and peak megabytes of ``check_decks`` on a file."""
    visitor()  # the command reads the database
    start = time.perf_counter()
    done = subprocess.run(  # noqa: S603 (this very interpreter)
        [sys.executable, "-c", _COMMAND, path],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
        text=True,
    )
    seconds = time.perf_counter() - start
    assert done.returncode == 1, done.stderr
    return seconds, float(done.stderr)


def check_decks() -> Measures:
    """100,000 decks through the command, the process's start and end included."""
    lines = DECKS.read_bytes()
    times = -(-MANY // len(_decks()))
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        for _time in range(times):
            file.write(lines)
        file.flush()
        runs = [run_check_decks(file.name) for _run in range(RUNS)]
    seconds = statistics.median(run[0] for run in runs)
    return {
        "legality.check_decks_per_second": (times * len(_decks()) / seconds, "decks/s"),
        "legality.check_decks_peak_mb": (
            statistics.median(run[1] for run in runs),
            "MB",
        ),
    }


_WORKER = """
import sys
from bench.site import visitor
client = visitor()
lines = open(sys.argv[1], "rb").read().splitlines(keepends=True)
for place in range(0, len(lines), 500):
    answer = client.post(
        "/api/v1/legality/batch",
        b"".join(lines[place:place + 500]),
        content_type="application/x-ndjson",
    )
    assert answer.status_code == 200, answer.status_code
for address in ("/", "/cards/", "/cards/01001/", "/api/schema"):
    assert client.get(address).status_code == 200, address
for line in open("/proc/self/status"):
    if line.startswith("VmRSS:"):
        print(int(line.split()[1]) / 1_024)
"""


def worker() -> Measures:
    """A process with the whole site, after every deck of the set and some pages."""
    with tempfile.TemporaryDirectory(prefix="orne-worker-") as folder:
        done = subprocess.run(  # noqa: S603 (this very interpreter)
            [sys.executable, "-c", _WORKER, str(DECKS)],
            env={**os.environ, "ORNE_DATA": folder, "STATIC_ROOT": f"{folder}/static"},
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
    return {"legality.worker_rss_mb": (float(done.stdout), "MB")}
