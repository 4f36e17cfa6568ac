"""Reads the fields of an account file, and says what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from arkham.rules.draws import DrawRecord as Record
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import (
    Fault,
    Unreadable,
    instant_of,
    kind_of,
    shortened,
)
from arkham.rules.upgrade.price_rules import PRICE_RULES
from arkham.rules.upgrade.window import read_copies, read_window
from decks.lists.content import Content, read_content
from decks.services.windows import AFTERMATH_CIRCUMSTANCES

MOST_POINTS = 99_999
_CODE_OR_NULL = ((str, type(None)), _("a text or null"))
_LINE: dict[str, tuple[type | tuple[type, ...], str]] = {
    "rule": (str, ", ".join(PRICE_RULES)),
    "card": (str, _("a text")),
    "gross": (int, _("an integer")),
    "paid": (int, _("an integer")),
    "upgraded_from": _CODE_OR_NULL,
    "replaces": _CODE_OR_NULL,
    "boxes": (int, _("an integer")),
    "side_deck": (bool, _("true or false")),
}
_REDUCTION: dict[str, tuple[type | tuple[type, ...], str]] = {
    "card": (str, _("a text")),
    "amount": (int, _("an integer")),
}


class FileFields:
    """A file while it is read, and what of it cannot be."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fail(self, pointer: str, message: str, expected: str, found: str = "") -> None:
        """Note a fault."""
        self.faults.append(Fault(pointer, message, expected, found))

    def array(self, value: object, pointer: str, most: int) -> list[Any]:
        """The items of an array; none where its faults have been noted."""
        if not isinstance(value, list):
            self.fail(pointer, _("This is {found}."), _("an array"), kind_of(value))
            return []
        if len(value) > most:
            message, expected = _("These are {found} entries."), f"≤ {most}"
            self.fail(pointer, message, expected, str(len(value)))
            return []
        return value

    def objects(
        self, value: object, pointer: str, most: int
    ) -> Iterable[tuple[int, dict[str, Any], str]]:
        """The objects of an array with their places and pointers."""
        for place, each in enumerate(self.array(value, pointer, most)):
            here = f"{pointer}/{place}"
            if isinstance(each, dict):
                yield place, each, here
            else:
                message = _("This is {found}.")
                self.fail(here, message, _("an object"), kind_of(each))

    def text(self, data: dict[str, Any], key: str, pointer: str, most: int) -> str:
        """A text; absent, it is empty."""
        value = data.get(key, "")
        if isinstance(value, str) and len(value) <= most and "\x00" not in value:
            return value
        message, expected = _("This is no text, or too long."), _("a text")
        self.fail(f"{pointer}/{key}", message, f"{expected} ≤ {most}")
        return ""

    def one_of(
        self, data: dict[str, Any], key: str, pointer: str, known: Iterable[str]
    ) -> str:
        """One of the words known."""
        value = data.get(key)
        if value in (words := tuple(known)):
            return str(value)
        message, found = _("{found} is not known here."), shortened(repr(value))
        self.fail(f"{pointer}/{key}", message, ", ".join(words), found)
        return words[0]

    def flag(self, data: dict[str, Any], key: str, pointer: str) -> bool:
        """True or false."""
        value = data.get(key)
        if type(value) is not bool:
            message = _("This is {found}.")
            expected = _("true or false")
            self.fail(f"{pointer}/{key}", message, expected, kind_of(value))
        return value is True

    def number(
        self, data: dict[str, Any], key: str, pointer: str, least: int, most: int
    ) -> int:
        """An integer between two others."""
        value = data.get(key)
        if type(value) is int and least <= value <= most:
            return value
        message, found = _("{found} is not understood."), shortened(repr(value))
        self.fail(f"{pointer}/{key}", message, f"{least} … {most}", found)
        return least

    def number_or_none(
        self, data: dict[str, Any], key: str, pointer: str, least: int, most: int
    ) -> int | None:
        """The same, or null."""
        if data.get(key) is None:
            return None
        return self.number(data, key, pointer, least, most)

    def instant(self, data: dict[str, Any], key: str, pointer: str) -> datetime:
        """An instant with its offset."""
        value = data.get(key)
        instant = instant_of(value) if isinstance(value, str) else None
        if instant is not None:
            return instant
        message, expected = _("This is no instant."), "2026-02-01T22:38:59+00:00"
        self.fail(f"{pointer}/{key}", message, expected)
        return datetime.min

    def instant_or_none(
        self, data: dict[str, Any], key: str, pointer: str
    ) -> datetime | None:
        """The same, or null."""
        return None if data.get(key) is None else self.instant(data, key, pointer)

    # -- what the rules read --

    def content(self, data: dict[str, Any], pointer: str) -> Content | None:
        """A deck and its circumstances; None where its faults have been noted."""
        parts = {key: data.get(key) for key in ("deck", "circumstances")}
        found: Content | None = self._read(lambda: read_content(parts), pointer)
        return found

    def window(self, data: dict[str, Any], key: str, pointer: str) -> dict[str, Any]:
        """A window between two games, as JSON; and what else an aftermath has."""
        value = data.get(key)
        here = f"{pointer}/{key}"
        if value is None:
            return {}
        window = value
        if isinstance(value, dict):
            for name in value.keys() & {*AFTERMATH_CIRCUMSTANCES}:
                codes = self.array(value[name], f"{here}/{name}", 500)
                if not all(isinstance(each, str) for each in codes):
                    self.fail(f"{here}/{name}", _("This is no list of texts."), "[]")
            window = {k: value[k] for k in value if k not in AFTERMATH_CIRCUMSTANCES}
        read = self._kept(value, here) and self._read(
            lambda: read_window(window, ""), here
        )
        return value if read else {}

    def copies(self, data: dict[str, Any], key: str, pointer: str) -> dict[str, int]:
        """Copies by code."""
        value, here = data.get(key), f"{pointer}/{key}"
        if not isinstance(value, dict):
            self.fail(here, _("This is {found}."), _("an object"), kind_of(value))
            return {}
        self._kept(value, here)
        return dict(self._read(lambda: read_copies(value, ""), here) or {})

    def invoice(self, data: dict[str, Any], pointer: str) -> dict[str, Any] | None:
        """An invoice as it was kept, null where nothing was to be paid."""
        value, here = data.get("invoice"), f"{pointer}/invoice"
        if value is None:
            return None
        before = len(self.faults)
        if not isinstance(value, dict):
            self.fail(here, _("This is {found}."), _("an object"), kind_of(value))
            return None
        self._kept(value, here)
        spent = self.number(value, "experience_spent", here, -MOST_POINTS, MOST_POINTS)
        paid = 0
        for _place, line, at in self.objects(value.get("lines"), f"{here}/lines", 500):
            self._typed(line, _LINE, at)
            paid += line["paid"] if type(line.get("paid")) is int else 0
            lessened = line.get("reductions")
            for _n, each, there in self.objects(lessened, f"{at}/reductions", 50):
                self._typed(each, _REDUCTION, there)
        list(self.objects(value.get("findings"), f"{here}/findings", 5_000))
        if paid != spent and len(self.faults) == before:
            message = _("The lines come to {found}.")
            self.fail(f"{here}/experience_spent", message, str(paid), str(paid))
        return value if len(self.faults) == before else None

    def record(self, data: dict[str, Any], pointer: str) -> dict[str, Any]:
        """The record of a draw."""
        value, here = data.get("record"), f"{pointer}/record"
        try:
            if isinstance(value, dict) and self._kept(value, here):
                return Record.from_data(value).as_data()
        except (KeyError, TypeError, ValueError):
            pass
        message = _("This is no record of a draw.")
        self.fail(here, message, _("a draw as this server writes it"))
        return {}

    def _kept(self, value: object, pointer: str) -> bool:
        """Whether a database holds it: none holds a NUL."""
        if "\\u0000" not in json.dumps(value):
            return True
        self.fail(pointer, _("A NUL stands in it."), _("text without NUL"))
        return False

    def _typed(
        self,
        data: dict[str, Any],
        types: dict[str, tuple[type | tuple[type, ...], str]],
        pointer: str,
    ) -> None:
        for key, (kind, expected) in types.items():
            value = data.get(key)
            plain = kind is not int or type(value) is int
            if not (key in data and isinstance(value, kind) and plain):
                message = _("This is {found}.")
                self.fail(pointer + token(key), message, expected, kind_of(value))

    def _read(self, read: Callable[[], Any], pointer: str) -> Any:
        """What a reader of the rules gives; None with its faults noted here."""
        try:
            return read()
        except Unreadable as error:
            for each in error.faults:
                here = pointer + each.pointer
                self.fail(here, each.message, each.expected, each.found)
        return None
