"""Recognizes the headings of sections in a list."""

from __future__ import annotations

import re

from arkham.rules.notation.spelling import fold
from arkham.rules.vocabulary import CardType

LONGEST_HEADING = 40
DECK, SIDE, BONDED = "deck", "side", "bonded"  # sections
CONSIDERED, NOTES = "Considered", "Notes"  # as lists of ours head them

# Folded; "Assets (12)" and "assets:" are the same.
_SIDE = frozenset(map(fold, ("side deck", "sideboard", "side", "considered")))
_BONDED = frozenset(map(fold, ("bonded", "bonded cards")))
_DECK = frozenset(
    fold(each)
    for each in (
        *(f"{kind.value}s" for kind in CardType),
        *(kind.value for kind in CardType),
        *("treacheries", "enemies", "weakness", "weaknesses", "basic weakness"),
        *("basic weaknesses", "permanent", "permanents", "other", "others", "story"),
        *("accessory", "ally", "arcane", "body", "hand", "tarot", "head", "allies"),
        *("hand x2", "arcane x2", "2x hand", "2x arcane", "no slot", "slots"),
        *("deck", "main deck", "cards", "decklist", "deck list", "player cards"),
    )
)
_COUNT = re.compile(
    r"(?<!\s)\s*+(?:\(\d++\)|\[\d++\]|:\s*+\d*+|(?<![-–—=])[-–—=]++)\s*+$"
)


def section_of(text: str) -> str | None:
    """The section a heading opens: the deck, a side deck, bonded cards; else None."""
    if len(text) > LONGEST_HEADING:
        return None
    heading = fold(_COUNT.sub("", text))
    if heading in _SIDE:
        return SIDE
    if heading in _BONDED:
        return BONDED
    return DECK if heading in _DECK else None
