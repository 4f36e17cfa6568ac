"""Jobs: a file of different decks judged chunk by chunk, its verdicts stored.

Worker processes do what those of Celery do with each chunk; the broker between them is
left out. Decks are mild variations (``bench/make_different.py``), met for the first
time.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from bench.make_different import write
from bench.site import visitor

Measures = dict[str, tuple[float, str]]

FEW = 10_000
MANY = 100_000
RUNS = 3

# One worker process: every so manieth of the job's chunks, and what that took.
_WORKED = """
import json, sys, time
import django
django.setup()
from arkham.jobs import services
from arkham.jobs.models import Chunk
from cardpool.catalog import current_judge
[*current_judge().pool.values()]
job, place, workers = map(int, sys.argv[1:])
chunks = Chunk.objects.filter(job=job).order_by("number")
keys = list(chunks.values_list("pk", flat=True))
print("ready", flush=True)
sys.stdin.readline()
begun, worked = time.perf_counter(), time.process_time()
for key in keys[place::workers]:
    services.work(key)
seconds, worked = time.perf_counter() - begun, time.process_time() - worked
for line in open("/proc/self/status"):
    if line.startswith("VmHWM:"):
        peak = int(line.split()[1]) / 1_024
print(json.dumps({"seconds": seconds, "worked": worked, "peak": peak}))
"""


@cache
def _decks() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="orne-jobs-"))
    write("mild", MANY, folder / "decks.jsonl")
    return folder / "decks.jsonl"


def _job(count: int) -> int:
    """A job on so many decks, received and cut, of which nothing is done yet."""
    visitor()
    from unittest.mock import patch

    from django.conf import settings
    from django.utils import timezone

    from arkham.accounts.models import User
    from arkham.jobs import services
    from arkham.jobs.models import kind_named

    owner, _made = User.objects.get_or_create(username="bench")
    owner.jobs.all().delete()
    settings.ORNE_JOB_ITEMS_AT_ONCE = settings.ORNE_JOB_ITEMS
    kind = kind_named("judge")
    assert kind is not None
    few = _decks().parent / "few.jsonl"
    with _decks().open("rb") as decks:
        few.write_bytes(b"".join(next(decks) for _line in range(count)))
    with few.open("rb") as file, patch.object(services, "send"):
        job = services.start_with_file(
            kind=kind, owner=owner, terms={}, read=file.read, now=timezone.now()
        )
    return job.pk


def _run(count: int, workers: int) -> list[dict[str, float]]:
    """What each worker process took for its part of so many decks."""
    job = _job(count)
    processes = [
        subprocess.Popen(  # noqa: S603 (this very interpreter)
            [sys.executable, "-c", _WORKED, str(job), str(place), str(workers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for place in range(workers)
    ]
    for each in processes:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in processes:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    found: list[dict[str, float]] = []
    for each in processes:
        out, _nothing = each.communicate()
        found.append(json.loads(out))
    return found


def _rates(count: int, workers: int) -> tuple[float, float]:
    """Decks a second by the clock, all workers together; by processor time of one."""
    runs: list[Any] = [_run(count, workers) for _run_ in range(RUNS)]
    clock = statistics.median(max(each["seconds"] for each in run) for run in runs)
    worked = statistics.median(sum(each["worked"] for each in run) for run in runs)
    return count / clock, count / worked


def worker() -> Measures:
    """100,000 decks by one worker process, then by two."""
    one, by_processor = _rates(MANY, 1)
    two, _each = _rates(MANY, 2)
    return {
        "jobs.decks_per_second": (one, "decks/s"),
        "jobs.decks_per_processor_second": (by_processor, "decks/s"),
        "jobs.two_workers": (two / one, "×"),
    }


def memory() -> Measures:
    """The most memory a worker process ever holds, after few decks and after many."""
    return {
        "jobs.worker_10000_mb": (_run(FEW, 1)[0]["peak"], "MB"),
        "jobs.worker_100000_mb": (_run(MANY, 1)[0]["peak"], "MB"),
    }
