"""Prices: invoices in this process, warm, on one core.

The pairs are ``bench/upgrades.jsonl``: a seeded upgrade of every published deck, a
tenth of them with exiles, cards that change prices or boxes marked
(``bench/make_upgrades.py`` made them).
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from arkham.rules.legality import Judge
from arkham.rules.pricing import invoice_of, read_upgrade
from arkham.rules.snapshot import embedded_pool
from bench.timing import RUNS, each_seconds, median_seconds, percentile

Measures = dict[str, tuple[float, str]]
PAIRS = Path(__file__).with_name("upgrades.jsonl")
MICRO = 1_000_000


@cache
def _pairs() -> list[dict[str, Any]]:
    return [json.loads(line) for line in PAIRS.read_text().splitlines()]


def _priced(judge: Judge, pair: dict[str, Any]) -> Any:
    return invoice_of(judge, read_upgrade(pair))


def invoices() -> Measures:
    """From two ArkhamDB deck objects to the invoice and the verdict on the new deck."""
    judge = Judge(embedded_pool())
    work: list[Callable[[], Any]] = [partial(_priced, judge, each) for each in _pairs()]

    def all_of_them() -> None:
        for piece in work:
            piece()

    seconds = median_seconds(all_of_them)
    slow = statistics.median(percentile(each_seconds(work), 95) for _run in range(RUNS))
    return {
        "price.pairs_per_second": (len(work) / seconds, "pairs/s"),
        "price.p95_us": (slow * MICRO, "µs"),
    }
