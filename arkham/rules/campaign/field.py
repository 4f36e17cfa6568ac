"""The words of the field's records, where ours are others."""

from __future__ import annotations

EXPERIENCE = "xp"  # what an upgrade's record calls it
BY_CARD = "xp#"  # before the code of a card that gave it; ours, not the field's
EARN_EXPERIENCE = "$earn_xp"  # the step that counts a side scenario's victory display
COST = "xp_cost"  # of a side scenario
FREE_SIDE = "no_side_scenario_xp"  # side scenarios are paid for otherwise
EARN = "earn_xp"  # the effect
POOL = "special_xp"  # what is earned, or paid for, beside experience
UNSPENT = "unspect_xp"  # such a pool, of experience that waits for the decks
