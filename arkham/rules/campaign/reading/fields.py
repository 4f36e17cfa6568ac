"""A file of a guide → its JSON, and what no guide may hold in any place of it."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from arkham.rules.notation.reading import Unreadable, read_json

Raw = dict[str, Any]

POOLS = frozenset({"resupply_points", "supply_points", "unspect_xp"})

MOST_FLAWS = 2_000  # kept of one reading; who has more has none of a guide
_SHORT = reprlib.Repr()
_SHORT.maxlevel = 3
_SHORT.maxdict = _SHORT.maxlist = 9
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60


class Flaw(NamedTuple):
    """Something wrong with a guide: a permanent id, where, and what.

    ``at`` is the path in the guide: campaign, file, step, and the place in the step.
    """

    rule: str
    at: str
    found: str
    expected: str = ""


class Fields:
    """Reads fields; what is wrong is kept in ``flaws`` and a harmless value given."""

    def __init__(self) -> None:
        self.flaws: list[Flaw] = []

    def flaw(self, rule: str, at: str, found: object, expected: str = "") -> None:
        """Keep a flaw, unless there are too many to be read by anybody."""
        if len(self.flaws) < MOST_FLAWS:
            self.flaws.append(Flaw(rule, at, shortened(found), expected))

    def text(self, raw: Raw, key: str, at: str, default: str = "") -> str:
        """A word; ``default`` if there is none."""
        value = raw.get(key)
        if value is None:
            return default
        if type(value) is str:
            return value
        self.flaw("guide.wrong-type", f"{at}.{key}", value, "text")
        return default

    def number(self, raw: Raw, key: str, at: str, default: int = 0) -> int:
        """A whole number; ``default`` if there is none."""
        found = self.number_or_none(raw, key, at)
        return default if found is None else found

    def number_or_none(self, raw: Raw, key: str, at: str) -> int | None:
        """A whole number, or None if there is none."""
        value = raw.get(key)
        if value is None or type(value) is int:
            return value
        if isinstance(value, float) and value.is_integer():
            return int(value)
        self.flaw("guide.wrong-type", f"{at}.{key}", value, "a whole number")
        return None

    def flag(self, raw: Raw, key: str, at: str) -> bool:
        """Yes or no; no if nothing is said."""
        value = raw.get(key)
        if value is None:
            return False
        if type(value) is bool:
            return value
        self.flaw("guide.wrong-type", f"{at}.{key}", value, "true or false")
        return False

    def words(self, raw: Raw, key: str, at: str) -> tuple[str, ...]:
        """A list of words; none if nothing is said."""
        value = raw.get(key)
        if value is None:
            return ()
        if type(value) is list and all(type(each) is str for each in value):
            return tuple(value)
        self.flaw("guide.wrong-type", f"{at}.{key}", value, "a list of words")
        return ()

    def items(self, raw: Raw, key: str, at: str) -> list[Raw]:
        """A list of objects; none if nothing is said."""
        value = raw.get(key)
        if value is None:
            return []
        if type(value) is not list:
            self.flaw("guide.wrong-type", f"{at}.{key}", value, "a list of objects")
            return []
        kept = [each for each in value if type(each) is dict]
        if len(kept) != len(value):
            self.flaw("guide.wrong-type", f"{at}.{key}", value, "objects only")
        return kept

    def thing(self, raw: Raw, key: str, at: str) -> Raw | None:
        """An object, or None if there is none."""
        value = raw.get(key)
        if value is None or type(value) is dict:
            return value
        self.flaw("guide.wrong-type", f"{at}.{key}", value, "an object")
        return None

    def known(
        self, raw: Raw, key: str, at: str, allowed: frozenset[str] | dict[str, Any]
    ) -> str:
        """One of the words allowed; an empty word, and a flaw, for any other."""
        value = raw.get(key)
        if type(value) is str and value in allowed:
            return value
        self.flaw(
            "guide.unknown-kind", f"{at}.{key}", value, ", ".join(sorted(allowed))
        )
        return ""

    def known_if_said(
        self, raw: Raw, key: str, at: str, allowed: frozenset[str]
    ) -> str:
        """One of the words allowed, or an empty one if nothing is said."""
        return self.known(raw, key, at, allowed) if raw.get(key) is not None else ""


def shortened(found: object) -> str:
    """What was found, short enough to be shown."""
    words = _SHORT.repr(found)
    return words if len(words) <= 60 else words[:57] + "…"


LARGEST_FILE = 8_000_000  # bytes; the longest today has a fiftieth of it
DEEPEST = 40  # lists and objects inside each other; the deepest today has a third
LARGEST_NUMBER = 1_000_000  # either way; the largest today is 1,893
NUL = "\0"  # what no database keeps


def read_file(fields: Fields, path: str, content: bytes) -> Raw | None:
    """The object a file holds; None, with a flaw, where it is none of a guide's."""
    if len(content) > LARGEST_FILE:
        fields.flaw("guide.too-large", path, len(content), f"{LARGEST_FILE} bytes")
        return None
    try:
        raw = read_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        fields.flaw("guide.unreadable", path, f"byte {error.start}", "UTF-8")
        return None
    except Unreadable as error:
        fault = error.faults[0]
        at = f"{path}, line {fault.line}, column {fault.column}"
        fields.flaw("guide.unreadable", at, fault.text, fault.expected)
        return None
    if not isinstance(raw, dict):
        fields.flaw("guide.wrong-type", path, raw, "an object")
        return None
    return raw if _is_fit(fields, path, raw) else None


def _is_fit(fields: Fields, path: str, raw: Raw) -> bool:
    """Whether nothing in a file is too deep, too large, or not to be kept."""
    level: list[Any] = [raw]
    is_unfit = False
    for _depth in range(DEEPEST):
        is_unfit = is_unfit or any(map(_is_unfit, level))
        level = [part for whole in level for part in _parts(whole)]
    if level:
        fields.flaw("guide.too-deep", path, level[0], f"{DEEPEST} levels at most")
    elif is_unfit:
        at, found = next(_unfit_places(path, raw))
        expected = f"a number to {LARGEST_NUMBER}, a text without NUL"
        fields.flaw("guide.wrong-type", at, found, expected)
    return not level and not is_unfit


def _parts(whole: Any) -> Any:
    """What lies right inside a list or an object."""
    if type(whole) is dict:
        return whole.values()
    return whole if type(whole) is list else ()


def _is_unfit(part: Any) -> bool:
    kind = type(part)
    if kind is str:
        return NUL in part
    if kind is int or kind is float:
        return bool(abs(part) > LARGEST_NUMBER)
    return kind is dict and any(NUL in key for key in part)


def _unfit_places(at: str, whole: Any) -> Iterator[tuple[str, Any]]:
    """Where something unfit is, and what; the nesting is known to be bounded."""
    if _is_unfit(whole):
        yield at, whole
    elif type(whole) is dict:
        for key, part in whole.items():
            yield from _unfit_places(f"{at}.{key}", part)
    elif type(whole) is list:
        for index, part in enumerate(whole):
            yield from _unfit_places(f"{at}[{index}]", part)
