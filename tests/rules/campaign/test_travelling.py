"""Where a table can travel, and how long it takes."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.judging.travel import (
    Destination,
    destinations,
    journey,
    tickets,
    travel_time,
)
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.state.answers import Journey
from tests.rules.campaign.small import (
    PEOPLE,
    ROLAND,
    WHO,
    a_guide,
    a_scenario,
    does,
    starting,
)


def place(name: str, *ways: str, status: str = "standard", **more: Any) -> Any:
    """A place of the map."""
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
    """Two places where something is played."""
    return [
        a_scenario(name, {"id": "go", "steps": ["$embark"]}, type="interlude")
        for name in ("rome", "bombay")
    ]


def a_world() -> CampaignGuide:
    """Seven places; the campaign begins in London."""
    begin = does(
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


GUIDE = a_world()


def begun() -> Replay:
    """The campaign in London."""
    return fold(GUIDE, starting(ROLAND), PEOPLE)


@pytest.mark.parametrize(
    ("departure", "destination", "time"),
    [
        ("london", "rome", 1),
        ("london", "istanbul", 2),
        ("london", "bombay", 1),  # through Cairo, which takes nothing
        ("triangle", "rome", 1),  # never less
        ("triangle", "istanbul", 1),
        ("rome", "triangle", None),
    ],
)
def test_the_shortest_way(departure: str, destination: str, time: int | None) -> None:
    """Hops that take nothing are those through side scenarios and from hiding."""
    assert travel_time(GUIDE, departure, destination) == time


def test_only_open_places_can_be_travelled_to() -> None:
    """Neither locked ones, nor where the table is or was; the nearest first."""
    assert destinations(GUIDE, begun()) == [
        Destination("bombay", 1),
        Destination("cairo", 1),
        Destination("rome", 1),
        Destination("istanbul", 2),
    ]


def test_a_journey_is_recorded_with_where_it_leads() -> None:
    """A fast one takes 1; nobody goes where the way is closed."""
    replay = begun()

    assert journey(GUIDE, replay, "istanbul", fast=True, passing=False) == Journey(
        "$campaign_setup", "istanbul", "london", 1, "istanbul", True, False
    )
    assert journey(GUIDE, replay, "istanbul", fast=False, passing=True) == Journey(
        "$campaign_setup", "istanbul", "london", 2, "travelling", False, True
    )
    assert journey(GUIDE, replay, "kabul", fast=False, passing=False) is None


def test_whoever_has_the_card_may_travel_fast() -> None:
    """Nobody has it before the campaign gives it to them."""
    ticket = {"type": "add_card", "investigator": "all", "card": "f"}
    world = a_world()
    giving = a_guide(
        *world_scenarios(),
        scenarios=[],
        setup=["who", "does", "gift"],
        steps=[WHO, does(step_id="does"), does(ticket, step_id="gift")],
        map=WORLD,
    )

    assert tickets(world, begun()) == []
    assert tickets(giving, fold(giving, starting(ROLAND), PEOPLE)) == [ROLAND]
