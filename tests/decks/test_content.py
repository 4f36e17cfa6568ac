"""What is kept of a deck: read strictly, kept plainly, read back as it was."""

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


def test_a_deck_is_kept_plainly() -> None:
    """Codes in order, no zeros, meta as an object, all of other programs in it."""
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


def test_circumstances_are_kept_as_given() -> None:
    """What was not told stays untold."""
    content = read_content(
        {"deck": ROLAND, "circumstances": {"mode": "start", "players": None}}
    )
    assert content.circumstances == {"mode": "start"}
    assert content.asked().circumstances.mode == "start"


def test_what_is_kept_reads_back_as_it_was() -> None:
    """Through JSON and again."""
    content = read_content({"deck": ROLAND, "circumstances": {"taboo": "latest"}})
    assert parse_content(content.as_json()) == content


def test_a_size_given_as_a_number_becomes_text() -> None:
    """As the field writes it, so that it compares with what the back offers."""
    content = read_content(
        {
            "investigator_code": "06002",
            "slots": {},
            "meta": {"deck_size_selected": 40},
        }
    )
    assert content.deck["meta"] == {"deck_size_selected": "40"}


def test_an_empty_deck_has_its_investigator() -> None:
    """And nothing else."""
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
def test_faults_of_shape_name_their_place(data: object, pointer: str) -> None:
    """Nothing unreadable is ever kept."""
    with pytest.raises(Unreadable) as refusal:
        read_content(data)
    assert [fault.pointer for fault in refusal.value.faults] == [pointer]


def test_no_more_cards_than_a_deck_could_need() -> None:
    """A list of thousands is judged at the doors for programs, and not kept here."""
    slots = {f"9{number:04}": 1 for number in range(401)}
    with pytest.raises(Unreadable) as refusal:
        read_content({"investigator_code": "01001", "slots": slots})
    assert refusal.value.faults[0].pointer == "/slots"
    assert refusal.value.faults[0].text == "It has 401 entries."


def test_no_more_text_than_a_deck_could_need() -> None:
    """Keys of other programs are kept, but not without bounds."""
    meta = {"annotation_01020": "x" * 60_000}
    with pytest.raises(Unreadable) as refusal:
        read_content({"investigator_code": "01001", "slots": {}, "meta": meta})
    assert refusal.value.faults[0].expected == "at most 60,000 characters"
