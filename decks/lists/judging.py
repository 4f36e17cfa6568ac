"""The judge for the card pool in use."""

from __future__ import annotations

from arkham.rules.legality import Judge, judge_of
from cardpool.catalog import current_pool


def current_judge() -> Judge:
    """The judge for the pool in use; the same one as long as its data is the same.

    Asks the database which data that is, and nothing else.
    """
    return judge_of(current_pool())
