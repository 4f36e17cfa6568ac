"""A deck is written as ArkhamDB does, and is the same when read again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.deck import DeckList
from arkham.rules.notation.exchanged import Exchanged
from arkham.rules.notation.formats import FORMATS, write_text
from arkham.rules.notation.text import read_text
from arkham.rules.snapshot import embedded_pool

POOL = embedded_pool()
DECKS = Path(__file__).resolve().parents[3] / "bench" / "decks.jsonl"


def test_a_deck_is_written_as_arkhamdb_does() -> None:
    """The same lines as in its export, the sections in the same order."""
    deck = {
        "name": "The skull buries them all",
        "investigator_code": "04001",
        "slots": {
            "01089": 2,
            "01021": 2,
            "01028": 2,
            "02184": 2,
            "04007": 1,
            "01000": 1,
        },
        "taboo_id": 2,
        "sideSlots": {"01054": 1},
    }

    assert write_text(deck, POOL) == (
        "The skull buries them all\n"
        "\n"
        "Leo Anderson\n"
        "Packs: From Core Set to The Forgotten Age\n"
        "Taboo list: 2019-09-27\n"
        "\n"
        "Assets\n"
        "2x Guard Dog (Core Set)\n"
        "2x Beat Cop [2] (Core Set)\n"
        "\n"
        "Event\n"
        "2x Prepared for the Worst (Blood on the Altar)\n"
        "\n"
        "Skill\n"
        "2x Guts (Core Set)\n"
        "\n"
        "Treacheries\n"
        "1x Bought in Blood (The Forgotten Age)\n"
        "1x Random Basic Weakness (Core Set)\n"
        "\n"
        "Side deck\n"
        "1x Leo De Luca :The Louisiana Lion [1] (Core Set)\n"
    )


def test_codes_are_written_if_names_are_ambiguous() -> None:
    """For a parallel investigator, and for a card that is unknown."""
    text = write_text({"investigator_code": "90024", "slots": {"99999": 1}}, POOL)

    assert "\nRoland Banks #90024\n" in text
    assert "\n1x 99999\n" in text


def _again(deck: dict[str, Any]) -> dict[str, Any]:
    read = read_text(write_text(deck, POOL), POOL)
    assert read.understood
    return {key: read.deck[key] for key in deck}


@pytest.mark.slow
def test_every_deck_of_the_bench_survives_a_round_trip() -> None:
    """Without the codes that no card has."""
    for line in DECKS.read_text().splitlines():
        data = json.loads(line)
        deck = {
            "name": "Decks, “odd” & even: 2x",
            "investigator_code": data["investigator_code"],
            "slots": {code: n for code, n in data["slots"].items() if code in POOL},
            "taboo_id": data.get("taboo_id"),
        }
        assert _again(deck) == deck


_CODES = st.sampled_from(
    sorted(
        printing.code
        for card in POOL.values()
        if not card.investigator
        for printing in card.printings
    )
)
_ENTRIES = st.dictionaries(_CODES, st.integers(1, 99), max_size=15)


@given(st.sampled_from([card.code for card in POOL.investigators]), _ENTRIES, _ENTRIES)
def test_any_cards_survive_a_round_trip(
    investigator: str, slots: dict[str, int], side: dict[str, int]
) -> None:
    """Player cards and scenario cards, whatever their names."""
    deck = {"investigator_code": investigator, "slots": slots, "sideSlots": side}

    assert _again(deck) == deck


@pytest.mark.parametrize(
    "name", ["Name: X", "name : 2x Machete", "## Notes", "Name: ## Notes", "Packs: X"]
)
@pytest.mark.parametrize("form", ["text", "plain", "markdown"])
def test_a_name_like_a_line_of_the_format_is_kept(form: str, name: str) -> None:
    """With the deck below it."""
    deck = DeckList("01001", {"01006": 1, "01020": 2}, name=name)
    read = read_text(FORMATS[form].write(Exchanged(deck), POOL), POOL).deck

    assert (read["name"], read["investigator_code"]) == (name, "01001")
    assert read["slots"] == deck.entries


def test_a_handwritten_list_may_label_its_name() -> None:
    """If the investigator is labelled too, with or without packs."""
    text = "Name: X\nInvestigator: Roland Banks\nPacks: Core Set\n2x Machete\n"

    assert read_text(text, POOL).deck["name"] == "X"


def test_a_heading_may_have_its_count_after_a_tab() -> None:
    """As spreadsheets write it; what follows is in the side deck."""
    read = read_text("Roland Banks\n2x Machete\nSide deck\t2\nBeat Cop\t1", POOL)
    assert read.understood
    assert read.deck["slots"] == {"01020": 2}
    assert read.deck["sideSlots"] == {"01018": 1}
