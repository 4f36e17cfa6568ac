"""Measure requests for the log, and with verdicts for ``/metrics`` of all processes.

Each process writes files of its own in ``metrics`` in the data folder, which
prometheus_client adds up. A new process continues the files of one that ended: so there
are only as many as concurrent processes, and counts never go back. Nothing is measured
if no operator may read it, or if the disk has no room for the files, whose room is
reserved at once, since writing without room would kill the process.
"""

from __future__ import annotations

import fcntl
import ipaddress
import logging
import os
import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from http import HTTPStatus
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import IO, NamedTuple

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, values
from prometheus_client.exposition import generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from arkham.log import served
from arkham.web.request_limits import NOWHERE, address_of

logger = logging.getLogger(__name__)

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
ROOM = {"histogram": 4 * 1024 * 1024, "counter": 256 * 1024}  # bytes, for all labels
NO_VIEW = "none"  # for files and unknown addresses


class Figures(NamedTuple):
    """The metrics."""

    durations: Histogram
    throttled: Counter
    verdicts: Counter
    findings: Counter


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "metrics"


@lru_cache(maxsize=1)
def figures() -> Figures | None:
    """Return the metrics of this process, created on first use.

    None if there is no room for them.
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
    """Numbers for processes: the lowest not locked by a living one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[int, tuple[int, IO[str]]] = {}  # by process, because of forks

    def __call__(self) -> int:
        """Return the number of this process."""
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
    """Return whether an operator may read the metrics."""
    return bool(settings.ORNE_OPERATOR_TOKEN)


def note_verdict(status: str, rules: Iterable[str]) -> None:
    """Count a judged deck, and each finding by its rule."""
    known = figures() if is_measured() else None
    if known is None:
        return
    known.verdicts.labels(status).inc()
    for rule in rules:
        known.findings.labels(rule).inc()


def exposition() -> str:
    """Return the metrics of all processes, in Prometheus's text format."""
    if figures() is None:
        return ""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(_folder()))  # type: ignore[no-untyped-call]
    return generate_latest(registry).decode()


@lru_cache(maxsize=1_000)
def _class_of(text: str) -> str:
    """Return ``ipv4`` or ``ipv6``, ``private`` or ``none``, never the address."""
    address = ipaddress.ip_address(text)
    if address.is_private:
        return "none" if str(address) == NOWHERE else "private"
    return f"ipv{address.version}"


def _forget_served(**_signal: object) -> None:
    served.set(None)


class MeasuringMiddleware:
    """Measures how long each request takes; a server for others logs each, too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._is_measured, self._is_logged = is_measured(), not settings.ORNE_LOCAL
        if not (self._is_measured or self._is_logged):
            raise MiddlewareNotUsed
        self.get_response = get_response
        request_finished.connect(_forget_served)  # Django warns of 4xx only after us

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and record the time and the class of the status."""
        before, number = time.perf_counter(), token_hex(8)
        if self._is_logged:
            fields = {"request": number, "address": _class_of(address_of(request))}
            served.set((request, fields))
        response = self.get_response(request)
        found = request.resolver_match
        view = (found.view_name if found else "") or NO_VIEW
        took = time.perf_counter() - before
        if self._is_logged:
            response["X-Request-ID"] = number
            extra = {"status": response.status_code, "ms": round(took * 1000, 1)}
            logger.info("%s %s", request.method, view, extra=extra)
        if self._is_measured and (known := figures()) is not None:
            status = f"{response.status_code // 100}xx"
            known.durations.labels(view, status).observe(took)
            if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
                known.throttled.inc()
        return response
