"""What an ultimatum chosen in mid-campaign forces out of a deck is replaced free.

How a new taboo list or environment does is in the corpus (``price.refill``).
"""

from __future__ import annotations

import pytest

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade import Window, price
from tests.rules.upgrades import read_base

BEAT_COP, BEAT_COP_2, MACHETE = "01018", "01028", "01020"


def _roland(**copies: int) -> DeckList:
    """Roland's deck with these numbers of copies, by code with a letter before it."""
    deck = read_base("upgrades/bases/roland")
    slots = {**deck["slots"], **{code[1:]: n for code, n in copies.items()}}
    return read_deck({**deck, "slots": {code: n for code, n in slots.items() if n}})


@pytest.mark.parametrize("new", [BEAT_COP, MACHETE])
def test_cards_above_level_0_are_replaced_for_nothing_under_induction(new: str) -> None:
    """By their own level 0 version, or another card: no experience may be spent."""
    before = _roland(**{f"c{BEAT_COP}": 1, f"c{BEAT_COP_2}": 1})
    after = _roland(**{f"c{BEAT_COP}": 1, f"c{new}": 2 if new == BEAT_COP else 1})
    induction = Circumstances(ultimatums=frozenset({"induction"}))

    chosen = Window(earlier=ANY_TABLE)
    invoice = price(before, after, embedded_pool(), chosen, induction)
    assert (invoice.total, invoice.findings) == (0, ())

    from_the_start = price(before, after, embedded_pool(), Window(), induction)
    assert [each.rule for each in from_the_start.findings] == ["upgrade.induction"]
