"""Cursors over the objects of a guide, and rows that define which fields they read.

Both formats are read this way: Arkham Cards' JSON and our own TOML.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from typing import Any, NamedTuple, TypeVar, cast

Raw = dict[str, Any]
Made = TypeVar("Made")
Value = TypeVar("Value")

MOST_FLAWS = 2_000  # recorded per reading; with more it is hardly a guide
_SHORT = reprlib.Repr()
_SHORT.maxlevel = 3
_SHORT.maxdict = _SHORT.maxlist = 9
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60


class Flaw(NamedTuple):
    """Something wrong with a guide: a permanent id, the place, and what was found.

    ``at`` is the path in the guide: campaign, file, step, and the place in the step.
    """

    rule: str
    at: str
    found: str
    expected: str = ""


def flaw_line(flaw: Flaw) -> str:
    """Return a flaw as one line: its rule, place, what was found and expected."""
    expected = f", not {_first(flaw.expected)}" if flaw.expected else ""
    return f"{flaw.rule} {flaw.at}: {flaw.found}{expected}"


def _first(expected: str) -> str:
    """Return what was expected, in at most one line."""
    return expected if len(expected) <= 80 else f"one of {expected.count(',') + 1}"


class FlawsFound:
    """Collects the flaws found in one reading."""

    def __init__(self) -> None:
        self.flaws: list[Flaw] = []

    def flaw(self, rule: str, at: str, found: object, expected: str = "") -> None:
        """Record a flaw, unless there are too many already."""
        if len(self.flaws) < MOST_FLAWS:
            self.flaws.append(Flaw(rule, at, shortened(found), expected))


def shortened(found: object) -> str:
    """Return what was found, short enough to show."""
    words = _SHORT.repr(found)
    return words if len(words) <= 60 else words[:57] + "…"


class Cursor:
    """One object (or table) of a guide, and its place.

    A value of the wrong type is a flaw, and a harmless default is returned. If the
    cursor ``tracks`` keys, ``close`` reports those that were not read.
    """

    __slots__ = ("_above", "_index", "_place", "_read", "found", "raw")

    def __init__(
        self,
        found: FlawsFound,
        raw: Raw,
        place: str,
        above: Cursor | None = None,
        index: int | None = None,
        tracks: bool = False,
    ) -> None:
        self.found = found
        self.raw = raw
        self._place = place
        self._above = above
        self._index = index
        self._read: set[str] | None = set() if tracks else None

    @property
    def at(self) -> str:
        """The path of the object, built only when a flaw is reported."""
        if self._above is None:
            return self._place
        index = "" if self._index is None else f"[{self._index}]"
        return f"{self._above.at}{self._place}{index}"

    def __contains__(self, key: str) -> bool:
        return key in self.raw

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def _below(self, raw: Raw, key: str) -> Cursor:
        tracks = self._read is not None
        return Cursor(self.found, raw, f".{key}", self, tracks=tracks)

    def move(self, place: str) -> None:
        """Use another place below the object above: a step's id."""
        self._place, self._index = place, None

    def close(self, allowed: str = "") -> None:
        """Report the keys that were not read."""
        for key in self.raw:
            if key not in (self._read or ()):
                self.flaw("guide.unknown-key", key, key, allowed)

    def flaw(self, rule: str, key: str, found: object, expected: str = "") -> None:
        """Record a flaw of a key, or of the object itself if the key is ""."""
        at = f"{self.at}.{key}" if key else self.at
        self.found.flaw(rule, at, found, expected)

    def take(self, key: str) -> Any:
        """Return the value of a key, whatever its type; None if it is missing."""
        if self._read is not None:
            self._read.add(key)
        return self.raw.get(key)

    def _typed(
        self, key: str, kind: type[Value], default: Value, expected: str
    ) -> Value:
        value = self.raw.get(key)
        if self._read is not None:
            self._read.add(key)
        if type(value) is kind:
            return value
        if value is not None:
            self.flaw("guide.wrong-type", key, value, expected)
        return default

    def text(self, key: str, default: str = "") -> str:
        """Return a text, or ``default`` if it is missing."""
        value = self.raw.get(key)
        if self._read is not None:
            self._read.add(key)
        if type(value) is str:
            return value
        if value is not None:
            self.flaw("guide.wrong-type", key, value, "text")
        return default

    def flag(self, key: str) -> bool:
        """Return a boolean, false if it is missing."""
        return self._typed(key, bool, False, "true or false")

    def number(self, key: str, default: int = 0) -> int:
        """Return an integer, or ``default`` if it is missing."""
        found = self.number_or_none(key)
        return default if found is None else found

    def number_or_none(self, key: str) -> int | None:
        """Return an integer, or None if it is missing."""
        value = self.take(key)
        if value is None or type(value) is int:
            return value
        if isinstance(value, float) and value.is_integer():
            return int(value)
        self.flaw("guide.wrong-type", key, value, "a whole number")
        return None

    def words(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty if it is missing."""
        value = self.raw.get(key)
        if self._read is not None:
            self._read.add(key)
        if type(value) is list and all(type(each) is str for each in value):
            return tuple(value)
        if value is not None:
            self.flaw("guide.wrong-type", key, value, "a list of words")
        return ()

    def numbers(self, key: str) -> tuple[int, ...]:
        """Return a list of integers; empty, with a flaw, for anything else."""
        value = self.take(key)
        if type(value) is list and all(type(each) is int for each in value):
            return tuple(value)
        self.flaw("guide.wrong-type", key, value, "whole numbers")
        return ()

    def known(self, key: str, allowed: frozenset[str] | dict[str, Any]) -> str:
        """Return one of the allowed texts; "", with a flaw, for anything else."""
        value = self.take(key)
        if type(value) is str and value in allowed:
            return value
        self.flaw("guide.unknown-kind", key, value, ", ".join(sorted(allowed)))
        return ""

    def known_or(self, key: str, allowed: frozenset[str], default: str = "") -> str:
        """Return one of the allowed texts, or ``default`` for anything else."""
        if self.raw.get(key) is None:
            return default
        return self.known(key, allowed) or default

    def inner(self, key: str) -> Cursor | None:
        """Return an object inside this one, or None."""
        value = self._typed(key, dict, None, "a {…} block")
        return None if value is None else self._below(value, key)

    def filled(self, key: str) -> Cursor | None:
        """Return an object inside this one, or None if it is missing or empty."""
        if key not in self.raw:
            return None
        found = self.inner(key)
        return found if found is not None and found.raw else None

    def inside(self, key: str) -> Cursor:
        """Return an object inside this one, empty if it is missing."""
        return self.inner(key) or self._below({}, key)

    def items(self, key: str) -> Iterator[Cursor]:
        """Yield the objects of a list; nothing if it is missing."""
        if key not in self.raw:
            return
        listed: list[Any] = self._typed(key, list, [], "a list of objects")
        kept = [each for each in listed if type(each) is dict]
        if len(kept) != len(listed):
            self.flaw("guide.wrong-type", key, listed, "objects only")
        place, found, tracks = f".{key}", self.found, self._read is not None
        for index, raw in enumerate(kept):
            yield Cursor(found, raw, place, self, index, tracks)

    def named(self, key: str, at: str = "") -> dict[str, Cursor]:
        """Return objects by name; if ``at`` is given, their paths start with it."""
        found = {}
        for name, raw in self.inside(key).raw.items():
            place = f"{at} · {name}" if at else f"{self.at}.{key}.{name}"
            if isinstance(raw, dict):
                tracks = self._read is not None
                found[name] = Cursor(self.found, raw, place, tracks=tracks)
            else:
                self.found.flaw("guide.wrong-type", place, raw, "a table")
        return found

    def texts(self, key: str) -> dict[str, str]:
        """Return texts by name."""
        inner = self.inside(key)
        return {name: inner.text(name) for name in inner}


Reader = Callable[[Cursor], Any]
# How a field of each type is read, and its value if it is missing.
_READ: dict[Any, tuple[Callable[[Cursor, str], Any], Any]] = {
    "str": (Cursor.text, ""),
    "int": (Cursor.number, 0),
    "bool": (Cursor.flag, False),
    "int | None": (Cursor.number_or_none, None),
    "tuple[str, ...]": (Cursor.words, ()),
}


def row(
    made: type[Made], /, *same: str, **others: str | Reader
) -> Callable[[Cursor], Made]:
    """Return a reader for a class of the model, given how each field is read.

    Fields in ``same`` are read from the key of the same name, others from the given key
    or with the given reader. All other fields keep their defaults.
    """
    by_name = {field.name: field for field in fields(cast(Any, made))}
    empty: dict[str, Any] = {}
    keyed: list[tuple[str, str, Callable[[Cursor, str], Any]]] = []
    worked_out: list[tuple[str, Reader]] = []
    for name, how in [*zip(same, same, strict=True), *others.items()]:
        field = by_name[name]
        if not isinstance(how, str):
            worked_out.append((name, how))
            continue
        reader, nothing = _READ[field.type]
        keyed.append((name, how, reader))
        if field.default is MISSING:
            empty[name] = nothing

    def read(here: Cursor) -> Made:
        found = empty.copy()
        raw = here.raw
        for name, key, reader in keyed:
            if key in raw:
                found[name] = reader(here, key)
        for name, work_out in worked_out:
            found[name] = work_out(here)
        return made(**found)

    return read


def always(value: object) -> Reader:
    """Return a reader that always returns this value."""
    return lambda here: value


def known(key: str, allowed: frozenset[str]) -> Reader:
    """Return a reader for one of the allowed texts, which is required."""
    return lambda here: here.known(key, allowed)


def known_or(key: str, allowed: frozenset[str], default: str = "") -> Reader:
    """Return a reader for one of the allowed texts, or ``default``."""
    return lambda here: here.known_or(key, allowed, default)


def number_or(key: str, default: int) -> Reader:
    """Return a reader for an integer, or ``default``."""
    return lambda here: here.number(key, default)


def text_or(key: str, default: str) -> Reader:
    """Return a reader for a text, or ``default``."""
    return lambda here: here.text(key, default)


def by_kind(
    readers: dict[str, Callable[[Cursor], Made]], key: str = "type"
) -> Callable[[Cursor], Made | None]:
    """Return a reader that depends on the kind; None, with a flaw, if it is unknown."""

    def read(here: Cursor) -> Made | None:
        kind = here.known(key, readers)
        return readers[kind](here) if kind else None

    return read
