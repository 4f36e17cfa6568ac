"""The catalogue of messages: what stands only in data, and what marks it has."""

from __future__ import annotations

from arkham.management.commands.makemessages import sentences
from arkham.rules.legality import DECK_RULES
from arkham.rules.rulings import RULINGS


def test_data_are_in_the_catalogue() -> None:
    """Rulings, rules, the library and our own guides."""
    found = {text for _place, text in sentences()}
    assert {each.question for each in RULINGS.values()} <= found
    assert {words for each in RULINGS.values() for _, words in each.readings} <= found
    assert {each.sentence for each in DECK_RULES} <= found
    assert "Ability" in found
    assert "Scenario III: The Essex County Express" in found
    assert "" not in found
