"""The services of jobs: start, process, follow, cancel, continue, delete.

Pages, API, shell and workers call these. With a broker the chunks of a job are sent to
workers. Without one accounts can only start small jobs, which a thread of the server
processes, one job after another; others are processed where they are started.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from threading import Lock, Thread
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.jobs import files
from arkham.jobs.files import Span, received_for
from arkham.jobs.models import MOST_PROBLEMS, Chunk, Done, Job, JobKind, kind_of
from arkham.web.quotas import lock_owner, require_room

logger = logging.getLogger(__name__)

State = Job.State
MOST_ATTEMPTS = 12  # at one chunk, in case it kills its workers
PROBLEMS_SHOWN = 50  # per job
QUIET = timedelta(minutes=1)  # without progress after which a job is sent again
MOST_DOUBLINGS = 6  # of that minute: in the end once an hour
LIFETIME = timedelta(days=30)  # of a finished job
WORK_CHUNK = "arkham.jobs.tasks.work_chunk"  # by name: the tasks import this module
AT_ONCE = 500  # chunks stored at once
PAUSE = 0.2  # seconds between chunks; a writer waiting for SQLite tries every 0.1
_one_at_a_time = Lock()  # of the threads of this process


# -- starting --


def start_with_file(
    *,
    kind: JobKind,
    owner: User,
    terms: Mapping[str, Any],
    read: Callable[[int], bytes],
    now: datetime,
) -> Job:
    """Start a job on the lines of a file, read piece by piece.

    Raises NeedsWorkers, FileTooLarge, NothingToDo, QuotaReached.
    """
    with received_for(kind, owner, read) as received:
        job = begin(kind=kind, owner=owner, terms=terms, received=received, now=now)
    send(job)
    return job


@transaction.atomic
def begin(
    *,
    kind: JobKind,
    owner: User,
    terms: Mapping[str, Any],
    received: files.Received,
    now: datetime,
) -> Job:
    """Create a job from an uploaded file, without sending it yet.

    Raises QuotaReached.
    """
    lock_owner(owner)
    require_room("jobs", Job.objects.filter(owner=owner))
    job = _stored(kind, owner, terms, received.spans, now)
    files.adopt(job, received)
    return job


def start(
    *,
    kind: JobKind,
    spans: Iterable[Span],
    now: datetime,
    terms: Mapping[str, Any] | None = None,
) -> Job | None:
    """Start a job of the server itself; None if there is nothing to do.

    Running jobs of its kind are cancelled.
    """
    with transaction.atomic():
        for each in Job.objects.filter(kind=kind.name, state=State.RUNNING):
            cancel(each, now=now)
        job = _stored(kind, None, terms or {}, spans, now)
        if not job.total:
            job.delete()
            return None
    return job


def _stored(
    kind: JobKind,
    owner: User | None,
    terms: Mapping[str, Any],
    spans: Iterable[Span],
    now: datetime,
) -> Job:
    job = Job.objects.create(
        kind=kind.name, owner=owner, terms=dict(terms), begun_at=now, seen_at=now
    )
    first, made = 1, []
    for number, span in enumerate(spans, 1):
        made.append(
            Chunk(
                job=job,
                number=number,
                first=first,
                items=span.items,
                begin=span.begin,
                end=span.end,
            )
        )
        first += span.items
        if len(made) == AT_ONCE:
            Chunk.objects.bulk_create(made)
            made.clear()
    Chunk.objects.bulk_create(made)
    job.total = first - 1
    job.save(update_fields=["total"])
    return job


def send(job: Job) -> None:
    """Send the remaining chunks to workers, or process them here if there are none.

    A thread ends with the server; the job is then sent again like any stalled one.
    """
    Job.objects.filter(pk=job.pk).update(sendings=F("sendings") + 1)
    if settings.CELERY_TASK_ALWAYS_EAGER:
        if settings.TIDY_AFTER_ANSWERS and job.owner_id is not None:
            thread = Thread(target=_work_in_thread, args=[Job(pk=job.pk)], daemon=True)
            transaction.on_commit(thread.start)
            return
        for _so_far in work_here(job):
            pass
        return
    for key in _left(job).values_list("pk", flat=True).iterator():
        current_app.send_task(WORK_CHUNK, (key,))


# -- working --


def _work_in_thread(job: Job) -> None:
    try:
        with _one_at_a_time:
            for _so_far in work_here(job):
                time.sleep(PAUSE)
    except (DatabaseError, Job.DoesNotExist):  # it may have been deleted
        logger.exception("job interrupted", extra={"job": job.pk})
    finally:
        connection.close()


def work_here(job: Job) -> Iterator[Job]:
    """Process the remaining chunks in this process, one after another."""
    for key in list(_left(job).values_list("pk", flat=True)):
        try:
            work(key)
        except Exception as error:
            logger.exception("job failed", extra={"job": job.pk})
            stop(key, error)
        yield progress(job)
    _finish(job)
    job.refresh_from_db()


def work(key: int) -> None:
    """Process a chunk, unless it is done or its job is over. Safe to repeat.

    Two workers on the same chunk produce the same result, counted once. The job of a
    blocked account stops; its owner can continue it once unblocked.
    """
    chunk = Chunk.objects.select_related("job__owner").filter(pk=key).first()
    if chunk is None or chunk.job.state != State.RUNNING:
        return
    owner = chunk.job.owner
    if owner is not None and not owner.is_active:
        _stop(chunk.job, _("The account was blocked."))
        return
    if chunk.done_at is None:
        Job.objects.filter(pk=chunk.job_id).update(seen_at=timezone.now())
        Chunk.objects.filter(pk=key).update(attempts=F("attempts") + 1)
        if chunk.attempts >= MOST_ATTEMPTS:
            reason = _("Part %(number)d couldn’t be done in %(most)d attempts.")
            _stop(chunk.job, reason % {"number": chunk.number, "most": MOST_ATTEMPTS})
            return
        _do(chunk)
    _finish(chunk.job)


def _do(chunk: Chunk) -> None:
    kind = kind_of(chunk.job)
    assert kind.work is not None
    if not kind.is_atomic:
        _mark_done(chunk, kind.work(chunk))
        return
    with transaction.atomic():
        waiting = Chunk.objects.select_for_update().filter(pk=chunk.pk, done_at=None)
        if waiting.first() is not None:
            _mark_done(chunk, kind.work(chunk))


def _mark_done(chunk: Chunk, done: Done) -> None:
    Chunk.objects.filter(pk=chunk.pk, done_at=None).update(
        done_at=timezone.now(),
        counts=dict(done.counts),
        problems=list(done.problems[:MOST_PROBLEMS]),
    )


def _finish(job: Job) -> None:
    """Mark a job as done if no chunk is left.

    Called after each chunk is committed: of two that end together, the later one sees
    that the other is done.
    """
    if _left(job).exists():
        return
    counts, problems = _sums(job)
    over = Job.objects.filter(pk=job.pk, state=State.RUNNING).update(
        state=State.DONE,
        done=F("total"),
        counts=counts,
        problems=problems,
        ended_at=timezone.now(),
    )
    if over:
        files.forget_sent(job)


def stop(key: int, error: Exception) -> None:
    """Stop the job of a chunk that failed; it can be continued."""
    chunk = Chunk.objects.select_related("job").filter(pk=key).first()
    if chunk is None:
        return
    reason = _("Something went wrong here; the log has the details.")
    if isinstance(error, OSError) and error.strerror:
        reason = _("The disk failed: %(why)s.") % {"why": error.strerror}
    _stop(chunk.job, reason)


def _stop(job: Job, reason: str) -> None:
    Job.objects.filter(pk=job.pk, state=State.RUNNING).update(
        state=State.STOPPED, reason=reason, ended_at=timezone.now()
    )


def resend_stalled(*, now: datetime) -> int:
    """Send jobs without progress again; return their number.

    A restarted broker has forgotten its messages, and a killed worker may have taken
    its chunk along. Repeated chunks do no harm.
    """
    sent = 0
    stalled = Job.objects.filter(state=State.RUNNING, seen_at__lt=now - QUIET)
    if settings.TIDY_AFTER_ANSWERS:  # the server's own are begun again at its start
        stalled = stalled.exclude(owner=None)
    for job in stalled:
        if kind_of(job).work is None:
            continue
        patience = QUIET * 2 ** min(max(job.sendings - 1, 0), MOST_DOUBLINGS)
        if now - job.seen_at < patience:
            continue
        if _left(job).exists():
            logger.warning("job sent again", extra={"job": job.pk})
            send(job)
            sent += 1
        else:
            _finish(job)
    return sent


# -- following --


def jobs_of(user: Any) -> QuerySet[Job]:
    """Return the jobs a user may see: their own, and the server's for operators."""
    if user.is_staff:
        return Job.objects.filter(Q(owner=user) | Q(owner=None))
    return Job.objects.filter(owner=user)


def progress(job: Job) -> Job:
    """Return the job with its current progress."""
    job.refresh_from_db()
    kind = kind_of(job)
    if kind.work is not None and job.state != State.DONE:
        done = job.chunks.exclude(done_at=None).aggregate(Sum("items"))
        job.done = done["items__sum"] or 0
        job.counts, job.problems = _sums(job)
    return job


def _left(job: Job) -> QuerySet[Chunk]:
    return Chunk.objects.filter(job=job.pk, done_at=None).order_by("number")


def _sums(job: Job) -> tuple[dict[str, int], list[str]]:
    counts: Counter[str] = Counter()
    problems: list[str] = []
    done = Chunk.objects.filter(job=job.pk).exclude(done_at=None).order_by("number")
    for each, some in done.values_list("counts", "problems").iterator():
        counts.update(each)
        problems += some[: PROBLEMS_SHOWN - len(problems)]
    return dict(counts), problems


def results(job: Job, first: int, most: int) -> Iterator[bytes]:
    """Yield up to ``most`` results from an item on, up to the first not done."""
    left = most
    chunks = Chunk.objects.filter(job=job.pk, first__gt=first - F("items"))
    for chunk in chunks.order_by("number").iterator():
        if chunk.done_at is None or not left:
            return
        for number, line in enumerate(files.result(chunk), chunk.first):
            if number >= first and left:
                left -= 1
                yield line


def ready(job: Job) -> int:
    """Return how many items from the first on have results."""
    gap = _left(job).first()
    return job.total if gap is None else gap.first - 1


# -- ending --


def cancel(job: Job, *, now: datetime) -> None:
    """Cancel a job; chunks being processed right now still count."""
    running = Job.objects.filter(pk=job.pk, state=State.RUNNING)
    if kind_of(job).work is None:
        running.update(cancel_asked=True)
    elif running.update(cancel_asked=True, state=State.CANCELLED, ended_at=now):
        files.forget_sent(job)


def resume(job: Job, *, now: datetime) -> None:
    """Continue a job that stopped."""
    stopped = Job.objects.filter(pk=job.pk, state=State.STOPPED)
    if stopped.update(state=State.RUNNING, reason="", ended_at=None, seen_at=now):
        _left(job).update(attempts=0)
        send(job)


def delete(job: Job, *, now: datetime) -> None:
    """Cancel a job and delete it with its files."""
    cancel(job, now=now)
    place = files.folder_of(job)
    job.delete()
    files.forget(place)


def forget_old(*, now: datetime) -> int:
    """Delete old finished jobs, and files without a job; return the number of jobs."""
    old = Job.objects.filter(ended_at__lt=now - LIFETIME)
    for job in old:
        delete(job, now=now)
    for place in files.old_places(before=now - LIFETIME):
        if not Job.objects.filter(pk=place.name).exists():
            files.forget(place)
    return len(old)
