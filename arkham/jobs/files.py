"""Files of jobs: the file that was sent, cut into chunks, and compressed results.

Uploads are limited by the settings. The files are in ``jobs`` in the data folder, which
all workers share. A result is written to a temporary file and moved into place whole,
so repeating a chunk leaves the same file.
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
ITEMS_HERE = 500  # in a chunk without workers: some seconds of work
PACKING = 1  # zlib's level: the others take longer than judging
UNFINISHED = ".part"


class TooManyBytes(Exception):
    """The upload has more bytes than allowed."""


class TooManyItems(Exception):
    """The upload has more lines than allowed."""


class Span(NamedTuple):
    """The bytes of a chunk, and the number of its items."""

    begin: int
    end: int
    items: int


@dataclass(frozen=True)
class Received:
    """An uploaded file, its chunks, and its SHA-256."""

    path: Path
    spans: list[Span]
    digest: bytes

    @property
    def items(self) -> int:
        """The number of lines."""
        return sum(each.items for each in self.spans)


def folder() -> Path:
    """Return the folder of all jobs' files."""
    return Path(settings.DATA_DIR) / "jobs"


def folder_of(job: Job) -> Path:
    """Return the folder of a job's files."""
    return folder() / str(job.pk)


def receive(
    read: Callable[[int], bytes],
    *,
    items_a_chunk: int,
    most_bytes: int,
    most_items: int,
) -> Received:
    """Write an upload to disk, piece by piece, and find the chunks.

    Raises TooManyBytes or TooManyItems at once, and removes the file.
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
    """Cuts a stream of lines into chunks by number of lines or bytes."""

    def __init__(self, items_a_chunk: int) -> None:
        self._most = items_a_chunk
        self.size = 0
        self.items = 0
        self._spans: list[Span] = []
        self._begin = 0  # of the current chunk
        self._items = 0  # in the current chunk
        self._is_open = False  # whether the last line has no end yet

    def take(self, piece: bytes) -> None:
        """Process the next piece of the stream."""
        end = piece.find(b"\n")
        while end >= 0:
            self._note_line(self.size + end + 1)
            end = piece.find(b"\n", end + 1)
        self._is_open = not piece.endswith(b"\n")
        self.size += len(piece)

    def ended(self) -> list[Span]:
        """Return the chunks; a last line without an end counts."""
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
    """Move an upload to the folder of its job."""
    place = folder_of(job)
    shutil.rmtree(place, ignore_errors=True)  # left by a job that was never stored
    place.mkdir(mode=0o700)
    received.path.replace(_sent(job))


def _sent(job: Job) -> Path:
    return folder_of(job) / "sent.jsonl"


class _Part(RawIOBase):
    """A part of a file, read like a file."""

    def __init__(self, file: IO[bytes], begin: int, end: int) -> None:
        super().__init__()
        self._file = file
        self._left = end - begin
        file.seek(begin)

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes."""
        wanted = self._left if size < 0 else min(size, self._left)
        piece = self._file.read(wanted)
        self._left -= len(piece)
        return piece


@contextmanager
def reading(chunk: Chunk) -> Iterator[Any]:
    """Open the lines of a chunk as a stream of bytes."""
    with _sent(chunk.job).open("rb") as file:
        yield _Part(file, chunk.begin, chunk.end)


@contextmanager
def writing(chunk: Chunk) -> Iterator[gzip.GzipFile]:
    """Open a stream for a chunk's result, moved into place when complete."""
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
    """Yield the lines of a chunk's result."""
    with gzip.open(_result(chunk.job, chunk.number), "rb") as file:
        yield from file


def forget_sent(job: Job) -> None:
    """Delete a finished job's upload, and unfinished results."""
    _sent(job).unlink(missing_ok=True)
    for each in folder_of(job).glob(f"*{UNFINISHED}"):
        each.unlink(missing_ok=True)


def old_places(*, before: datetime) -> Iterator[Path]:
    """Yield the folders of jobs that have not changed since a time.

    Old uploads that never became a job are deleted on the way.
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
    """A job exceeds the limits; the text says so."""


class NothingToDo(Exception):
    """The upload has no items."""


@contextmanager
def received_for(
    kind: JobKind, owner: User, read: Callable[[int], bytes]
) -> Iterator[Received]:
    """Receive a file for an account's job, and delete it unless the job adopts it.

    Raises NeedsWorkers, FileTooLarge, NothingToDo, QuotaReached.
    """
    require_room("jobs", Job.objects.filter(owner=owner))
    received = _received(kind, read)
    try:
        yield received
    finally:
        received.path.unlink(missing_ok=True)  # unless it was adopted


def _received(kind: JobKind, read: Callable[[int], bytes]) -> Received:
    most, at_once = settings.ORNE_JOB_ITEMS, settings.ORNE_JOB_ITEMS_AT_ONCE
    has_workers = not settings.CELERY_TASK_ALWAYS_EAGER
    try:
        received = receive(
            read,
            items_a_chunk=min(kind.items_a_chunk, most if has_workers else ITEMS_HERE),
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
    """Return the message for a job that is too large without workers."""
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
