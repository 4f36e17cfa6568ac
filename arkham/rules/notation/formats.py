"""The formats a deck can be written in, and what each leaves out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import MappingProxyType

from arkham.rules.notation.arkhamdb_object import write_object
from arkham.rules.notation.exchanged import Exchanged, Part, parts_of
from arkham.rules.notation.listing import write_markdown, write_plain, write_text
from arkham.rules.notation.names import plays
from arkham.rules.notation.octgn import write_octgn
from arkham.rules.pool import CardPool

Write = Callable[[Exchanged, CardPool], str]

_CARDS = frozenset((Part.INVESTIGATOR, Part.ENTRIES))
_LIST = _CARDS | {Part.NAME, Part.CONSIDERED, Part.TABOO}
_WHOLE_LIST = _LIST | {
    Part.SET_ASIDE, Part.SIDES, Part.CHOICES, Part.SHEETS, Part.SIDE_DECK,
    Part.ATTACHMENTS, Part.TRANSFORMED, Part.PRODUCTS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a deck down. Formats ``by_name`` cannot hold a code of no card."""

    id: str
    suffix: str
    media_type: str
    carries: frozenset[Part]
    write: Write
    by_name: bool = True


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a format does not carry: whole parts, and codes that are no card's here."""

    parts: tuple[Part, ...] = ()
    codes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parts or self.codes)


def _json(value: Exchanged, _pool: CardPool) -> str:
    return json.dumps(write_object(value), ensure_ascii=False, indent=1) + "\n"


def _text(value: Exchanged, pool: CardPool) -> str:
    return write_text(write_object(value), pool)


_ALL = (
    Format("json", "json", "application/json", frozenset(Part), _json, by_name=False),
    Format("text", "txt", "text/plain", _LIST, _text),
    Format("plain", "txt", "text/plain", _WHOLE_LIST, write_plain),
    Format(
        "markdown", "md", "text/markdown", _WHOLE_LIST | {Part.NOTES}, write_markdown
    ),
    Format("octgn", "o8d", "application/octgn", _CARDS | {Part.NOTES}, write_octgn),
)
FORMATS = MappingProxyType({each.id: each for each in _ALL})


def left_out(value: Exchanged, form: Format, pool: CardPool) -> LeftOut:
    """What would be lost if the deck were written in this format."""
    parts = tuple(part for part in parts_of(value) if part not in form.carries)
    codes = dict.fromkeys(_unnamed(value, form, pool)) if form.by_name else ()
    return LeftOut(parts, tuple(codes))


def _unnamed(value: Exchanged, form: Format, pool: CardPool) -> Iterator[str]:
    """The codes among what the format carries that no name stands for."""
    deck = value.deck
    who = pool.get_card(deck.investigator)
    if deck.investigator and not (who and plays(who)):
        yield deck.investigator
    listed: dict[Part, list[Iterable[str]]] = {
        Part.ENTRIES: [deck.entries],
        Part.CONSIDERED: [deck.considered],
        Part.SET_ASIDE: [deck.set_aside],
        Part.SIDE_DECK: [deck.side_deck],
        Part.ATTACHMENTS: [deck.attachments, *deck.attachments.values()],
        Part.SHEETS: [deck.sheets],
        Part.SIDES: [filter(None, (deck.front, deck.back))],
        Part.TRANSFORMED: [filter(None, (deck.transformed_into,))],
    }
    for part, lists in listed.items():
        if part in form.carries:
            yield from (code for each in lists for code in each if code not in pool)
