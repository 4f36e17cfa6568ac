"""A deck survives a round trip through every format, with all the format carries."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from arkham.rules.deck import DeckList
from arkham.rules.notation.arkhamdb_object import read_object
from arkham.rules.notation.exchanged import Exchanged, Part, only, parts_of
from arkham.rules.notation.formats import FORMATS, LeftOut, left_out
from arkham.rules.notation.lines import ListRead
from arkham.rules.notation.octgn import read_octgn
from arkham.rules.notation.reading import read_json
from arkham.rules.notation.text import read_text
from arkham.rules.pool import CardPool
from tests.rules.notation.exchanges import exchanges
from tests.rules.strategies import cards

READERS: dict[str, Callable[[str, CardPool], ListRead]] = {
    "text": read_text,
    "plain": read_text,
    "markdown": read_text,
    "octgn": read_octgn,
}
POOL = cards()


def again(value: Exchanged, form: str) -> Exchanged:
    """Return the deck as read from what was written."""
    text = FORMATS[form].write(value, POOL)
    if form == "json":
        read = read_object(read_json(text))
        assert read.faults == ()
        return read.value
    found = READERS[form](text, POOL)
    assert found.understood
    return read_object(found.deck).value


@given(exchanges())
def test_json_carries_everything(value: Exchanged) -> None:
    """The deck read equals the deck written."""
    assert again(value, "json") == value
    assert left_out(value, FORMATS["json"], POOL) == LeftOut()


@pytest.mark.slow
@pytest.mark.parametrize("form", READERS)
@given(value=exchanges())
def test_a_format_preserves_what_it_carries(form: str, value: Exchanged) -> None:
    """And nothing else; what is left out is reported beforehand."""
    form_carries = FORMATS[form].carries
    carried = only(value, form_carries)
    # Only JSON objects show whether they are a deck or a decklist.
    assert only(again(value, form), form_carries) == carried
    left = left_out(value, FORMATS[form], POOL)
    assert {*parts_of(carried), *left.parts} == {*parts_of(value)}
    assert left.codes == ()


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_every_published_deck_survives_a_round_trip(
    form: str, shared_data: Path
) -> None:
    """Name, investigator, cards, and in JSON every other key."""
    path = shared_data / "data" / "decks" / "published.jsonl"
    decks = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(decks) == 443
    for data in decks:
        value = read_object(data).value
        value = replace(value, deck=value.deck._replace(name=_blanks(value.deck.name)))
        assert only(again(value, form), FORMATS[form].carries) == only(
            value, FORMATS[form].carries
        )


def _blanks(name: str) -> str:
    """Return a name with single spaces, as lists of lines write it."""
    return " ".join(name.split())


def test_what_a_format_leaves_out_is_reported() -> None:
    """Parts in their order, and the codes that no card has."""
    value = Exchanged(
        DeckList(
            "01001",
            {"01020": 2, "99999": 1},
            sheets={"09021": ()},
            considered={"99998": 1},
        ),
        notes="Read me.",
        tags=("solo",),
    )

    assert left_out(value, FORMATS["text"], POOL) == LeftOut(
        (Part.SHEETS, Part.NOTES, Part.TAGS), ("99999", "99998")
    )
    assert left_out(value, FORMATS["markdown"], POOL) == LeftOut(
        (Part.TAGS,), ("99999", "99998")
    )
    assert left_out(value, FORMATS["octgn"], POOL) == LeftOut(
        (Part.CONSIDERED, Part.SHEETS, Part.TAGS), ("99999",)
    )
    assert not left_out(value, FORMATS["json"], POOL)


DECK: dict[str, Any] = {
    "name": "By *any* means",
    "investigator_code": "06002",
    "slots": {"01020": 2, "01029": 1, "09021": 1, "03264": 1, "01000": 1},
    "sideSlots": {"01022": 1},
    "ignoreDeckLimitSlots": {"01020": 1},
    "description_md": "# Why\n\nBecause.",
    "taboo_id": 9,
    "meta": {
        "deck_size_selected": "40",
        "cus_09021": "1|1,2|2|Relic^Spell",
        "attachments_03264": "01022,01022,01025",
    },
}


def test_a_plain_list_has_everything_that_is_judged() -> None:
    assert FORMATS["plain"].write(read_object(DECK).value, POOL) == (
        "Name: By *any* means\n"
        "Investigator: Mandy Thompson\n"
        "Chosen size: 40\n"
        "Taboo list: 2025-07-11\n"
        "\n"
        "Assets\n"
        "2x Machete\n"
        "1x Shotgun (4)\n"
        "1x Hunter's Armor\n"
        "1x Stick to the Plan (3)\n"
        "\n"
        "Treachery\n"
        "1x Random Basic Weakness\n"
        "\n"
        "Side deck\n"
        "1x Evidence!\n"
        "\n"
        "Not counted\n"
        "1x Machete\n"
        "\n"
        "Attached to Stick to the Plan #03264\n"
        "2x Evidence!\n"
        "1x Vicious Blow\n"
        "\n"
        "Sheet of Hunter's Armor #09021\n"
        "Line 2: 1 box\n"
        "Line 3: 2 boxes: Relic, Spell\n"
    )


def test_a_markdown_document_links_every_card() -> None:
    """Its name is escaped; its notes are unchanged."""
    deck = {
        key: DECK[key]
        for key in ("name", "investigator_code", "description_md", "taboo_id")
    }
    value = read_object(deck | {"slots": {"01029": 1}}).value

    assert FORMATS["markdown"].write(value, POOL) == (
        "# By \\*any\\* means\n"
        "\n"
        "- Investigator: [Mandy Thompson](https://arkhamdb.com/card/06002)\n"
        "- Taboo list: 2025-07-11\n"
        "\n"
        "## Asset\n"
        "\n"
        "- 1x [Shotgun](https://arkhamdb.com/card/01029) (4)\n"
        "\n"
        "## Notes\n"
        "\n"
        "# Why\n"
        "\n"
        "Because.\n"
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Front: Nobody At All", "the name of a card, and its code: Name #01020"),
        ("Attached to Nobody", "the name of a card, and its code: Name #01020"),
        ("Chosen class: ,", "at most 40 characters"),
    ],
)
def test_invalid_lines_that_are_not_cards_are_reported(
    line: str, expected: str
) -> None:
    """With the line and what would have been understood."""
    read = read_text(f"Roland Banks\n2x Machete\n{line}\n", POOL)

    assert [(each.line, each.said, each.expected) for each in read.lines[2:]] == [
        (3, line, expected)
    ]
    assert not read.understood


@pytest.mark.parametrize(
    ("side", "second"), [("Side deck", "Spirit deck"), ("Considered", "Second deck")]
)
def test_lists_with_the_headings_of_earlier_versions_are_read(
    side: str, second: str
) -> None:
    """Exported before a deck's parts were called as players call them."""
    read = read_text(
        f"Jim Culver\n2x Machete\n\n{side}\n1x Evidence!\n\n{second}\n1x Beat Cop\n",
        POOL,
    )

    assert read.understood
    deck = read_object(read.deck).value.deck
    assert deck.considered == {"01022": 1}
    assert deck.side_deck == {"01018": 1}
    assert deck.entries == {"01020": 2}
