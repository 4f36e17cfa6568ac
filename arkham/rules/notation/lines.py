"""How each line of a list was understood."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
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
    kind: Kind
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
        return all(each.kind is not Kind.NOT_UNDERSTOOD for each in self.lines)
