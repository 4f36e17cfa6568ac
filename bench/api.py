"""The API's doors: server time in this process, warm, answers compressed."""

from __future__ import annotations

import statistics
from functools import cache, partial
from pathlib import Path
from typing import Any

from bench.bad_input import BATCHES, DECKS
from bench.site import visitor
from bench.timing import RUNS, each_seconds, median_seconds, percentile

Measures = dict[str, tuple[float, str]]

ONE, BATCH = "/api/v1/legality", "/api/v1/legality/batch"
SET = Path(__file__).with_name("decks.jsonl")
MOST = 1_000
SINGLES = 200


@cache
def _lines() -> list[bytes]:
    return SET.read_bytes().splitlines()


def _post(path: str, body: bytes, content_type: str, expected: int) -> Any:
    answer = visitor().generic("POST", path, body, CONTENT_TYPE=content_type)
    assert answer.status_code == expected, (path, answer.status_code)
    return answer


def single() -> Measures:
    """One deck at a time, the 95th percentile over decks of the mixed set."""
    chosen = _lines()[:: len(_lines()) // SINGLES]
    work = [partial(_post, ONE, line, "application/json", 200) for line in chosen]
    each_seconds(work)
    runs = (percentile(each_seconds(work), 95) for _run in range(RUNS))
    return {"api.single_p95_ms": (statistics.median(runs) * 1_000, "ms")}


def batch() -> Measures:
    """A thousand decks of the mixed set, as an array."""
    decks = (_lines() * 2)[:MOST]
    body = b"[" + b",".join(decks) + b"]"
    seconds = median_seconds(partial(_post, BATCH, body, "application/json", 200))
    return {"api.batch_1000_ms": (seconds * 1_000, "ms")}


def public() -> Measures:
    """The public API: every card, made anew and made already, and one card."""
    visitor()
    from cardpool.public.views import all_cards

    every = "/api/public/cards/?encounter=1"

    def get(path: str) -> None:
        answer = visitor().get(path, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200, (path, answer.status_code)

    def anew() -> None:
        all_cards.cache_clear()
        get(every)

    return {
        "api.public_cards_anew_ms": (median_seconds(anew) * 1_000, "ms"),
        "api.public_cards_ms": (median_seconds(partial(get, every)) * 1_000, "ms"),
        "api.public_card_ms": (
            median_seconds(partial(get, "/api/public/card/01020")) * 1_000,
            "ms",
        ),
    }


def bad_input() -> Measures:
    """The slowest answer to anything that is no sensible deck."""
    asked = [(ONE, "application/json", bad) for bad in DECKS.values()]
    asked += [(BATCH, kind, bad) for kind, bad in BATCHES.values()]
    slowest = max(
        median_seconds(partial(_post, path, bad.body, kind, bad.status))
        for path, kind, bad in asked
    )
    return {"api.bad_input_max_ms": (slowest * 1_000, "ms")}
