"""Bad records: each fault is reported and only its own record is dropped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardpool.reading import (
    RecordProblem,
    SourceReading,
    read_directory,
)
from tests.cardpool.reading.records import (
    PRODUCTS,
    SIGNATURE,
    investigator,
    read,
    record,
)


@pytest.mark.parametrize(
    ("changes", "field", "found", "expected"),
    [
        ({"name": None}, "name", "None", "text"),
        ({"name": 5}, "name", "5", "text"),
        ({"type_code": "gadget"}, "type_code", "gadget", "a card type"),
        ({"type_code": None}, "type_code", "", "a card type"),
        ({"faction_code": "bard"}, "faction_code", "bard", "a class"),
        ({"faction_code": None}, "faction_code", "None", "a class"),
        ({"xp": "2"}, "xp", "2", "a whole number"),
        ({"xp": True}, "xp", "True", "a whole number"),
        ({"quantity": -1}, "quantity", "-1", "0 or more"),
        ({"position": 1.5}, "position", "1.5", "a whole number"),
        ({"traits": ["Item"]}, "traits", "['Item']", "text"),
        ({"is_unique": "yes"}, "is_unique", "yes", "true or false"),
        ({"pack_code": None}, "pack_code", "None", "text"),
        ({"subtype_code": "odd"}, "subtype_code", "odd", "basicweakness or weakness"),
        ({"tags": "hh.zz."}, "tags", "zz", "hh, hd, pa, se, fa"),
        ({"restrictions": "moon:full"}, "restrictions", "moon:full", "who may hold it"),
        (
            {"duplicate_of": "77777"},
            "duplicate_of",
            "77777",
            "the code of another card",
        ),
        (
            {"customization_options": [{"xp": 1}], "customization_text": ""},
            "customization_text",
            "1",
            "1 lines",
        ),
        (
            {"customization_options": "x", "customization_text": "□ <b>A.</b>"},
            "customization_options",
            "x",
            "a list of objects",
        ),
        (
            {
                "customization_options": [{"xp": 1, "choice": "choose_moon"}],
                "customization_text": "□ <b>A.</b>",
            },
            "customization_options.0",
            "{'xp': 1, 'choice': 'choose_moon'}",
            "a sheet's line",
        ),
    ],
)
def test_a_bad_field_is_reported_and_drops_the_record(
    changes: dict[str, Any], field: str, found: str, expected: str
) -> None:
    """With file, code, field, found, expected; the good record beside it is read."""
    reading = read(record(**changes), record("01501"))
    assert RecordProblem("a.json", "01500", field, found, expected) in reading.faults
    assert list(reading.cards) == ["01501"]


def _armor(*names: str) -> SourceReading:
    """Return Hunter's Armor with these lines."""
    lines = {
        "customization_options": [{"xp": 1}] * len(names),
        "customization_text": "\n".join(f"□ <b>{name}.</b>" for name in names),
    }
    return read(record("09021", **lines))


def test_reordered_lines_of_a_sheet_are_reported() -> None:
    """Decks store their positions: the card is read, with a remark."""
    moved = _armor("Protective Runes", "Enchanted", "Durable")
    assert [str(each) for each in moved.problems] == [
        "a.json 09021 customization_options.0: found protective-runes, "
        "expected enchanted, as decks know the line",
        "a.json 09021 customization_options.1: found enchanted, "
        "expected protective-runes, as decks know the line",
    ]
    assert moved.faults == ()
    assert len(moved.cards["09021"].sheet) == 3


def test_lines_in_their_places_and_new_ones_are_not_reported() -> None:
    """Nor are sheets of unknown cards."""
    assert _armor("Enchanted", "Protective Runes").problems == ()
    assert (
        read(
            record(
                "99021",
                customization_options=[{"xp": 1}],
                customization_text="□ <b>New.</b>",
            )
        ).problems
        == ()
    )


@pytest.mark.parametrize("bad", [None, 7, "x", [], {}, {"code": 5}, {"code": ""}])
def test_records_without_a_code_are_reported(bad: Any) -> None:
    """Without a code there is nothing else to report."""
    reading = read(bad, record())
    assert [each.field for each in reading.faults] == ["code"]
    assert list(reading.cards) == ["01500"]


def test_every_fault_of_a_record_is_reported() -> None:
    """Not only the first."""
    reading = read(record(name=5, xp="2", traits=1))
    assert {each.field for each in reading.faults} == {"name", "xp", "traits"}


def test_long_values_are_truncated() -> None:
    """In reports."""
    (problem,) = read(record(type_code="x" * 500)).faults
    assert len(problem.found) == 60
    assert str(problem).startswith("a.json 01500 type_code: found xxx")


def test_circular_reprints_are_reported() -> None:
    """Each should name another card; the reader doesn't loop."""
    reading = read(record(duplicate_of="01501"), record("01501", duplicate_of="01500"))
    assert {each.field for each in reading.faults} == {"duplicate_of"}


def test_a_reprint_of_a_reprint_is_one_card() -> None:
    """Stubs only have their printing."""
    stub = {"pack_code": "rcore", "position": 9, "quantity": 1}
    reading = read(
        record(),
        {"code": "01600", "duplicate_of": "01500", **stub},
        {"code": "01700", "duplicate_of": "01600", **stub},
    )
    assert reading.problems == ()
    (card,) = reading.cards.values()
    assert [each.code for each in card.printings] == ["01500", "01600", "01700"]


def test_of_a_repeated_code_the_last_record_counts() -> None:
    """With a remark."""
    reading = read(record(name="First"), record(name="Second"))
    assert reading.faults == ()
    assert [each.found for each in reading.problems] == ["two records"]
    assert reading.cards["01500"].name == "Second"


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ({"faction": ["bard"]}, "a class or neutral"),
        ({"level": {"min": 0}}, "levels with min and max"),
        ({"level": {"min": 3, "max": 1}}, "levels with min and max"),
        ({"level": 3}, "levels with min and max"),
        ({"limit": "five"}, "a number of copies"),
        ({"colour": "red"}, "keys of deck options"),
        ({"atleast": {"types": 3, "min": 1}}, "a number of classes and of cards each"),
        ({"id": "faction_9", "faction_select": ["seeker"]}, "faction_1 or faction_2"),
        ({"faction_select": ["bard"]}, "a deck option"),
        ({"type": ["gadget"]}, "a deck option"),
        ({"trait": 5}, "a deck option"),
        ({"tag": ["zz"]}, "a deck option"),
        ({"deck_size_select": ["many"]}, "a deck option"),
        ({"option_select": [{}]}, "a deck option"),
    ],
)
def test_bad_options_are_reported(option: dict[str, Any], expected: str) -> None:
    """With the place in the list; the investigator is dropped."""
    reading = read(investigator(deck_options=[option]), SIGNATURE)
    assert [(each.field, each.expected) for each in reading.faults] == [
        ("deck_options.0", expected)
    ]
    assert "01400" not in reading.cards


@pytest.mark.parametrize(
    "requirements",
    [
        *("size:many", "size:²", f"size:{'9' * 5_000}"),
        *("card:01401", "moon:1", 7, [], {"size": []}),
    ],
)
def test_bad_requirements_are_reported(requirements: Any) -> None:
    """A back has a size."""
    reading = read(investigator(deck_requirements=requirements), SIGNATURE)
    assert [each.field for each in reading.faults] == ["deck_requirements"]


def test_a_required_card_must_be_a_signature() -> None:
    """Only its investigator may include it."""
    reading = read(investigator(), record("01401"))
    assert [each.expected for each in reading.faults] == [
        "a card only this one may hold"
    ]


def test_copies_of_a_card_that_is_not_required_are_reported() -> None:
    """The printed line and the data must name the same cards."""
    text = "<b>Deckbuilding Requirements</b>: 3 copies of Moonstone, 1 random."
    reading = read(investigator(back_text=text), SIGNATURE)
    assert [(each.field, each.found) for each in reading.faults] == [
        ("back_text", "moonstone")
    ]


def test_an_undocumented_alternative_is_not_used() -> None:
    """It gets a remark."""
    reading = read(
        investigator(deck_requirements="size:30, card:01401:01402"),
        SIGNATURE,
        record("01402", xp=None, restrictions="investigator:01400"),
    )
    assert reading.faults == ()
    assert [each.found for each in reading.problems] == ["01402"]


@pytest.mark.parametrize(
    "taboos",
    [
        *([5], [{}], [{"code": "001", "cards": "no"}]),
        *([{"code": each, "cards": []}] for each in ("x", "²", "9" * 5_000)),
    ],
)
def test_bad_taboo_lists_are_reported(taboos: list[Any]) -> None:
    """A list has a number and entries."""
    reading = read(record(), taboos=tuple(taboos))
    assert [(each.file, each.field) for each in reading.faults] == [
        ("taboos.json", "cards")
    ]
    assert reading.taboo_lists == ()


def test_a_taboo_entry_of_an_unknown_card_gets_a_remark() -> None:
    """A source need not have every product."""
    taboo = {"code": "001", "date_start": "2019-04-20", "cards": [{"code": "09999"}]}
    reading = read(record(), taboos=(taboo,))
    assert reading.faults == ()
    assert [each.expected for each in reading.problems] == ["a card of the game"]
    assert reading.taboo_lists[0].changes == {}


def test_a_taboo_entry_of_a_reprint_counts() -> None:
    """It changes the card, with the card's own code."""
    taboo = {"code": "001", "date_start": "", "cards": [{"code": "01600", "xp": 2}]}
    stub = {"code": "01600", "duplicate_of": "01500", "pack_code": "rcore"}
    reading = read(record(), stub, taboos=(taboo,))
    assert reading.taboo_lists[0].changes["01500"].experience == 2


def test_bad_products_are_reported() -> None:
    """Packs and cycles are records too."""
    reading = read(
        record(),
        packs=(*PRODUCTS[1:], 5, {"code": "core", "name": "Core Set"}, {"code": "x"}),
        cycles=({"code": "core", "name": "Core", "position": "1"},),
    )
    assert {(each.file, each.code, each.field) for each in reading.faults} == {
        ("packs.json", "", "code"),
        ("packs.json", "core", "cycle_code"),
        ("packs.json", "x", "name"),
        ("packs.json", "x", "cycle_code"),
        ("cycles.json", "core", "position"),
        ("a.json", "01500", "pack_code"),  # whose product could not be read
    }


def test_an_empty_folder_is_reported(tmp_path: Path) -> None:
    """Every missing file is named; no error is raised."""
    reading = read_directory(tmp_path)
    assert [each.file for each in reading.faults] == [
        *("pack", "packs.json", "cycles.json", "encounters.json", "taboos.json"),
    ]


@pytest.mark.parametrize("content", ["{", "{}", '"x"', "\xff", "[" * 100_000])
def test_files_that_are_no_lists_are_reported(tmp_path: Path, content: str) -> None:
    """Broken JSON, other JSON, other encodings, and too deep."""
    folder = tmp_path / "pack" / "core"
    folder.mkdir(parents=True)
    (folder / "core.json").write_bytes(content.encode("latin-1"))
    reading = read_directory(tmp_path)
    assert reading.faults[0].file == "pack/core/core.json"
    assert reading.faults[0].expected in ("a JSON file", "a list")
