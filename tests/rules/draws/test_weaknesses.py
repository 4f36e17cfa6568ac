"""The pool of basic weaknesses, counted as in the FAQ, and draws from it."""

from __future__ import annotations

import pytest

from arkham.rules.collection import Collection, everything
from arkham.rules.deck import Circumstances, DeckList, Environment
from arkham.rules.draws.record import replayed
from arkham.rules.draws.weaknesses import (
    ReportedCards,
    are_weaknesses,
    draw_one_of_two,
    draw_three,
    draw_weakness,
    handed_out,
    open_to,
    whole_pool,
    without,
)
from arkham.rules.legality import Judge
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.verdict import RULES_VERSION
from arkham.rules.modifiers import FIRST_OF
from arkham.rules.pool import CardPool
from arkham.rules.rulings import DEFAULT_RULINGS
from arkham.rules.vocabulary import Mode

CORE = {
    "01096": 2, "01097": 2, "01098": 1, "01099": 1, "01100": 1, "01101": 1,
    "01102": 1, "01103": 1,
}  # fmt: skip


def _frame(
    judge: Judge,
    investigator: str = "01001",
    circumstances: Circumstances | None = None,
) -> Frame:
    deck = DeckList(investigator, {})
    return next(judge.builds(deck, circumstances or Circumstances())).frame


def test_a_card_named_as_drawn_must_be_a_basic_weakness(pool: CardPool) -> None:
    """With one of the requested traits, if any, in any case (WEAK-07)."""

    def said(*cards: str, traits: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
        return [
            each.cards for each in are_weaknesses(ReportedCards(cards, pool, traits))
        ]

    assert said("01096", "01097") == []
    assert said("01000", "01007", "01018", "?") == [
        ("01000",), ("01007",), ("01018",), ("?",),
    ]  # fmt: skip
    assert said("01096", traits=("madness",)) == []  # Amnesia
    assert said("01098", traits=("madness", "pact")) == [("01098",)]  # Haunted: a curse


def test_the_example_of_the_faq(pool: CardPool) -> None:
    """Two core sets count as one: 10 weaknesses, 8 after two draws (WEAK-03, 04)."""
    cards = whole_pool(Collection({"core": 2}), pool)
    assert cards == CORE
    assert sum(cards.values()) == 10
    left = without(cards, handed_out([{"01096": 1}, {"01101": 1}], pool))
    assert sum(left.values()) == 8
    assert left["01096"] == 1
    assert "01101" not in left


@pytest.mark.parametrize(("reading", "copies"), [("both", 4), ("merged", 2)])
def test_two_editions_of_one_set_count_as_the_table_rules(
    pool: CardPool, reading: str, copies: int
) -> None:
    """By the letter they are two products; a table may count only the fuller one."""
    rulings = {**DEFAULT_RULINGS, "weaknesses.two-editions": reading}
    cards = whole_pool(Collection({"core": 1, "rcore": 1}), pool, rulings)
    assert cards["01096"] == copies


@pytest.mark.parametrize(("reading", "copies"), [("both", 4), ("merged", 2)])
def test_old_and_new_packaging_count_as_the_table_rules(
    pool: CardPool, reading: str, copies: int
) -> None:
    rulings = {**DEFAULT_RULINGS, "weaknesses.two-editions": reading}
    cards = whole_pool(Collection({"dwl": 1, "dwlp": 1}), pool, rulings)
    assert cards == dict.fromkeys(("02037", "02038", "02039"), copies)


def test_core_sets_of_two_chapters_are_not_editions_of_each_other(
    pool: CardPool,
) -> None:
    rulings = {**DEFAULT_RULINGS, "weaknesses.two-editions": "merged"}
    cards = whole_pool(Collection({"core": 1, "core_2026": 1}), pool, rulings)
    assert cards["01096"] == 4


def test_a_card_missing_from_every_copy_is_not_in_the_pool(pool: CardPool) -> None:
    """If it is missing from one of two core sets, the other is complete."""
    assert whole_pool(Collection({"core": 1}, {"01096": 1}), pool)["01096"] == 1
    assert whole_pool(Collection({"core": 2}, {"01096": 1}), pool)["01096"] == 2
    assert "01098" not in whole_pool(Collection({"core": 1}, {"01098": 1}), pool)


def test_the_random_basic_weakness_card_is_never_drawn(pool: CardPool) -> None:
    assert "01000" not in whole_pool(everything(pool), pool)


@pytest.mark.parametrize("successor", ["04039", "04041", "04042"])
def test_an_exchanged_weakness_is_not_drawn_again(
    pool: CardPool, successor: str
) -> None:
    """Dark Pact for The Price of Failure; Doomed for Accursed Fate (WEAK-06)."""
    cards = whole_pool(Collection({"tfa": 1}), pool)
    assert cards == {"04038": 1, "04040": 1}
    left = without(cards, handed_out([{successor: 1}], pool))
    assert set(cards) - set(left) == {FIRST_OF[successor]}


def test_other_cards_of_a_deck_take_nothing_from_the_pool(pool: CardPool) -> None:
    entries = {"01020": 2, "01007": 1, "01000": 1, "nonsense": 1}
    assert handed_out([entries], pool) == {}


def test_class_weaknesses_are_open_to_their_class_only(
    pool: CardPool, judge: Judge
) -> None:
    cards = whole_pool(Collection({"tskp": 1}), pool)
    assert set(cards) == {"09124", "09125", "09126", "09127", "09128"}
    assert open_to(_frame(judge), cards) == {"09124": 1}  # Roland, a guardian


def test_marked_weaknesses_are_left_out_of_other_games(
    pool: CardPool, judge: Judge
) -> None:
    """Campaign only, multiplayer only (WEAK-24); a table may rule otherwise."""
    cards = {"04038": 1, "06035": 1, "01098": 1}
    alone = Circumstances(players=1)
    standalone = Circumstances(mode=Mode.STANDALONE, players=2)
    ruled = Circumstances(
        mode=Mode.STANDALONE, players=1, rulings=(("weaknesses.marked-modes", "in"),)
    )
    assert set(open_to(_frame(judge, "01001", alone), cards)) == {"01098", "04038"}
    assert set(open_to(_frame(judge, "01001", standalone), cards)) == {
        "01098", "06035",
    }  # fmt: skip
    assert open_to(_frame(judge, "01001", ruled), cards) == cards
    assert open_to(_frame(judge), cards) == cards


def test_an_environment_limits_the_pool(pool: CardPool, judge: Judge) -> None:
    limited = Circumstances(environment=Environment("limited", cycles=("dwl", "ptc")))
    cards = whole_pool(everything(pool), pool)
    found = open_to(_frame(judge, "01001", limited), cards)
    assert "02037" in found
    assert "01096" in found
    assert "04038" not in found


def test_a_trait_narrows_the_draw(pool: CardPool, judge: Judge) -> None:
    """WEAK-07: only the matching part of the pool; without a match, no card."""
    frame = _frame(judge)
    assert open_to(frame, CORE, ["curse"]) == {"01098": 1}
    assert set(open_to(frame, CORE, ["curse", "detective"])) == {"01098", "01103"}
    assert open_to(frame, CORE, ["tarot"]) == {}


def test_a_draw_is_recorded_with_its_pool(pool: CardPool) -> None:
    record = draw_weakness(CORE, "table-7")
    assert record.as_data() == {
        "purpose": "weakness",
        "seed": "table-7",
        "pool": [list(each) for each in CORE.items()],
        "count": 1,
        "result": ["01101"],
        "rules_version": RULES_VERSION,
        "generator": "orne-chance-1",
    }


def test_the_morrigan_returns_one_of_three(pool: CardPool) -> None:
    """One of three is returned, one of the other two is taken (WEAK-20, ULT-27)."""
    three = draw_three(CORE, "a")
    assert len(three.result) == 3
    for returned in three.result:
        one = draw_one_of_two(three, returned, "b")
        left = list(three.result)
        left.remove(returned)
        assert sorted(code for code, n in one.pool for _ in range(n)) == sorted(left)
        assert one.result[0] in left
        assert replayed(one) == one
    with pytest.raises(ValueError, match="not in list"):
        draw_one_of_two(three, "02037", "b")
