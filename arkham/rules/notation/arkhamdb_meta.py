"""Reads and writes a deck's choices in ``meta``, ArkhamDB's bag of other things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.notation.arkhamdb_json import CHOICE_KEYS, is_read, read_meta
from arkham.rules.notation.reading import Unreadable

_KEYS = {choice: key for key, choice in CHOICE_KEYS.items()}
NEVER = object()  # equals nothing a text can say
MOST_REPEATED = 9  # copies written as so many codes, as every program reads them


def write_meta(deck: DeckList) -> dict[str, str]:
    """What a deck chose, under the keys of the field."""
    meta = {
        "alternate_front": deck.front,
        "alternate_back": deck.back,
        "extra_deck": write_counted(deck.side_deck),
        "transform_into": deck.transformed_into,
        "card_pool": ",".join(deck.card_pool),
    }
    meta |= {_KEYS[choice]: value for choice, value in deck.choices.items()}
    meta |= {f"cus_{code}": write_marks(marks) for code, marks in deck.sheets.items()}
    meta |= {
        f"attachments_{code}": write_counted(cards)
        for code, cards in deck.attachments.items()
    }
    return {key: value for key, value in sorted(meta.items()) if value}


def write_marks(marks: Iterable[SheetMark]) -> str:
    """The marks of a sheet as a customization string."""
    return ",".join(
        "|".join(
            [str(mark.position), str(mark.boxes)]
            + (["^".join(mark.written)] if mark.written else [])
        )
        for mark in marks
    )


def write_counted(cards: Mapping[str, int]) -> str:
    """Codes between commas, one a copy; a great many copies as a number."""
    return ",".join(
        ",".join([code] * copies) if copies <= MOST_REPEATED else f"{code}:{copies}"
        for code, copies in cards.items()
        if copies
    )


def kept_of(meta: Mapping[str, Any], deck: DeckList) -> dict[str, Any]:
    """What ``meta`` says in words that writing the deck would not use.

    Keys of other programs, and other spellings of what the deck chose.
    """
    usual = write_meta(deck)
    return {key: each for key, each in meta.items() if usual.get(key, NEVER) != each}


def meta_with(kept: Mapping[str, Any], deck: DeckList) -> dict[str, Any]:
    """The deck's choices, in the spellings kept as far as they still mean the deck.

    Two programs have two words for cards attached; of both the last one holds.
    """
    usual = write_meta(deck)
    twins = {key.replace("attachment_", "attachments_", 1) for key in kept}
    both = {**kept, **{key: usual[key] for key in usual if key not in kept}}
    once = {key: both[key] for key in both if key in kept or key not in twins}
    for spelled in (once, both):
        if _means(spelled) == _means(usual):
            return spelled
    strange = {key: value for key, value in kept.items() if not is_read(key)}
    return usual | strange


def _means(meta: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the rules read in it; None where they cannot."""
    try:
        return read_meta(meta)
    except Unreadable:
        return None
