"""Our guide of The Dunwich Legacy, its cards, and some legal answers."""

from __future__ import annotations

from typing import Any, NamedTuple

from arkham.rules.campaign.model.guide import CampaignGuide, Scenario
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.scenes import ROLAND

NOTES = "campaign_notes"
ARMITAGE, RICE, MORGAN, ZEBULON, EARL = "02040", "02061", "02080", "02217", "02218"
NECRONOMICON, POWDER, SPACE_AND_TIME = "02140", "02219", "02178"


def dunwich() -> CampaignGuide:
    return open_own_guide("dwl").guide


def scenario(scenario_id: str) -> Scenario:
    return dunwich().scenarios[scenario_id]


class Left(NamedTuple):
    """The results of a resolution.

    Lines and tokens are separated by spaces; experience, physical and mental trauma,
    and fate are those of each surviving investigator.
    """

    lines: str
    experience: int = 0
    tokens: str = ""
    trauma: tuple[int, int] = (0, 0)
    fate: str = "alive"
    result: str = ""


def left(state: State) -> Left:
    """Return the results in a state; Roland represents all investigators."""
    person = state.people[ROLAND]
    return Left(
        " ".join(line.id for line in state.sections[NOTES].lines),
        person.experience or 0,
        " ".join(token for token, count in state.bag.items() for _ in range(count)),
        (person.physical or 0, person.mental or 0),
        "killed" if person.killed else "insane" if person.insane else "alive",
        state.campaign_result,
    )


# The victory display is always worth 3. No one cheats, no one is sacrificed.
GIVEN: dict[str, Any] = {
    "earn_xp": 3,
    "earn_1_xp": 3,
    "earn_2_xp": 3,
    "cheated": False,
    "record_sacrificed": {},
}
