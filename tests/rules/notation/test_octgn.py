"""Decks in OCTGN's format are read and written."""

from __future__ import annotations

import pytest

from arkham.rules.notation.arkhamdb_object import read_object
from arkham.rules.notation.lines import LineKind
from arkham.rules.notation.octgn import GAME, read_octgn, write_octgn
from arkham.rules.notation.reading import Unreadable
from arkham.rules.snapshot import embedded_pool

POOL = embedded_pool()
MINI, ROLAND, MACHETE = (
    "A0000000-0000-0000-0000-000000000001",
    "a0000000-0000-0000-0000-000000000002",
    "a0000000-0000-0000-0000-000000000020",
)
IDS = {"01001": f"{MINI}:{ROLAND}", "01020": MACHETE}
DECK = {
    "investigator_code": "01001",
    "slots": {"01020": 2, "01022": 1, "01025": 2, "01000": 1, "01101": 1},
    "description_md": "Read <this> & that.\r\n",
}
BEGINNING = f"""<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<deck game="{GAME}" sleeveid="0">
  <section name="Investigator" shared="False">
    <card qty="1" id="{MINI}">Roland Banks</card>
    <card qty="1" id="{ROLAND}">Roland Banks</card>
  </section>
  <section name="Asset" shared="False">
    <card qty="2" id="{MACHETE}">Machete</card>
  </section>
"""


def test_a_deck_is_written_in_sections() -> None:
    """Weaknesses have their own section, whatever their type; each card has an id."""
    text = write_octgn(read_object(DECK).value, POOL, IDS)

    assert text.startswith(BEGINNING)
    assert [line for line in text.splitlines() if "section name" in line] == [
        f'  <section name="{name}" shared="False">'
        for name in ("Investigator", "Asset", "Event", "Skill", "Weakness")
    ]
    notes = "Read &lt;this&gt; &amp; that.&#13;\n"
    assert text.endswith(f"  <notes>{notes}</notes>\n</deck>\n")
    assert text.index("Weakness") < text.index("Random Basic Weakness")


def test_our_ids_never_change() -> None:
    """So that old files are read as the same cards."""
    value = read_object({"investigator_code": "01001", "slots": {"01022": 1}}).value

    assert 'id="be88db04-6316-5be1-afc9-36d7e4eb25ba">Evidence!<' in write_octgn(
        value, POOL
    )


def test_a_deck_survives_a_round_trip() -> None:
    """With ids from a table, and with our own ids."""
    value = read_object(DECK).value

    for ids in (IDS, {}):
        read = read_octgn(write_octgn(value, POOL, ids), POOL, ids)
        assert read.understood
        assert read_object(read.deck).value == value


def test_a_card_with_an_unknown_id_is_found_by_its_name() -> None:
    """Lines that are not understood are reported."""
    text = f"""<deck game="{GAME.upper()}">
<section name="Investigator"><card qty="1" id="x">Agnes Baker</card></section>
<section name="Asset">
<card qty="2" id="y">Beat Cop</card>
<card qty="two" id="y">Machete</card>
<card id="z">Machette</card>
<card qty="1" id="w">Roland Banks</card>
</section></deck>"""
    read = read_octgn(text, POOL)

    assert read.deck["investigator_code"] == "01004"
    assert read.deck["slots"] == {"01018": 2}
    assert [(each.line, each.kind, each.text) for each in read.lines] == [
        (
            2,
            LineKind.INVESTIGATOR,
            "Several cards are called Agnes Baker; we took this one: Core Set.",
        ),
        (4, LineKind.CARD, "No level given; we took Beat Cop at level 0."),
        (5, LineKind.NOT_UNDERSTOOD, "We couldn’t find a card called “twox Machete”."),
        (6, LineKind.NOT_UNDERSTOOD, "We couldn’t find a card called “Machette”."),
        (7, LineKind.PASSED_OVER, "The list already has an investigator: Agnes Baker."),
    ]
    assert "Machete" in read.lines[3].expected


@pytest.mark.parametrize(
    "text",
    ["<html/>", '<deck game="9c1a1c1e-0000-0000-0000-000000000000"/>', "<deck"],
)
def test_another_games_deck_is_refused(text: str) -> None:
    """So are files that are not decks, or not XML."""
    with pytest.raises(Unreadable):
        read_octgn(text, POOL)


def test_characters_invalid_in_xml_are_replaced() -> None:
    """A control character in a note does not make the file unreadable."""
    value = read_object(DECK | {"description_md": "a\x00b\x1bc\ufffe"}).value
    read = read_octgn(write_octgn(value, POOL), POOL)

    assert read.deck["description_md"] == "a\ufffdb\ufffdc\ufffd"


@pytest.mark.parametrize("copies", ["-2", "2.5", "99999999"])
def test_invalid_quantities_are_not_understood(copies: str) -> None:
    """Such a line is never taken for the deck's name."""
    text = BEGINNING.replace('qty="2"', f'qty="{copies}"') + "</deck>"
    read = read_octgn(text, POOL, IDS)
    assert (read.deck["slots"], read.deck["name"]) == ({}, "")
    assert [each.kind for each in read.lines if "Machete" in each.said] == [
        LineKind.NOT_UNDERSTOOD
    ]


@pytest.mark.parametrize(
    "more",
    [
        '</section><card qty="2">Evidence!</card><section>',
        '<Card qty="2">Evidence!</Card>',
        '<group><card qty="2">Evidence!</card></group>',
    ],
)
def test_a_card_is_read_from_any_element(more: str) -> None:
    """No card of a file written by hand is dropped silently."""
    text = f'<deck game="{GAME}"><section name="Asset">{more}</section></deck>'
    read = read_octgn(text, POOL)
    assert read.deck["slots"] == {"01022": 2}


def test_an_investigator_may_be_an_id_alone() -> None:
    """Like any other card."""
    ids = f'<card id="{MINI}"/><card id="{ROLAND}"/>'
    section = f'<section name="Investigator">{ids}</section>'
    read = read_octgn(f'<deck game="{GAME}">{section}</deck>', POOL, IDS)
    assert read.deck["investigator_code"] == "01001"


def test_several_notes_are_joined() -> None:
    text = f"{BEGINNING}<notes>First.</notes><notes/><notes>Second.</notes></deck>"
    read = read_octgn(text, POOL, IDS)
    assert read.deck["description_md"] == "First.\n\nSecond."
    assert [each.kind for each in read.lines][-2:] == [LineKind.NOTES] * 2
