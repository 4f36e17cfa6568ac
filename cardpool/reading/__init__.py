"""Read a whole source of card data, and the changes of each taboo list.

A source is a folder in the layout of ArkhamDB's json-data, or the answers of its API.
It is read into the facts that our rules use. Pure: no Django here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from arkham.rules.card import Card, Cycle, Pack, SheetOption, TabooChange, TabooList
from arkham.rules.notation.reading import read_json
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import make_pool
from cardpool.reading.cards import read_back, read_card, read_sheet
from cardpool.reading.corrections import (
    DataCorrections,
    Record,
    RecordProblem,
    correct_cards,
    correct_taboos,
    load_corrections,
    shown,
)
from cardpool.reading.library import (
    ParsedSource,
    RecordIndex,
    read_encounter_sets,
    read_products,
)
from cardpool.reading.records import (
    Records,
    as_in_files,
    collect,
    is_number,
    read_taboo_entries,
)

__all__ = [
    "DataCorrections",
    "ParsedSource",
    "RecordProblem",
    "SourceReading",
    "in_language",
    "load_corrections",
    "read_directory",
    "read_source",
    "read_translation",
    "read_value",
    "to_pool",
]

FILE = "taboos.json"
_CAMPAIGN_ONLY = "campaign mode only"
_SHEET_FIELDS = ("customization_options", "customization_text", "surcharges")


@dataclass(frozen=True, slots=True)
class RawList:
    """A list from a source: its id, the date it took effect, entries by card code."""

    id: int
    date: str
    entries: dict[str, dict[str, Any]]


def raw_lists(raw: list[Any], problems: list[RecordProblem]) -> dict[int, RawList]:
    """Return the lists of a source by id, in either layout."""
    lists: dict[int, RawList] = {}
    for each in raw:
        values = each if isinstance(each, dict) else {}
        code = values.get("code")
        entries = read_taboo_entries(values.get("cards"))
        if not is_number(code) or entries is None:
            problems.append(
                RecordProblem(FILE, shown(code), "cards", "no list", "a numbered list")
            )
            continue
        lists[int(code)] = RawList(
            int(code),
            str(values.get("date_start") or ""),
            {str(entry.get("code")): dict(entry) for entry in entries},
        )
    return lists


def read_taboo_list(
    raw: RawList,
    cards: Mapping[str, Card],
    library: RecordIndex,
    problems: list[RecordProblem],
) -> TabooList:
    """Read one list as changes by card.

    An entry applies to all printings of a card. If a reprint has an entry besides the
    original's, it repeats it, and only the original's is read.
    """
    changes: dict[str, TabooChange] = {}
    for code, values in sorted(raw.entries.items()):
        first = library.root(code)
        entry = Record({**values, "code": code}, FILE)
        if first not in cards:
            entry.note("code", code, "a card of the game", serious=False)
        elif first == code or first not in raw.entries:
            change = _change(entry, cards[first], library)
            if entry.is_good:
                changes[first] = change
        problems.extend(entry.problems)
    return TabooList(raw.id, raw.date, changes)


def _change(entry: Record, card: Card, library: RecordIndex) -> TabooChange:
    change = TabooChange(
        code=card.code,
        experience=entry.number("xp") or 0,
        exceptional=entry.flag("exceptional") if entry.has("exceptional") else None,
        deck_limit=entry.number("deck_limit"),
        campaign_only=_CAMPAIGN_ONLY in entry.text("text").lower(),
        sheet=_sheet(entry, card, library),
    )
    if entry.has("deck_requirements"):
        change = _with_back(change, entry, card, library)
    return replace(change, text_only=change == TabooChange(code=card.code))


def _sheet(
    entry: Record, card: Card, library: RecordIndex
) -> tuple[SheetOption, ...] | None:
    """Return the sheet that replaces the printed one; None if the list changes none."""
    if not any(entry.has(name) for name in _SHEET_FIELDS):
        return None
    printed = library.records[card.code].values
    values = {name: printed.get(name) for name in _SHEET_FIELDS}
    values |= {name: entry.values[name] for name in _SHEET_FIELDS if entry.has(name)}
    changed = Record({**values, "code": card.code}, FILE)
    sheet = read_sheet(changed)
    entry.problems.extend(changed.problems)
    return None if sheet == card.sheet else sheet


def _with_back(
    change: TabooChange, entry: Record, card: Card, library: RecordIndex
) -> TabooChange:
    """Add the differences between the list's back and the printed one to the change."""
    printed = card.investigator.back if card.investigator else None
    back = read_back(entry, library.records[card.code], library)
    if printed is None or back is None:
        return change
    kept = {choice.key for choice in back.choices}
    return replace(
        change,
        size=back.size if back.size != printed.size else None,
        options=back.options if back.options != printed.options else None,
        requirements=(
            back.requirements if back.requirements != printed.requirements else None
        ),
        drops_choices=tuple(
            choice.key for choice in printed.choices if choice.key not in kept
        ),
    )


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

    ``texts`` are by code (of every printing), then field; ``taboo_texts`` by list, then
    code. The operator decides if they are shown; no rule depends on them. ``records``
    are the source's own records, before any correction.
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
        """The problems that cost a record; the others are only reported."""
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


def read_value(text: str) -> Any:
    """Read a JSON text; raise ValueError also for NUL, which databases can't store."""
    if "\\u0000" in text:
        raise ValueError("it holds the character U+0000")
    return read_json(text)


def _json_list(file: Path, folder: Path, problems: list[RecordProblem]) -> list[Any]:
    name = file.relative_to(folder).as_posix()
    try:
        value = read_value(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        problems.append(RecordProblem(name, "", "", "no file", "a JSON file"))
        return []
    except (OSError, ValueError) as error:
        problems.append(RecordProblem(name, "", "", shown(str(error)), "a JSON file"))
        return []
    if not isinstance(value, list):
        problems.append(RecordProblem(name, "", "", type(value).__name__, "a list"))
        return []
    return value


def read_source(
    source: ParsedSource, corrections: DataCorrections | None = None
) -> SourceReading:
    """Read the facts of a source in either layout, with the corrections applied."""
    corrections = corrections if corrections is not None else load_corrections()
    problems = list(source.problems)
    packs, cycles = read_products(source, problems)
    cycle_of_pack = {pack.code: pack.cycle for pack in packs}
    values, files = _by_code(source.records, problems)
    # Correcting cards and reading taboos don't modify the original records.
    came = collect(values, source.packs, source.taboos)
    problems.extend(correct_cards(values, corrections))
    records = {code: Record(each, files[code]) for code, each in values.items()}
    library = RecordIndex(records, corrections, cycle_of_pack)
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
    """Return the card pool of a reading, with a version made from its contents."""
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
    """Return records by code; if a code comes twice the last record counts."""
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


def _texts(
    values: Mapping[str, Any], fields: tuple[str, ...] = _TEXTS
) -> dict[str, str]:
    return {
        name: value
        for name in fields
        if isinstance(value := values.get(name), str) and value
    }


def read_translation(path: Path, language: str) -> list[Any]:
    """Read the records of a translation from a folder in json-data's layout."""
    files = sorted((path / "translations" / language).glob("pack/*/*.json"))
    return [each for file in files for each in _json_list(file, path, [])]


def in_language(reading: SourceReading, translated: Iterable[Any]) -> SourceReading:
    """Return a reading with its texts replaced by those of translated records.

    Names are among the texts. Facts are still those of the English records, so that
    only what is shown changes.
    """
    texts = {code: dict(each) for code, each in reading.texts.items()}
    for record in translated:
        code = record.get("code") if isinstance(record, dict) else None
        if isinstance(code, str) and code in texts:
            texts[code].update(_texts(record, ("name", "subname", *_TEXTS)))
    return replace(reading, texts=texts)
