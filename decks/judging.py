"""Who judges decks here? The judge for the card pool in use."""

from __future__ import annotations

import gc
from functools import lru_cache

from arkham.rules.legality import Judge, judge_of
from arkham.rules.pool import CardPool
from cardpool.catalog import current_pool

GARBAGE_THRESHOLD = 10_000  # objects made since it was last looked for


def current_judge() -> Judge:
    """The judge for the pool in use; the same one as long as its data is the same.

    Asks the database which data that is, and nothing else.
    """
    return _judge_of(current_pool())


@lru_cache(maxsize=1)
def _judge_of(pool: CardPool) -> Judge:
    judge = judge_of(pool)
    # The pool stays: looking through it for garbage would hold up some request for
    # a tenth of a second now and then. A verdict with thousands of findings is no
    # reason to look for garbage dozens of times either.
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD, 10, 10)
    return judge
