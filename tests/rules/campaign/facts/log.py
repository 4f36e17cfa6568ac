"""Guides in the field's format → the log of facts: sections, supplies, keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arkham.rules.campaign.model.field_words import POOL

Raw = Mapping[str, Any]


def objects(value: object) -> Iterator[Raw]:
    """Every object inside a value, itself included."""
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from objects(each)


def packed(raw: Raw) -> Iterator[Raw]:
    """The prompts of a scenario that let investigators pack supplies."""
    return (each for each in objects(raw) if each.get("type") == "supplies")


def pack_facts(raw: Raw) -> dict[str, Any]:
    """For how many points, by the number of players, and what each supply costs."""
    costs = [
        [each["id"], each["cost"], bool(each.get("multiple"))]
        for each in raw["supplies"]
    ]
    found = {"section": raw["section"], "points": raw["points"], "costs": costs}
    return found | ({"pool": raw[POOL]} if POOL in raw else {})


def supply_names(raws: Iterable[Raw]) -> dict[str, dict[str, str]]:
    """The names of all supplies, by the section they are kept in."""
    found: dict[str, dict[str, str]] = {}
    for raw in raws:
        for pack in packed(raw):
            names = found.setdefault(pack["section"], {})
            names |= {each["id"]: each["name"] for each in pack["supplies"]}
    return found


def section_facts(known: Raw, campaign: Raw) -> dict[str, Any]:
    """A section: its title and kind, and the partners or keys it lists."""
    kind = known["kind"]
    found = {
        "id": known["id"],
        "title": known["title"],
        "kind": "" if kind == "entries" else kind,
    }
    raw: Raw = next(
        (each for each in campaign["campaign_log"] if each["id"] == known["id"]), {}
    )
    if kind == "scarlet_keys":
        found["keys"] = {each["id"]: each["name"] for each in raw["scarlet_keys"]}
    if kind == "partner":
        found["partners"] = [
            {key: each[key] for key in _PARTNER if key in each}
            for each in raw["partners"]
        ]
    return spoken(found)


_PARTNER = ("code", "name", "health", "sanity", "resolute_health", "resolute_sanity")


def spoken(found: Mapping[str, Any]) -> dict[str, Any]:
    """Without what says nothing."""
    return {
        key: value
        for key, value in found.items()
        if value or (value == 0 and value is not False)
    }
