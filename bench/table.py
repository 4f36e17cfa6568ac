"""Tables: whether four decks can be played together out of a full collection."""

from __future__ import annotations

import json
import random
from pathlib import Path

from arkham.rules.checking import read_request
from arkham.rules.collection import copies_owned, everything
from arkham.rules.legality import Judge
from arkham.rules.snapshot import embedded_pool
from arkham.rules.table import DeckSeat, Holder, Table, share_out
from bench.timing import each_seconds, percentile

Measures = dict[str, tuple[float, str]]

DECKS = Path(__file__).with_name("decks.jsonl")
SEATS = 4
TABLES = 200
MILLI = 1_000


def shortages() -> Measures:
    """Four decks at a time against one collection of everything, p95 of 200 tables."""
    pool = embedded_pool()
    judge = Judge(pool)
    decks = [json.loads(line) for line in DECKS.read_text().splitlines()]
    order = random.Random(7)
    tables = [order.sample(decks, SEATS) for _table in range(TABLES)]
    holder = Holder("everything", copies_owned(everything(pool), pool))

    def check_table(chosen: list[dict[str, object]]) -> None:
        seats = []
        for number, deck in enumerate(chosen):
            asked = read_request(deck)
            built = next(judge.builds(asked.deck, asked.circumstances))
            seats.append(DeckSeat(str(number), built, (holder.name,)))
        share_out(Table(tuple(seats), (holder,), pool))

    work = [lambda chosen=chosen: check_table(chosen) for chosen in tables]
    each_seconds(work)
    return {"table.shortage_ms": (percentile(each_seconds(work), 95) * MILLI, "ms")}
