"""Card records → what the facts of campaigns say of cards: victory points, sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Record = Mapping[str, Any]
# Sets that guides name otherwise than card records do.
_AS_RECORDED = {"sewers": "arkham_sewers"}


class Cards:
    """Cards that can lie in the victory display, by encounter set."""

    def __init__(self, records: Iterable[Record], sets: Mapping[str, str]) -> None:
        self.names = sets
        self.called: dict[str, str] = {}  # every card, by its code
        self.copies: dict[str, int] = {}
        self._cards: dict[str, Record] = {}
        self._sets: dict[str, list[str]] = {}
        for record in records:
            if "name" in record:  # else it is the other printing of one that has
                self.called[record["code"]] = record["name"]
                self.copies[record["code"]] = record.get("quantity") or 1
            if record.get("victory") is None and record.get("vengeance") is None:
                continue
            self._cards[record["code"]] = record
            place = record.get("encounter_code") or ""
            self._sets.setdefault(place, []).append(record["code"])

    def in_sets(self, sets: Iterable[str]) -> list[str]:
        """Codes of cards worth something: of these encounter sets, and of players."""
        names = ("", *(_AS_RECORDED.get(name, name) for name in sets))
        return sorted({code for name in names for code in self._sets.get(name, ())})

    def displayed(self, codes: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Name, victory points, vengeance points and copies of these cards."""
        return {code: _worth(self._cards[code]) for code in sorted(set(codes))}

    def set_names(self, sets: Iterable[str]) -> dict[str, str]:
        """The names of encounter sets, as far as they are known."""
        return {
            name: self.names[name] for name in sorted(set(sets)) if name in self.names
        }


def _worth(record: Record) -> dict[str, Any]:
    found = {"name": record["name"]}
    if record.get("encounter_code"):
        found["copies"] = record.get("quantity") or 1
    for key in ("victory", "vengeance"):
        if record.get(key) is not None:
            found[key] = record[key]
    return found
