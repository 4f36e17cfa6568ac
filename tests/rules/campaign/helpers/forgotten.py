"""Our guide of The Forgotten Age, and some legal answers."""

from __future__ import annotations

from typing import Any

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.scenes import ROLAND, Scenes

ALEJANDRO, ICHTACA, JOURNAL, POISONED = "04051", "04147", "04148", "04102"
RELIC, FORESTALLING, REPOSSESS = "04061", "04191", "04303"
ELDERS = "heart_of_the_elders_part_1"
# The victory display is always worth 3, with 2 vengeance points.
GIVEN: dict[str, Any] = {
    **dict.fromkeys(("earn_xp", "earn_xp_plus_5", "earn_xp_full_depth"), 3),
    **dict.fromkeys(("record_vengeance", "record_yigs_fury"), 2),
    "record_yigs_fury_plus_10": 2,
    "check_final_act": 0,
    "ask_harbinger": 2,
    "check_investigators_poisoned": {},
    "choose_to_continue": 1,
    "check_act_ab": 1,
    "check_act_cd": 1,
    "check_act_ef": 1,
    "earn_act_xp": 2,
    "earn_expedition_journal_effects_investigator": {},
    "alejandro_followed_to_ruins_effects_investigator": {},
    "choose_to_heal_poison": {},
    "choose_to_heal_trauma": {},
    "buy_supplies": {},
    "record_x_paths_known": 3,
    "record_paths_known": 4,
    "record_jungle_watches": {},
    "record_number_of_tasks": 6,
    "record_final_depth": 4,
    "record_win_depth": 6,
}
EARNED = do.EarnExperience("input")  # no experience, but Roland is known


happens = Scenes("tfa", GIVEN)


def packed(*supplies: str) -> do.Effect:
    """An effect that gives supplies to Roland."""
    return do.GainSupplies("supplies", supplies)


def bears(card: str) -> do.Effect:
    """An effect that adds a card to Roland's deck."""
    return do.AddCard("input", card)


def supply(state: State, name: str) -> int:
    """Return how many of a supply Roland has."""
    return state.seat_sections["supplies"][ROLAND].number(name)


def fury(state: State) -> int:
    return state.number("yigs_fury", "$count")


def angered(marks: int) -> do.Effect:
    return do.LogCount("yigs_fury", tally=do.Tally.SET, value=marks)
