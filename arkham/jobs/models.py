"""Jobs and their chunks: background work, its progress, and its kinds.

Each app registers its kinds of jobs when Django starts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """Work on many items: its kind, its owner, its progress, and its end.

    A job without an owner is the server's own; the operator sees it. ``terms`` are the
    parameters of its kind, ``counts`` the number of items by result, once it is over.
    ``seen_at`` is the last sign of progress; a job without one for long is sent to the
    workers again, counted by ``sendings``. ``problems`` are the first few, as
    sentences.
    """

    class State(models.TextChoices):
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        STOPPED = "stopped", _("Stopped")
        CANCELLED = "cancelled", _("Cancelled")

    kind = models.CharField(max_length=20)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="jobs",
    )
    state = models.CharField(
        max_length=10, choices=State.choices, default=State.RUNNING
    )
    terms = models.JSONField(default=dict)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)
    reason = models.TextField(blank=True)
    problems = models.JSONField(default=list)
    cancel_asked = models.BooleanField(default=False)
    sendings = models.PositiveSmallIntegerField(default=0)
    begun_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-begun_at", "-pk"]
        indexes = [models.Index(fields=["state", "seen_at"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.state} {self.begun_at:%F}"


class Chunk(models.Model):
    """Some items of a job, processed by one worker at once.

    ``first`` is the number of its first item. ``begin`` and ``end`` are bytes of the
    job's file, or keys, depending on its kind. Its result counts once, however many
    workers produced it: the row is marked as done once.
    """

    job = models.ForeignKey(Job, models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    first = models.PositiveIntegerField()
    items = models.PositiveIntegerField()
    begin = models.BigIntegerField()
    end = models.BigIntegerField()
    attempts = models.PositiveSmallIntegerField(default=0)
    counts = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["job", "number"]
        constraints = [
            models.UniqueConstraint(fields=["job", "number"], name="one_chunk_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.job_id}/{self.number}"


MOST_PROBLEMS = 20  # per chunk


class Done(NamedTuple):
    """The outcome of a chunk: the number of items by result, and problems."""

    counts: Mapping[str, int]
    problems: Sequence[str] = ()


class UnusableTerms(ValueError):
    """A job can't be started with the term of this name; the text says why."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name


@dataclass(frozen=True, kw_only=True)
class JobKind:
    """The behaviour and labels of a kind of job.

    ``work`` processes one chunk and may be called again for it: the result must be the
    same. ``is_atomic``: its writes and the done mark are one transaction.
    ``read_terms`` makes a job's terms of a request, if anyone may start one with a
    file; ``page`` is the name of its own page to follow it, if any. ``words`` label the
    counts, in order. ``taboo_lists`` are those its items can be judged by, with labels.
    """

    name: str
    title: Any
    words: Mapping[str, Any]
    work: Callable[[Chunk], Done] | None = None
    is_atomic: bool = False
    read_terms: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    has_results: bool = False
    items_a_chunk: int = 5_000
    page: str = ""
    taboo_lists: Callable[[], Sequence[tuple[str, Any]]] | None = None


_KINDS: dict[str, JobKind] = {}


def register(kind: JobKind) -> None:
    """Register a kind."""
    _KINDS[kind.name] = kind


def kind_of(job: Job) -> JobKind:
    """Return the kind of a job."""
    return _KINDS[job.kind]


def kinds_of_files() -> list[JobKind]:
    """Return the kinds that anyone may start with a file."""
    return [each for each in _KINDS.values() if each.read_terms is not None]


def kind_named(name: str) -> JobKind | None:
    """Return a kind that anyone may start with a file, by name."""
    return next((each for each in kinds_of_files() if each.name == name), None)
