"""The command-line interface: one deck per line of JSON in, one verdict per line out.

``python -m arkham.rules check`` and ``manage.py check_decks`` share it; they differ
only in the source of the card pool. Many decks are judged by several processes, forked
once the judge is ready so that they share the card pool. They are given lines in
batches, and the answers keep the order of the lines.
"""

from __future__ import annotations

import argparse
import gc
import os
import select
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from arkham.rules.checking import AnswerLine, Answers, Outcome, answers_to, check_line
from arkham.rules.deck import ANY_TABLE, Circumstances
from arkham.rules.finding import gettext_noop as _
from arkham.rules.legality import Judge
from arkham.rules.notation.circumstances_json import read_circumstances
from arkham.rules.notation.reading import MOST_BYTES, Unreadable, read_json
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Mode

if TYPE_CHECKING:
    from concurrent.futures import Future

MOST_WORKERS = 8


def workers_here() -> int:
    """The number of worker processes for this machine; 0 if it can't have any."""
    import multiprocessing  # takes longer to load than judging a hundred decks

    if "fork" not in multiprocessing.get_all_start_methods():
        return 0
    if hasattr(os, "sched_getaffinity"):
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    return min(processors, MOST_WORKERS) if processors > 1 else 0


class Crew:
    """Worker processes that judge decks; leave the context to stop them."""

    def __init__(
        self,
        judge: Judge,
        base: Circumstances,
        answer_line: AnswerLine,
        workers: int,
    ) -> None:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

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
        """Submit some lines to be judged."""
        self._pending.append(self._pool.submit(_judge, lines, first))

    @property
    def busy(self) -> bool:
        """True if answers should be taken before more lines are submitted."""
        return len(self._pending) >= self._most

    @property
    def owes(self) -> bool:
        """True if there are answers to take."""
        return bool(self._pending)

    def take(self) -> Answers:
        """Wait for the answers to the lines that were submitted first."""
        return self._pending.popleft().result()


_member: tuple[Judge, Circumstances, AnswerLine] | None = None


def _join(judge: Judge, base: Circumstances, answer_line: AnswerLine) -> None:
    """Initialize a worker process (the judge is inherited by the fork, not copied)."""
    global _member
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    _member = judge, base, answer_line


def _judge(lines: list[bytes], first: int) -> Answers:
    assert _member is not None
    return answers_to(lines, first, *_member)


HELP = _(
    "Judge decks in ArkhamDB’s JSON format: reads one deck a line, writes one "
    "verdict a line."
)
PRICE_HELP = _(
    "Price upgrades: reads two decks a line (prev and next), writes one invoice a line."
)
READ_AT_ONCE = 65_536  # bytes; answers are written as soon as these are judged
ALONE = 2_000_000  # bytes judged in this process alone; about three thousand decks


class Unusable(ValueError):
    """An argument that can't be used; the message says why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that every command takes."""
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="a file of JSON lines; - is standard input",
    )
    parser.add_argument(
        "--taboo", metavar="LIST", help="a taboo list's id or date, latest or none"
    )
    parser.add_argument(
        "--environment",
        metavar="NAME",
        help="legacy, current, current:2025-01-01 (as it was then), "
        "limited:dwl,ptc,tfa (cycles) or products:core,dwl (packs)",
    )
    parser.add_argument("--mode", choices=[mode.value for mode in Mode])
    parser.add_argument(
        "--circumstances",
        metavar="JSON",
        help='everything else about the table: {"experience": 10, "players": 2}',
    )


def circumstances_of(options: dict[str, Any], pool: CardPool) -> Circumstances:
    """The circumstances given by the arguments. Raises :class:`Unusable`."""
    data: dict[str, Any] = {}
    try:
        if options.get("circumstances") is not None:
            data = read_json(options["circumstances"])
        if isinstance(data, dict):
            for name in ("taboo", "mode"):
                if options.get(name) is not None:
                    data[name] = options[name]
            if options.get("environment") is not None:
                data["environment"] = _environment(options["environment"])
        circumstances = read_circumstances(data, "")
    except Unreadable as error:
        fault = error.faults[0]
        where = f"{fault.pointer}: " if fault.pointer else ""
        raise Unusable(f"{where}{fault.text} Expected: {fault.expected}.") from None
    if circumstances.taboo is not None:
        _known_list(circumstances.taboo, pool)
    return circumstances


def _environment(text: str) -> dict[str, Any]:
    """Parse an environment as the shell writes it: its kind, a colon, its terms."""
    kind, _colon, terms = text.partition(":")
    environment: dict[str, Any] = {"kind": kind}
    listed = [term.strip() for term in terms.split(",") if term.strip()]
    if kind == "limited":
        environment["cycles"] = listed
    elif kind == "products":
        environment["packs"] = listed
    elif terms:
        environment["date"] = terms
    return environment


def _known_list(wanted: int | str, pool: CardPool) -> None:
    if pool.taboo_list(wanted) is None:
        known = ", ".join(f"{each.id} ({each.date})" for each in pool.taboo_lists)
        raise Unusable(f"There is no taboo list {wanted}. Expected: {known}.")


def lines_of(stream: BinaryIO) -> Iterator[list[bytes]]:
    """Yield the lines of a stream as they arrive, several at a time.

    The rest of a line that is too long is dropped, which bounds memory.
    """
    read = getattr(stream, "read1", stream.read)
    rest = b""
    while part := read(READ_AT_ONCE):
        lines = part.split(b"\n")
        lines[0] = rest + lines[0] if len(rest) <= MOST_BYTES else rest
        rest = lines.pop()
        if lines:
            yield lines
    if rest:
        yield [rest]


def answer(
    parts: Iterable[list[bytes]],
    output: TextIO,
    judge: Judge,
    base: Circumstances = ANY_TABLE,
    more_at_hand: Callable[[], bool] = lambda: True,
    answer_line: AnswerLine = check_line,
) -> Outcome:
    """Write one answer per line, batch by batch; return the worst outcome of all.

    After ``ALONE`` bytes worker processes help, if the machine has processors for them.
    ``more_at_hand`` says whether the next batch can be read without waiting; if not,
    all answers are written first.
    """
    worst, number, seen = Outcome.LEGAL, 1, 0
    crew: Crew | None = None

    def write(answers: Answers) -> None:
        nonlocal worst
        output.write(answers[0])
        output.flush()
        worst = max(worst, answers[1])

    with ExitStack() as stack:
        for lines in parts:
            if crew is None:
                write(answers_to(lines, number, judge, base, answer_line))
            else:
                crew.give(lines, number)
                while crew.owes and (crew.busy or not more_at_hand()):
                    write(crew.take())
            number += len(lines)
            seen += sum(map(len, lines))
            if crew is None and seen > ALONE:
                crew = _crew(stack, judge, base, answer_line)
        while crew is not None and crew.owes:
            write(crew.take())
    return worst


def _crew(
    stack: ExitStack, judge: Judge, base: Circumstances, answer_line: AnswerLine
) -> Crew | None:
    """Start worker processes until the stack is closed; None if there can't be any."""
    workers = workers_here()
    if not workers:
        return None
    [*judge.pool.values()]  # read all cards before forking
    gc.freeze()
    return stack.enter_context(Crew(judge, base, answer_line, workers))


def answer_file(
    options: dict[str, Any],
    output: TextIO,
    judge: Judge,
    answer_line: AnswerLine = check_line,
) -> Outcome:
    """Answer the lines of the file in the arguments. Raises :class:`Unusable`.

    If the reader of ``output`` closes it, the run ends quietly, but not as legal.
    """
    base = circumstances_of(options, judge.pool)
    with ExitStack() as stack:
        if options["file"] == "-":
            if not sys.stdin:
                raise Unusable("The standard input is closed.")
            stream: BinaryIO = sys.stdin.buffer
        else:
            try:
                stream = stack.enter_context(open(options["file"], "rb"))
            except OSError as error:
                raise Unusable(f"{options['file']}: {error.strerror}.") from None
        try:
            parts = lines_of(stream)
            return answer(
                parts, output, judge, base, lambda: _at_hand(stream), answer_line
            )
        except OSError as error:
            # Buffered output can't be written, and the interpreter would complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if not isinstance(error, BrokenPipeError):  # but a full disk, for example
                raise Unusable(f"{error.strerror}.") from None
            return Outcome.NOT_LEGAL


def _at_hand(stream: BinaryIO) -> bool:
    """True if a stream can be read without waiting (or has ended)."""
    ready, _writable, _failed = select.select([stream], [], [], 0)
    return bool(ready)
