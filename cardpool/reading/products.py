"""Where do cards come from: what a source is made of, products and encounter sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arkham.rules.card import Cycle, Pack
from cardpool.reading.problems import Record, RecordProblem, shown


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """Parsed JSON, not yet looked into: ``records`` are (file, record) pairs."""

    records: tuple[tuple[str, Any], ...]
    packs: tuple[Any, ...] = ()
    cycles: tuple[Any, ...] = ()
    encounters: tuple[Any, ...] = ()
    taboos: tuple[Any, ...] = ()
    problems: tuple[RecordProblem, ...] = ()


def read_products(
    source: ParsedSource, problems: list[RecordProblem]
) -> tuple[tuple[Pack, ...], tuple[Cycle, ...]]:
    """Packs and cycles as facts."""
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
    """Names of encounter sets by code: from their file, or (API) from the cards."""
    names = {
        str(values["encounter_code"]): str(values["encounter_name"])
        for values in raw.values()
        if values.get("encounter_code") and values.get("encounter_name")
    }
    for each in source.encounters:
        if isinstance(each, dict) and each.get("code"):
            names[str(each["code"])] = str(each.get("name", ""))
    return dict(sorted(names.items()))
