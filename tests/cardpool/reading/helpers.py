"""Look-ups in a pool for tests of reading."""

from __future__ import annotations

from arkham.rules.investigator import Back
from arkham.rules.pool import CardPool


def back_of(pool: CardPool, code: str) -> Back:
    """Return the back of an investigator card."""
    facts = pool[code].investigator
    assert facts is not None
    assert facts.back is not None
    return facts.back
