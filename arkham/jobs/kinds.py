"""The kinds of jobs; each app registers its own when Django starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arkham.jobs.models import Chunk, Job

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
