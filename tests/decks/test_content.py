"""The stored content of a deck: read strictly, normalised, read back unchanged."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.notation.reading import Unreadable
from decks.lists.content import Content, empty_content, parse_content, read_content

ROLAND: dict[str, Any] = {
    "id": 7,
    "name": "Kept elsewhere",
    "investigator_code": "01001",
    "slots": {"01020": 2, "01007": 1, "01016": 0},
    "sideSlots": [],
    "ignoreDeckLimitSlots": None,
    "meta": '{"faction_selected":"seeker","faction_1":"","intro_md":"",'
    '"annotation_01020":"why"}',
    "taboo_id": 0,
    "tags": "solo",
}


def test_a_deck_is_stored_normalised() -> None:
    """Codes in order, no zeros, meta as an object with all keys of other programs."""
    assert read_content(ROLAND) == Content(
        {
            "investigator_code": "01001",
            "slots": {"01007": 1, "01020": 2},
            "sideSlots": {},
            "ignoreDeckLimitSlots": {},
            "meta": {
                "annotation_01020": "why",
                "faction_selected": "seeker",
                "intro_md": "",
            },
            "taboo_id": None,
        },
        {},
    )


def test_circumstances_are_stored_as_given() -> None:
    """Missing ones stay missing."""
    content = read_content(
        {"deck": ROLAND, "circumstances": {"mode": "start", "players": None}}
    )
    assert content.circumstances == {"mode": "start"}
    assert content.asked().circumstances.mode == "start"


def test_stored_content_reads_back_unchanged() -> None:
    """Through JSON and again."""
    content = read_content({"deck": ROLAND, "circumstances": {"taboo": "latest"}})
    assert parse_content(content.as_json()) == content


def test_a_numeric_size_becomes_text() -> None:
    """As ArkhamDB writes it, so that it equals the back's options."""
    content = read_content(
        {
            "investigator_code": "06002",
            "slots": {},
            "meta": {"deck_size_selected": 40},
        }
    )
    assert content.deck["meta"] == {"deck_size_selected": "40"}


def test_an_empty_deck_has_only_its_investigator() -> None:
    assert empty_content("01002").deck["investigator_code"] == "01002"
    assert empty_content("01002").deck["slots"] == {}


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ([], ""),
        ({"investigator_code": "01001"}, "/slots"),
        ({"investigator_code": 1001, "slots": {}}, "/investigator_code"),
        ({"investigator_code": "01001", "slots": {"01020": 1.5}}, "/slots/01020"),
        ({"investigator_code": "01001", "slots": {}, "meta": "{"}, "/meta"),
        (
            {
                "deck": {"investigator_code": "01001", "slots": {}},
                "circumstances": {"mode": "duel"},
            },
            "/circumstances/mode",
        ),
    ],
)
def test_faults_name_their_place(data: object, pointer: str) -> None:
    """Nothing unreadable is ever stored."""
    with pytest.raises(Unreadable) as refusal:
        read_content(data)
    assert [fault.pointer for fault in refusal.value.faults] == [pointer]


def test_the_number_of_cards_is_limited() -> None:
    """Programs may have thousands judged, but they are not stored."""
    slots = {f"9{number:04}": 1 for number in range(401)}
    with pytest.raises(Unreadable) as refusal:
        read_content({"investigator_code": "01001", "slots": slots})
    assert refusal.value.faults[0].pointer == "/slots"
    assert refusal.value.faults[0].text == "It has 401 entries."


def test_the_length_of_texts_is_limited() -> None:
    """Keys of other programs are stored within limits."""
    meta = {"annotation_01020": "x" * 60_000}
    with pytest.raises(Unreadable) as refusal:
        read_content({"investigator_code": "01001", "slots": {}, "meta": meta})
    assert refusal.value.faults[0].expected == "at most 60,000 characters"
