"""Single changes of a deck's content, and what they leave unchanged."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.deck import SheetMark
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from decks.lists.content import Content, read_content
from decks.lists.editing import Misread, attached_to, copies_of, marks_of
from tests.decks.edits import apply

MACHETE, MACHETE_AGAIN = "01020", "01520"  # one card, two printings
HUNTING_JACKET = "09021"  # customizable


@pytest.fixture(scope="module")
def pool() -> CardPool:
    """The embedded card pool."""
    return embedded_pool()


def _deck(**keys: Any) -> Content:
    return read_content({"investigator_code": "01001", "slots": {}, **keys})


def test_copies_are_added_and_removed(pool: CardPool) -> None:
    """One copy or several; never fewer than none."""
    content = apply(_deck(), [("add", MACHETE), ("add", "01022:2")], pool)
    assert content.deck["slots"] == {"01020": 1, "01022": 2}
    content = apply(content, [("remove", "01022"), ("remove", "01020:5")], pool)
    assert content.deck["slots"] == {"01022": 1}


def test_the_original_is_not_changed(pool: CardPool) -> None:
    """A content is immutable."""
    before = _deck(slots={MACHETE: 1})
    apply(before, [("add", MACHETE), ("choose", "class:seeker")], pool)
    assert before == _deck(slots={MACHETE: 1})


def test_printings_of_a_card_are_one_entry(pool: CardPool) -> None:
    """Another copy is added to the listed printing."""
    content = apply(_deck(slots={MACHETE_AGAIN: 1}), [("add", MACHETE)], pool)
    assert content.deck["slots"] == {MACHETE_AGAIN: 2}
    assert copies_of(content, MACHETE, pool) == 2


def test_copies_are_removed_from_all_printings(pool: CardPool) -> None:
    """First the one that is named, then the others, in any part of the content."""
    both = _deck(
        slots={MACHETE: 1, MACHETE_AGAIN: 1},
        sideSlots={MACHETE: 1, MACHETE_AGAIN: 2},
        meta={"extra_deck": f"{MACHETE},{MACHETE_AGAIN}"},
    )
    for code, other in ((MACHETE, MACHETE_AGAIN), (MACHETE_AGAIN, MACHETE)):
        assert apply(both, [("remove", code)], pool).deck["slots"] == {other: 1}
        gone = [("remove", f"{code}:2"), ("forget", f"{code}:3")]
        gone.append(("side-remove", f"{code}:2"))
        left = apply(both, gone, pool).deck
        assert (left["slots"], left["sideSlots"], left["meta"]) == ({}, {}, {})


def test_copies_of_all_printings_are_excluded(pool: CardPool) -> None:
    """As many as there are; and they count again."""
    both = _deck(slots={MACHETE: 1, MACHETE_AGAIN: 1})
    aside = apply(both, [("aside", f"{MACHETE_AGAIN}:2")], pool)
    assert aside.deck["ignoreDeckLimitSlots"] == {MACHETE: 1, MACHETE_AGAIN: 1}
    fewer = apply(aside, [("remove", MACHETE)], pool)
    assert fewer.deck["ignoreDeckLimitSlots"] == {MACHETE_AGAIN: 1}
    assert apply(aside, [("count", f"{MACHETE}:2")], pool) == both
    one = apply(both, [("aside", MACHETE_AGAIN), ("count", MACHETE)], pool)
    assert one == both


def test_copies_are_set_over_all_printings(pool: CardPool) -> None:
    """Up and down, of the deck, the second deck and the side deck."""
    both = _deck(slots={MACHETE: 1, MACHETE_AGAIN: 2})
    assert apply(both, [("set", f"{MACHETE}:1")], pool).deck["slots"] == {
        MACHETE_AGAIN: 1
    }
    assert apply(both, [("set", f"{MACHETE}:0")], pool).deck["slots"] == {}
    assert copies_of(apply(both, [("set", f"{MACHETE}:5")], pool), MACHETE, pool) == 5
    aside = [("consider-set", f"{MACHETE}:2"), ("side-set", "01022:2")]
    content = apply(_deck(), [*aside, ("side-set", "01022:1")], pool)
    assert content.deck["sideSlots"] == {MACHETE: 2}
    assert content.deck["meta"] == {"extra_deck": "01022"}


def test_excluded_copies_are_limited_by_the_copies(pool: CardPool) -> None:
    """They are removed together."""
    content = apply(
        _deck(slots={MACHETE: 2}), [("aside", MACHETE), ("aside", f"{MACHETE}:5")], pool
    )
    assert content.deck["ignoreDeckLimitSlots"] == {MACHETE: 2}
    content = apply(content, [("remove", MACHETE)], pool)
    assert content.deck["ignoreDeckLimitSlots"] == {MACHETE: 1}
    content = apply(content, [("count", MACHETE)], pool)
    assert content.deck["ignoreDeckLimitSlots"] == {}


def test_choices_are_stored_as_arkhamdb_does(pool: CardPool) -> None:
    """So that other programs read them."""
    content = apply(
        _deck(),
        [
            ("choose", "class:seeker"),
            ("choose", "size:40"),
            ("choose", "back:90024"),
            ("choose", "taboo:9"),
        ],
        pool,
    )
    assert content.deck["meta"] == {
        "alternate_back": "90024",
        "deck_size_selected": "40",
        "faction_selected": "seeker",
    }
    assert content.deck["taboo_id"] == 9


def test_a_choice_is_cleared(pool: CardPool) -> None:
    """By an empty value, or the investigator's own side."""
    content = _deck(meta={"alternate_back": "90024"}, taboo_id=9)
    content = apply(content, [("choose", "back:01001"), ("choose", "taboo:")], pool)
    assert content == _deck()


def test_a_chosen_taboo_list_replaces_the_former(pool: CardPool) -> None:
    """Also in the circumstances, which take precedence over the deck."""
    content = read_content(
        {
            "deck": {"investigator_code": "01001", "slots": {}},
            "circumstances": {"taboo": "latest"},
        }
    )
    content = apply(content, [("choose", "taboo:")], pool)
    assert content.circumstances == {}
    assert content.deck["taboo_id"] is None


def test_boxes_and_texts_are_written(pool: CardPool) -> None:
    """In ArkhamDB's format, in the order of the sheet."""
    content = apply(
        _deck(slots={HUNTING_JACKET: 1}),
        [
            ("mark", f"{HUNTING_JACKET}:3:2"),
            ("write", f"{HUNTING_JACKET}:1:Relic^Spell"),
        ],
        pool,
    )
    assert content.deck["meta"] == {"cus_09021": "1|0|Relic^Spell,3|2"}
    assert marks_of(content, HUNTING_JACKET, pool) == (
        SheetMark(1, 0, ("Relic", "Spell")),
        SheetMark(3, 2),
    )
    content = apply(
        content,
        [("mark", f"{HUNTING_JACKET}:3:0"), ("write", f"{HUNTING_JACKET}:1:")],
        pool,
    )
    assert content.deck["meta"] == {}


def test_the_sheet_is_removed_with_the_last_copy(pool: CardPool) -> None:
    """With the attached cards; with a copy left, both stay."""
    content = _deck(
        slots={HUNTING_JACKET: 2, "03264": 1, MACHETE: 1},
        meta={"cus_09021": "1|1", "attachments_03264": MACHETE},
    )
    one_left = apply(content, [("remove", HUNTING_JACKET)], pool)
    assert one_left.deck["meta"] == content.deck["meta"]
    none_left = apply(one_left, [("remove", HUNTING_JACKET), ("remove", "03264")], pool)
    assert none_left.deck["meta"] == {}


def test_cards_are_attached_to_others(pool: CardPool) -> None:
    """In ArkhamDB's key, whichever spelling it has."""
    content = apply(_deck(), [("attach", f"03264:{MACHETE}")], pool)
    assert content.deck["meta"] == {"attachments_03264": MACHETE}
    other = _deck(meta={"attachment_03264": MACHETE})
    other = apply(other, [("attach", f"03264:{MACHETE}")], pool)
    assert other.deck["meta"] == {"attachment_03264": f"{MACHETE},{MACHETE}"}
    assert attached_to(other, "03264", pool) == {MACHETE: 2}
    assert apply(content, [("detach", f"03264:{MACHETE}")], pool) == _deck()


def test_the_second_deck_and_the_considered_list(pool: CardPool) -> None:
    """They are lists of their own."""
    content = apply(
        _deck(), [("side-add", "90053"), ("consider", MACHETE), ("add", "01022")], pool
    )
    assert content.deck["meta"] == {"extra_deck": "90053"}
    assert content.deck["sideSlots"] == {MACHETE: 1}
    assert content.deck["slots"] == {"01022": 1}
    content = apply(content, [("side-remove", "90053"), ("forget", MACHETE)], pool)
    assert content == _deck(slots={"01022": 1})


def test_records_of_the_log_are_added(pool: CardPool) -> None:
    """Each code once, in order."""
    content = apply(
        _deck(),
        [("record", "task:03025"), ("record", "task:02026"), ("record", "task:03025")],
        pool,
    )
    assert content.circumstances == {"tasks": ["02026", "03025"]}
    content = apply(_deck(), [("record", "story:02183")], pool)
    assert content.circumstances == {"story_cards": ["02183"]}


def test_an_ultimatum_is_removed(pool: CardPool) -> None:
    """The last one leaves an unspecified value."""
    content = read_content(
        {
            "deck": {"investigator_code": "01001", "slots": {}},
            "circumstances": {"ultimatums": ["induction"]},
        }
    )
    assert apply(content, [("without", "induction")], pool).circumstances == {}


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("add", ""),
        ("add", "01020:many"),
        ("add", "01020:-1"),
        ("add", "01020:"),
        ("attach", "03264"),
        ("choose", "class"),
        ("choose", "colour:red"),
        ("choose", "taboo:latest"),
        ("mark", "09021:1"),
        ("mark", "09021:one:1"),
        ("write", "09021:1:Relic,2|2"),
        ("write", "09021:1:" + "x" * 201),
        ("record", "dream:01020"),
        ("remove", ":2"),
        ("add", "01020:two"),
    ],
)
def test_an_invalid_change_is_refused(pool: CardPool, word: str, text: str) -> None:
    """None of our pages sends it."""
    with pytest.raises(Misread):
        apply(_deck(), [(word, text)], pool)


def test_codes_with_colons_are_distinguished_from_numbers(pool: CardPool) -> None:
    """A list from elsewhere may have any code."""
    changed = apply(_deck(), [("add", "a:b:2"), ("add", "01020:1")], pool)

    assert changed.deck["slots"]["a:b"] == 2
