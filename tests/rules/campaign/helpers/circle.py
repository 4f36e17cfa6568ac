"""Our guide of The Circle Undone, and some legal answers."""

from __future__ import annotations

from typing import Any

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.dunwich import NOTES
from tests.rules.campaign.helpers.scenes import Scenes, recorded

# The victory display is always worth 3; act 3 was reached, no story asset is taken.
GIVEN: dict[str, Any] = {
    "earn_xp": 3,
    **{f"earn_xp_bonus_{bonus}": 3 for bonus in (2, 5, 10)},
    "check_final_act": 0,
    "mementos_check_act": 1,
    "check_brown_jenkin_xp": True,
    "check_nahab_xp": False,
    "check_act_deck": 2,
    "choose_black_book": False,
    "choose_black_book_small": False,
    "record_heretics_released": 3,
    "discovered_how_to_open_the_puzzle_box_effects_investigator": {},
    "choose_anettes_fate": 0,
    "choose_carls_fate": 0,
    "ask_final_act": 3,
    "choose_if_sanford_is_good_v8": 1,
    "choose_final_resolution": 0,
}
EARNED = do.EarnExperience("input")  # no experience, but Roland is known


happens = Scenes("tcu", GIVEN, (EARNED,))


def lines(state: State, section: str = NOTES) -> list[str]:
    """Return the ids of a section's lines that are not crossed out."""
    found = state.sections.get(section)
    return [line.id for line in found.lines if not line.crossed_out] if found else []


def logged(*names: str) -> list[do.Effect]:
    return [recorded(each) for each in names]
