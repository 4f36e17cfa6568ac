"""Imported lists: what was understood and what was not."""

from __future__ import annotations

import json

from arkham.rules.snapshot import embedded_pool
from decks.interchange.importing import read_list

POOL = embedded_pool()


def test_a_deck_in_json_is_reported_entry_by_entry() -> None:
    """Names for codes, with levels; choices and terms in words."""
    read = read_list(
        json.dumps(
            {
                "name": "Seven days",
                "investigator_code": "01001",
                "slots": {"01020": 2, "01029": 1},
                "sideSlots": {"01022": 1},
                "ignoreDeckLimitSlots": {"01020": 1},
                "taboo_id": 9,
                "meta": '{"cus_09021":"1|1","alternate_back":"90024","intro_md":"x"}',
            }
        ),
        POOL,
    )
    assert read.name == "Seven days"
    assert read.content is not None
    assert [(each.said, each.meaning) for each in read.parts] == [
        ("01001", "Roland Banks – Core Set"),
        ("01020: 2", "2 × Machete"),
        ("01029: 1", "1 × Shotgun (4)"),
        ("01022: 1", "side deck: 1 × Evidence!"),
        ("01020: 1", "not counted: 1 × Machete"),
        ("taboo_id: 9", "the taboo list of 2025-07-11"),
        ("alternate_back: 90024", "Roland Banks – Parallel (By the Book)"),
        ("cus_09021: 1|1", "the upgrade sheet of Hunter's Armor"),
        ("intro_md: x", "kept for other programs; rules ignore it"),
    ]
    assert read.missed == ()


def test_negative_copies_are_none() -> None:
    """Other programs write them; the rest of the deck is read."""
    slots = {"01020": -2, "01022": 1, "99999": -1, "01029": 0}
    side, aside = {"01018": -1}, {"01022": -3}
    deck = {"investigator_code": "01001", "slots": slots, "sideSlots": side}
    read = read_list(json.dumps({**deck, "ignoreDeckLimitSlots": aside}), POOL)
    assert read.content is not None
    assert read.content.deck["slots"] == {"01022": 1}
    assert read.content.deck["sideSlots"] == {}
    assert read.content.deck["ignoreDeckLimitSlots"] == {}
    assert [each.said for each in read.missed] == [
        "Machete (01020)", "99999", "Beat Cop (01018)", "Evidence! (01022)",
    ]  # fmt: skip


def test_unknown_values_are_named() -> None:
    """With what was expected."""
    read = read_list(
        json.dumps(
            {"investigator_code": "00000", "slots": {"99999": 2}, "taboo_id": 77}
        ),
        POOL,
    )
    assert [(each.said, each.expected) for each in read.missed] == [
        ("00000", "the code of an investigator"),
        ("99999: 2", "the code of a card"),
        ("taboo_id: 77", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
    ]
    assert read.content is not None


def test_a_request_with_circumstances_is_read_as_one() -> None:
    """As the API takes it."""
    read = read_list(
        '{"deck":{"investigator_code":"01001","slots":{}},'
        '"circumstances":{"mode":"start"}}',
        POOL,
    )
    assert read.content is not None
    assert read.content.circumstances == {"mode": "start"}


def test_broken_json_is_reported_with_its_place() -> None:
    """Line and column of a syntax error; else the keys that lead there."""
    read = read_list('{"investigator_code": "01001",\n "slots": }', POOL)
    assert read.content is None
    assert [fault.where for fault in read.faults] == ["line 2, column 11"]
    read = read_list('{"investigator_code": "01001", "slots": {"01020": "two"}}', POOL)
    assert [(fault.where, fault.expected) for fault in read.faults] == [
        ("slots → 01020", "a whole number from 0 to 10,000")
    ]


def test_a_byte_order_mark_is_ignored() -> None:
    """Files have them."""
    read = read_list('\ufeff{"investigator_code":"01001","slots":{}}', POOL)
    assert read.content is not None


def test_a_text_is_reported_line_by_line() -> None:
    """Understood, ignored, not understood."""
    read = read_list(
        "By the book\n\nRoland Banks\nPacks: Core Set\n\nAssets\n"
        "2x Machete (Core Set)\n1x Shotgun [4] (Core Set)\n2x Machette\n",
        POOL,
    )
    assert read.name == "By the book"
    assert read.content is not None
    assert read.content.deck["slots"] == {"01020": 2, "01029": 1}
    assert [(each.line, each.meaning) for each in read.parts] == [
        (1, "the name of the deck"),
        (3, "Roland Banks"),
        (7, "2 × Machete"),
        (8, "1 × Shotgun (4)"),
        (9, ""),
    ]
    missed = read.missed[0]
    assert (missed.said, missed.note) == (
        "2x Machette",
        "We couldn’t find a card called “Machette”.",
    )
    assert "Machete" in missed.expected


def test_a_text_without_an_investigator_is_a_list() -> None:
    """The judge reports the missing investigator."""
    read = read_list("2 Machete\n2 Evidence!\n", POOL)
    assert read.content is not None
    assert read.content.deck["investigator_code"] == ""


def test_prose_is_no_deck() -> None:
    """The report says what would be one."""
    read = read_list("Dear diary,\ntoday nothing happened.\n", POOL)
    assert read.content is None
    assert [(fault.where, fault.message) for fault in read.faults] == [
        ("line 1", "This doesn’t look like a deck list.")
    ]


def test_codes_in_square_brackets_are_no_json() -> None:
    read = read_list("[01004]\n[01020] x2\n", POOL)
    assert read.content is not None
    assert read.content.deck["investigator_code"] == "01004"
    assert read.content.deck["slots"] == {"01020": 2}
