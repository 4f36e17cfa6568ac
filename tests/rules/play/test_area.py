"""A play area: when it has findings and when it has none."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from arkham.rules.play.area import (
    ACTION_ROWS,
    HAND_ROWS,
    HandRow,
    InPlay,
    PlayArea,
    check_area,
    next_round,
    put_into_play,
)
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool

POOL = embedded_pool()
ROLAND = PlayArea(POOL["01001"])  # health 9, sanity 5


def rules(area: PlayArea) -> list[str]:
    return [each.rule for each in check_area(area)]


def with_cards(*codes: str) -> PlayArea:
    area = ROLAND
    for code in codes:
        area = put_into_play(area, POOL[code])
    return area


def test_the_first_turn_has_no_findings() -> None:
    assert rules(ROLAND) == []
    assert rules(PlayArea()) == []
    assert rules(with_cards("01006", "01016")) == []


@pytest.mark.parametrize(
    ("code", "uses"), [("01006", 4), ("01060", 4), ("01020", 0), ("05196", 0)]
)
def test_uses_are_placed_as_a_card_enters_play(code: str, uses: int) -> None:
    assert with_cards(code).cards[0].uses == uses


def test_an_investigator_without_health_is_defeated() -> None:
    assert rules(replace(ROLAND, damage=8, horror=4)) == []
    assert rules(replace(ROLAND, damage=9)) == ["play.defeated"]
    assert rules(replace(ROLAND, damage=9, horror=5)) == ["play.defeated"] * 2
    assert rules(replace(ROLAND, damage=9, health=10)) == []
    assert rules(PlayArea(damage=99)) == []


def test_too_few_slots_name_the_cards_to_discard() -> None:
    (finding,) = check_area(with_cards("01006", "01087", "01020"))
    assert finding.rule == "play.slots"
    assert finding.text == "Too few slots: hand."
    assert finding.advice_text == "Discard Roland's .38 Special; Flashlight."


def test_a_card_without_health_is_defeated() -> None:
    area = with_cards("01018")  # health 2, sanity 2
    for damage, found in ((1, []), (2, ["play.card-defeated"])):
        hurt = replace(area, cards=(replace(area.cards[0], damage=damage),))
        assert rules(hurt) == found


def test_used_up_uses_are_reported_unless_the_card_entered_without_any() -> None:
    area = with_cards("01006")
    emptied = replace(area, cards=(replace(area.cards[0], uses=0),))
    assert rules(emptied) == ["play.uses"]
    assert rules(with_cards("08041")) == []  # enters play with none


def test_the_hand_limit_applies_in_upkeep() -> None:
    assert rules(replace(ROLAND, hand=8)) == []
    (finding,) = check_area(replace(ROLAND, hand=10))
    assert (finding.rule, finding.expected) == ("play.hand-limit", 8)
    assert finding.advice_text == "Discard 2 then."


@pytest.mark.parametrize("row", HAND_ROWS, ids=lambda row: row.code)
def test_cards_change_the_hand_limit(row: object, pool: CardPool) -> None:
    assert isinstance(row, type(HAND_ROWS[0]))
    card = pool[row.code]
    assert card.name == row.name
    area = PlayArea(card) if card.investigator else PlayArea(cards=(InPlay(card),))
    assert area.hand_limit == 8 + row.change


def test_a_new_round_readies_cards_and_restores_actions() -> None:
    tired = replace(
        with_cards("01006"), actions=0, hand=4, resources=1, clues=2, damage=3
    )
    tired = replace(
        tired, cards=(replace(tired.cards[0], exhausted=True, used=True, uses=2),)
    )
    rested = next_round(tired)
    assert (rested.actions, rested.hand, rested.resources) == (3, 5, 2)
    assert (rested.clues, rested.damage) == (2, 3)
    assert rested.cards == (InPlay(POOL["01006"], uses=2),)


def test_a_round_fills_the_hand_of_patrice() -> None:
    """She discards her hand and draws five; other investigators draw a card."""
    assert next_round(replace(ROLAND, hand=7)).hand == 8
    assert next_round(PlayArea(POOL["06005"], hand=2)).hand == 5


@pytest.mark.parametrize("row", ACTION_ROWS, ids=lambda row: row.code)
def test_cards_in_play_give_additional_actions(row: HandRow) -> None:
    """Exhausted and used cards give them as well."""
    assert POOL[row.code].name == row.name
    helped = replace(ROLAND, actions=0, cards=(InPlay(POOL[row.code], used=True),))
    assert next_round(helped).actions == 3 + row.change
    assert next_round(replace(helped, cards=())).actions == 3


def test_every_card_that_gives_an_action_each_turn_has_a_row(shared_data: Path) -> None:
    """Unconditionally and for any action; other cards are left to the players."""
    gives = re.compile(r"(?:^|[.\n] ?)You \w+ \w+ an additional action\b[^,.]*turn\.")
    folder = shared_data / "data" / "arkhamdb" / "pack"
    found = {
        card["code"]
        for path in folder.rglob("*.json")
        for card in json.loads(path.read_text(encoding="utf-8"))
        if gives.search(card.get("text", "")) and card["type_code"] == "asset"
    }
    assert found == {row.code for row in ACTION_ROWS}


def test_a_round_changes_nothing_for_an_eliminated_investigator() -> None:
    for gone in (replace(ROLAND, damage=9), replace(ROLAND, resigned=True)):
        assert next_round(gone) == gone


def test_a_card_with_variable_health_has_no_limit() -> None:
    """Enchanted Armor has no number of its own."""
    area = with_cards("07189")
    (armour,) = area.cards
    assert (armour.most_damage, armour.most_horror) == (None, None)
    hurt = replace(area, cards=(replace(armour, damage=2, horror=1),))
    assert "play.card-defeated" not in rules(hurt)
