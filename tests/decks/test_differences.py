"""Differences of two versions of a deck."""

from __future__ import annotations

from typing import Any

from arkham.rules.rulings import RULINGS
from arkham.rules.snapshot import embedded_pool
from decks.lists.content import Content, read_content
from decks.pages.differences import differences

POOL = embedded_pool()


def _content(circumstances: dict[str, Any] | None = None, **keys: Any) -> Content:
    deck = {"investigator_code": "01001", "slots": {}, **keys}
    return read_content({"deck": deck, "circumstances": circumstances})


def test_everything_that_differs_is_listed() -> None:
    """Cards by name, then choices, then terms."""
    here = _content(
        {"mode": "start", "ultimatums": ["chaos", "exile"]},
        slots={"01020": 2, "01029": 1, "01022": 1},
        taboo_id=9,
    )
    there = _content(slots={"01020": 1, "01022": 1, "01006": 1}, meta={"x_y": "z"})
    told = [
        (str(each.what), each.here, each.there)
        for each in differences(here, there, POOL)
    ]
    assert told == [
        ("Roland's .38 Special", "", "1"),
        ("Machete", "2", "1"),
        ("Shotgun (4)", "1", ""),
        ("Taboo list", "2025-07-11", ""),
        ("x_y", "", "z"),
        ("The deck is for", "New campaign", "Campaign under way"),
        ("Ultimatums and boons", "Ultimatum of Chaos, Ultimatum of Exile", ""),
    ]


def test_choices_and_sheets_are_put_in_words() -> None:
    """Names for codes, lines for positions."""
    here = _content(
        meta={
            "alternate_back": "90024",
            "attachments_03264": "01088,01022,01088",
            "cus_09042": "0|0|01031,1|1",
            "deck_size_selected": "40",
        }
    )
    told = [
        (str(each.what), each.here, each.there)
        for each in differences(here, _content(), POOL)
    ]
    assert told == [
        ("Back", "Roland Banks – Parallel (By the Book)", ""),
        ("Set aside under Stick to the Plan", "2 × Emergency Cache, Evidence!", ""),
        (
            "Upgrade sheet of The Raven Quill",
            "Named asset Old Book of Lore; Living Quill 1",
            "",
        ),
        ("Deck size", "40", ""),
    ]


def test_terms_are_put_in_words() -> None:
    """As the pages put them: without codes and keys."""
    here = _content(
        {
            "arrival": ["newcomer"],
            "environment": {"kind": "limited", "cycles": ["dwl", "ptc", "tfa"]},
            "lost_cards": ["01007"],
            "owned": {"core": 1, "dwl": 1},
            "rulings": {"signatures.by-size": "chosen"},
            "story_cards": ["01117"],
            "taboo": "none",
            "tasks": ["02021"],
            "trauma": {"08125": {"physical": 2}},
        },
        meta={"faction_selected": "guardian"},
    )
    told = {
        str(each.what): (each.here, each.there)
        for each in differences(here, _content(), POOL)
    }
    ruling = RULINGS["signatures.by-size"]
    assert told == {
        "Class": ("Guardian", ""),
        "Joined a running campaign": (
            "Joined later or replaced another investigator",
            "",
        ),
        "Environment": (
            "Limited: The Dunwich Legacy, The Path to Carcosa, The Forgotten Age",
            "",
        ),
        "Cards removed for the rest of the campaign": ("Cover Up", ""),
        "Collection": ("2 products and cards", ""),
        "Table rulings": (f"{ruling.question} {ruling.readings[0][1]}", ""),
        "Story cards earned": ("Lita Chantler", ""),
        "Taboo list": ("No taboo list", ""),
        "Tasks recorded": ("Strange Solution", ""),
        "Trauma chosen": ("In the Thick of It: 2 physical, 0 mental", ""),
    }


def test_equal_versions_have_no_differences() -> None:
    assert differences(_content(), _content(), POOL) == ()
