"""Relate the records of a source: cards, products and encounter sets.

Reprints belong to the card first printed, promos and parallels to the original of the
investigator, signatures to their investigator, identified to unidentified cards.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arkham.rules.card import Cycle, Pack, Printing
from cardpool.reading.corrections import DataCorrections, Record, RecordProblem, shown
from cardpool.reading.records import Bounds, read_bounds


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """Parsed JSON, not yet interpreted: ``records`` are (file, record) pairs."""

    records: tuple[tuple[str, Any], ...]
    packs: tuple[Any, ...] = ()
    cycles: tuple[Any, ...] = ()
    encounters: tuple[Any, ...] = ()
    taboos: tuple[Any, ...] = ()
    problems: tuple[RecordProblem, ...] = ()


def read_products(
    source: ParsedSource, problems: list[RecordProblem]
) -> tuple[tuple[Pack, ...], tuple[Cycle, ...]]:
    """Read packs and cycles as facts."""
    cycles: list[Cycle] = []
    for record in _records(source.cycles, "cycles.json", problems):
        cycle = Cycle(record.code, record.wanted("name"), record.count("position"))
        if record.is_good:
            cycles.append(cycle)
        problems.extend(record.problems)
    packs: list[Pack] = []
    for record in _records(source.packs, "packs.json", problems):
        holds = record.values.get("reprint_packs") or []
        if not isinstance(holds, list):
            record.note("reprint_packs", holds, "a list of packs")
            holds = []
        pack = Pack(
            code=record.code,
            name=record.wanted("name"),
            cycle=record.wanted("cycle_code"),
            position=record.count("position"),
            released=record.text("date_release"),
            chapter=record.number("chapter") or 1,
            holds=tuple(str(each) for each in holds),
            holds_type=record.text("reprint_type"),
        )
        if record.is_good:
            packs.append(pack)
        problems.extend(record.problems)
    return tuple(packs), tuple(cycles)


def _records(
    raw: Iterable[Any], file: str, problems: list[RecordProblem]
) -> Iterator[Record]:
    for each in raw:
        if isinstance(each, dict) and isinstance(each.get("code"), str):
            yield Record(each, file)
        else:
            problems.append(RecordProblem(file, "", "code", shown(each), "a code"))


def read_encounter_sets(
    source: ParsedSource, raw: Mapping[str, Mapping[str, Any]]
) -> dict[str, str]:
    """Return names of encounter sets by code, from their file or (API) the cards."""
    names = {
        str(values["encounter_code"]): str(values["encounter_name"])
        for values in raw.values()
        if values.get("encounter_code") and values.get("encounter_name")
    }
    for each in source.encounters:
        if isinstance(each, dict) and each.get("code"):
            names[str(each["code"])] = str(each.get("name", ""))
    return dict(sorted(names.items()))


_TASK = re.compile(r'"you have (\w+)')
_TASK_PLACE = re.compile(r"campaign log", re.IGNORECASE)


class RecordIndex:
    """Every record of a source by code, and its relations to others and to packs."""

    def __init__(
        self,
        records: Mapping[str, Record],
        corrections: DataCorrections,
        packs: Container[str],
    ) -> None:
        self.records = records
        self.corrections = corrections
        self.packs = packs
        self._roots: dict[str, str] = {}
        self._bases: dict[str, str] = {}

    def root(self, code: str) -> str:
        """Return the code of the first printing of a card (60169 → 12025 → 01025)."""
        found = self._roots.get(code)
        if found is None:
            found = self._roots[code] = self._follow(code, ("duplicate_of",))
        return found

    def base(self, code: str) -> str:
        """Return the code of an investigator's first printing that is not parallel."""
        found = self._bases.get(code)
        if found is None:
            fields = ("duplicate_of", "alternate_of")
            found = self._bases[code] = self._follow(code, fields)
        return found

    def _follow(self, code: str, fields: tuple[str, ...]) -> str:
        seen = [code]
        while (record := self.records.get(seen[-1])) is not None:
            target = next(
                (record.text(each) for each in fields if record.has(each)), ""
            )
            if not target:
                break
            if target not in self.records or target in seen:
                record.note(fields[0], target, "the code of another card")
                break
            seen.append(target)
        return seen[-1]

    @cached_property
    def originals(self) -> Mapping[str, Record]:
        """The records that are not reprints, in code order."""
        return {
            code: record
            for code, record in sorted(self.records.items())
            if self.root(code) == code
        }

    @cached_property
    def printings(self) -> Mapping[str, tuple[Printing, ...]]:
        """Every printing of a card by the code of its first printing."""
        grouped: dict[str, list[Printing]] = {}
        for code, record in sorted(self.records.items()):
            printing = Printing(
                code=code,
                pack=record.wanted("pack_code"),
                position=record.count("position"),
                quantity=record.count("quantity"),
            )
            if record.is_good and printing.pack not in self.packs:
                record.note("pack_code", printing.pack, "the code of a product")
            elif record.is_good:
                grouped.setdefault(self.root(code), []).append(printing)
        return {
            root: tuple(sorted(each, key=lambda printing: printing.code != root))
            for root, each in grouped.items()
        }

    @cached_property
    def signatures(self) -> Mapping[str, tuple[Record, ...]]:
        """The cards that only one investigator may have, by base code."""
        grouped: dict[str, list[Record]] = {}
        for record in self.originals.values():
            if not record.has("restrictions") or record.has("bonded_to"):
                continue
            bounds = read_bounds(record.values["restrictions"]) or Bounds()
            for base in {self.base(each) for each in bounds.investigators}:
                grouped.setdefault(base, []).append(record)
        return {base: tuple(each) for base, each in grouped.items()}

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[Record, ...]]:
        grouped: dict[str, list[Record]] = {}
        for record in self.originals.values():
            if record.has("xp"):
                grouped.setdefault(record.text("name"), []).append(record)
        return {name: tuple(each) for name, each in grouped.items()}

    def researched_from(self, record: Record) -> tuple[Record, ...]:
        """Return the lower-level cards of the same name whose text sets a task."""
        level = record.number("xp") or 0
        return tuple(
            each
            for each in self._by_name.get(record.text("name"), ())
            if (each.number("xp") or 0) < level and task_of(each)
        )


def task_of(record: Record) -> str:
    """Return the task of an unidentified card, as the word recorded in the log."""
    text = record.text("text")
    found = _TASK.search(text)
    return found[1] if found and _TASK_PLACE.search(text) else ""
