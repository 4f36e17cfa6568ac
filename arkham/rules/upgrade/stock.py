"""What the copies of one title share, and how much of it there is.

Counts are by kind and code (``options``): older copies, Raven Quills, copies exiled or
set aside, and what may be owed for until every copy has its source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arkham.rules.upgrade.offers import Offers, Uses, joined
from arkham.rules.upgrade.options import (
    ASIDE,
    BASE,
    BOUGHT,
    EXILED,
    KEPT,
    OWED,
    QUILLS,
    Key,
    Option,
    Title,
)
from arkham.rules.upgrade.ways import PlannedLine, Way

MOST_CARRIED = 60_000  # ways carried on to the next copy or option, for one title
LEAST_CARRIED = 4  # at each step in any case

Counts = tuple[int, ...]
State = tuple[int, Counts]  # the uses by their number, and what is left of the counts
Found = tuple[int, tuple[int, ...]]  # the weight, and the option of every copy so far
States = dict[State, Found]
Places = tuple[tuple[int, int], ...]


class CarryStep(NamedTuple):
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
        self, wanted: Sequence[tuple[int, list[CarryStep]]], start: Counts, uses: Uses
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

    def _carry(
        self, states: States, step: CarryStep, number: int, into: States
    ) -> None:
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


_KEEP = Way.KEEP  # looked up in its enum each time, a member costs ten times as much


class Stock:
    """What there is for the copies of a title before any of them has its source.

    ``base`` are the older copies that may be kept or upgraded, ``kept`` those that stay
    whatever is done, by code.
    """

    def __init__(self, title: Title, offers: Offers) -> None:
        stay = title.stay
        self.base = {each.code: n - stay.get(each, 0) for each, n in title.base.items()}
        self.kept = {each.code: n for each, n in stay.items()}
        self._offers = offers
        self._swappable = [each.code for each in title.base if each.swappable]

    def there(self, key: Key) -> int:
        """What there is of a count before any copy has its source."""
        kind, code = key
        if kind == BASE:
            return self.base[code]
        if kind == KEPT:
            return self.kept.get(code, 0)
        if kind == EXILED:
            return self._offers.exiled.get(code, 0)
        if kind == QUILLS:
            return self._offers.quills.get(code, 0)
        return self._offers.aside.get(code, 0) if kind == ASIDE else 0

    def counted(
        self,
        wanted: Mapping[str, int],
        options: Mapping[str, list[Option]],
        lines: Sequence[PlannedLine],
    ) -> tuple[dict[Key, int], list[int]]:
        """What is counted for the copies of the title: its place, and how many.

        Not counted is what is enough for whatever they take.
        """
        most = sum(wanted.values())
        asked: dict[Key, int] = {}
        for each in options.values():
            for option in each:
                for key, n in (*option.takes, *option.adds):
                    asked[key] = max(asked.get(key, 0), n)
                for key, n in option.whole:
                    asked[key] = max(asked.get(key, 0), n + 1)
        places: dict[Key, int] = {}
        start: list[int] = []
        for key, n in asked.items():
            have = self.there(key)
            if key[0] in (ASIDE, EXILED, QUILLS) and have >= n * most:
                continue
            places[key] = len(start)
            start.append(have)
        anew = {line.code for line in lines}
        for code in wanted:
            # A level 0 copy that is left over may have been exchanged.
            if self.base.get(code) and code not in self._swappable:
                places[BOUGHT, code] = len(start)
                start.append(int(code in anew))
        return places, start

    def settled(self, uses: Uses, left: Mapping[Key, int]) -> Uses | None:
        """The uses of a plan with what is left over, if it holds together."""
        for (kind, code), n in left.items():
            if kind in OWED and n < 0:
                return None
            if kind == BOUGHT and n and left.get((BASE, code), self.base[code]):
                return None  # a copy left over and the same card bought
        swaps = self._offers.swaps
        if not swaps:
            return uses
        outs = 0
        for code in self._swappable:
            outs += left.get((BASE, code), self.base[code])
        return uses._replace(outs=min(outs, swaps)) if outs else uses


def steps_of(options: Sequence[Option], places: Mapping[Key, int]) -> list[CarryStep]:
    """Every option with its counts by their place."""
    steps = []
    for option in options:
        line, _, _, takes, adds, whole = option
        if not places:
            steps.append(CarryStep(option, (), (), (), (), {}))
            continue
        changes = [(key, -n) for key, n in takes] + [*adds]
        mark = places.get((BOUGHT, line.code))
        steps.append(
            CarryStep(
                option,
                tuple([(places[key], n) for key, n in takes if key in places]),
                # Where there is enough, there is always more than the whole of it.
                tuple([(places.get(key, -1), n) for key, n in whole]),
                tuple([(places[key], n) for key, n in changes if key in places]),
                () if mark is None or line.way is _KEEP else (mark,),
                {},
            )
        )
    return steps
