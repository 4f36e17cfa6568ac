"""Guides in the field's format → where a table travels, and what else it keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from arkham.rules.campaign.model.field_words import EARN, POOL, UNSPENT
from tests.rules.campaign.facts.log import objects, spoken

Raw = Mapping[str, Any]


def map_facts(campaign: Raw) -> dict[str, Any]:
    """The places of the map, how they hang together, and where the journey begins."""
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
    """What is earned beside experience, to be paid with later."""
    found = {
        each[POOL]
        for raw in raws
        for each in objects(raw)
        if each.get("type") == EARN and each.get(POOL)
    }
    return sorted(found - {UNSPENT})  # by hand that waits by itself


def redirected(raws: Iterable[Raw]) -> str:
    """The section experience goes to while nobody earns any, if there is one."""
    sections = (
        each["investigator_count"]
        for raw in raws
        for each in objects(raw)
        if each.get("setting") == "redirect_experience"
    )
    return next((each for each in sections if each), "")
