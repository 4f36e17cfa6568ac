"""A deck of an unknown investigator is priced without the rules about investigators."""

from __future__ import annotations

from arkham.rules.deck import DeckList
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade import INVESTIGATOR_RULES, UPGRADE_RULES, Window, price

SHRIVELLING, SHRIVELLING_3, ROLANDS_38, COVER_UP = "01060", "02154", "01006", "01007"


def test_the_rules_that_are_skipped_exist() -> None:
    assert {each.id for each in UPGRADE_RULES} >= INVESTIGATOR_RULES


def test_an_unknown_investigator_is_found() -> None:
    """And rules that hold for any investigator: too much spent, a weakness removed."""
    before = DeckList("nobody", {SHRIVELLING: 1, ROLANDS_38: 1, COVER_UP: 1})
    after = DeckList("nobody", {SHRIVELLING_3: 1})
    invoice = price(before, after, embedded_pool(), Window(available=2))
    assert invoice.total == 3
    found = [each.rule for each in invoice.findings]
    assert found == ["upgrade.experience", "upgrade.weakness"]
    assert [each.rule for each in invoice.legality] == ["deck.investigator"]


def test_nothing_is_priced_in_a_pool_without_investigators() -> None:
    pool = embedded_pool()
    cards = {code: pool[code] for code in (SHRIVELLING, SHRIVELLING_3)}
    bare = CardPool(version="two cards", cards=cards)
    before, after = (
        DeckList("nobody", {code: 1}) for code in (SHRIVELLING, SHRIVELLING_3)
    )
    assert price(before, after, bare).lines == ()
