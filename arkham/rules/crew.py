"""Judges many decks in several processes at once.

A crew of processes, forked once the judge is at hand, so that they share the card
pool. They are given lines in parts, and the answers are taken in the order given.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from types import TracebackType

from arkham.rules.checking import AnswerLine, Answers, answers_to
from arkham.rules.deck import Circumstances
from arkham.rules.legality import Judge

MOST_WORKERS = 8


def workers_here() -> int:
    """How many processes a crew has on this machine; 0 where there is none to be."""
    if "fork" not in multiprocessing.get_all_start_methods():
        return 0
    if hasattr(os, "sched_getaffinity"):
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    return min(processors, MOST_WORKERS) if processors > 1 else 0


class Crew:
    """Processes that judge; leave the context to dismiss them."""

    def __init__(
        self,
        judge: Judge,
        base: Circumstances,
        answer_line: AnswerLine,
        workers: int,
    ) -> None:
        self._pending: deque[Future[Answers]] = deque()
        self._most = 2 * workers + 2
        self._pool = ProcessPoolExecutor(
            workers,
            mp_context=multiprocessing.get_context("fork"),
            initializer=_join,
            initargs=(judge, base, answer_line),
        )

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def give(self, lines: list[bytes], first: int) -> None:
        """Have some lines judged."""
        self._pending.append(self._pool.submit(_judge, lines, first))

    @property
    def busy(self) -> bool:
        """Whether no more lines should be given before some answers are taken."""
        return len(self._pending) >= self._most

    @property
    def owes(self) -> bool:
        """Whether there are answers to be taken."""
        return bool(self._pending)

    def take(self) -> Answers:
        """The answers to the lines that were given first."""
        return self._pending.popleft().result()


_member: tuple[Judge, Circumstances, AnswerLine] | None = None


def _join(judge: Judge, base: Circumstances, answer_line: AnswerLine) -> None:
    """In a new process: remember whom it judges for (nothing is copied: it forked)."""
    global _member
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the crew's master ends it
    _member = judge, base, answer_line


def _judge(lines: list[bytes], first: int) -> Answers:
    assert _member is not None
    return answers_to(lines, first, *_member)
