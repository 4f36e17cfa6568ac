"""Corrections where the data and the printed game differ.

``corrections.toml`` holds one cited row for every difference. A row says what the
data has now, so that a row the data has caught up with is reported.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardpool.reading.layouts import as_in_files, is_number
from cardpool.reading.problems import RecordProblem, shown

TABLE = Path(__file__).resolve().parent.parent / "corrections.toml"
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class DataCorrection:
    """One cited difference: ``path`` is the field, then keys and indexes within it.

    ``found`` is what the data has (absent where the row gives none), ``right`` what
    is printed. ``contains`` matches text by a part of it; ``right_from`` takes the
    same field of another code. ``taboo`` lists are meant where given, else the card.
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
        """Whether the data still has what the row says it has."""
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
        """The source of a corrected field of a card, "" if it was not corrected."""
        for row in self.rows:
            if row.code == code and not row.taboo and row.path[0] == name:
                return row.cite
        return ""


def load_corrections(path: Path = TABLE) -> DataCorrections:
    """The committed table (or another of its kind)."""
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
    """Apply the rows about cards to records by code; report those that miss."""
    for row in corrections.rows:
        if row.taboo:
            continue
        target = cards.get(row.code)
        if target is None:
            continue  # a source need not hold every product
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
    if len(row.path) > 1:  # what came in stays as it came
        target[row.path[0]] = deepcopy(target[row.path[0]])
    holder: Any = target
    for step in row.path[:-1]:
        if isinstance(holder, list):
            holder = holder[int(step)]
        else:
            holder = holder.setdefault(step, {})
    holder[row.path[-1]] = right
