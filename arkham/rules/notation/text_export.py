"""Writes a deck as a list that people read and ArkhamDB imports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arkham.rules.card import Card, Pack
from arkham.rules.notation.lines import Kind
from arkham.rules.notation.names import Names, names_of
from arkham.rules.notation.naming import BEFORE
from arkham.rules.notation.text import read_line
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType

# The order of an export's sections: a heading for one entry, for several.
_SECTIONS: tuple[tuple[CardType, str, str], ...] = (
    (CardType.ASSET, "Asset", "Assets"),
    (CardType.EVENT, "Event", "Events"),
    (CardType.SKILL, "Skill", "Skills"),
    (CardType.TREACHERY, "Treachery", "Treacheries"),
    (CardType.ENEMY, "Enemy", "Enemies"),
)


def write_text(deck: Mapping[str, Any], pool: CardPool) -> str:
    """A deck in ArkhamDB's format as a text, the way ArkhamDB exports it.

    Where a name alone would be taken for another card, the code follows it. Reading
    the text again gives the same name, investigator, taboo list, ``slots`` and
    ``sideSlots``, as far as the pool knows their codes. Choices and sheets have no
    place in a text.
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
    """The entries of a deck under the headings of an export."""
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
    """The products a deck needs, first to last."""
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
    """The line, with the code after it if it would be taken for another card."""
    expected = Kind.CARD if BEFORE.match(line) else Kind.INVESTIGATOR
    read = read_line(line, names)
    if (read.code, read.kind) == (code, expected):
        return line
    return f"{line} #{code}" if code in names.pool else line
