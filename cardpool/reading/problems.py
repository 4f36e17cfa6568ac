"""Problems of card data: what is wrong, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FOUND_SHOWN = 60


@dataclass(frozen=True, slots=True)
class RecordProblem:
    """A record that cannot be read as it stands, or a thing worth knowing about it.

    ``file`` and ``code`` say where ("" for the whole source), ``field`` which part,
    ``found`` what is there (shortened) and ``expected`` what should be. ``serious``
    problems cost the record; the others are only reported.
    """

    file: str
    code: str
    field: str
    found: str
    expected: str
    serious: bool = True

    def __str__(self) -> str:
        where = " ".join(part for part in (self.file, self.code, self.field) if part)
        return f"{where}: found {self.found}, expected {self.expected}"


def shown(value: object) -> str:
    """A value as a report shows it: its beginning."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= FOUND_SHOWN else text[: FOUND_SHOWN - 1] + "…"


class Record:
    """One card record with typed access; what does not fit is noted, not raised.

    ``values`` are in the layout of ArkhamDB's json-data (see ``layouts``).
    """

    def __init__(self, values: Mapping[str, Any], file: str = "") -> None:
        self.values = values
        self.file = file
        code = values.get("code")
        self.code = code if isinstance(code, str) else ""
        self.problems: list[RecordProblem] = []

    def note(
        self, field: str, found: object, expected: str, *, serious: bool = True
    ) -> None:
        """Note that a field is not what it should be."""
        self.problems.append(
            RecordProblem(self.file, self.code, field, shown(found), expected, serious)
        )

    @property
    def is_good(self) -> bool:
        """Whether nothing serious is wrong with what has been read so far."""
        return not any(problem.serious for problem in self.problems)

    def has(self, field: str) -> bool:
        """Whether the field is there and not null."""
        return self.values.get(field) is not None

    def text(self, field: str) -> str:
        """A field of text; "" where absent."""
        value = self.values.get(field)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.note(field, value, "text")
            return ""
        return value

    def wanted(self, field: str) -> str:
        """A field of text that must be there."""
        value = self.text(field)
        if not value:
            self.note(field, self.values.get(field), "text")
        return value

    def number(self, field: str) -> int | None:
        """A field with an integer; None where absent or null ("-")."""
        value = self.values.get(field)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            self.note(field, value, "a whole number")
            return None
        return value

    def count(self, field: str) -> int:
        """A field with an integer that is 0 or more; 0 where absent."""
        value = self.number(field) or 0
        if value < 0:
            self.note(field, value, "0 or more")
            return 0
        return value

    def flag(self, field: str) -> bool:
        """A field that is true, false or absent (false); 0 and 1 will do."""
        value = self.values.get(field)
        if value not in (None, True, False):
            self.note(field, value, "true or false")
            return False
        return bool(value)

    def objects(self, field: str) -> list[dict[str, Any]]:
        """A field with a list of objects; empty where absent."""
        value = self.values.get(field)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(i, dict) for i in value):
            self.note(field, value, "a list of objects")
            return []
        return value
