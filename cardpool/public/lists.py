"""Classes, products and lists of taboos as ArkhamDB's API has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cardpool.public.cards import FACTIONS, php_json
from cardpool.reading.layouts import read_taboo_entries
from cardpool.reading.records import Values


def factions() -> list[Values]:
    """Every class, and what stands beside them."""
    return [
        {"code": code, "name": name, "is_primary": primary, "octgn_id": None}
        for code, name, primary in FACTIONS
    ]


def pack_rows(
    records: Iterable[Values],
    places: Mapping[str, tuple[int, int]],
    known: Counter[str],
) -> Iterator[Values]:
    """Every product in order of release; ``known`` counts the cards of each.

    Where the source numbers them not, they are numbered in that order.
    """
    ordered = sorted(
        records,
        key=lambda each: (
            str(each.get("date_release") or "9999"),
            places.get(each["code"], (0, 0)),
            each["code"],
        ),
    )
    numbered = all(isinstance(each.get("id"), int) for each in ordered)
    for number, each in enumerate(ordered, 1):
        code = each["code"]
        cycle, position = places.get(code, (0, 0))
        yield {
            "name": each.get("name", code),
            "code": code,
            "position": position,
            "cycle_position": cycle,
            "available": each.get("date_release") or "",
            "known": known[code],
            "total": each.get("size", each.get("total")) or 0,
            "url": f"/set/{code}",
            "id": each["id"] if numbered else number,
        }


def taboo_rows(records: Iterable[Values]) -> list[Values]:
    """Every list of taboos, the newest first; its cards are JSON in a string."""
    newest = sorted(records, key=lambda each: int(each["code"]), reverse=True)
    return [_taboo(each) for each in newest]


def _taboo(values: Values) -> Values:
    start: Any = values.get("date_start") or ""
    return {
        "id": int(values["code"]),
        "code": values["code"],
        "name": values.get("name") or "",
        "active": int(bool(values.get("active", 1))),
        "date_start": start,
        "date_update": values.get("date_update") or start,
        "cards": php_json(read_taboo_entries(values.get("cards")) or []),
    }
