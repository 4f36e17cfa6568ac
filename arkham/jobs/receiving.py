"""Takes in the file of a job as it is sent, within what the settings allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.accounts.models import User
from arkham.jobs import files
from arkham.jobs.files import TooManyBytes, TooManyItems
from arkham.jobs.kinds import JobKind
from arkham.jobs.models import Job
from arkham.web.quotas import require_room


class NeedsWorkers(Exception):
    """A job is too large for a server without workers; the text says what to do."""


class FileTooLarge(Exception):
    """A job is larger than any may be; the text says so."""


class NothingToDo(Exception):
    """There is no item in what was sent."""


@contextmanager
def received_for(
    kind: JobKind, owner: User, read: Callable[[int], bytes]
) -> Iterator[files.Received]:
    """A file for a job of an account, on the disk until the job has begun or not.

    Raises NeedsWorkers, FileTooLarge, NothingToDo, QuotaReached.
    """
    require_room("jobs", Job.objects.filter(owner=owner))
    received = _received(kind, read)
    try:
        yield received
    finally:
        received.path.unlink(missing_ok=True)  # where it was not adopted


def _received(kind: JobKind, read: Callable[[int], bytes]) -> files.Received:
    most, at_once = settings.ORNE_JOB_ITEMS, settings.ORNE_JOB_ITEMS_AT_ONCE
    has_workers = not settings.CELERY_TASK_ALWAYS_EAGER
    try:
        received = files.receive(
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
