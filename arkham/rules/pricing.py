"""How does a request for a price become an answer, whatever door it comes through?

A request is an object with ``prev`` and ``next``, two decks in ArkhamDB's format, and
perhaps ``exiled``, ``window``, ``circumstances`` and ``id``. Where ``exiled`` is
absent the exiles of ``next`` hold; what may be spent is what ``next`` says there was,
unless the window says otherwise.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from arkham.rules.checking import (
    Label,
    Outcome,
    error_text,
    label_of,
    read_label,
    read_line,
    text_of,
)
from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.finding import gettext_noop as _
from arkham.rules.legality.judge import Judge
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.notation.circumstances_json import read_circumstances
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of
from arkham.rules.notation.steps import read_available, read_exiles
from arkham.rules.upgrade import PLAIN_WINDOW, Invoice, Window, price_upgrade
from arkham.rules.upgrade.window_json import read_copies, read_window

_KEYS = ("id", "prev", "next", "exiled", "window", "circumstances")


class AskedUpgrade(NamedTuple):
    """What one request asks: two revisions, the window between them, and an id."""

    before: DeckList
    after: DeckList
    window: Window
    circumstances: Circumstances
    id: Label = None


def read_upgrade(data: object, base: Circumstances = ANY_TABLE) -> AskedUpgrade:
    """The decks and terms of one request (see the module).

    Raises :class:`Unreadable` with every fault, its pointer leading into the request.
    """
    if not isinstance(data, dict):
        message = _("The request is {found}.")
        raise Unreadable(Fault("", message, _("an object"), kind_of(data)))
    faults = [
        Fault(token(key), _("Nothing is expected here."), ", ".join(_KEYS))
        for key in sorted(data.keys() - set(_KEYS))
    ]
    read: dict[str, Any] = {"circumstances": base, "window": PLAIN_WINDOW}
    for reading in _READINGS:
        try:
            reading(data, read)
        except Unreadable as error:
            faults.extend(error.faults)
    if faults:
        raise Unreadable(*faults)
    return AskedUpgrade(
        read["prev"], read["next"], read["window"], read["circumstances"], read["id"]
    )


def _deck(data: dict[str, Any], read: dict[str, Any], key: str) -> None:
    if key not in data:
        raise Unreadable(Fault(token(key), _("This is missing."), _("a deck")))
    try:
        read[key] = read_deck(data[key])
    except Unreadable as error:
        raise Unreadable(*(each.within(token(key)) for each in error.faults)) from None
    read_label(data[key].get("id"), f"{token(key)}/id")


def _circumstances(data: dict[str, Any], read: dict[str, Any]) -> None:
    if data.get("circumstances") is not None:
        told = data["circumstances"]
        read["circumstances"] = read_circumstances(told, base=read["circumstances"])


def _window(data: dict[str, Any], read: dict[str, Any]) -> None:
    base = Window(
        exiled=_exiled(data), available=read_available(data.get("next"), "/next")
    )
    told = data.get("window")
    read["window"] = base if told is None else read_window(told, base=base)


def _exiled(data: dict[str, Any]) -> Mapping[str, int]:
    exiles = read_exiles(data.get("next"), "/next")
    if data.get("exiled") is not None:
        return read_copies(data["exiled"], "/exiled")
    return Counter(exiles)


Reading = Callable[[dict[str, Any], dict[str, Any]], None]
_READINGS: tuple[Reading, ...] = (
    lambda data, read: _deck(data, read, "prev"),
    lambda data, read: _deck(data, read, "next"),
    _circumstances,
    _window,
    lambda data, read: read.update(id=read_label(data.get("id"), "/id")),
)


def invoice_of(judge: Judge, asked: AskedUpgrade) -> Invoice:
    """The invoice a request asks for."""
    return price_upgrade(
        judge, asked.before, asked.after, asked.window, asked.circumstances
    )


_ENCODE = json.JSONEncoder(separators=(",", ":")).encode


def invoice_text(label: Label, invoice: Invoice) -> str:
    """The answer to one request as JSON text in ASCII, without a line break."""
    return _ENCODE({"id": label, **invoice.as_data()})


def price_line(
    line: bytes, number: int, judge: Judge, base: Circumstances = ANY_TABLE
) -> tuple[str, Outcome]:
    """The answer to one line of JSON, and how it fared; ``number`` counts from 1.

    A line that cannot be read is answered by an error of its own.
    """
    text, data = "", None
    try:
        text = text_of(line)
        data = read_line(text)
        asked = read_upgrade(data, base)
    except Unreadable as error:
        answer = error_text(label_of(data), error.faults[0], number, text)
        return answer, Outcome.UNREADABLE
    invoice = invoice_of(judge, asked)
    return (
        invoice_text(asked.id, invoice),
        Outcome.LEGAL if invoice.lawful else Outcome.NOT_LEGAL,
    )
