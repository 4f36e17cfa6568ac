"""Combines the ways to have single copies.

Copies are given their sources one after the other; of the ways that leave the same to
the copies to come, the lightest alone is carried on. Copies of one card are told apart
by nothing, so an option once passed over is not come back to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.options import Option
from arkham.rules.upgrade.uses import Uses, joined

MOST_CARRIED = 60_000  # ways carried on to the next copy or option, for one title
LEAST_CARRIED = 4  # at each step in any case

Counts = tuple[int, ...]
State = tuple[int, Counts]  # the uses by their number, and what is left of the counts
Found = tuple[int, tuple[int, ...]]  # the weight, and the option of every copy so far
States = dict[State, Found]
Places = tuple[tuple[int, int], ...]


class Step(NamedTuple):
    """An option of a copy, with its counts by their place.

    What must be there, of what all there is must be taken, what changes, and what is
    marked. ``joins`` are the uses joined so far, by number.
    """

    option: Option
    needs: Places
    whole: Places
    adds: Places
    marks: tuple[int, ...]
    joins: dict[int, int]


class Carrying:
    """Every way to have the copies of a title that is worth carrying on.

    ``most`` bounds the work; ``bounded`` tells whether it was met.
    """

    def __init__(self, offers: Offers, most: int) -> None:
        self.bounded = False
        self._offers = offers
        self._most = most
        self._uses: list[Uses] = []
        self._numbers: dict[Uses, int] = {}

    def through(
        self, wanted: Sequence[tuple[int, list[Step]]], start: Counts, uses: Uses
    ) -> list[tuple[Uses, Counts, int, tuple[int, ...]]]:
        """Give every copy a source: how many copies, and what there is for each.

        Of each way: what is used, what is left, the weight, and the copies' options.
        """
        layer: States = {(self._number(uses), start): (0, ())}
        ahead = sum([copies * len(steps) for copies, steps in wanted])
        spare = self._most
        for copies, steps in wanted:
            # By how many copies still want a source; an option serves any number.
            layers: list[States] = [{} for _ in range(copies)]
            layers.append(layer)
            for number, step in enumerate(steps):
                for left in range(copies, 0, -1):
                    states = layers[left]
                    if len(states) * ahead > spare:
                        width = max(spare // ahead, LEAST_CARRIED)
                        states = layers[left] = self._lightest(states, width)
                    ahead -= 1
                    spare -= len(states)
                    if states:
                        self._carry(states, step, number, layers[left - 1])
            layer = layers[0]
        return [
            (self._uses[number], counts, weight, picks)
            for (number, counts), (weight, picks) in layer.items()
        ]

    def _carry(self, states: States, step: Step, number: int, into: States) -> None:
        """Have one more copy of every state by this option."""
        option, needs, whole, adds, marks, joins = step
        more = option.weight
        for (uses, counts), (weight, picks) in states.items():
            taken = joins.get(uses)
            if taken is None:
                taken = joins[uses] = self._joined(uses, option.uses)
            if taken < 0:
                continue
            if needs and _lacks(counts, needs):
                continue
            if whole and _leaves(counts, whole):
                continue
            if adds or marks:
                changed = list(counts)
                for place, n in adds:
                    changed[place] += n
                for place in marks:
                    changed[place] = 1
                counts = tuple(changed)
            state = taken, counts
            found = weight + more, (*picks, number)
            known = into.get(state)
            if known is None or found < known:
                into[state] = found

    def _lightest(self, states: States, width: int) -> States:
        """The lightest of more states than are carried on."""
        if len(states) <= width:
            return states
        self.bounded = True
        found = sorted(states.items(), key=lambda each: (each[1], each[0]))
        return dict(found[:width])

    def _number(self, uses: Uses) -> int:
        number = self._numbers.get(uses)
        if number is None:
            number = self._numbers[uses] = len(self._uses)
            self._uses.append(uses)
        return number

    def _joined(self, number: int, more: Uses) -> int:
        """The uses together, by their number; -1 if that is more than there is."""
        taken = joined(self._uses[number], more, self._offers)
        return -1 if taken is None else self._number(taken)


def _lacks(counts: Counts, needs: Places) -> bool:
    """Whether something that must be there is not."""
    return any(counts[place] < n for place, n in needs)


def _leaves(counts: Counts, whole: Places) -> bool:
    """Whether something would be left of what must be taken as a whole."""
    return any(place < 0 or counts[place] != n for place, n in whole)
