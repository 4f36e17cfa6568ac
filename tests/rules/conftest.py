"""Fixtures for tests of the rules: the embedded card pool and a judge of decks."""

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
    """A judge for the whole test run; it keeps the frames it has computed."""
    return judge_of(pool)
