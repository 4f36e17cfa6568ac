"""Folds: recorded campaigns in this process, warm, on one core.

The campaigns are those of the shared data (``ORNE_SHARED``); without it nothing is
measured.
"""

from __future__ import annotations

import gc
import json
import statistics
from collections.abc import Callable
from functools import cache, partial

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Effect
from arkham.rules.campaign.policy import AS_THE_APP
from arkham.rules.campaign.state.answers import Entry, Stated
from arkham.rules.replaying import AskedRun, Reader
from bench.guides import _files, _folder, _library
from bench.timing import RUNS, median_seconds, percentile, processor_ms

Measures = dict[str, tuple[float, str]]
MICRO = 1_000_000
MILLI = 1_000
FACTS = 10_000


@cache
def _reader() -> Reader:
    library = _library()
    gc.collect()
    gc.freeze()  # as everybody does who keeps guides in memory
    return Reader(library, {}, policy=AS_THE_APP)


@cache
def _runs() -> list[AskedRun]:
    if not _files():
        return []
    lines = (_folder() / "cases.jsonl").read_text().splitlines()
    return [_reader().read(json.loads(line)) for line in lines]


def _seconds(work: Callable[[], Replay]) -> float:
    return median_seconds(work)


def campaigns() -> Measures:
    """Whole campaigns, from the first answer to the last."""
    runs = _runs()
    if not runs:
        return {}
    seconds = [_seconds(partial(_reader().replay, run)) for run in runs]
    longest = max(range(len(runs)), key=lambda index: len(runs[index].answers))
    each = seconds[longest] / len(runs[longest].answers)
    return {
        "fold.campaign_ms": (statistics.median(seconds) * MILLI, "ms"),
        "fold.campaign_p90_ms": (percentile(seconds, 90) * MILLI, "ms"),
        "fold.answer_longest_us": (each * MICRO, "µs"),
    }


def one_more() -> Measures:
    """One more answer after every tenth of each campaign; the worst tenth of them."""
    samples: list[float] = []
    for run in _runs():
        for share in range(1, 10):
            cut = len(run.answers) * share // 10
            before = _reader().replay(run._replace(answers=run.answers[:cut]))
            more = run._replace(answers=run.answers[: cut + 1])
            samples.append(median_seconds(partial(_reader().replay, more, before), 3))
    if not samples:
        return {}
    return {
        "fold.one_more_ms": (statistics.median(samples) * MILLI, "ms"),
        "fold.one_more_p99_ms": (percentile(samples, 99) * MILLI, "ms"),
    }


def _facts(scenario: str, code: str, count: int) -> list[Entry]:
    """So many facts of a scenario's end: words, lines, numbers and experience."""
    effects: list[Callable[[int], Effect]] = [
        lambda _number: do.LogText("campaign_notes"),
        lambda number: do.LogLine("campaign_notes", f"line {number}"),
        lambda number: do.LogCount("campaign_notes", f"number {number}", value=1),
        lambda _number: do.EarnExperience("input", bonus=1),
    ]
    return [
        Stated(
            scenario, effects[number % len(effects)](number), (code,), (), "Bench", -1
        )
        for number in range(count)
    ]


def _median_ms(work: Callable[[], Replay]) -> float:
    work()
    return statistics.median(processor_ms(work) for _run in range(RUNS))


def facts() -> Measures:
    """Ten thousand facts of one scenario of the longest campaign, and one more.

    One more of the scenario that was settled last, and one more of the first one: what
    follows it is gone through again. Of processor time.
    """
    if not _runs():
        return {}
    run = max(_runs(), key=lambda each: len(each.answers))
    played = _reader().replay(run)
    first, last = played.begun[0], _settled_last(played, run)
    code = played.state.players[0]

    def folded(more: list[Entry], after: Replay | None = None) -> Replay:
        longer = run._replace(answers=[*run.answers, *more])
        return _reader().replay(longer, after)

    def one_more(scenario: str) -> float:
        more = _facts(scenario, code, FACTS + 1)
        before = folded(more[:-1])
        return _median_ms(partial(folded, more, before))

    times = [
        _median_ms(partial(folded, _facts(first, code, count)))
        for count in (FACTS // 10, FACTS, 2 * FACTS)
    ]
    return {
        "fold.facts_1000_ms": (times[0], "ms"),
        "fold.facts_ms": (times[1], "ms"),
        "fold.facts_20000_ms": (times[2], "ms"),
        "fold.one_fact_more_ms": (one_more(last), "ms"),
        "fold.one_fact_more_of_first_ms": (one_more(first), "ms"),
    }


def _settled_last(played: Replay, run: AskedRun) -> str:
    """The last scenario whose end can be changed by a fact."""
    for scenario in reversed(played.begun):
        fact = Stated(scenario, do.LogText("campaign_notes"), ("noted",), (), "", -1)
        longer = run._replace(answers=[*run.answers, fact])
        if fact in _reader().replay(longer).used:
            return scenario
    return played.begun[0]
