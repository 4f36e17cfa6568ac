"""Read from card records what the facts need: victory points, sets and names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tests.rules.campaign.facts.sets import Limit, used

Record = Mapping[str, Any]
# Sets whose names in guides differ from those in card records.
_AS_RECORDED = {"sewers": "arkham_sewers"}
# Cards that a scenario removes from its encounter sets in every setup.
_EZTLI = frozenset({"04065", "04066", "04067"})
_REMOVED: Mapping[str, frozenset[str]] = {
    "a_light_in_the_fog": frozenset({"07104"}),
    "enthralling_encore": frozenset({"03060"}),
    "one_last_job": frozenset({"01133"}),
    "return_to_the_doom_of_eztli": _EZTLI,
    "return_to_turn_back_time": _EZTLI,
    "the_western_wall": frozenset({"11725", "11726", "11728"}),
}
_ONE_REMOVED = frozenset({"11671"})  # Obsidian Canyons, of two


class Cards:
    """Cards that can be in the victory display, by encounter set."""

    def __init__(self, records: Iterable[Record], sets: Mapping[str, str]) -> None:
        self.names = sets
        self.called: dict[str, str] = {}  # every card, by its code
        self.copies: dict[str, int] = {}
        self._cards: dict[str, Record] = {}
        self._sets: dict[str, list[str]] = {}
        self._every: dict[str, list[Record]] = {}  # also those without points
        for record in records:
            if "name" in record:  # otherwise it is a reprint of a card with a name
                self.called[record["code"]] = record["name"]
                self.copies[record["code"]] = record.get("quantity") or 1
            place = record.get("encounter_code") or ""
            self._every.setdefault(place, []).append(record)
            if record.get("victory") is None and record.get("vengeance") is None:
                continue
            self._cards[record["code"]] = record
            self._sets.setdefault(place, []).append(record["code"])

    def in_sets(self, sets: Mapping[str, Limit | None], scenario: str) -> list[str]:
        """Return codes of cards worth points, of players and of encounter sets.

        Only cards that are used, if a set is used in part, and none that the setup of
        the scenario removes.
        """
        found = set(self._sets.get("", ()))
        for name, limit in sets.items():
            place = _AS_RECORDED.get(name, name)
            cards = self._every.get(place, ())
            found |= {
                code
                for code in self._sets.get(place, ())
                if used(limit, self._cards[code], cards)
            }
        return sorted(found - _REMOVED.get(scenario, frozenset()))

    def displayed(self, codes: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return name, victory points, vengeance points and copies of these cards."""
        return {code: _worth(self._cards[code]) for code in sorted(set(codes))}

    def set_names(self, sets: Iterable[str]) -> dict[str, str]:
        """Return the known names of encounter sets."""
        return {
            name: self.names[name] for name in sorted(set(sets)) if name in self.names
        }


def _worth(record: Record) -> dict[str, Any]:
    found = {"name": record["name"]}
    if record.get("encounter_code"):
        copies = record.get("quantity") or 1
        found["copies"] = copies - (record["code"] in _ONE_REMOVED)
    for key in ("victory", "vengeance"):
        if record.get(key) is not None:
            found[key] = record[key]
    return found
