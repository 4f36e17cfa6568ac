"""Reads the tables of our own guides: key by key, and what nobody read is a flaw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arkham.rules.campaign.reading.fields import Fields, Raw
from arkham.rules.chaos.bag import Token

NOTES = "campaign_notes"  # the section of the log that is meant where none is named
_TOKENS = frozenset(token.value for token in Token)


class TomlTable:
    """One table of a guide.

    Each key is read once; what is of a wrong type is a flaw, and a harmless value is
    given. ``close`` tells of keys nobody has read.
    """

    def __init__(self, fields: Fields, raw: Raw, at: str) -> None:
        self.fields = fields
        self.raw = raw
        self.at = at
        self._left = set(raw)

    def __contains__(self, key: str) -> bool:
        return key in self.raw

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def close(self, allowed: str = "") -> None:
        """Tell of the keys nobody has read."""
        for key in self.raw:
            if key in self._left:
                self.fields.flaw("guide.unknown-key", f"{self.at}.{key}", key, allowed)

    def flaw(self, rule: str, key: str, found: object, expected: str) -> None:
        """Keep a flaw of one of the keys."""
        self.fields.flaw(rule, f"{self.at}.{key}", found, expected)

    def take(self, key: str) -> Any:
        """What a key says, whatever it is; None if it is not there."""
        self._left.discard(key)
        return self.raw.get(key)

    def text(self, key: str, default: str = "") -> str:
        """A text; ``default`` if there is none."""
        self._left.discard(key)
        return self.fields.text(self.raw, key, self.at, default)

    def number(self, key: str, default: int = 0) -> int:
        """A whole number; ``default`` if there is none."""
        self._left.discard(key)
        return self.fields.number(self.raw, key, self.at, default)

    def number_or_none(self, key: str) -> int | None:
        """A whole number, or None."""
        self._left.discard(key)
        return self.fields.number_or_none(self.raw, key, self.at)

    def flag(self, key: str) -> bool:
        """Yes or no; no if nothing is said."""
        self._left.discard(key)
        return self.fields.flag(self.raw, key, self.at)

    def words(self, key: str) -> tuple[str, ...]:
        """A list of words; none if nothing is said."""
        self._left.discard(key)
        return self.fields.words(self.raw, key, self.at)

    def known(self, key: str, allowed: frozenset[str], default: str) -> str:
        """One of the words allowed; ``default`` if it says none of them."""
        self._left.discard(key)
        if key not in self.raw:
            return default
        return self.fields.known(self.raw, key, self.at, allowed) or default

    def tokens(self, key: str) -> tuple[str, ...]:
        """Chaos tokens, parted by spaces."""
        listed = tuple(self.text(key).split())
        for token in listed:
            if token not in _TOKENS:
                self.flaw("guide.unknown-kind", key, token, ", ".join(sorted(_TOKENS)))
        return tuple(token for token in listed if token in _TOKENS)

    def table(self, key: str) -> TomlTable | None:
        """A table inside this one, or None."""
        self._left.discard(key)
        raw = self.fields.thing(self.raw, key, self.at)
        return None if raw is None else TomlTable(self.fields, raw, f"{self.at}.{key}")

    def tables(self, key: str) -> list[TomlTable]:
        """A list of tables; empty if nothing is said."""
        self._left.discard(key)
        return [
            TomlTable(self.fields, raw, f"{self.at}.{key}[{index}]")
            for index, raw in enumerate(self.fields.items(self.raw, key, self.at))
        ]

    def named(self, key: str, at: str = "") -> dict[str, TomlTable]:
        """Tables by name; those of the file ``at`` have a path of their own."""
        self._left.discard(key)
        found = {}
        for name, raw in (self.fields.thing(self.raw, key, self.at) or {}).items():
            place = f"{at} · {name}" if at else f"{self.at}.{key}.{name}"
            if isinstance(raw, dict):
                found[name] = TomlTable(self.fields, raw, place)
            else:
                self.fields.flaw("guide.wrong-type", place, raw, "a table")
        return found

    def texts(self, key: str) -> dict[str, str]:
        """Texts by name."""
        inner = self.table(key)
        return {} if inner is None else {name: inner.text(name) for name in inner}
