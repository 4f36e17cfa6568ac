"""Files of jobs: what was sent, cut into chunks, and results, packed chunk by chunk.

What is sent is read within what the settings allow. The files are in ``jobs`` in the
data folder, which all workers share. A result is written beside its place and moved
there whole, so that a chunk that is done again leaves the same file.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from io import RawIOBase
from pathlib import Path
from typing import IO, Any, NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.accounts.models import User
from arkham.jobs.models import Chunk, Job, JobKind
from arkham.web.quotas import require_room

READ_AT_ONCE = 1024 * 1024  # bytes
BYTES_A_CHUNK = 8 * 1024 * 1024
PACKING = 1  # zlib's level: the others take longer than judging
UNFINISHED = ".part"


class TooManyBytes(Exception):
    """More was sent than is allowed."""


class TooManyItems(Exception):
    """There are more lines than are allowed."""


class Span(NamedTuple):
    """Where a chunk is, and how many items are in it."""

    begin: int
    end: int
    items: int


@dataclass(frozen=True)
class Received:
    """A file that was sent, its chunks, and its SHA-256."""

    path: Path
    spans: list[Span]
    digest: bytes

    @property
    def items(self) -> int:
        """How many lines there are."""
        return sum(each.items for each in self.spans)


def folder() -> Path:
    """Where the files of all jobs are."""
    return Path(settings.DATA_DIR) / "jobs"


def folder_of(job: Job) -> Path:
    """Where the files of a job are."""
    return folder() / str(job.pk)


def receive(
    read: Callable[[int], bytes],
    *,
    items_a_chunk: int,
    most_bytes: int,
    most_items: int,
) -> Received:
    """Write what is sent to the disk, a piece at a time; note where chunks begin.

    Raises TooManyBytes or TooManyItems as soon as that is known; nothing is left then.
    """
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder(), delete=False) as file:
        path = Path(file.name)
        cutter, digest = _Cutter(items_a_chunk), hashlib.sha256()
        try:
            while piece := read(READ_AT_ONCE):
                file.write(piece)
                digest.update(piece)
                cutter.take(piece)
                if cutter.size > most_bytes:
                    raise TooManyBytes
                if cutter.items > most_items:
                    raise TooManyItems
            spans = cutter.ended()
            if sum(each.items for each in spans) > most_items:
                raise TooManyItems
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    return Received(path, spans, digest.digest())


class _Cutter:
    """Cuts a stream of lines into chunks: after so many lines, or so many bytes."""

    def __init__(self, items_a_chunk: int) -> None:
        self._most = items_a_chunk
        self.size = 0
        self.items = 0
        self._spans: list[Span] = []
        self._begin = 0  # of the chunk at hand
        self._items = 0  # in it
        self._is_open = False  # whether the last line has not ended yet

    def take(self, piece: bytes) -> None:
        """Go on with the next piece of the stream."""
        end = piece.find(b"\n")
        while end >= 0:
            self._note_line(self.size + end + 1)
            end = piece.find(b"\n", end + 1)
        self._is_open = not piece.endswith(b"\n")
        self.size += len(piece)

    def ended(self) -> list[Span]:
        """The chunks; a last line without an end counts."""
        if self._is_open:
            self._note_line(self.size)
        self._cut(self.size)
        return self._spans

    def _note_line(self, end: int) -> None:
        self.items += 1
        self._items += 1
        if self._items == self._most or end - self._begin >= BYTES_A_CHUNK:
            self._cut(end)

    def _cut(self, end: int) -> None:
        if self._items:
            self._spans.append(Span(self._begin, end, self._items))
        self._begin, self._items = end, 0


def adopt(job: Job, received: Received) -> None:
    """Make a file that was received that of a job."""
    place = folder_of(job)
    shutil.rmtree(place, ignore_errors=True)  # of a job that was never stored
    place.mkdir(mode=0o700)
    received.path.replace(_sent(job))


def _sent(job: Job) -> Path:
    return folder_of(job) / "sent.jsonl"


class _Part(RawIOBase):
    """A part of a file, read as if it were one."""

    def __init__(self, file: IO[bytes], begin: int, end: int) -> None:
        super().__init__()
        self._file = file
        self._left = end - begin
        file.seek(begin)

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        wanted = self._left if size < 0 else min(size, self._left)
        piece = self._file.read(wanted)
        self._left -= len(piece)
        return piece


@contextmanager
def reading(chunk: Chunk) -> Iterator[Any]:
    """The lines that a chunk is to do, as a stream of bytes."""
    with _sent(chunk.job).open("rb") as file:
        yield _Part(file, chunk.begin, chunk.end)


@contextmanager
def writing(chunk: Chunk) -> Iterator[gzip.GzipFile]:
    """A stream for the result of a chunk; it takes its place once all is written."""
    path = _result(chunk.job, chunk.number)
    with tempfile.NamedTemporaryFile(
        dir=path.parent, suffix=UNFINISHED, delete=False
    ) as file:
        try:
            with gzip.GzipFile(
                fileobj=file, mode="wb", compresslevel=PACKING, mtime=0
            ) as packed:
                yield packed
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def _result(job: Job, number: int) -> Path:
    return folder_of(job) / f"{number:06}.jsonl.gz"


def result(chunk: Chunk) -> Iterator[bytes]:
    """The lines of a chunk's result."""
    with gzip.open(_result(chunk.job, chunk.number), "rb") as file:
        yield from file


def forget_sent(job: Job) -> None:
    """Delete what a job needs no more: what was sent, and results left unfinished."""
    _sent(job).unlink(missing_ok=True)
    for each in folder_of(job).glob(f"*{UNFINISHED}"):
        each.unlink(missing_ok=True)


def old_places(*, before: datetime) -> Iterator[Path]:
    """The folders of jobs that nothing was put into since a time.

    What was received and never became a job is deleted on the way.
    """
    for place in folder().glob("*"):
        if place.stat().st_mtime >= before.timestamp():
            continue
        if place.is_dir():
            yield place
        else:
            place.unlink(missing_ok=True)


def forget(place: Path) -> None:
    """Delete the folder of a job."""
    shutil.rmtree(place, ignore_errors=True)


class NeedsWorkers(Exception):
    """A job is too large for a server without workers; the text says what to do."""


class FileTooLarge(Exception):
    """A job is larger than any may be; the text says so."""


class NothingToDo(Exception):
    """There is no item in what was sent."""


@contextmanager
def received_for(
    kind: JobKind, owner: User, read: Callable[[int], bytes]
) -> Iterator[Received]:
    """A file for a job of an account, on the disk until the job has begun or not.

    Raises NeedsWorkers, FileTooLarge, NothingToDo, QuotaReached.
    """
    require_room("jobs", Job.objects.filter(owner=owner))
    received = _received(kind, read)
    try:
        yield received
    finally:
        received.path.unlink(missing_ok=True)  # where it was not adopted


def _received(kind: JobKind, read: Callable[[int], bytes]) -> Received:
    most, at_once = settings.ORNE_JOB_ITEMS, settings.ORNE_JOB_ITEMS_AT_ONCE
    has_workers = not settings.CELERY_TASK_ALWAYS_EAGER
    try:
        received = receive(
            read,
            items_a_chunk=kind.items_a_chunk,
            most_bytes=settings.ORNE_JOB_BYTES,
            most_items=most if has_workers else min(most, at_once),
        )
    except TooManyBytes:
        size = settings.ORNE_JOB_BYTES // 1024**2
        raise FileTooLarge(
            _("The file is larger than %(size)d MiB.") % {"size": size}
        ) from None
    except TooManyItems:
        if not has_workers and at_once < most:
            raise NeedsWorkers(needs_workers(at_once)) from None
        text = ngettext(
            "The file has more than %(number)d line.",
            "The file has more than %(number)d lines.",
            most,
        )
        raise FileTooLarge(text % {"number": most}) from None
    if not received.spans:
        received.path.unlink()
        raise NothingToDo
    return received


def needs_workers(at_once: int) -> str:
    """What an account reads that would start too large a job without workers."""
    text = ngettext(
        "This server has no workers and takes files of up to %(number)d line.",
        "This server has no workers and takes files of up to %(number)d lines.",
        at_once,
    )
    text %= {"number": at_once}
    more = _(
        "Split the file, or ask the operator to set CELERY_BROKER_URL and start a "
        "worker."
    )
    return f"{text} {more}"
