"""Jobs: started, worked off once however often they are sent, followed, ended."""

from __future__ import annotations

import errno
import json
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain, pairwise
from typing import Any
from unittest.mock import patch

import pytest
from celery import current_app
from celery.exceptions import Retry
from django.utils import timezone
from pytest_django import Settings

from arkham.accounts.models import User
from arkham.accounts.services import block, unblock
from arkham.jobs import files, services, tasks
from arkham.jobs.models import Chunk, Done, Job
from arkham.rules.checking import check_line
from arkham.web.quotas import QuotaReached
from cardpool.catalog import current_judge
from decks.models import Deck
from tests.decks.helpers import NOW
from tests.jobs.helpers import file_of, kind, small_chunks, started, working

pytestmark = pytest.mark.usefixtures("rows")

State = Job.State


@pytest.fixture
def sent(settings: Settings) -> Iterator[list[int]]:
    """The chunks that a broker is handed, in place of one."""
    settings.CELERY_TASK_ALWAYS_EAGER = False
    keys: list[int] = []

    def send_task(name: str, arguments: tuple[int]) -> None:
        assert name == tasks.work_chunk.name
        keys.extend(arguments)

    with patch.object(current_app, "send_task", send_task):
        yield keys


def _answers(job: Job) -> list[Any]:
    return [json.loads(line) for line in services.results(job, 1, job.total)]


def test_a_small_job_is_done_at_once(alice: User) -> None:
    """Without a broker; each line is answered as the shell answers it."""
    content = file_of(25)
    with small_chunks(10):
        job = started(alice, content)

    assert (job.state, job.done, job.total) == (State.DONE, 25, 25)
    assert sum(job.counts.values()) == 25
    expected = [
        json.loads(check_line(line, number, current_judge())[0])
        for number, line in enumerate(content.splitlines(), 1)
    ]
    assert _answers(job) == expected
    assert [each["id"] for each in _answers(job)] == list(range(1, 26))


def test_a_line_that_cannot_be_read_is_an_item_of_its_own(alice: User) -> None:
    """It is counted, named by its line, and keeps no other from being judged."""
    first, last = file_of(2).splitlines()
    job = started(alice, b"\n".join([first, b'{"slots":', last]))

    assert job.total == 3
    assert job.counts["unreadable"] == 1
    assert job.problems[0].startswith("Line 2: ")
    assert [("error" in each) for each in _answers(job)] == [False, True, False]
    assert _answers(job)[1]["error"]["line"] == 2


def test_a_larger_job_says_what_is_needed(alice: User, settings: Settings) -> None:
    """Without workers; nothing of it is left."""
    settings.ORNE_JOB_ITEMS_AT_ONCE = 3

    with pytest.raises(files.NeedsWorkers, match=r"3 lines.*CELERY_BROKER_URL"):
        started(alice, file_of(4))

    assert not Job.objects.exists()
    assert not list(files.folder().iterdir())


def test_there_are_limits(alice: User, settings: Settings, sent: list[int]) -> None:
    """Of lines, of bytes and of jobs; an empty file is none."""
    settings.ORNE_JOB_ITEMS = 3
    with pytest.raises(files.FileTooLarge, match="3 lines"):
        started(alice, file_of(4))
    settings.ORNE_JOB_BYTES = 100
    with pytest.raises(files.FileTooLarge, match="MiB"):
        started(alice, file_of(1))
    with pytest.raises(files.NothingToDo):
        started(alice, b"")
    settings.ORNE_QUOTAS = settings.ORNE_QUOTAS | {"jobs": 1}
    started(alice, b"1")
    with pytest.raises(QuotaReached):
        started(alice, b"1")
    assert len(sent) == 1


def test_chunks_are_cut_at_lines(alice: User, sent: list[int]) -> None:
    """However the file is read: each line is in one chunk, and in one only."""
    content = file_of(23).rstrip(b"\n")
    pieces = [content[place : place + 97] for place in range(0, len(content), 97)]
    pieces.reverse()
    received = files.receive(
        lambda _size: pieces.pop() if pieces else b"",
        items_a_chunk=10,
        most_bytes=10**9,
        most_items=10**6,
    )

    assert [each.items for each in received.spans] == [10, 10, 3]
    assert received.path.read_bytes() == content
    lines = [content[each.begin : each.end].splitlines(True) for each in received.spans]
    assert [*chain.from_iterable(lines)] == content.splitlines(True)


def test_a_chunk_that_comes_twice_is_counted_once(alice: User, sent: list[int]) -> None:
    """In any order, and again when the job is over."""
    with small_chunks(10):
        job = started(alice, file_of(25))
        assert (job.state, job.done, len(sent)) == (State.RUNNING, 0, 3)
        for key in (sent[2], sent[0], sent[2]):
            services.work(key)
        assert services.progress(job).done == 15
        assert services.ready(job) == 10
        for key in (sent[1], *sent):
            services.work(key)

    services.progress(job)
    assert (job.state, job.done) == (State.DONE, 25)
    assert sum(job.counts.values()) == 25
    assert [each["id"] for each in _answers(job)] == list(range(1, 26))


def test_two_workers_at_the_same_chunk_leave_one_result(
    alice: User, sent: list[int]
) -> None:
    """The slower one finds it done when it has done its own."""
    work = kind().work
    assert work is not None

    def overtaken(chunk: Chunk) -> Done:
        with working(work):
            services.work(chunk.pk)
        return work(chunk)

    job = started(alice, file_of(5))
    with working(overtaken), pytest.raises(FileNotFoundError):
        services.work(sent[0])  # what was sent is deleted by now; it is tried again
    services.work(sent[0])

    assert services.progress(job).counts == {"legal": 5} or job.done == 5
    assert len(_answers(job)) == 5


def test_a_full_disk_stops_a_job_that_then_goes_on(alice: User) -> None:
    """What was done is not done again."""
    work, tries = kind().work, []
    assert work is not None

    def fails_once(chunk: Chunk) -> Done:
        tries.append(chunk.number)
        if tries == [1, 2]:
            raise OSError(errno.ENOSPC, "No space left on device")
        return work(chunk)

    with small_chunks(10), working(fails_once):
        job = started(alice, file_of(25))
        assert job.state == State.STOPPED
        assert job.reason == "The disk failed: No space left on device."
        assert (job.done, services.ready(job)) == (10, 10)
        services.resume(job, now=NOW)

    assert services.progress(job).state == State.DONE
    assert tries == [1, 2, 2, 3]
    assert [each["id"] for each in _answers(job)] == list(range(1, 26))
    assert not list(files.folder_of(job).glob("*.part"))


def test_the_job_of_a_blocked_account_stops(alice: User) -> None:
    """Unblocked, its owner continues it."""
    work = kind().work
    assert work is not None

    def blocking(chunk: Chunk) -> Done:
        block(account=alice)
        return work(chunk)

    with small_chunks(10):
        with working(blocking):
            job = started(alice, file_of(25))
        assert (job.state, job.reason) == (State.STOPPED, "The account was blocked.")
        assert (job.done, services.ready(job)) == (10, 10)
        unblock(account=alice)
        services.resume(job, now=NOW)

    assert services.progress(job).state == State.DONE
    assert [each["id"] for each in _answers(job)] == list(range(1, 26))


def test_a_worker_tries_again_before_a_job_stops(alice: User, sent: list[int]) -> None:
    """As a task: the disk fails twice, and the third attempt does it."""
    work, tries = kind().work, []
    assert work is not None

    def fails_twice(chunk: Chunk) -> Done:
        tries.append(chunk.number)
        if len(tries) < 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        return work(chunk)

    job = started(alice, file_of(5))
    with working(fails_twice):
        for _attempt in range(2):
            with pytest.raises(Retry):
                tasks.work_chunk.apply((sent[0],), throw=True)
        tasks.work_chunk.apply((sent[0],), throw=True)

    assert len(tries) == 3
    assert services.progress(job).state == State.DONE


def test_what_ends_every_worker_is_given_up(alice: User, sent: list[int]) -> None:
    """A chunk is not tried for ever; the job says so."""
    job = started(alice, file_of(5))
    Chunk.objects.update(attempts=services.MOST_ATTEMPTS)

    services.work(sent[0])

    assert services.progress(job).state == State.STOPPED
    assert "12 attempts" in job.reason


def test_a_quiet_job_is_sent_again(alice: User, sent: list[int]) -> None:
    """Only what is left of it, only after a while, and less often each time."""
    with small_chunks(10):
        job = started(alice, file_of(25))
        services.work(sent[0])
    first = list(sent)
    sent.clear()
    seen = services.progress(job).seen_at

    assert services.resend_stalled(now=seen + timedelta(seconds=50)) == 0
    assert services.resend_stalled(now=seen + timedelta(seconds=70)) == 1
    assert sent == first[1:]
    assert services.resend_stalled(now=seen + timedelta(seconds=100)) == 0
    assert services.resend_stalled(now=seen + timedelta(seconds=130)) == 1


def test_a_job_whose_last_worker_was_killed_before_it_said_so_is_over(
    alice: User, sent: list[int]
) -> None:
    """Every chunk is done, and the job still runs: the next look ends it."""
    job = started(alice, file_of(5))
    with patch.object(services, "_finish"):
        services.work(sent[0])
    assert services.progress(job).state == State.RUNNING

    services.resend_stalled(now=timezone.now() + timedelta(hours=1))

    assert services.progress(job).state == State.DONE


@pytest.mark.django_db(transaction=True)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_without_workers_a_thread_does_the_job_and_another_continues_it(
    alice: User, settings: Settings
) -> None:
    """The first thread ends with its server, in its second chunk."""
    settings.TIDY_AFTER_ANSWERS = True
    begun, killed = threading.Event(), threading.Event()

    def work(chunk: Chunk) -> Done:
        if chunk.number == 2 and not begun.is_set():
            begun.set()
            killed.wait(60)
            raise SystemExit
        return Done({"legal": chunk.items})

    with small_chunks(10), working(work):
        job = started(alice, file_of(25))
        assert begun.wait(60)
        assert services.progress(job).state == State.RUNNING
        killed.set()
        later = timezone.now() + timedelta(hours=1)
        assert services.resend_stalled(now=later) == 1
        _wait_for(job)

    assert (job.state, job.counts) == (State.DONE, {"legal": 25})


@pytest.mark.django_db(transaction=True)
def test_a_thread_lets_others_write_between_chunks(
    alice: User, settings: Settings
) -> None:
    """Writers that wait for SQLite try every 0.1 seconds, and in the end give up."""
    settings.TIDY_AFTER_ANSWERS = True
    begun: list[float] = []

    def work(chunk: Chunk) -> Done:
        begun.append(time.monotonic())
        return Done({"legal": chunk.items})

    with small_chunks(10), working(work):
        _wait_for(started(alice, file_of(25)))

    assert len(begun) == 3
    assert all(after - before > 0.1 for before, after in pairwise(begun))


def _wait_for(job: Job) -> None:
    deadline = time.monotonic() + 60
    while services.progress(job).state == State.RUNNING:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    with services._one_at_a_time:  # the thread has ended
        job.refresh_from_db()


def test_a_cancelled_job_keeps_what_it_has(alice: User, sent: list[int]) -> None:
    """And does no more."""
    with small_chunks(10):
        job = started(alice, file_of(25))
        services.work(sent[0])
        services.cancel(job, now=NOW)
        services.work(sent[1])

    assert services.progress(job).state == State.CANCELLED
    assert len(_answers(job)) == job.done == 10


def test_old_jobs_are_forgotten_with_their_files(alice: User) -> None:
    """Thirty days after they ended; those of closed accounts too."""
    job = started(alice, file_of(5))
    place = files.folder_of(job)
    services.forget_old(now=timezone.now())
    assert place.exists()

    services.forget_old(now=timezone.now() + timedelta(days=31))

    assert not Job.objects.exists()
    assert not place.exists()
    started(alice, file_of(5))
    alice.delete()
    services.forget_old(now=timezone.now() + timedelta(days=31))
    assert not list(files.folder().iterdir())


def test_decks_are_imported_once(alice: User) -> None:
    """Into the account, by the service of the import page."""
    lines = file_of(5, mark=False) + b"not a deck\n\xff\n"
    job = started(alice, lines, "import")

    assert job.counts == {"imported": 5, "unread": 2}
    assert {each.split(":")[0] for each in job.problems} == {"Line 6", "Line 7"}
    assert Deck.objects.filter(owner=alice).count() == 5
    again = started(alice, file_of(5, mark=False), "import")
    assert again.counts == {"here": 5}
