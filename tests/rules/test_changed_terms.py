"""What an ultimatum chosen in mid-campaign forces out of a deck is replaced free.

How a new taboo list or environment does is in the corpus (``price.refill``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade import Window, price
from tests.rules.upgrades import read_base

BEAT_COP, BEAT_COP_2, MACHETE = "01018", "01028", "01020"


def _roland(copies: Mapping[str, int], **meta: str) -> DeckList:
    """Roland's deck with these numbers of copies, by code."""
    deck = read_base("upgrades/bases/roland")
    slots = {code: n for code, n in {**deck["slots"], **copies}.items() if n}
    return read_deck({**deck, "slots": slots, "meta": meta})


@pytest.mark.parametrize("new", [BEAT_COP, MACHETE])
def test_cards_above_level_0_are_replaced_for_nothing_under_induction(new: str) -> None:
    """By their own level 0 version, or another card: no experience may be spent."""
    before = _roland({BEAT_COP: 1, BEAT_COP_2: 1})
    after = _roland({BEAT_COP: 1, new: 2 if new == BEAT_COP else 1})
    induction = Circumstances(ultimatums=frozenset({"induction"}))

    chosen = Window(earlier=ANY_TABLE)
    invoice = price(before, after, embedded_pool(), chosen, induction)
    assert (invoice.total, invoice.findings) == (0, ())

    from_the_start = price(before, after, embedded_pool(), Window(), induction)
    assert [each.rule for each in from_the_start.findings] == ["upgrade.induction"]


def test_a_card_customized_above_level_0_leaves_for_nothing_under_induction() -> None:
    """Its level counts the boxes marked on the old sheet."""
    marked = {"cus_09021": "1|1"}  # Hunter's Armor, level 1
    before = _roland({"09021": 1, BEAT_COP: 1}, **marked)
    after = _roland({MACHETE: 1, BEAT_COP: 1})
    induction = Circumstances(ultimatums=frozenset({"induction"}))
    chosen = Window(earlier=ANY_TABLE)
    invoice = price(before, after, embedded_pool(), chosen, induction)
    assert (invoice.total, invoice.findings) == (0, ())


def test_under_two_ultimatums_each_copy_is_forced_out_once() -> None:
    """Induction forces Beat Cop (2) out; Highlander then lets the level 0 copy stay."""
    before = _roland({BEAT_COP: 1, BEAT_COP_2: 1})
    after = _roland({BEAT_COP: 0, MACHETE: 1, "01086": 1})
    both = Circumstances(ultimatums=frozenset({"induction", "highlander"}))
    invoice = price(before, after, embedded_pool(), Window(earlier=ANY_TABLE), both)
    assert invoice.total == 1


def test_highlander_leaves_one_of_a_title_with_several_subtitles() -> None:
    """Of the two copies of Precious Memento, one must leave."""
    deck = read_base("upgrades/bases/wendy")
    counts = {"08114": 1, "08115": 1}
    fill = Counter(deck["slots"]) - Counter({"01088": 2})
    before = read_deck({**deck, "slots": {**fill, **counts}})
    after = read_deck({**deck, "slots": {**fill, "08115": 1, "01088": 1}})
    highlander = Circumstances(ultimatums=frozenset({"highlander"}))
    chosen = Window(earlier=ANY_TABLE)
    assert price(before, after, embedded_pool(), chosen, highlander).total == 0
