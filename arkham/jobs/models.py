"""Jobs and their chunks: what is worked off in the background, how far, of which kind.

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
    """Work on many items: of which kind, for whom, how far it is, how it ended.

    A job without an owner is the server's own; the operator sees it. ``terms`` is what
    its kind needs to know, ``counts`` how many items fared how, once it is over.
    ``seen_at`` is the latest sign of progress; a job without one for long is sent to
    the workers again, and ``sendings`` counts that. ``problems`` are sentences, the
    first few.
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
    """Some items of a job, which one worker does in one go.

    ``first`` is the number of its first item. ``begin`` and ``end`` are bytes of the
    job's file, or keys, as its kind has it. Its result is counted once, however many
    workers did it: the row is marked as done once.
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


MOST_PROBLEMS = 20  # that a chunk keeps


class Done(NamedTuple):
    """What a chunk brought: how many items fared how, and problems as sentences."""

    counts: Mapping[str, int]
    problems: Sequence[str] = ()


class UnusableTerms(ValueError):
    """Terms that no job can be started with; the text says why."""


@dataclass(frozen=True, kw_only=True)
class JobKind:
    """What jobs of a kind do, and in which words.

    ``work`` does one chunk and may be called again for it: what it leaves behind is
    the same. ``is_atomic``: what it writes and the mark that it is done are one
    transaction. ``read_terms`` makes the terms of a job of what was asked for, if
    anyone may start one with a file; ``page`` names the page where a job of this kind
    is followed, if it has one of its own. ``words`` name the counts, in order.
    ``taboo_lists`` are those its items can be judged by, each with its label.
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
    """Make a kind known."""
    _KINDS[kind.name] = kind


def kind_of(job: Job) -> JobKind:
    """The kind of a job."""
    return _KINDS[job.kind]


def kinds_of_files() -> list[JobKind]:
    """The kinds that anyone may start with a file."""
    return [each for each in _KINDS.values() if each.read_terms is not None]


def kind_named(name: str) -> JobKind | None:
    """A kind that anyone may start with a file, by its name."""
    return next((each for each in kinds_of_files() if each.name == name), None)
