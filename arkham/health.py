"""The health of the server, part by part, for the operator, and its metrics.

``/healthz`` tells everyone whether the server and its database respond. With the token
of the setting ``OPERATOR_TOKEN`` it reports every part, and ``/metrics`` has metrics in
Prometheus's text format. They are read from shared state, so any process can answer;
``arkham.web.measuring`` has those that are measured.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from secrets import compare_digest, token_hex
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arkham.accounts.models import User
from arkham.jobs.models import Chunk, Job
from arkham.web import measuring
from arkham.web.errors import missing_migrations
from arkham.webhooks.models import Delivery
from decks.models import Deck, Judgement

LEAST_ROOM = 500 * 1024 * 1024  # bytes on disk, below which it is reported
PATIENCE = 1.0  # seconds to wait for workers
QUEUE = "celery"


class Unhealthy(Exception):
    """A part is unhealthy; the text says why."""


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return connection.vendor


def _migrations() -> str:
    if missing := missing_migrations():
        raise Unhealthy(f"{missing} to be applied")
    return "applied"


def _cache() -> str:
    mark = token_hex(8)
    cache.set("healthz", mark, 60)
    if cache.get("healthz") != mark:
        raise Unhealthy("it forgets what it is given")
    if getattr(cache, "is_alone", False):
        raise Unhealthy("Redis does not answer; each process counts for itself")
    return str(settings.CACHES["default"]["BACKEND"]).rpartition(".")[2]


def _workers() -> str:
    if not settings.CELERY_BROKER_URL:
        return "none needed: the server does jobs itself"
    found = current_app.control.ping(timeout=PATIENCE)
    if not found:
        raise Unhealthy("none answers")
    return str(len(found))


def _disk() -> str:
    free = _free_bytes()
    state = f"{free / 1_000_000_000:.1f} GB free"
    if free < LEAST_ROOM:
        raise Unhealthy(state)
    return state


def _free_bytes() -> int:
    return shutil.disk_usage(Path(settings.DATA_DIR)).free


PARTS: Mapping[str, Callable[[], str]] = {
    "database": _database,
    "migrations": _migrations,
    "cache": _cache,
    "workers": _workers,
    "disk": _disk,
}


def parts() -> dict[str, dict[str, Any]]:
    """Return each part's health and state; a failing part doesn't hide others."""
    found = {}
    for name, look in PARTS.items():
        try:
            found[name] = {"ok": True, "state": look()}
        except Exception as error:  # of whatever library the part uses
            found[name] = {"ok": False, "state": str(error) or type(error).__name__}
    return found


def is_operator(request: HttpRequest) -> bool:
    """Return whether a request has the operator's token; False if none is set."""
    token: str = settings.ORNE_OPERATOR_TOKEN
    scheme, _blank, sent = request.headers.get("Authorization", "").partition(" ")
    is_same = compare_digest(sent.strip().encode(), token.encode())
    return bool(token) and scheme.lower() == "bearer" and is_same


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Return 200 if the server and its database respond; all parts for the operator."""
    if not is_operator(request):
        _database()
        return JsonResponse({"status": "ok"})
    found = parts()
    is_well = all(each["ok"] for each in found.values())
    answer = {"status": "ok" if is_well else "failing", "parts": found}
    return JsonResponse(answer, status=200 if is_well else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return metrics for Prometheus; 404 without the token."""
    if not is_operator(request):
        raise Http404
    text = "".join(f"{line}\n" for line in _lines()) + measuring.exposition()
    return HttpResponse(text, content_type="text/plain; version=0.0.4; charset=utf-8")


Samples = Iterator[tuple[Mapping[str, str], float]]


def _lines() -> Iterator[str]:
    for name, (description, samples) in FIGURES.items():
        yield f"# HELP orne_{name} {description}"
        yield f"# TYPE orne_{name} gauge"
        for labels, value in samples():
            listed = ",".join(
                f'{key}="{_escaped(each)}"' for key, each in labels.items()
            )
            yield (
                f"orne_{name}{{{listed}}} {value}" if listed else f"orne_{name} {value}"
            )


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _part_samples() -> Samples:
    for name, found in parts().items():
        yield {"part": name}, int(found["ok"])


def _job_samples() -> Samples:
    groups = Job.objects.order_by().values_list("kind", "state").annotate(Count("pk"))
    for kind, state, number in groups:
        yield {"kind": kind, "state": state}, number


def _chunk_samples() -> Samples:
    waiting = Chunk.objects.filter(job__state=Job.State.RUNNING, done_at=None)
    yield {}, waiting.count()


def _queue_samples() -> Samples:
    if not settings.CELERY_BROKER_URL:
        return
    try:
        with current_app.connection_for_read(connect_timeout=PATIENCE) as broker:
            broker.ensure_connection(max_retries=0)
            channel: Any = broker.default_channel
            try:
                waiting = channel.queue_declare(QUEUE, passive=True).message_count
            except broker.channel_errors as error:
                if str(getattr(error, "reply_code", "")) != "404":
                    return
                waiting = 0  # Redis has no queue that is empty
    except Exception:  # of any broker's library: then there is no sample
        return
    yield {}, waiting


def _delivery_samples() -> Samples:
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING)
    yield {}, waiting.filter(webhook__switched_off_at=None).count()


def _verdict_samples() -> Samples:
    groups = Judgement.objects.order_by().values_list("status").annotate(Count("pk"))
    for status, number in groups:
        yield {"status": status}, number


FIGURES: Mapping[str, tuple[str, Callable[[], Samples]]] = {
    "part_ok": ("Whether a part of the server is well.", _part_samples),
    "disk_free_bytes": ("Room on the data folder's disk.", lambda: _one(_free_bytes())),
    "accounts": ("Accounts.", lambda: _one(User.objects.count())),
    "decks": ("Stored decks.", lambda: _one(Deck.objects.count())),
    "stored_verdicts": ("Stored verdicts by status.", _verdict_samples),
    "jobs": ("Jobs by kind and state.", _job_samples),
    "job_chunks_waiting": ("Chunks of running jobs not done.", _chunk_samples),
    "webhook_messages_waiting": ("Messages to webhooks to be sent.", _delivery_samples),
    "queue_depth": ("Messages that wait in the broker.", _queue_samples),
}


def _one(value: float) -> Samples:
    yield {}, value
