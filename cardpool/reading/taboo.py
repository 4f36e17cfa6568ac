"""Reads what each edition of the List of Taboos changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from arkham.rules.card import Card, SheetOption, TabooChange, TabooList
from cardpool.reading.cards import read_back
from cardpool.reading.layouts import read_taboo_entries
from cardpool.reading.library import RecordIndex
from cardpool.reading.problems import Record, RecordProblem, shown
from cardpool.reading.sheets import read_sheet

FILE = "taboos.json"
_CAMPAIGN_ONLY = "campaign mode only"
_SHEET_FIELDS = ("customization_options", "customization_text", "surcharges")


@dataclass(frozen=True, slots=True)
class RawList:
    """A list as it came: its id, the date it took effect, entries by card code."""

    id: int
    date: str
    entries: dict[str, dict[str, Any]]


def raw_lists(raw: list[Any], problems: list[RecordProblem]) -> dict[int, RawList]:
    """The lists of a source by id, in either layout."""
    lists: dict[int, RawList] = {}
    for each in raw:
        values = each if isinstance(each, dict) else {}
        code = values.get("code")
        entries = read_taboo_entries(values.get("cards"))
        if not isinstance(code, str) or not code.isdigit() or entries is None:
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
    """One list as changes by card.

    An entry applies to all printings of a card. Where a reprint has an entry of its
    own beside the original's, it says the same again: the original's is read.
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
    """The sheet a list puts in place of the printed one, None if it changes none."""
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
    """The change with what differs on the back from the printed one."""
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
