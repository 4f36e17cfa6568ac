"""Read the map and other currencies from the field's guides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from arkham.rules.campaign.model.app_names import POOL, UNSPENT
from tests.rules.campaign.facts.log import objects, spoken

Raw = Mapping[str, Any]


def map_facts(campaign: Raw) -> dict[str, Any]:
    """Return the places of the map, their connections and the start."""
    drawn = campaign.get("map")
    if drawn is None:
        return {}
    places = [
        spoken(
            {
                "id": each["id"],
                "name": each["name"],
                "scenario": each["scenario"],
                "status": each["status"],
                "hidden": each.get("hidden"),
                "connections": each["connections"],
            }
        )
        for each in drawn["locations"]
    ]
    start = next(
        each["location"]
        for each in objects(campaign.get("steps", ()))
        if each.get("setting") == "embark" and each.get("location")
    )
    return {"start": start, "fast": drawn["fast_code"], "places": places}


def pools_of(raws: Iterable[Raw]) -> list[str]:
    """Return the kinds of points that are earned besides experience and spent later."""
    found = {
        each[POOL]
        for raw in raws
        for each in objects(raw)
        if each.get("type") == "earn_xp" and each.get(POOL)
    }
    return sorted(found - {UNSPENT})  # campaigns kept by hand save it anyway


def redirected(raws: Iterable[Raw]) -> str:
    """Return the section that receives experience instead of investigators, if any."""
    sections = (
        each["investigator_count"]
        for raw in raws
        for each in objects(raw)
        if each.get("setting") == "redirect_experience"
    )
    return next((each for each in sections if each), "")
