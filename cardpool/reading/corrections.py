"""Problems of card data, and corrections where they differ from the printed game.

``corrections.toml`` has one cited row for every difference. A row says what the data
have now, so that rows for data that were corrected since are reported.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardpool.reading.records import as_in_files, is_number

FOUND_SHOWN = 60


@dataclass(frozen=True, slots=True)
class RecordProblem:
    """A record that can't be read as it is, or something worth knowing about it.

    ``file`` and ``code`` say where ("" for the whole source), ``field`` which part,
    ``found`` is its value (shortened) and ``expected`` describes a valid one.
    ``serious`` problems cost the record; the others are only reported.
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
    """Return a value as reports show it, cut to ``FOUND_SHOWN`` characters."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= FOUND_SHOWN else text[: FOUND_SHOWN - 1] + "…"


class Record:
    """One card record with typed access; problems are noted, not raised.

    ``values`` are in the layout of ArkhamDB's json-data (see ``records``).
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
        """True if nothing serious was noted so far."""
        return not any(problem.serious for problem in self.problems)

    def has(self, field: str) -> bool:
        """Return True if the field exists and isn't null."""
        return self.values.get(field) is not None

    def text(self, field: str) -> str:
        """Return a text field; "" if absent."""
        value = self.values.get(field)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.note(field, value, "text")
            return ""
        return value

    def wanted(self, field: str) -> str:
        """Return a text field that must not be empty."""
        value = self.text(field)
        if not value:
            self.note(field, self.values.get(field), "text")
        return value

    def number(self, field: str) -> int | None:
        """Return an integer field; None if absent or null ("-")."""
        value = self.values.get(field)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            self.note(field, value, "a whole number")
            return None
        return value

    def count(self, field: str) -> int:
        """Return an integer field that must not be negative; 0 if absent."""
        value = self.number(field) or 0
        if value < 0:
            self.note(field, value, "0 or more")
            return 0
        return value

    def flag(self, field: str) -> bool:
        """Return a boolean field, also as 0 or 1; False if absent."""
        value = self.values.get(field)
        if value not in (None, True, False):
            self.note(field, value, "true or false")
            return False
        return bool(value)

    def objects(self, field: str) -> list[dict[str, Any]]:
        """Return a field with a list of objects; empty if absent."""
        value = self.values.get(field)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(i, dict) for i in value):
            self.note(field, value, "a list of objects")
            return []
        return value


TABLE = Path(__file__).resolve().parent.parent / "corrections.toml"
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class DataCorrection:
    """One cited difference: ``path`` is the field, then keys and indexes within it.

    ``found`` is the value in the data (absent if the row gives none), ``right`` what is
    printed. ``contains`` matches text by a part of it; ``right_from`` copies the field
    of another code. ``taboo`` are lists that the row is about, instead of the card.
    """

    code: str
    path: tuple[str, ...]
    cite: str
    found: Any = None
    contains: str = ""
    right: Any = None
    right_from: str = ""
    taboo: tuple[int, ...] = ()

    @property
    def field(self) -> str:
        """The path as the table writes it."""
        return ".".join(self.path)

    def bites(self, target: Mapping[str, Any]) -> bool:
        """Return True if the data still have the value that the row corrects."""
        now = _look_up(target, self.path)
        if len(self.path) > 1 and not isinstance(target.get(self.path[0]), dict | list):
            return False
        if self.contains:
            return isinstance(now, str) and self.contains in now
        if self.found is None:
            return now is _ABSENT or now is None
        return bool(now == self.found)


@dataclass(frozen=True, slots=True)
class DataCorrections:
    """The table: corrections, and the errata of cards by code."""

    rows: tuple[DataCorrection, ...] = ()
    errata: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def cite(self, code: str, name: str) -> str:
        """Return the source of a card's corrected field, "" if it wasn't corrected."""
        for row in self.rows:
            if row.code == code and not row.taboo and row.path[0] == name:
                return row.cite
        return ""


def load_corrections(path: Path = TABLE) -> DataCorrections:
    """Load the committed table (or another in its format)."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    errata: dict[str, tuple[tuple[str, str], ...]] = {}
    for row in table.get("erratum", ()):
        for code in row["codes"]:
            errata[code] = (*errata.get(code, ()), (row["version"], row["concerns"]))
    return DataCorrections(tuple(_rows(table.get("correction", ()))), errata)


def _rows(rows: list[dict[str, Any]]) -> Iterator[DataCorrection]:
    for row in rows:
        plain = dict(row)
        path = tuple(plain.pop("field").split("."))
        taboo = tuple(plain.pop("taboo", ()))
        for code in plain.pop("codes", None) or [plain.pop("code")]:
            yield DataCorrection(code=code, path=path, taboo=taboo, **plain)


def correct_cards(
    cards: dict[str, dict[str, Any]], corrections: DataCorrections
) -> Iterator[RecordProblem]:
    """Apply the rows about cards to records by code; yield those that don't apply."""
    for row in corrections.rows:
        if row.taboo:
            continue
        target = cards.get(row.code)
        if target is None:
            continue  # a source need not have every product
        if row.bites(target):
            _correct(target, row, cards)
        else:
            yield _missed(row, target, row.code)


def correct_taboos(
    lists: Mapping[int, dict[str, dict[str, Any]]], corrections: DataCorrections
) -> Iterator[RecordProblem]:
    """Apply the rows about taboo lists to their entries by code."""
    for row in corrections.rows:
        for number in row.taboo:
            entries = lists.get(number)
            if entries is None:
                continue
            target = entries.get(row.code, {"code": row.code})
            if row.bites(target):
                entries[row.code] = target
                _correct(target, row, entries)
            else:
                yield _missed(row, target, f"taboo list {number}, {row.code}")


def _missed(
    row: DataCorrection, target: Mapping[str, Any], where: str
) -> RecordProblem:
    now = _look_up(target, row.path)
    return RecordProblem(
        TABLE.name,
        where,
        row.field,
        "nothing" if now is _ABSENT else shown(now),
        "what the correction was made for; it no longer bites",
        serious=False,
    )


def _look_up(target: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        if isinstance(target, list) and is_number(step) and int(step) < len(target):
            target = target[int(step)]
        elif isinstance(target, dict) and step in target:
            target = target[step]
        else:
            return _ABSENT
    return target


def _correct(
    target: dict[str, Any], row: DataCorrection, others: Mapping[str, dict[str, Any]]
) -> None:
    right = row.right
    if row.right_from:
        right = as_in_files(others[row.right_from]).get(row.path[0])
    if len(row.path) > 1:  # don't modify the original record
        target[row.path[0]] = deepcopy(target[row.path[0]])
    holder: Any = target
    for step in row.path[:-1]:
        if isinstance(holder, list):
            holder = holder[int(step)]
        else:
            holder = holder.setdefault(step, {})
    holder[row.path[-1]] = right
