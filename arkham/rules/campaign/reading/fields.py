"""Reads single fields of a guide's JSON and says where one is not what it should be."""

from __future__ import annotations

import reprlib
from typing import Any, NamedTuple

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
