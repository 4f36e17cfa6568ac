"""The words of the field's records, where ours are others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

EXPERIENCE = "xp"  # what an upgrade's record calls it
BY_CARD = "xp#"  # before the code of a card that gave it; ours, not the field's
TRAUMA_BY_CARD = "trauma#"  # before a card and a revision of its deck; ours as well
COUNTED_BY_UPGRADE = "count"  # what an upgrade adds to the number of a section
COPIES = "story#"  # before the code of a story card, more or fewer copies of it
EARN_EXPERIENCE = "$earn_xp"  # the step that counts a side scenario's victory display
COST = "xp_cost"  # of a side scenario
FREE_SIDE = "no_side_scenario_xp"  # side scenarios are paid for otherwise
EARN = "earn_xp"  # the effect
POOL = "special_xp"  # what is earned, or paid for, beside experience
UNSPENT = "unspect_xp"  # such a pool, of experience that waits for the decks
APART = "~"  # before the number of a choice that shares its id with an earlier one


def ids_apart(ids: Iterable[str]) -> Iterator[str]:
    """The ids of choices; where a guide gives one twice, the second is “id~2”."""
    seen: Counter[str] = Counter()
    for each in ids:
        seen[each] += 1
        yield each if seen[each] == 1 else f"{each}{APART}{seen[each]}"


def ids_of(choice: str) -> tuple[str, str]:
    """What a choice goes by: its own id, and the one its guide gives it."""
    return choice, choice.partition(APART)[0]
