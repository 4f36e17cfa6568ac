"""How each line of a list was understood."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arkham.rules.notation.names import fold
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


class LineKind(StrEnum):
    """What a line was taken for."""

    NAME = "name"
    INVESTIGATOR = "investigator"
    CARD = "card"
    SIDE_CARD = "side card"
    APART = "apart"  # a card not counted, of the second deck, or under another card
    TABOO = "taboo"
    CHOICE = "choice"  # a side or another choice, what became of the investigator
    SHEET = "sheet"  # a line of an upgrade sheet
    NOTES = "notes"
    PASSED_OVER = "passed over"  # a heading, a count: nothing to be understood
    NOT_UNDERSTOOD = "not understood"


@dataclass(frozen=True, slots=True)
class LineRead:
    """How one line was understood.

    ``line`` counts from 1, ``said`` is its text. ``code`` and ``copies`` say which
    card. ``message`` is a whole sentence with ``{named}`` places, which ``values``
    fills, where there is something to say; ``expected`` what would have been
    understood. ``candidates`` are the codes of other cards that may have been meant.
    ``suggestions`` are names that may have been meant, each with the whole line as it
    should stand then.
    """

    line: int
    said: str
    kind: LineKind
    code: str = ""
    copies: int = 0
    message: str = ""
    values: tuple[tuple[str, str], ...] = ()
    expected: str = ""
    candidates: tuple[str, ...] = ()
    suggestions: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The message in English with its places filled."""
        return self.message.format(**dict(self.values))


@dataclass(frozen=True, slots=True)
class ListRead:
    """A list as it was understood.

    ``deck`` has ``name``, ``investigator_code`` ("" if none was found), ``slots``,
    ``sideSlots`` and ``taboo_id``, as ArkhamDB's JSON has them, and
    ``ignoreDeckLimitSlots``, ``meta`` (an object) and ``description_md`` where the
    list says something of them. ``lines`` are all lines that are not blank, in order.
    """

    deck: dict[str, Any]
    lines: tuple[LineRead, ...]

    @property
    def understood(self) -> bool:
        """Whether every line was."""
        return all(each.kind is not LineKind.NOT_UNDERSTOOD for each in self.lines)
