"""Prices: invoices in this process, warm, on one core.

The pairs are ``bench/upgrades.jsonl``: a seeded upgrade of every published deck, a
tenth of them with exiles, cards that change prices or boxes marked
(``bench/make_upgrades.py`` made them). Changes with discounts are made from a seed when
they are measured, each different.
"""

from __future__ import annotations

import json
import random
import statistics
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from arkham.rules.legality import Judge
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.pricing import invoice_of, read_upgrade
from arkham.rules.snapshot import embedded_pool
from bench.make_upgrades import SEED, Shop, discounted
from bench.timing import RUNS, each_seconds, median_seconds, percentile, processor_ms

Measures = dict[str, tuple[float, str]]
PAIRS = Path(__file__).with_name("upgrades.jsonl")
MICRO = 1_000_000
DECKS, CHANGED = 12, 30  # decks that many copies of change


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


def discounts() -> Measures:
    """Thirty changes in each of 200 decks with four cards that change prices."""
    pool = embedded_pool()
    judge = Judge(pool)
    chance = random.Random(f"{SEED}/discounts")
    shops = []
    for pair in chance.sample(_pairs(), DECKS):
        deck = pair["prev"]
        shops.append((deck, Shop(next(iter(judge.builds(read_deck(deck)))), chance)))
    work = [
        partial(_priced, judge, discounted(*shops[number % DECKS], CHANGED))
        for number in range(200)
    ]
    for piece in work:
        piece()
    milliseconds = [processor_ms(piece) for piece in work]
    return {
        "price.discounts_median_ms": (statistics.median(milliseconds), "ms"),
        "price.discounts_worst_ms": (max(milliseconds), "ms"),
    }
