"""Reads deck lists in ArkhamDB's JSON format.

The format: ``investigator_code``, ``slots`` and similar keys map card codes to copies,
``meta`` is JSON text (or an object) with the choices. Unknown keys belong to other
programs and are ignored. Faults of format raise :class:`Unreadable`; whether the deck
is legal is for the rules to judge.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from arkham.rules.deck import NONE, DeckList
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.meta import (
    LONGEST_CODE,
    MOST_COPIES,
    MOST_ENTRIES,
    NO_META,
    not_a_number,
    read_meta,
    short_code,
    unfit,
)
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of, shortened

EMPTY: dict[str, Any] = {}


def read_deck(data: object) -> DeckList:
    """Read the deck list in an ArkhamDB deck object.

    Raises :class:`Unreadable` with every fault of format.
    """
    if type(data) is not dict:
        message = _("The deck is {found}.")
        raise Unreadable(Fault("", message, _("a {…} block"), kind_of(data)))
    try:
        return _deck(data)
    except Unreadable:
        raise Unreadable(*_faults(data)) from None


def _deck(data: dict[str, Any]) -> DeckList:
    get = data.get
    aside, taboo, meta = get("ignoreDeckLimitSlots"), get("taboo_id"), get("meta")
    considered, name = get("sideSlots"), get("name")
    investigator = get("investigator_code")
    if type(investigator) is not str or len(investigator) > LONGEST_CODE:
        _investigator(data)  # raises its fault
    entries = _slots(data)
    beside = {} if considered is None else _entries(considered, "/sideSlots")
    apart = {} if aside is None else _entries(aside, "/ignoreDeckLimitSlots")
    below_zero: tuple[str, ...] = ()
    if considered or aside or entries is not data["slots"]:
        below_zero = _below_zero(data["slots"], considered, aside)
    # In the order of the fields; those set by ``meta`` alone are empty.
    fields = (
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
        "",  # transformed_into
        None if taboo is None else _taboo(taboo),
        (),
        "" if name is None else _name(name),
        below_zero,
    )
    deck = _new(DeckList, fields)
    if meta is None or meta in NO_META:
        return deck
    return deck._replace(**read_meta(meta))


def _faults(data: dict[str, Any]) -> Iterator[Fault]:
    """Yield every fault of a deck, key by key."""
    for read in _PARTS:
        try:
            read(data)
        except Unreadable as error:
            yield from error.faults


def _investigator(data: dict[str, Any]) -> str:
    code = data.get("investigator_code")
    if type(code) is str:
        return short_code(code, "/investigator_code")
    if "investigator_code" in data:
        raise Unreadable(unfit("/investigator_code", code, _("a card code")))
    message = _("investigator_code is missing.")
    raise Unreadable(Fault("/investigator_code", message, _("a card code")))


def _slots(data: dict[str, Any]) -> dict[str, int]:
    slots = data.get("slots")
    if type(slots) is dict and len(slots) <= MOST_ENTRIES:
        one, two = 1, 2  # nearly all copies; ``is`` excludes True
        for copies in slots.values():
            if copies is two or copies is one:
                continue
            if type(copies) is not int or not 0 < copies <= MOST_COPIES:
                break
        else:
            return slots
    if "slots" in data:
        return _entries(slots, "/slots")
    expected = _("a {…} block: code → copies")
    raise Unreadable(Fault("/slots", _("slots is missing."), expected))


def _taboo(value: object) -> int | str | None:
    if value is None:
        return None
    if type(value) is int:
        return value or None
    if type(value) is str:
        named = short_code(value, "/taboo_id")
        return named if named.strip().strip("0") else None
    raise Unreadable(unfit("/taboo_id", value, _("a whole number or null")))


def _name(value: object) -> str:
    if value is None:
        return ""
    if type(value) is str:
        return value
    raise Unreadable(unfit("/name", value, _("text or null")))


_new = tuple.__new__  # twice as fast as calling the class of a named tuple


def _entries(value: object, pointer: str) -> dict[str, int]:
    """Read copies by code; ``[]`` and null are empty, as ArkhamDB writes them.

    Negative numbers count as no copies.
    """
    if value is None or (type(value) is list and not value):
        return {}
    if type(value) is not dict:
        raise Unreadable(unfit(pointer, value, _("a {…} block: code → copies")))
    if len(value) > MOST_ENTRIES:
        raise Unreadable(
            Fault(
                pointer,
                _("There are {found} entries."),
                _("at most 10,000 entries"),
                str(len(value)),
            )
        )
    faults = [
        not_a_number(pointer + token(code), shown(copies))
        for code, copies in value.items()
        if type(copies) is not int or copies > MOST_COPIES
    ]
    if faults:
        raise Unreadable(*faults)
    return {code: copies for code, copies in value.items() if copies > 0}


def _below_zero(*several: object) -> tuple[str, ...]:
    """The codes of entries with a negative number, which some programs leave behind."""
    codes = (
        code
        for entries in several
        if isinstance(entries, dict)
        for code, copies in entries.items()
        if copies < 0
    )
    return tuple(dict.fromkeys(codes))


def shown(value: object) -> str:
    """A number or text, shortened if long; for other values the name of their type."""
    if isinstance(value, str):
        return json.dumps(shortened(value), ensure_ascii=False)
    if type(value) is int:
        small = abs(value) < 10**18
        return str(value) if small else _("a very long whole number")
    return repr(value) if type(value) is float else kind_of(value)


def _meta(value: object) -> dict[str, Any]:
    return EMPTY if value is None or value in NO_META else read_meta(value)


_PARTS: tuple[Callable[[dict[str, Any]], object], ...] = (
    _investigator,
    _slots,
    lambda data: _entries(data.get("sideSlots"), "/sideSlots"),
    lambda data: _entries(data.get("ignoreDeckLimitSlots"), "/ignoreDeckLimitSlots"),
    lambda data: _taboo(data.get("taboo_id")),
    lambda data: _name(data.get("name")),
    lambda data: _meta(data.get("meta")),
)
