"""A deck of an investigator nobody knows is priced; what depends on who is not said."""

from __future__ import annotations

from arkham.rules.deck import DeckList
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade import INVESTIGATOR_RULES, UPGRADE_RULES, Window, price

SHRIVELLING, SHRIVELLING_3, ROLANDS_38, COVER_UP = "01060", "02154", "01006", "01007"


def test_the_rules_not_asked_are_rules_there_are() -> None:
    """By their ids."""
    assert {each.id for each in UPGRADE_RULES} >= INVESTIGATOR_RULES


def test_what_is_found_is_that_nobody_knows_the_investigator() -> None:
    """And what holds whoever it is: too much was spent, a weakness left."""
    before = DeckList("nobody", {SHRIVELLING: 1, ROLANDS_38: 1, COVER_UP: 1})
    after = DeckList("nobody", {SHRIVELLING_3: 1})
    invoice = price(before, after, embedded_pool(), Window(available=2))
    assert invoice.total == 3
    found = [each.rule for each in invoice.findings]
    assert found == ["upgrade.experience", "upgrade.weakness"]
    assert [each.rule for each in invoice.legality] == ["deck.investigator"]


def test_without_any_investigator_nothing_is_priced() -> None:
    """A pool that has none knows no deck."""
    pool = embedded_pool()
    cards = {code: pool[code] for code in (SHRIVELLING, SHRIVELLING_3)}
    bare = CardPool(version="two cards", cards=cards)
    before, after = (
        DeckList("nobody", {code: 1}) for code in (SHRIVELLING, SHRIVELLING_3)
    )
    assert price(before, after, bare).lines == ()
