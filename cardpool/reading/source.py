"""Reads a whole source of card data.

A source is a folder in the layout of ArkhamDB's json-data, or what its API answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arkham.rules.card import Card, Cycle, Pack, TabooList
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import make_pool
from cardpool.reading.cards import read_card
from cardpool.reading.corrections import (
    DataCorrections,
    correct_cards,
    correct_taboos,
    load_corrections,
)
from cardpool.reading.layouts import as_in_files
from cardpool.reading.library import RecordIndex
from cardpool.reading.problems import Record, RecordProblem, shown
from cardpool.reading.products import ParsedSource, read_encounter_sets, read_products
from cardpool.reading.records import Records, collect
from cardpool.reading.taboo import raw_lists, read_taboo_list

_TEXTS = (
    "text",
    "flavor",
    "back_name",
    "back_text",
    "back_flavor",
    "customization_text",
    "illustrator",
)


@dataclass(frozen=True, slots=True)
class SourceReading:
    """The facts of a source, its texts apart from them, and its problems.

    ``texts`` are by code, then field (of every printing); ``taboo_texts`` by list,
    then code. They are the operator's to show; nothing in the rules depends on them.
    ``records`` are what the source said, before any correction.
    """

    cards: Mapping[str, Card]
    packs: tuple[Pack, ...]
    cycles: tuple[Cycle, ...]
    taboo_lists: tuple[TabooList, ...]
    encounter_sets: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    taboo_texts: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    records: Records = field(default_factory=Records)
    problems: tuple[RecordProblem, ...] = ()

    @property
    def faults(self) -> tuple[RecordProblem, ...]:
        """The problems that cost a record; the others are only told."""
        return tuple(problem for problem in self.problems if problem.serious)


def read_directory(
    path: Path, corrections: DataCorrections | None = None
) -> SourceReading:
    """Read a folder in the layout of json-data. Raises nothing: see ``problems``."""
    problems: list[RecordProblem] = []
    records = [
        (file.relative_to(path).as_posix(), record)
        for file in sorted(path.glob("pack/*/*.json"))
        for record in _json_list(file, path, problems)
    ]
    if not records:
        problems.append(
            RecordProblem("pack", "", "", "no records", "card records in pack/*/*.json")
        )
    source = ParsedSource(
        records=tuple(records),
        packs=tuple(_json_list(path / "packs.json", path, problems)),
        cycles=tuple(_json_list(path / "cycles.json", path, problems)),
        encounters=tuple(_json_list(path / "encounters.json", path, problems)),
        taboos=tuple(_json_list(path / "taboos.json", path, problems)),
        problems=tuple(problems),
    )
    return read_source(source, corrections)


def _json_list(file: Path, folder: Path, problems: list[RecordProblem]) -> list[Any]:
    name = file.relative_to(folder).as_posix()
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        problems.append(RecordProblem(name, "", "", "no file", "a JSON file"))
        return []
    except (OSError, ValueError, RecursionError) as error:
        problems.append(RecordProblem(name, "", "", shown(str(error)), "a JSON file"))
        return []
    if not isinstance(value, list):
        problems.append(RecordProblem(name, "", "", type(value).__name__, "a list"))
        return []
    return value


def read_source(
    source: ParsedSource, corrections: DataCorrections | None = None
) -> SourceReading:
    """The facts of a source in either layout, with the corrections applied."""
    corrections = corrections if corrections is not None else load_corrections()
    problems = list(source.problems)
    packs, cycles = read_products(source, problems)
    cycle_of_pack = {pack.code: pack.cycle for pack in packs}
    values, files = _by_code(source.records, problems)
    # Corrections and the reading of taboos leave what came in as it came.
    came = collect(values, source.packs, source.taboos)
    problems.extend(correct_cards(values, corrections))
    records = {code: Record(each, files[code]) for code, each in values.items()}
    library = RecordIndex(records, corrections)
    cards: dict[str, Card] = {}
    for code, record in library.originals.items():
        card = read_card(record, library, cycle_of_pack)
        if record.is_good:
            cards[code] = card
    for record in records.values():
        problems.extend(record.problems)
    lists = raw_lists(list(source.taboos), problems)
    entries = {number: raw.entries for number, raw in lists.items()}
    problems.extend(correct_taboos(entries, corrections))
    taboo_lists = tuple(
        read_taboo_list(raw, cards, library, problems)
        for _, raw in sorted(lists.items())
    )
    return SourceReading(
        cards=cards,
        packs=packs,
        cycles=cycles,
        taboo_lists=taboo_lists,
        encounter_sets=read_encounter_sets(source, values),
        texts={code: _texts(each) for code, each in sorted(values.items())},
        taboo_texts={
            number: {
                code: str(entry.get("replacement_text") or entry.get("text") or "")
                for code, entry in sorted(listed.items())
            }
            for number, listed in sorted(entries.items())
        },
        records=came,
        problems=tuple(dict.fromkeys(problems)),
    )


def to_pool(reading: SourceReading) -> CardPool:
    """The card pool of a reading, named after its contents."""
    return make_pool(
        cards=reading.cards,
        taboo_lists=reading.taboo_lists,
        packs=reading.packs,
        cycles=reading.cycles,
        encounter_sets=reading.encounter_sets,
    )


def _by_code(
    pairs: Iterable[tuple[str, Any]], problems: list[RecordProblem]
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Records by code; where a code comes twice the last record counts."""
    raw: dict[str, dict[str, Any]] = {}
    files: dict[str, str] = {}
    for file, record in pairs:
        code = record.get("code") if isinstance(record, dict) else None
        if not isinstance(code, str) or not code:
            problems.append(
                RecordProblem(file, shown(code), "code", shown(record), "a code")
            )
            continue
        if code in raw:
            problems.append(
                RecordProblem(
                    file,
                    code,
                    "code",
                    "two records",
                    "one; the last counts",
                    serious=False,
                )
            )
        raw[code] = as_in_files(record)
        files[code] = file
    return raw, files


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: value
        for name in _TEXTS
        if isinstance(value := values.get(name), str) and value
    }
