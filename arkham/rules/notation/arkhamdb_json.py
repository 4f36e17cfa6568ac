"""Reads deck lists in ArkhamDB's JSON format.

The format: ``investigator_code``, ``slots`` and its companions map card codes to
copies, ``meta`` is JSON text (or an object) with the choices. Unknown keys are other
programs' affair and ignored. Faults of shape raise :class:`Unreadable`; what a deck
means is for the rules to judge.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from arkham.rules.deck import NONE, DeckList, SheetMark
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import (
    Fault,
    Unreadable,
    kind_of,
    read_json,
    shortened,
)

MOST_ENTRIES = 10_000
MOST_COPIES = 10_000
MOST_META = 262_144  # characters, where it is a text
MOST_MARKS = 100  # on one sheet; the longest printed has ten lines
SHORT_SHEET = 64  # characters
MOST_CARDS = 500  # with a sheet, or with cards attached
LONGEST_CODE = 40
MOST_FAULTS = 100  # told at once
NO_META: tuple[object, ...] = ("", "{}", "[]", {}, [])
EMPTY: dict[str, Any] = {}
CHOICE_KEYS = {
    "faction_selected": "class",
    "faction_1": "class_1",
    "faction_2": "class_2",
    "option_selected": "trait",
    "deck_size_selected": "size",
}
CARD_KEYS = frozenset({"cus", "attachments", "attachment"})  # …_01234


def read_deck(data: object) -> DeckList:
    """The deck list in an ArkhamDB deck object.

    Raises :class:`Unreadable` with every fault of shape.
    """
    if type(data) is not dict:
        message = _("The deck is {found}.")
        raise Unreadable(Fault("", message, _("an object"), kind_of(data)))
    try:
        return _deck(data)
    except Unreadable:
        raise Unreadable(*islice(_faults(data), MOST_FAULTS)) from None


def _deck(data: dict[str, Any]) -> DeckList:
    get = data.get
    aside, taboo, meta = get("ignoreDeckLimitSlots"), get("taboo_id"), get("meta")
    considered, name = get("sideSlots"), get("name")
    investigator = get("investigator_code")
    if type(investigator) is not str or len(investigator) > LONGEST_CODE:
        _investigator(data)  # tells what is wrong with it
    entries = _slots(data)
    beside = {} if considered is None else _entries(considered, "/sideSlots")
    apart = {} if aside is None else _entries(aside, "/ignoreDeckLimitSlots")
    below_zero: tuple[str, ...] = ()
    if considered or aside or entries is not data["slots"]:
        below_zero = _below_zero(data["slots"], considered, aside)
    # In the order of the fields; what only ``meta`` tells is empty.
    told = (
        investigator,
        entries,
        "",
        "",
        beside,
        apart,
        NONE,  # choices,
        NONE,  # sheets,
        NONE,  # the second deck,
        NONE,  # attachments,
        "",  # and what it became
        None if taboo is None else _taboo(taboo),
        (),
        "" if name is None else _name(name),
        below_zero,
    )
    deck = _new(DeckList, told)
    if meta is None or meta in NO_META:
        return deck
    return deck._replace(**read_meta(meta))


def _faults(data: dict[str, Any]) -> Iterator[Fault]:
    """Every fault of a deck, key by key."""
    for read in _PARTS:
        try:
            read(data)
        except Unreadable as error:
            yield from error.faults


def _investigator(data: dict[str, Any]) -> str:
    code = data.get("investigator_code")
    if type(code) is str:
        return _short(code, "/investigator_code")
    if "investigator_code" in data:
        raise Unreadable(_unfit("/investigator_code", code, _("a card code")))
    message = _("investigator_code is missing.")
    raise Unreadable(Fault("/investigator_code", message, _("a card code")))


def _slots(data: dict[str, Any]) -> dict[str, int]:
    slots = data.get("slots")
    if type(slots) is dict and len(slots) <= MOST_ENTRIES:
        one, two = 1, 2  # most are, and that is soon seen; True equals 1, and is not 1
        for copies in slots.values():
            if copies is two or copies is one:
                continue
            if type(copies) is not int or not 0 < copies <= MOST_COPIES:
                break
        else:
            return slots
    if "slots" in data:
        return _entries(slots, "/slots")
    expected = _("an object: code → copies")
    raise Unreadable(Fault("/slots", _("slots is missing."), expected))


def _taboo(value: object) -> int | str | None:
    if value is None:
        return None
    if type(value) is int:
        return value or None
    if type(value) is str:
        named = _short(value, "/taboo_id")
        return named if named.strip().strip("0") else None
    raise Unreadable(_unfit("/taboo_id", value, _("an integer or null")))


def _name(value: object) -> str:
    if value is None:
        return ""
    if type(value) is str:
        return value
    raise Unreadable(_unfit("/name", value, _("a string or null")))


_new = tuple.__new__  # half of what calling a named tuple's class costs


def _unfit(pointer: str, value: object, expected: str) -> Fault:
    return Fault(pointer, _("This is {found}."), expected, kind_of(value))


def _entries(value: object, pointer: str) -> dict[str, int]:
    """Copies by code; ``[]`` and null are empty, as the field writes them.

    A number below 0 is no copy.
    """
    if value is None or (type(value) is list and not value):
        return {}
    if type(value) is not dict:
        raise Unreadable(_unfit(pointer, value, _("an object: code → copies")))
    if len(value) > MOST_ENTRIES:
        raise Unreadable(
            Fault(
                pointer,
                _("These are {found} entries."),
                _("at most 10,000 entries"),
                str(len(value)),
            )
        )
    faults = [
        _no_number(pointer + token(code), _shown(copies))
        for code, copies in value.items()
        if type(copies) is not int or copies > MOST_COPIES
    ]
    if faults:
        raise Unreadable(*faults[:MOST_FAULTS])
    return {code: copies for code, copies in value.items() if copies > 0}


def _no_number(pointer: str, found: str) -> Fault:
    return Fault(
        pointer,
        _("{found} is not a number of copies."),
        _("an integer from 0 to 10,000"),
        found,
    )


def _below_zero(*several: object) -> tuple[str, ...]:
    """The codes of entries with a number below 0; other programs leave such behind."""
    codes = (
        code
        for entries in several
        if isinstance(entries, dict)
        for code, copies in entries.items()
        if copies < 0
    )
    return tuple(dict.fromkeys(codes))


def _shown(value: object) -> str:
    """A number as it is, but not thousands of digits; the kind of anything else."""
    if type(value) is int:
        small = abs(value) < 10**18
        return str(value) if small else _("an integer of many digits")
    return repr(value) if type(value) is float else kind_of(value)


def _meta(value: object) -> dict[str, Any]:
    return EMPTY if value is None or value in NO_META else read_meta(value)


def read_meta(meta: object) -> dict[str, Any]:
    """The choices in ``meta`` as arguments of a deck list."""
    read = _Meta()
    for key, value in meta_object(meta).items():
        read.take(str(key), value)
    if read.faults:
        raise Unreadable(*read.faults[:MOST_FAULTS])
    return read.arguments


def meta_object(meta: object) -> Mapping[str, Any]:
    """``meta`` as an object, whether it came as one or as a text."""
    if isinstance(meta, str):
        if len(meta) > MOST_META:
            long, expected = _("This is too long."), _("at most 262,144 characters")
            raise Unreadable(Fault("/meta", long, expected))
        meta = read_json(meta, "/meta")
    if meta == []:  # how PHP writes an empty object
        return {}
    if not isinstance(meta, Mapping):
        raise Unreadable(_unfit("/meta", meta, _("an object")))
    return meta


def is_read(key: str) -> bool:
    """Whether the rules read this key of ``meta``; the others are other programs'."""
    if key in _KNOWN:
        return True
    kind, _bar, code = key.partition("_")
    return kind in CARD_KEYS and bool(code)


class _Meta:
    """The arguments gathered from ``meta``, key by key."""

    def __init__(self) -> None:
        self.arguments: dict[str, Any] = {}
        self.faults: list[Fault] = []

    def take(self, key: str, value: object) -> None:
        """Gather what one key says; keys of other programs are passed over."""
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
            raise Unreadable(_unfit("", value, _("a string")))
        if key in CHOICE_KEYS:
            choices = self.arguments.setdefault("choices", {})
            choices[CHOICE_KEYS[key]] = _short(value, "").strip().lower()
        elif key in _PLAIN:
            name, read = _PLAIN[key]
            self.arguments[name] = read(value, "")
        else:
            kind, _bar, code = key.partition("_")
            if kind == "cus":
                self._keep("sheets", code, read_marks(value, ""))
            else:
                self._keep("attachments", code, _counted(value, ""))

    def _keep(self, name: str, code: str, value: object) -> None:
        kept = self.arguments.setdefault(name, {})
        if len(kept) >= MOST_CARDS:
            raise Unreadable(
                Fault("", _("Too many cards carry this."), _("at most 500 cards"))
            )
        if value:
            kept[code] = value


def read_marks(value: str, pointer: str) -> tuple[SheetMark, ...]:
    """The marks in a customization string, in the order of the sheet's lines."""
    if len(value) > SHORT_SHEET:
        return _read_marks(value, pointer)
    return _read_short_marks(value, pointer)


def _read_marks(value: str, pointer: str) -> tuple[SheetMark, ...]:
    marks = []
    faults = []
    for entry in _parts(value, pointer, MOST_MARKS, _("at most 100 marks")):
        mark = read_mark(entry)
        if mark is not None:
            marks.append(mark)
            continue
        faults.append(
            Fault(
                pointer,
                _("{found} is no mark."),
                _("line|boxes or line|boxes|choice"),
                shortened(entry),
            )
        )
    if faults:
        raise Unreadable(*faults)
    return tuple(sorted(marks, key=lambda mark: mark.position))


# The same boxes are marked in many decks; what is kept is small.
_read_short_marks = lru_cache(maxsize=4_096)(_read_marks)


def read_mark(entry: str) -> SheetMark | None:
    """One entry of a customization string: ``line|boxes`` or ``line|boxes|choice``."""
    match = _MARK.fullmatch(entry)
    if match is None:
        return None
    position, boxes, choice = match.groups()
    parts = choice.split("^") if choice else ()
    written = tuple([bare for each in parts if (bare := each.strip())])
    return SheetMark(int(position), int(boxes or 0), written)


_MARK = re.compile(r"(\d{1,3})\s*\|\s*(\d{0,3})\s*(?:\|([^|]*))?", re.ASCII)


def _parts(value: str, pointer: str, most: int, expected: str) -> list[str]:
    """The parts of a text between commas, blank ones left out."""
    found = value.count(",") + 1
    if found > most:
        raise Unreadable(
            Fault(pointer, _("These are {found} entries."), expected, str(found))
        )
    return [part for each in value.split(",") if (part := each.strip())]


def _short(code: str, pointer: str) -> str:
    """The code or choice, refused if it is longer than any is (judges keep them)."""
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
    """Codes separated by commas, each time one copy (or ``code:copies``).

    No copies are no entry, as in the slots of a deck.
    """
    entries = _listed(value, pointer)
    if ":" not in value:
        return dict(Counter(entries))
    found: dict[str, int] = {}
    faults: list[Fault] = []
    for entry in entries:
        code, bar, number = (part.strip() for part in entry.partition(":"))
        more = _number(number) if bar else 1
        if more is None:
            faults.append(_no_number(pointer, shortened(entry)))
        elif code and more:
            found[code] = min(found.get(code, 0) + more, MOST_COPIES)
    if faults:
        raise Unreadable(*faults[:MOST_FAULTS])
    return found


def _number(text: str) -> int | None:
    """The copies that a text tells; None where it tells no number, or too many."""
    if not (text.isascii() and text.isdigit()):
        return None
    bare = text.lstrip("0") or "0"
    copies = int(bare) if len(bare) <= len(str(MOST_COPIES)) else MOST_COPIES + 1
    return copies if copies <= MOST_COPIES else None


def _listed(value: str, pointer: str) -> tuple[str, ...]:
    """Codes separated by commas."""
    return tuple(_parts(value, pointer, MOST_ENTRIES, _("at most 10,000 entries")))


# The keys of meta that stand for one thing: the argument's name, and its reader.
_PLAIN: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    "alternate_front": ("front", _short),
    "alternate_back": ("back", _short),
    "extra_deck": ("side_deck", _counted),
    "card_pool": ("card_pool", _listed),
    "transform_into": ("transformed_into", _short),
}
_KNOWN = CHOICE_KEYS.keys() | _PLAIN.keys()

_PARTS: tuple[Callable[[dict[str, Any]], object], ...] = (
    _investigator,
    _slots,
    lambda data: _entries(data.get("sideSlots"), "/sideSlots"),
    lambda data: _entries(data.get("ignoreDeckLimitSlots"), "/ignoreDeckLimitSlots"),
    lambda data: _taboo(data.get("taboo_id")),
    lambda data: _name(data.get("name")),
    lambda data: _meta(data.get("meta")),
)
