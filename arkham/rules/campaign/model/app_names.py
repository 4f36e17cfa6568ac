"""The Arkham Cards app's names for things that this code names differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

EXPERIENCE = "xp"  # its key in the record of an upgrade
BY_CARD = "xp#"  # + code of the card that gave it; our own, not the app's
TRAUMA_BY_CARD = "trauma#"  # + card and revision of its deck; our own as well
COUNTED_BY_UPGRADE = "count"  # what an upgrade adds to the number of a section
COPIES = "story#"  # + code of a story card: more or fewer copies
EARN_EXPERIENCE = "$earn_xp"  # the step that counts a side scenario's victory display
POOL = "special_xp"  # a pool apart from experience
UNSPENT = "unspect_xp"  # the pool of experience not yet given to decks
APART = "~"  # before the number of a choice with the id of an earlier one


def ids_apart(ids: Iterable[str]) -> Iterator[str]:
    """Yield the ids of choices; the second choice with the same id becomes “id~2”."""
    seen: Counter[str] = Counter()
    for each in ids:
        seen[each] += 1
        yield each if seen[each] == 1 else f"{each}{APART}{seen[each]}"


def ids_of(choice: str) -> tuple[str, str]:
    """Return the ids of a choice: its unique one and the one its guide gives it."""
    return choice, choice.partition(APART)[0]
