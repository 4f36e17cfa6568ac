"""Reads a card record in either of its two layouts.

ArkhamDB publishes cards as files (json-data: stubs for reprints, requirements as
text) and by its API (reprints copied out, requirements parsed, translated fields
beside ``real_`` ones). Everything here answers in the layout of the files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

_API_NAMES = {
    "duplicate_of_code": "duplicate_of",
    "alternate_of_code": "alternate_of",
    "linked_to_code": "back_link",
}
_REAL = "real_"
_EMPTY_FOR_NONE = ("real_text", "real_slot")
BASIC_WEAKNESS = "basicweakness"
MOST_DIGITS = 9  # of a number that stands as text


def as_in_files(values: Mapping[str, Any]) -> dict[str, Any]:
    """A record of either layout in that of the files; English fields win.

    The API says "" where a card has no English text or slot; the files say nothing.
    """
    plain = {
        _API_NAMES.get(name, name): value
        for name, value in values.items()
        if value is not None and not name.startswith(_REAL)
    }
    for name, value in values.items():
        if value == "" and name in _EMPTY_FOR_NONE:
            continue
        if name.startswith(_REAL) and value is not None:
            plain[name.removeprefix(_REAL)] = value
    return plain


@dataclass(frozen=True, slots=True)
class Demands:
    """What ``deck_requirements`` say: size, cards (with alternatives), weaknesses.

    ``copies`` is ours: how many of a card, where a correction says so.
    """

    size: int = 0
    cards: tuple[tuple[str, ...], ...] = ()
    basic_weaknesses: int = 0
    copies: Mapping[str, int] = field(default_factory=dict)


def is_number(text: object) -> TypeGuard[str]:
    """Whether this is a text of a few digits and nothing else."""
    if not isinstance(text, str) or len(text) > MOST_DIGITS:
        return False
    return text.isascii() and text.isdigit()


def read_demands(value: object) -> Demands | None:
    """``deck_requirements`` of either layout, None if they make no sense."""
    if isinstance(value, str):
        return _demands_from_text(value)
    if not isinstance(value, dict):
        return None
    size, cards = value.get("size", 0), value.get("card") or {}
    random, copies = value.get("random") or [], value.get("copies") or {}
    size = int(size) if is_number(size) else size
    if not isinstance(size, int) or not isinstance(cards, dict):
        return None
    if not isinstance(random, list) or not isinstance(copies, dict):
        return None
    if not all(isinstance(group, dict | list) for group in cards.values()):
        return None
    if not all(isinstance(number, int) for number in copies.values()):
        return None
    groups = [
        (code, *(str(each) for each in group if each != code))
        for code, group in cards.items()
    ]
    return Demands(size, tuple(groups), len(random), copies)


def _demands_from_text(text: str) -> Demands | None:
    size, cards, basic = 0, [], 0
    for item in filter(None, (part.strip() for part in text.split(","))):
        kind, *rest = item.split(":")
        if kind == "size" and len(rest) == 1 and is_number(rest[0]):
            size = int(rest[0])
        elif kind == "card" and rest:
            cards.append(tuple(rest))
        elif kind == "random" and rest == ["subtype", BASIC_WEAKNESS]:
            basic += 1
        else:
            return None
    return Demands(size, tuple(cards), basic)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What ``restrictions`` say: investigators (codes), traits, classes."""

    investigators: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()


_BOUNDS = ("investigator", "trait", "faction")


def read_bounds(value: object) -> Bounds | None:
    """``restrictions`` of either layout, None if they make no sense.

    Both separators of the files are understood: ``a:X:Y`` and ``a:X, a:Y``.
    """
    found: dict[str, list[str]] = {kind: [] for kind in _BOUNDS}
    if isinstance(value, str):
        for item in filter(None, re.split(r",\s*", value)):
            kind, *rest = item.split(":")
            if kind not in found or not rest:
                return None
            found[kind].extend(rest)
    elif isinstance(value, dict):
        for kind, listed in value.items():
            if kind not in found or not isinstance(listed, list | dict):
                return None
            found[kind].extend(str(each) for each in listed)
    else:
        return None
    return Bounds(
        tuple(found["investigator"]),
        tuple(each.lower() for each in found["trait"]),
        tuple(found["faction"]),
    )


def read_taboo_entries(value: object) -> list[dict[str, Any]] | None:
    """The ``cards`` of a taboo list: a list, or the same as JSON text (API)."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return None
    if not isinstance(value, list) or not all(isinstance(i, dict) for i in value):
        return None
    return value


def split_list(text: str) -> tuple[str, ...]:
    """Words ended by full stops ("Item. Weapon."), in lower case, "" left out."""
    parts = (part.strip().lower() for part in re.split(r"\.(?:\s|$)", text))
    return tuple(part.rstrip(".") for part in parts if part)


def split_slots(text: str) -> tuple[str, ...]:
    """Slots one by one: "Hand x2. Arcane" is hand, hand, arcane."""
    slots: list[str] = []
    for part in split_list(text):
        name, times, count = part.partition(" x")
        slots.extend([name] * (int(count) if times and is_number(count) else 1))
    return tuple(slots)


def split_tags(text: str) -> tuple[str, ...]:
    """Tags, ended by dots or not ("hd.hh." and "hd.hh" are the same)."""
    return tuple(part for part in text.split(".") if part)
