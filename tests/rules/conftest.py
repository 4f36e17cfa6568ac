"""What tests of the rules may ask for: the embedded cards and a judge of decks."""

from __future__ import annotations

import pytest

from arkham.rules.legality import Judge, judge_of
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool


@pytest.fixture(scope="session")
def pool() -> CardPool:
    """Every card of the game, as shipped."""
    return embedded_pool()


@pytest.fixture(scope="session")
def judge(pool: CardPool) -> Judge:
    """One judge for the whole run; he keeps the frames he has met."""
    return judge_of(pool)
