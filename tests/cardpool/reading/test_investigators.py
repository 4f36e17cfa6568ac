"""Investigators, their parallels and who can start a deck."""

from __future__ import annotations

import pytest

from arkham.rules.pool import CardPool


@pytest.mark.parametrize(
    ("code", "base"),
    [
        ("01501", "01001"),
        ("90024", "01001"),
        ("98004", "01001"),
        ("98001", "02003"),
        ("98007", "08004"),
        ("98010", "05001"),
        ("98013", "07005"),
        ("98016", "07004"),
        ("98019", "11014"),
        ("99001", "05006"),
        ("11007", "11007"),
        ("11008", "11007"),
        ("12001", "12001"),
        ("60551", "60551"),
    ],
)
def test_the_base_of_an_investigator(pool: CardPool, code: str, base: str) -> None:
    """Reprints, parallels, promos and the second Agatha share one; Chapter 2 not."""
    facts = pool[code].investigator
    assert facts is not None
    assert facts.base == base


def test_there_are_thirteen_parallels(pool: CardPool) -> None:
    """Novella investigators are no parallels."""
    parallels = [c for c in pool.investigators if c.investigator.parallel]  # type: ignore[union-attr]
    assert len(parallels) == 13
    assert {card.code[:2] for card in parallels} == {"90"}


def test_investigators_that_cannot_begin_a_deck(pool: CardPool) -> None:
    """Prologue investigators and transformed ones."""
    never = {
        card.code
        for code in pool
        if (card := pool[code]).investigator and not card.investigator.playable
    }
    assert never == {
        *("04244", "05046", "05047", "05048", "05049", "10016a", "10016b"),
        *("10661", "11068b"),
    }


def test_signatures_are_restricted_to_the_base(pool: CardPool) -> None:
    """So that every version of the investigator shares them."""
    restricted = {"05007": "05001", "98002": "02003", "11009": "11007"}
    for code, base in restricted.items():
        restriction = pool[code].restriction
        assert restriction is not None
        assert restriction.investigators == (base,)


def test_marie_of_the_promo_has_the_same_signatures(pool: CardPool) -> None:
    """99002 and 99003 are printings of 05018 and 05019."""
    assert pool["99002"] is pool["05018"]
    assert pool["99003"] is pool["05019"]
    assert [each.code for each in pool["05018"].printings] == ["05018", "99002"]
