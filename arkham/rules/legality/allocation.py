"""Assigns cards to the limited options that pay for them, or shows why none can.

Cards are grouped by the set of limited options they may use (a bit mask); there are a
handful of groups whatever the size of the deck. Whether every card finds a place is
decided exactly (Hall's condition over the sets of options), and so is a placement
(augmenting paths). Nothing here is greedy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shortage:
    """A set of options that more cards depend on than it has places."""

    options: int  # bit mask
    demand: int
    places: int


def shortages(demands: Mapping[int, int], limits: Sequence[int]) -> list[Shortage]:
    """The smallest sets of options with too few places; empty if all cards fit.

    ``demands`` maps a mask of options to the number of cards that may use exactly
    those; ``limits`` is the number of places of each option.
    """
    found: list[Shortage] = []
    subsets = sorted(range(1, 1 << len(limits)), key=int.bit_count)
    for subset in subsets:
        if any(each.options & ~subset == 0 for each in found):
            continue
        demand = sum(count for mask, count in demands.items() if mask & ~subset == 0)
        places = sum(limit for index, limit in enumerate(limits) if subset >> index & 1)
        if demand > places:
            found.append(Shortage(subset, demand, places))
    return found


def allocate(demands: Mapping[int, int], limits: Sequence[int]) -> dict[int, list[int]]:
    """Places given to every group: mask → copies by option; as many as can be placed.

    The result does not depend on the order of ``demands``.
    """
    groups = sorted(mask for mask, count in demands.items() if count)
    placed = {mask: [0] * len(limits) for mask in groups}
    room = list(limits)
    for mask in groups:
        for _ in range(demands[mask]):
            if not _place(mask, placed, room):
                break
    return placed


def taken_from(places: list[int], copies: int) -> Iterator[tuple[int, int]]:
    """Take the places of some copies out of those of their group: option, copies."""
    for index, free in enumerate(places):
        taken = min(free, copies)
        if taken:
            places[index] -= taken
            copies -= taken
            yield index, taken


def _place(mask: int, placed: dict[int, list[int]], room: list[int]) -> bool:
    """Place one more card of a group, moving others if that makes room."""
    came_from: dict[int, tuple[int, int]] = {}  # option ← (group moved, its option)
    start = [index for index in range(len(room)) if mask >> index & 1]
    queue, seen = list(start), set(start)
    for option in queue:
        if room[option]:
            room[option] -= 1
            while option in came_from:
                group, before = came_from[option]
                placed[group][option] += 1
                placed[group][before] -= 1
                option = before
            placed[mask][option] += 1
            return True
        for group, by_option in placed.items():
            if not by_option[option]:
                continue
            for other in range(len(room)):
                if group >> other & 1 and other not in seen:
                    seen.add(other)
                    came_from[other] = (group, option)
                    queue.append(other)
    return False
