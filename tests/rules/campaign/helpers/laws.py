"""A small campaign for the laws, and what they compare of a replay."""

from __future__ import annotations

from typing import Any

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import a_game
from tests.rules.campaign.helpers.small import Raw, a_guide, a_note, a_scenario, a_step

BRANCHES: Raw = {
    "id": "$play_scenario",
    "type": "input",
    "input": {
        "type": "play_scenario",
        "branches": [
            {
                "id": "doubt",
                "text": "",
                "effects": [
                    {
                        "type": "campaign_log_count",
                        "section": "doubt",
                        "operation": "add",
                        "value": 1,
                    },
                    a_note("doubted"),
                ],
            },
            {"id": "card", "text": "", "steps": ["card"]},
        ],
    },
}
CARD = a_step(
    {"type": "add_card", "investigator": "choice", "card": "02016"}, step_id="card"
)
TOKENS = a_step(
    {"type": "add_chaos_token", "tokens": ["bless"] * 4 + ["frost"] * 3},
    step_id="tokens",
)


def small_campaign() -> CampaignGuide:
    """Three games, one of which may be skipped, and an epilogue."""
    games = [a_game(name, TOKENS, play=BRANCHES) for name in ("one", "two")]
    for game in games:
        game["steps"].append(CARD)
    lost = next(step for step in games[0]["steps"] if step["id"] == "lost")
    lost["effects"].append(
        {"type": "campaign_data", "setting": "skip_scenario", "scenario": "two"}
    )
    last = a_scenario("end", a_step(a_note("noted")), type="epilogue")
    return a_guide(*games, a_game("three"), last)


def shape(replay: Replay) -> tuple[Any, ...]:
    """Return everything observable about a replay."""
    state = replay.state
    return (
        reported(replay),
        replay.scenarios,
        replay.pending,
        replay.problems,
        state.changes,
        state.causes,
    )


SMALL = small_campaign()


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values within a JSON value."""
    found = [path]
    if isinstance(value, dict):
        for key, each in value.items():
            found += places_in(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            found += places_in(each, (*path, index))
    return found


STRANGE: tuple[Any, ...] = (
    None, 7, -1, 10**30, 1.5, "", "x", "$input_value", True, [], {}, [None], [[]],
    {"type": "trauma"}, {"id": []}, ["does", "does"], [{"type": "multi"}],
)  # fmt: skip
