"""Finds the prices at which the copies of one title can be obtained.

Every copy of a title in the new deck has one source: it was there already (*keep*), an
older copy was upgraded, or it was bought, refilled, swapped in or came free with
another. The ways of each copy, and their supply, are in ``options``; how offers are
divided among titles is decided in ``assembly``.

The result is exact for every real deck. A deck may list thousands of copies of a title:
only ``MOST_UNITS`` of them are considered, only the ``MOST_CARRIED`` lightest partial
ways are kept, and ``ways_beyond`` deals with the other copies. The price is then
allowed by the rules but perhaps not the lowest: ``bounded``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arkham.rules.upgrade.offers import NOTHING, Offers, Plan, Uses, joined, ranked
from arkham.rules.upgrade.options import (
    BOUGHT,
    MYRIAD_MORE,
    CopySource,
    CopySources,
    Key,
    Supply,
    Title,
)
from arkham.rules.upgrade.price_rules import Way

MOST_CARRIED = 60_000  # partial ways kept for the next copy or source, for one title
LEAST_CARRIED = 4  # at each step, in any case
Counts = tuple[int, ...]
State = tuple[int, Counts]  # the number of the uses, and the counts that are left
Found = tuple[int, tuple[int, ...]]  # the weight, and the source of every copy so far
States = dict[State, Found]
Places = tuple[tuple[int, int], ...]


class CarryStep(NamedTuple):
    """A source of a copy, with its counts replaced by their places.

    ``needs`` must be available, ``whole`` must be all that is left, ``adds`` are
    changes, ``marks`` are set to 1. ``joins`` caches joined uses, by number.
    """

    source: CopySource
    needs: Places
    whole: Places
    adds: Places
    marks: tuple[int, ...]
    joins: dict[int, int]


class Carrying:
    """All partial ways to obtain the copies of a title that are worth keeping.

    ``most`` limits the work; ``bounded`` tells whether the limit was reached.
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
        """Give every copy a source; ``wanted`` has numbers of copies and their steps.

        Returns for each way: the uses, the counts left, the weight, the sources.
        """
        layer: States = {(self._number(uses), start): (0, ())}
        ahead = sum([copies * len(steps) for copies, steps in wanted])
        spare = self._most
        for copies, steps in wanted:
            # By how many copies still need a source; a source serves any number.
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
        """Add one more copy, obtained by this source, to every state."""
        source, needs, whole, adds, marks, joins = step
        more = source.weight
        for (uses, counts), (weight, picks) in states.items():
            taken = joins.get(uses)
            if taken is None:
                taken = joins[uses] = self._joined(uses, source.uses)
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
        """The lightest states if there are more than ``width``."""
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
        """The number of the uses joined; -1 if there is not enough."""
        taken = joined(self._uses[number], more, self._offers)
        return -1 if taken is None else self._number(taken)


def _lacks(counts: Counts, needs: Places) -> bool:
    """True if something that must be available is not."""
    return any(counts[place] < n for place, n in needs)


def _leaves(counts: Counts, whole: Places) -> bool:
    """True if something would be left of what must be used up."""
    return any(place < 0 or counts[place] != n for place, n in whole)


def steps_of(
    sources: Sequence[CopySource], places: Mapping[Key, int]
) -> list[CarryStep]:
    """Every source, with its counts replaced by their places."""
    steps = []
    for source in sources:
        line, _, _, takes, adds, whole = source
        if not places:
            steps.append(CarryStep(source, (), (), (), (), {}))
            continue
        changes = [(key, -n) for key, n in takes] + [*adds]
        mark = places.get((BOUGHT, line.code))
        steps.append(
            CarryStep(
                source,
                tuple([(places[key], n) for key, n in takes if key in places]),
                # Counts without a place are always larger, so can't be used up.
                tuple([(places.get(key, -1), n) for key, n in whole]),
                tuple([(places[key], n) for key, n in changes if key in places]),
                () if mark is None or line.way is _KEEP else (mark,),
                {},
            )
        )
    return steps


class Beyond(NamedTuple):
    """Ways for the copies that are not considered, and what is left for the others."""

    sources: tuple[CopySource, ...]
    uses: Uses
    base: dict[str, int]


def ways_beyond(
    wanted: Mapping[str, int],
    sources: Mapping[str, list[CopySource]],
    base: Mapping[str, int],
    weighed: int,
    offers: Offers,
) -> Iterator[Beyond]:
    """Yield a few ways to obtain these copies: kept, upgraded, refilled or bought.

    As many older copies as are ``weighed`` are left over. Some of the ways use the
    offers that titles share, others don't.
    """
    for upgraded, refilled in ((False, False), (True, False), (True, True)):
        ways: list[CopySource] = []
        left, uses = dict(base), NOTHING
        for code, copies in wanted.items():
            kept = min(copies, left.get(code, 0))
            copies -= kept
            if kept:
                left[code] -= kept
            if refilled:
                free, uses = _refilled(sources[code], copies, uses, offers)
                ways += free
                copies -= len(free)
            if upgraded:
                higher, uses = _upgraded(
                    sources[code], copies, left, weighed, uses, offers
                )
                ways += higher
                copies -= len(higher)
            ways += _bought(sources[code], copies)
        yield Beyond(tuple(ways), uses, left)


def _refilled(
    sources: list[CopySource], copies: int, uses: Uses, offers: Offers
) -> tuple[list[CopySource], Uses]:
    for source in sources:
        if source.line.way is Way.REFILL:
            if source.uses.refills:
                free = min(copies, offers.refills - uses.refills)
                uses = uses._replace(refills=uses.refills + free)
            else:
                free = min(copies, offers.side_refills - uses.side_refills)
                uses = uses._replace(side_refills=uses.side_refills + free)
            return [source] * free, uses
    return [], uses


def _upgraded(
    sources: list[CopySource],
    copies: int,
    left: dict[str, int],
    weighed: int,
    uses: Uses,
    offers: Offers,
) -> tuple[list[CopySource], Uses]:
    """Upgrades without reductions, the cheapest first."""
    found: list[CopySource] = []
    upgrades = [
        each
        for each in sources
        if each.line.way is Way.UPGRADE and not each.line.reductions
    ]
    for source in sorted(upgrades, key=lambda each: (each.line.paid, each.line.source)):
        older = source.line.source
        number = min(copies - len(found), left[older] - weighed)
        if number > 0:
            left[older] -= number
            found += [source] * number
    if found and offers.first_amount:
        uses = uses._replace(upgrades=min(len(found), offers.firsts))
    return found, uses


def _bought(sources: list[CopySource], copies: int) -> list[CopySource]:
    """Copies bought, plus the free copies of a myriad card."""
    along = [each for each in sources if each.line.way is Way.MYRIAD]
    bought = next(
        each
        for each in sources
        if each.line.way is Way.PURCHASE and not each.line.reductions
    )
    paid = -(-copies // (1 + MYRIAD_MORE)) if along else copies
    return [bought] * paid + along * (copies - paid)


_KEEP = Way.KEEP  # enum members are ten times slower to look up each time
MOST_UNITS = 12  # copies of a title that are considered; real decks have three


class Weighing:
    """The lightest ways to give each copy of one title a source.

    ``most`` limits the number of partial ways that are kept.
    """

    def __init__(self, title: Title, offers: Offers, most: int = MOST_CARRIED) -> None:
        self.bounded = False
        self._title = title
        self._offers = offers
        self._most = most
        self._versions = {each.code: each for each in (*title.base, *title.after)}
        self._supply = Supply(title, offers)

    def plans(self) -> list[Plan]:
        """The lightest plan for each use of the shared offers, lightest first."""
        wanted, base = self._copies_to_source(), self._supply.base
        beyond = self._beyond(wanted)
        sources = CopySources(self._title, self._offers, base)
        of = {code: sources.of(code) for code in wanted}
        best: dict[Uses, Plan] = {}
        if beyond:
            self.bounded = True
            for ways in ways_beyond(beyond, of, base, MOST_UNITS, self._offers):
                self._weigh(wanted, of, ways, best)
        else:
            self._weigh(wanted, of, Beyond((), NOTHING, base), best)
        if self.bounded:
            # In any case: keep what can be kept, and buy the rest.
            all_of_it = {code: n + beyond.get(code, 0) for code, n in wanted.items()}
            simplest = next(ways_beyond(all_of_it, of, base, 0, self._offers))
            self._weigh({}, of, simplest, best)
        return ranked(best.values())

    def _copies_to_source(self) -> dict[str, int]:
        """The copies that need a source, by code.

        If nothing is reduced or free, a copy that was there is best kept: upgrading it
        and buying it again costs no less. Exceptions are myriad cards, which bring free
        copies, researched cards, which must be upgraded, and pins.
        """
        title, base = self._title, self._supply.base
        wanted = {
            version.code: n - title.stay.get(version, 0)
            for version, n in title.after.items()
        }
        keep = sum(wanted.values())
        weighed = title.reduced or title.pins or self._involved()
        if weighed:
            keep -= MOST_UNITS  # except for those that can't be considered
        found: dict[str, int] = {}
        for code, copies in sorted(wanted.items()):
            kept = min(copies, base.get(code, 0), keep)
            if kept > 0:
                self.bounded = self.bounded or bool(weighed)
                keep -= kept
                base[code] -= kept
                self._supply.kept[code] += kept
                copies -= kept
            if copies:
                found[code] = copies
        return found

    def _involved(self) -> bool:
        versions = self._versions.values()
        return any(each.card.myriad or each.card.researched for each in versions)

    def _beyond(self, wanted: dict[str, int]) -> dict[str, int]:
        """Remove copies that can't be considered from ``wanted``, and return them."""
        if sum(wanted.values()) <= MOST_UNITS:
            return {}
        share = max(MOST_UNITS // len(wanted), 1)
        beyond = {code: n - share for code, n in wanted.items() if n > share}
        for code, copies in beyond.items():
            wanted[code] -= copies
        return beyond

    # -- the plans of the copies wanted --

    def _weigh(
        self,
        wanted: Mapping[str, int],
        sources: Mapping[str, list[CopySource]],
        beyond: Beyond,
        best: dict[Uses, Plan],
    ) -> None:
        """Find the lightest plans, given the ways of the copies ``beyond``."""
        self._supply.base = beyond.base
        lines = tuple([source.line for source in beyond.sources])
        places, start = self._supply.counted(wanted, sources, lines)
        steps = {code: steps_of(sources[code], places) for code in wanted}
        carried = Carrying(self._offers, self._most)
        found = carried.through(
            [(copies, steps[code]) for code, copies in wanted.items()],
            tuple(start),
            beyond.uses,
        )
        self.bounded = self.bounded or carried.bounded
        more = sum([source.weight for source in beyond.sources])
        codes = [code for code, copies in wanted.items() for _ in range(copies)]
        for all_uses, counts, weight, picks in found:
            taken: Uses | None = all_uses
            if places or self._offers.swaps:
                over = {key: counts[place] for key, place in places.items()}
                taken = self._supply.with_leftovers(all_uses, over)
            if taken is None:
                continue
            weight += more
            known = best.get(taken)
            if known is not None and known.weight <= weight:
                continue
            chosen = [
                sources[code][pick].line
                for code, pick in zip(codes, picks, strict=True)
            ]
            bought = [line for line in chosen if line.way is not _KEEP]
            best[taken] = Plan(weight, taken, (*lines, *bought))
