"""Answers requests for prices, from every interface.

A request is an object with ``prev`` and ``next``, two decks in ArkhamDB's format, and
optionally ``exiled``, ``window``, ``circumstances`` and ``id``. Without ``exiled``, the
exiles in ``next`` apply; the experience available is what ``next`` says, unless the
window overrides it. ``window`` may have every field of :class:`Window`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from arkham.rules.checking import (
    Label,
    Outcome,
    error_text,
    is_label,
    label_of,
    read_label,
    read_line,
    text_of,
)
from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.finding import gettext_noop as _
from arkham.rules.legality.judge import Judge
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.notation.arkhamdb_object import read_available, read_exiles
from arkham.rules.notation.circumstances_json import read_circumstances
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of
from arkham.rules.pool import CardPool
from arkham.rules.upgrade import Invoice, Window, price_upgrade
from arkham.rules.upgrade.window import NONE, PLAIN_WINDOW, read_copies, read_window

_PLAIN_REST = PLAIN_WINDOW[4:]
_new = tuple.__new__  # twice as fast as calling the class of a named tuple
MOST_PRICED = 10_000  # copies in a new deck; an invoice has a line for each new copy
_KEYS = dict.fromkeys(("id", "prev", "next", "exiled", "window", "circumstances"))


class AskedUpgrade(NamedTuple):
    """A parsed request: two revisions, the window between them, and an id."""

    before: DeckList
    after: DeckList
    window: Window
    circumstances: Circumstances
    id: Label = None


def read_upgrade(data: object, base: Circumstances = ANY_TABLE) -> AskedUpgrade:
    """The decks and terms of one request (see the module).

    Raises :class:`Unreadable` with every fault; pointers are relative to the request.
    """
    if not isinstance(data, dict):
        message = _("The request is {found}.")
        raise Unreadable(Fault("", message, _("a {…} block"), kind_of(data)))
    try:
        _known_keys(data)
        before, after = _deck(data, "prev"), _deck(data, "next")
        table = _circumstances(data, base)
        window = _window(data, table)
        label = read_label(data.get("id"), "/id")
        return _new(AskedUpgrade, (before, after, window, table, label))
    except Unreadable:
        raise Unreadable(*_faults(data, base)) from None


def _faults(data: dict[str, Any], base: Circumstances) -> Iterator[Fault]:
    """Yield every fault of a request, part by part."""
    for read in _PARTS:
        try:
            read(data, base)
        except Unreadable as error:
            yield from error.faults


def _known_keys(data: dict[str, Any]) -> None:
    if data.keys() <= _KEYS.keys():
        return
    raise Unreadable(
        *(
            Fault(token(key), _("This must be left out."), ", ".join(_KEYS))
            for key in sorted(data.keys() - _KEYS.keys())
        )
    )


def _deck(data: dict[str, Any], key: str) -> DeckList:
    if key not in data:
        raise Unreadable(Fault(token(key), _("This is missing."), _("a deck")))
    listed = data[key]
    try:
        deck = read_deck(listed)
    except Unreadable as error:
        raise Unreadable(*(each.within(token(key)) for each in error.faults)) from None
    label = listed.get("id")
    if not is_label(label):
        read_label(label, f"/{key}/id")
    return deck


def _circumstances(data: dict[str, Any], base: Circumstances) -> Circumstances:
    circumstances = data.get("circumstances")
    return (
        base if circumstances is None else read_circumstances(circumstances, base=base)
    )


def _window(data: dict[str, Any], table: Circumstances) -> Window:
    after, listed, window = data.get("next"), data.get("exiled"), data.get("window")
    exiles = read_exiles(after, "/next")
    exiled: Mapping[str, int] = Counter(exiles) if exiles else NONE
    if listed is not None:
        exiled = read_copies(listed, "/exiled")
    available = read_available(after, "/next")
    base = _new(Window, (exiled, NONE, NONE, available, *_PLAIN_REST))
    return base if window is None else read_window(window, base=base, terms=table)


Reading = Callable[[dict[str, Any], Circumstances], object]
_PARTS: tuple[Reading, ...] = (
    lambda data, _base: _known_keys(data),
    lambda data, _base: _deck(data, "prev"),
    lambda data, _base: _deck(data, "next"),
    _circumstances,
    _window,
    lambda data, _base: read_label(data.get("id"), "/id"),
)


def invoice_of(judge: Judge, asked: AskedUpgrade) -> Invoice:
    """The invoice that a request asks for.

    Raises :class:`Unreadable` if the new deck is too large to be priced.
    """
    check_size(asked.after, judge.pool, "/next")
    return price_upgrade(
        judge, asked.before, asked.after, asked.window, asked.circumstances
    )


def check_size(deck: DeckList, pool: CardPool, pointer: str) -> None:
    """Raise :class:`Unreadable` for a deck with more copies than an invoice lists.

    ``pointer`` is the place of the deck; copies of unknown codes are not counted.
    """
    main, beside = deck.entries, deck.side_deck
    if not beside and sum(main.values()) <= MOST_PRICED:
        return
    for key, entries in (("/slots", main), ("/meta", beside)):
        copies = sum(n for code, n in entries.items() if pool.get_card(code))
        if copies > MOST_PRICED:
            message = _("The deck has {found} copies of cards.")
            expected = _("at most 10,000 copies in a deck to be priced")
            raise Unreadable(Fault(pointer + key, message, expected, str(copies)))


_ENCODE = json.JSONEncoder(separators=(",", ":")).encode


def invoice_text(label: Label, invoice: Invoice) -> str:
    """The answer to one request as ASCII JSON text without line breaks."""
    return _ENCODE({"id": label, **invoice.as_data()})


def price_line(
    line: bytes, number: int, judge: Judge, base: Circumstances = ANY_TABLE
) -> tuple[str, Outcome]:
    """Answer one line of JSON, and return the outcome; ``number`` counts from 1.

    The answer to a line that can't be read is an error.
    """
    text, data = "", None
    try:
        text = text_of(line)
        data = read_line(text)
        asked = read_upgrade(data, base)
        invoice = invoice_of(judge, asked)
    except Unreadable as error:
        answer = error_text(label_of(data), error.faults[0], number, text)
        return answer, Outcome.UNREADABLE
    return (
        invoice_text(asked.id, invoice),
        Outcome.LEGAL if invoice.lawful else Outcome.NOT_LEGAL,
    )
