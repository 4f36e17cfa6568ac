"""Read the sections, supplies and keys of the log from the field's guides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arkham.rules.campaign.model.app_names import POOL

Raw = Mapping[str, Any]


def objects(value: object) -> Iterator[Raw]:
    """Yield every object in a JSON value, including itself."""
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from objects(each)


def packed(raw: Raw) -> Iterator[Raw]:
    """Yield the prompts of a scenario by which investigators pack supplies."""
    return (each for each in objects(raw) if each.get("type") == "supplies")


def pack_facts(raw: Raw) -> dict[str, Any]:
    """Return the points by number of players, and the price of each supply."""
    costs = [
        [each["id"], each["cost"], bool(each.get("multiple"))]
        for each in raw["supplies"]
    ]
    found = {"section": raw["section"], "points": raw["points"], "costs": costs}
    return found | ({"pool": raw[POOL]} if POOL in raw else {})


def supply_names(raws: Iterable[Raw]) -> dict[str, dict[str, str]]:
    """Return the names of all supplies by section."""
    found: dict[str, dict[str, str]] = {}
    for raw in raws:
        for pack in packed(raw):
            names = found.setdefault(pack["section"], {})
            names |= {each["id"]: each["name"] for each in pack["supplies"]}
    return found


def section_facts(known: Raw, campaign: Raw) -> dict[str, Any]:
    """Return a section's title and kind, and the partners or keys in it."""
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
    """Return a mapping without its empty values."""
    return {
        key: value
        for key, value in found.items()
        if value or (value == 0 and value is not False)
    }
