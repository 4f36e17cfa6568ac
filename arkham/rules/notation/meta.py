"""Reads ``meta`` of ArkhamDB's deck objects: choices, sheets, attached cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from arkham.rules.deck import SheetMark
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import (
    Fault,
    Unreadable,
    kind_of,
    read_json,
    shortened,
)
from arkham.rules.vocabulary import is_digits

MOST_ENTRIES = 10_000
MOST_COPIES = 10_000
MOST_META = 262_144  # characters, if it is text
MOST_MARKS = 100  # on one sheet; the longest printed has ten lines
SHORT_SHEET = 64  # characters
MOST_CARDS = 500  # with sheets, or with attached cards
LONGEST_CODE = 40
NO_META: tuple[object, ...] = ("", "{}", "[]", {}, [])
CHOICE_KEYS = {
    "faction_selected": "class",
    "faction_1": "class_1",
    "faction_2": "class_2",
    "option_selected": "trait",
    "deck_size_selected": "size",
}
CARD_KEYS = frozenset({"cus", "attachments", "attachment"})  # …_01234


def unfit(pointer: str, value: object, expected: str) -> Fault:
    return Fault(pointer, _("This is {found}."), expected, kind_of(value))


def not_a_number(pointer: str, found: str) -> Fault:
    return Fault(
        pointer,
        _("{found} isn’t a number of copies."),
        _("a whole number from 0 to 10,000"),
        found,
    )


def read_meta(meta: object) -> dict[str, Any]:
    """Read the choices in ``meta`` as arguments of a deck list."""
    read = _Meta()
    for key, value in meta_object(meta).items():
        read.take(str(key), value)
    if read.faults:
        raise Unreadable(*read.faults)
    return read.arguments


def meta_object(meta: object) -> Mapping[str, Any]:
    """Return ``meta`` as an object, whether it came as an object or as text."""
    if isinstance(meta, str):
        if len(meta) > MOST_META:
            long, expected = _("This is too long."), _("at most 262,144 characters")
            raise Unreadable(Fault("/meta", long, expected))
        meta = read_json(meta, "/meta")
    if meta == []:  # PHP's empty object
        return {}
    if not isinstance(meta, Mapping):
        raise Unreadable(unfit("/meta", meta, _("a {…} block")))
    return meta


def is_read(key: str) -> bool:
    """True if the rules read this key of ``meta``; other programs use the others."""
    if key in _KNOWN:
        return True
    kind, _bar, code = key.partition("_")
    return kind in CARD_KEYS and bool(code)


class _Meta:
    """Collects arguments from ``meta``, key by key."""

    def __init__(self) -> None:
        self.arguments: dict[str, Any] = {}
        self.faults: list[Fault] = []

    def take(self, key: str, value: object) -> None:
        """Read one key; keys of other programs are skipped."""
        if value is None or value == "" or not is_read(key):
            return
        if key == "deck_size_selected" and type(value) is int:
            value = str(value)
        try:
            self._take(key, value)
        except Unreadable as error:
            place = "/meta" + token(key)
            self.faults.extend(fault.within(place) for fault in error.faults)

    def _take(self, key: str, value: object) -> None:
        if not isinstance(value, str):
            raise Unreadable(unfit("", value, _("text")))
        if key in CHOICE_KEYS:
            choices = self.arguments.setdefault("choices", {})
            choices[CHOICE_KEYS[key]] = short_code(value, "").strip().lower()
        elif key in _PLAIN:
            name, read = _PLAIN[key]
            self.arguments[name] = read(value, "")
        else:
            kind, _bar, code = key.partition("_")
            if kind == "cus":
                self._keep("sheets", code, read_marks(value))
            else:
                self._keep("attachments", code, _counted(value, ""))

    def _keep(self, name: str, code: str, value: object) -> None:
        kept = self.arguments.setdefault(name, {})
        if len(kept) >= MOST_CARDS:
            raise Unreadable(
                Fault("", _("Too many cards have this."), _("at most 500 cards"))
            )
        if value:
            kept[code] = value


def read_marks(value: str) -> tuple[SheetMark, ...]:
    """Read the marks in a customization string, in the order of the sheet's lines."""
    if len(value) > SHORT_SHEET:
        return marks_in(value)
    return short_marks_in(value)


def marks_in(value: str) -> tuple[SheetMark, ...]:
    marks = []
    faults = []
    for entry in _parts(value, "", MOST_MARKS, _("at most 100 marks")):
        mark = read_mark(entry)
        if mark is not None:
            marks.append(mark)
            continue
        faults.append(
            Fault(
                "",
                _("We can’t read {found} as a line of an upgrade sheet."),
                _("line|boxes or line|boxes|choice"),
                shortened(entry),
            )
        )
    if faults:
        raise Unreadable(*faults)
    return tuple(sorted(marks, key=lambda mark: mark.position))


# Many decks have the same boxes marked, and the values are small.
short_marks_in = lru_cache(maxsize=4_096)(marks_in)


def read_mark(entry: str) -> SheetMark | None:
    """Read one entry of a customization string: ``line|boxes[|choice]``."""
    match = _MARK.fullmatch(entry)
    if match is None:
        return None
    position, boxes, choice = match.groups()
    parts = choice.split("^") if choice else ()
    written = tuple([bare for each in parts if (bare := each.strip())])
    return SheetMark(int(position), int(boxes or 0), written)


_MARK = re.compile(r"(\d{1,3})\s*\|\s*(\d{0,3})\s*(?:\|([^|]*))?", re.ASCII)


def _parts(value: str, pointer: str, most: int, expected: str) -> list[str]:
    """Split a text at commas, without blank parts."""
    found = value.count(",") + 1
    if found > most:
        raise Unreadable(
            Fault(pointer, _("There are {found} entries."), expected, str(found))
        )
    return [part for each in value.split(",") if (part := each.strip())]


def short_code(code: str, pointer: str) -> str:
    """Return a code or choice; raise if it is too long (judges cache codes)."""
    if len(code) > LONGEST_CODE:
        raise Unreadable(_too_long(pointer, code))
    return code


def _too_long(pointer: str, code: str) -> Fault:
    return Fault(
        pointer,
        _("{found} is too long."),
        _("at most 40 characters"),
        shortened(code),
    )


def _counted(value: str, pointer: str) -> dict[str, int]:
    """Read codes separated by commas, one per copy (or ``code:copies``).

    Entries with 0 copies are left out, as in the slots of a deck.
    """
    entries = _listed(value, pointer)
    if ":" not in value:
        return dict(Counter(entries))
    found: dict[str, int] = {}
    faults: list[Fault] = []
    for entry in entries:
        code, bar, number = (part.strip() for part in entry.partition(":"))
        more = _number(number) if bar else 1
        total = found.get(code, 0) + (more or 0)
        if more is None or total > MOST_COPIES:
            faults.append(not_a_number(pointer, shortened(entry)))
        elif code and more:
            found[code] = total
    if faults:
        raise Unreadable(*faults)
    return found


def _number(text: str) -> int | None:
    """The copies that a text states; None if it is not a number, or too large."""
    if not is_digits(text):
        return None
    bare = text.lstrip("0") or "0"
    copies = int(bare) if len(bare) <= len(str(MOST_COPIES)) else MOST_COPIES + 1
    return copies if copies <= MOST_COPIES else None


def _listed(value: str, pointer: str) -> tuple[str, ...]:
    """Read codes separated by commas."""
    return tuple(_parts(value, pointer, MOST_ENTRIES, _("at most 10,000 entries")))


# Keys of meta with one value: the argument's name, and its reader.
_PLAIN: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    "alternate_front": ("front", short_code),
    "alternate_back": ("back", short_code),
    "extra_deck": ("side_deck", _counted),
    "card_pool": ("card_pool", _listed),
    "transform_into": ("transformed_into", short_code),
}
_KNOWN = CHOICE_KEYS.keys() | _PLAIN.keys()
