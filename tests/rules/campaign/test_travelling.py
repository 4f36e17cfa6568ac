"""Where a table can travel, and how long it takes."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.judging.between_games import (
    Destination,
    destinations,
    journey,
    tickets,
    travel_times,
)
from arkham.rules.campaign.state.answers import Journey
from tests.rules.campaign.helpers.small import (
    PEOPLE,
    ROLAND,
    WHO,
    a_guide,
    a_step,
    starting,
)
from tests.rules.campaign.helpers.travelling import (
    WORLD,
    WORLD_GUIDE,
    a_world,
    in_london,
    world_scenarios,
)


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
def test_travel_takes_the_shortest_way(
    departure: str, destination: str, time: int | None
) -> None:
    """Only side scenarios and hiding places take no time."""
    assert travel_times(WORLD_GUIDE, departure).get(destination) == time


def test_only_open_places_can_be_travelled_to() -> None:
    """Neither locked ones, nor the current one or those visited; the nearest first."""
    assert destinations(WORLD_GUIDE, in_london()) == [
        Destination("bombay", 1),
        Destination("cairo", 1),
        Destination("rome", 1),
        Destination("istanbul", 2),
    ]


def test_a_journey_is_recorded_with_its_next_scenario() -> None:
    """A fast one takes 1; closed places can't be reached."""
    replay = in_london()

    assert journey(
        WORLD_GUIDE, replay, "istanbul", fast=True, passing=False
    ) == Journey("$campaign_setup", "istanbul", "london", 1, "istanbul", True, False)
    assert journey(
        WORLD_GUIDE, replay, "istanbul", fast=False, passing=True
    ) == Journey("$campaign_setup", "istanbul", "london", 2, "travelling", False, True)
    assert journey(WORLD_GUIDE, replay, "kabul", fast=False, passing=False) is None


def test_an_investigator_with_the_card_may_travel_fast() -> None:
    """No one has it before the campaign gives it to them."""
    ticket = {"type": "add_card", "investigator": "all", "card": "f"}
    world = a_world()
    giving = a_guide(
        *world_scenarios(),
        scenarios=[],
        setup=["who", "does", "gift"],
        steps=[WHO, a_step(step_id="does"), a_step(ticket, step_id="gift")],
        map=WORLD,
    )

    assert tickets(world, in_london()) == []
    assert tickets(giving, fold(giving, starting(ROLAND), PEOPLE)) == [ROLAND]
