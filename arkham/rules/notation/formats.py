"""The formats in which a deck can be written, and what each of them leaves out.

Lists for people, plain or in Markdown, state everything that affects how the deck is
judged, in the words that ``text`` can read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from arkham.rules.card import Card, Pack
from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.notation.arkhamdb_object import write_object
from arkham.rules.notation.exchanged import Exchanged, Part, parts_of
from arkham.rules.notation.lines import (
    ATTACHED,
    CARDS,
    CHOSEN,
    CONSIDERED,
    NOT_COUNTED,
    NOTES,
    PRODUCTS,
    SECOND,
    SHEET,
    LineKind,
)
from arkham.rules.notation.names import BEFORE, Names, names_of
from arkham.rules.notation.octgn import write_octgn
from arkham.rules.notation.text import read_line
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType

# The sections of an export, in order: headings for one entry, for several.
_SECTIONS: tuple[tuple[CardType, str, str], ...] = (
    (CardType.ASSET, "Asset", "Assets"),
    (CardType.EVENT, "Event", "Events"),
    (CardType.SKILL, "Skill", "Skills"),
    (CardType.TREACHERY, "Treachery", "Treacheries"),
    (CardType.ENEMY, "Enemy", "Enemies"),
)


def write_text(deck: Mapping[str, Any], pool: CardPool) -> str:
    """Write a deck in ArkhamDB's format as text, the way ArkhamDB exports it.

    If a name alone would be read as another card, the code follows it. Reading the text
    again gives the same name, investigator, taboo list, ``slots`` and ``sideSlots``, as
    far as the pool knows their codes. The text has no place for choices and sheets.
    """
    names = names_of(pool)
    slots: Mapping[str, int] = deck.get("slots") or {}
    code = str(deck.get("investigator_code") or "")
    card = pool.get_card(code)
    who = card.name if card else code
    head = [" ".join(str(deck.get("name") or "").split()), ""]
    lines = [*head, distinct(who, code, names), _products(slots, pool)]
    taboo = pool.taboo_list(deck.get("taboo_id") or "")
    if taboo is not None:
        lines.append(f"Taboo list: {taboo.date}")
    for heading, entries in sections(slots, pool):
        lines += ["", heading, *(_line(each, n, names) for each, n in entries)]
    considered: Mapping[str, int] = deck.get("sideSlots") or {}
    if considered:
        listed = (_line(each, n, names) for each, n in considered.items())
        lines += ["", "Side deck", *listed]
    return "\n".join(lines) + "\n"


def sections(
    slots: Mapping[str, int], pool: CardPool
) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """Yield the entries of a deck under the headings of an export."""
    left = dict(slots)
    for kind, one, several in _SECTIONS:
        found = [
            (code, left.pop(code))
            for code in slots
            if (card := pool.get_card(code)) is not None and card.type is kind
        ]
        if found:
            yield one if len(found) == 1 else several, found
    if left:
        yield "Others", list(left.items())


def _products(slots: Iterable[str], pool: CardPool) -> str:
    """The products a deck needs: the first and the last."""
    needed = {
        pack.code: pack
        for code in slots
        if (card := pool.get_card(code)) is not None
        if (pack := _pack_of(card, code, pool)) is not None
    }
    ordered = sorted(needed.values(), key=lambda pack: (pack.released, pack.position))
    if len(ordered) < 2:
        return " ".join(["Packs:", *(pack.name for pack in ordered)])
    return f"Packs: From {ordered[0].name} to {ordered[-1].name}"


def _pack_of(card: Card, code: str, pool: CardPool) -> Pack | None:
    printings = (each.pack for each in card.printings if each.code == code)
    return pool.packs.get(next(printings, ""))


def _line(code: str, copies: int, names: Names) -> str:
    """One entry as a line."""
    card = names.pool.get_card(code)
    if card is None:
        return f"{copies}x {code}"
    parts = [f"{copies}x {card.name}"]
    if card.subname:
        parts.append(f":{card.subname}")
    if card.level:
        parts.append(f"[{card.level}]")
    pack = _pack_of(card, code, names.pool)
    if pack is not None:
        parts.append(f"({pack.name})")
    return distinct(" ".join(parts), code, names)


def distinct(line: str, code: str, names: Names) -> str:
    """The line, followed by the code if it would be read as another card."""
    expected = LineKind.CARD if BEFORE.match(line) else LineKind.INVESTIGATOR
    read = read_line(line, names)
    if (read.code, read.kind) == (code, expected):
        return line
    return f"{line} #{code}" if code in names.pool else line


CARD = "https://arkhamdb.com/card/"  # a card's page on ArkhamDB
_MEANT = re.compile(r"([\\`*_\[\]<>#])")  # special characters of Markdown
_BRACKETS = str.maketrans("", "", "[]")

Named = Callable[[str], str]


def write_plain(value: Exchanged, pool: CardPool) -> str:
    """Write a list of lines like ``2x Name (level)``.

    If a name alone would be read as another card, the code follows it.
    """
    names = names_of(pool)

    def entry(code: str, copies: int) -> str:
        return distinct(f"{copies}x {_titled(code, pool)}", code, names)

    head = [f"Name: {name}"] if (name := _one_line(value.deck.name)) else []
    code = value.deck.investigator
    if code:
        card = pool.get_card(code)
        line = f"Investigator: {card.name if card else code}"
        head.append(distinct(line, code, names))
    named = _with_code(pool)
    lines = [*head, *_terms(value, pool, named)]
    for heading, entries in _listed(value, pool, named):
        lines += ["", heading, *(entry(code, n) for code, n in entries)]
    for heading, marks in _sheets(value.deck, named):
        lines += ["", heading, *marks]
    return "\n".join(lines) + "\n"


def write_markdown(value: Exchanged, pool: CardPool) -> str:
    """Write a document with a link for every card; notes follow, unchanged."""
    named = _linked(pool)
    lines = [f"# {_escaped(name)}"] if (name := _one_line(value.deck.name)) else []
    head = [f"Investigator: {named(value.deck.investigator)}"]
    lines += _items([*head, *_terms(value, pool, named)])
    for heading, entries in _listed(value, pool, named):
        items = (f"{copies}x {_leveled(code, pool)}" for code, copies in entries)
        lines += [f"\n## {heading}", *_items(items)]
    for heading, marks in _sheets(value.deck, named):
        lines += [f"\n## {heading}", *_items(marks)]
    text = "\n".join(lines).lstrip("\n") + "\n"
    return f"{text}\n## {NOTES}\n\n{value.notes}\n" if value.notes else text


def _terms(value: Exchanged, pool: CardPool, named: Named) -> Iterator[str]:
    """Yield sides, choices and the taboo list, one per line."""
    for words, part in CARDS.items():
        if code := getattr(value.deck, part):
            yield f"{words}: {named(code)}"
    for words, choice in CHOSEN.items():
        if choice in value.deck.choices:
            yield f"{words}: {value.deck.choices[choice]}"
    if value.deck.card_pool:
        yield f"{PRODUCTS}: {', '.join(value.deck.card_pool)}"
    taboo = pool.taboo_list(value.deck.taboo or "")
    if taboo is not None:
        yield f"Taboo list: {taboo.date}"


def _listed(
    value: Exchanged, pool: CardPool, named: Named
) -> Iterator[tuple[str, Iterable[tuple[str, int]]]]:
    """Yield every heading that has cards under it."""
    deck = value.deck
    yield from sections(deck.entries, pool)
    apart = {CONSIDERED: deck.considered, NOT_COUNTED: deck.set_aside}
    apart[SECOND] = deck.side_deck
    for holder, cards in deck.attachments.items():
        apart[f"{ATTACHED} {named(holder)}"] = cards
    yield from ((heading, cards.items()) for heading, cards in apart.items() if cards)


def _sheets(deck: DeckList, named: Named) -> Iterator[tuple[str, list[str]]]:
    """Yield the heading and the lines of each upgrade sheet."""
    for code, marks in deck.sheets.items():
        yield f"{SHEET} {named(code)}", [_mark_line(mark) for mark in marks]


def _mark_line(mark: SheetMark) -> str:
    boxes = "box" if mark.boxes == 1 else "boxes"
    line = f"Line {mark.position + 1}: {mark.boxes} {boxes}"
    return f"{line}: {', '.join(mark.written)}" if mark.written else line


def _items(lines: Iterable[str]) -> Iterator[str]:
    yield ""
    yield from (f"- {line}" for line in lines)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    return _MEANT.sub(r"\\\1", text)


def _titled(code: str, pool: CardPool) -> str:
    """Name, subtitle and level of a card; an unknown code stays as it is."""
    card = pool.get_card(code)
    if card is None:
        return code
    name = f"{card.name}: {card.subname}" if card.subname else card.name
    return f"{name} ({card.level})" if card.level else name


def _with_code(pool: CardPool) -> Named:
    def named(code: str) -> str:
        card = pool.get_card(code)
        return f"{card.name} #{code}" if card else code

    return named


def _linked(pool: CardPool) -> Named:
    def named(code: str) -> str:
        card = pool.get_card(code)
        name = card.name.translate(_BRACKETS) if card else code
        return f"[{name}]({CARD}{code})"

    return named


def _leveled(code: str, pool: CardPool) -> str:
    """A link followed by the card's level."""
    card = pool.get_card(code)
    link = _linked(pool)(code)
    return f"{link} ({card.level})" if card and card.level else link


Write = Callable[[Exchanged, CardPool], str]

_CARDS = frozenset((Part.INVESTIGATOR, Part.ENTRIES))
_LIST = _CARDS | {Part.NAME, Part.CONSIDERED, Part.TABOO}
_WHOLE_LIST = _LIST | {
    Part.SET_ASIDE, Part.SIDES, Part.CHOICES, Part.SHEETS, Part.SIDE_DECK,
    Part.ATTACHMENTS, Part.TRANSFORMED, Part.PRODUCTS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Format:
    """A format for decks; those ``by_name`` can't write unknown codes."""

    id: str
    suffix: str
    media_type: str
    carries: frozenset[Part]
    write: Write
    by_name: bool = True


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The data that a format can't carry: whole parts, and codes unknown here."""

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
    """The data that would be lost if the deck were written in this format."""
    parts = tuple(part for part in parts_of(value) if part not in form.carries)
    codes = dict.fromkeys(_unnamed(value, form, pool)) if form.by_name else ()
    return LeftOut(parts, tuple(codes))


def _unnamed(value: Exchanged, form: Format, pool: CardPool) -> Iterator[str]:
    """Yield the codes in parts that the format carries for which there is no name."""
    deck = value.deck
    who = pool.get_card(deck.investigator)
    if deck.investigator and not (who and who.plays):
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
