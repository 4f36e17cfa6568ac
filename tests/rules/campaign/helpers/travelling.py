"""A small guide with a map of seven places."""

from __future__ import annotations

from typing import Any

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model.guide import CampaignGuide
from tests.rules.campaign.helpers.small import (
    PEOPLE,
    ROLAND,
    WHO,
    a_guide,
    a_scenario,
    a_step,
    starting,
)


def place(name: str, *ways: str, status: str = "standard", **more: Any) -> Any:
    """A place on the map."""
    return {
        "id": name,
        "x": 0,
        "y": 0,
        "name": name,
        "status": status,
        "connections": list(ways),
        "direction": "left",
        "scenario": "$side_scenario" if status == "side" else name,
        "details": {"region": {"name": ""}},
        **more,
    }


PLACES = [
    place("london", "cairo", "rome", status="locked"),
    place("cairo", "london", "bombay", status="side"),
    place("rome", "london", "istanbul"),
    place("istanbul", "rome", "bombay"),
    place("bombay", "cairo", "istanbul", "kabul"),
    place("kabul", "bombay", status="locked"),
    place("triangle", "rome", status="locked", hidden=True),
]
WORLD = {
    "width": 1,
    "height": 1,
    "fast_code": "f",
    "labels": [],
    "locations": PLACES,
}


def world_scenarios() -> list[Any]:
    """Two scenarios at places of the map."""
    return [
        a_scenario(name, {"id": "go", "steps": ["$embark"]}, type="interlude")
        for name in ("rome", "bombay")
    ]


def a_world() -> CampaignGuide:
    """A campaign with seven places that begins in London."""
    begin = a_step(
        {"type": "campaign_data", "setting": "embark", "location": "london"},
        {"type": "campaign_data", "setting": "unlock_map"},
    )
    return a_guide(
        *world_scenarios(),
        scenarios=[],
        setup=["who", "does"],
        steps=[WHO, begin],
        map=WORLD,
    )


WORLD_GUIDE = a_world()


def in_london() -> Replay:
    """The campaign in London."""
    return fold(WORLD_GUIDE, starting(ROLAND), PEOPLE)
