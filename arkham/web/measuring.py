"""Measures requests and verdicts for ``/metrics``, in all processes of the server.

Each process adds to files of its own in ``metrics`` in the data folder, which
prometheus_client sums up. A process that begins goes on with the files of one that
ended: there are as many as processes at once, and no count goes back. Nothing is
measured where no operator may read it, or where the disk has no room for the files:
their room is taken at once, since a process that wrote where there is none would end.
"""

from __future__ import annotations

import fcntl
import logging
import os
import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import IO, NamedTuple

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, values
from prometheus_client.exposition import generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

logger = logging.getLogger(__name__)

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
ROOM = {"histogram": 4 * 1024 * 1024, "counter": 256 * 1024}  # bytes, for all labels
NO_VIEW = "none"  # of files, and of addresses there are not


class Figures(NamedTuple):
    """What is measured."""

    durations: Histogram
    throttled: Counter
    verdicts: Counter
    findings: Counter


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "metrics"


@lru_cache(maxsize=1)
def figures() -> Figures | None:
    """The figures of this process, made with the first that is measured.

    None where there is no room for them.
    """
    try:
        return _figures(_folder())
    except OSError:
        logger.exception("nothing is measured")
        return None


def _figures(folder: Path) -> Figures:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    values.ValueClass = values.MultiProcessValue(_Places(folder))  # type: ignore[no-untyped-call]
    durations = Histogram(
        "orne_request_duration_seconds",
        "Time until an answer began, by view and class of status.",
        ["view", "status"],
        buckets=BUCKETS,
        registry=None,
    )
    return Figures(
        durations,
        Counter("orne_throttled", "Requests refused with 429.", registry=None),
        Counter("orne_verdicts", "Decks judged.", ["status"], registry=None),
        Counter("orne_findings", "Findings in verdicts.", ["rule"], registry=None),
    )


class _Places:
    """Numbers of processes: the least that no living one holds, by a lock on a file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[int, tuple[int, IO[str]]] = {}  # by process: there are forks

    def __call__(self) -> int:
        """The number of this process."""
        process = os.getpid()
        if process not in self._held:
            self._held[process] = self._taken()
        return self._held[process][0]

    def _taken(self) -> tuple[int, IO[str]]:
        for number in count(1):
            file = (self._folder / f"{number}.lock").open("w")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
            else:
                self._make_room(number)
                return number, file
        raise AssertionError

    def _make_room(self, number: int) -> None:
        for kind, size in ROOM.items():
            with (self._folder / f"{kind}_{number}.db").open("ab") as file:
                os.posix_fallocate(file.fileno(), 0, size)


def is_measured() -> bool:
    """Whether an operator may read what is measured."""
    return bool(settings.ORNE_OPERATOR_TOKEN)


def note_verdict(status: str, rules: Iterable[str]) -> None:
    """Count a deck that was judged, and each finding by its rule."""
    known = figures() if is_measured() else None
    if known is None:
        return
    known.verdicts.labels(status).inc()
    for rule in rules:
        known.findings.labels(rule).inc()


def exposition() -> str:
    """All that was measured by all processes, in the text format of Prometheus."""
    if figures() is None:
        return ""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(_folder()))  # type: ignore[no-untyped-call]
    return generate_latest(registry).decode()


class MeasuringMiddleware:
    """Measures how long each request takes."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not is_measured():
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and note the time and the class of the status."""
        before = time.perf_counter()
        response = self.get_response(request)
        found = request.resolver_match
        view = found.view_name if found else NO_VIEW
        status = f"{response.status_code // 100}xx"
        took = time.perf_counter() - before
        if (known := figures()) is not None:
            known.durations.labels(view or NO_VIEW, status).observe(took)
            if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
                known.throttled.inc()
        return response
