"""Finds the prices at which the copies of one title can be had.

Every copy of a title in the new deck has one source: it was there already (*keep*),
an older copy was upgraded, or it was bought, refilled, swapped in or came along with
another. The ways of each copy, and what there is for them, are in ``options``; what
titles share is decided in ``assembly``.

That is exact for every deck that is played. A deck may list thousands of copies of a
title: of these a few are weighed (``MOST_UNITS``), and of the ways so far only the
lightest carried on (``MOST_CARRIED``); the others are had as ``ways_beyond`` has them.
The price is then one that the rules allow, perhaps not the least: ``bounded``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arkham.rules.upgrade.offers import NOTHING, Offers, Plan, Uses, joined, ranked
from arkham.rules.upgrade.options import (
    BOUGHT,
    MYRIAD_MORE,
    Key,
    Option,
    Options,
    Sources,
    Title,
)
from arkham.rules.upgrade.price_rules import Way

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

    ``most`` bounds the work; ``bounded``: it was met.
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


class Beyond(NamedTuple):
    """Ways of copies that are not weighed, and what is left for those that are."""

    options: tuple[Option, ...]
    uses: Uses
    base: dict[str, int]


def ways_beyond(
    wanted: Mapping[str, int],
    options: Mapping[str, list[Option]],
    base: Mapping[str, int],
    weighed: int,
    offers: Offers,
) -> Iterator[Beyond]:
    """Few ways to have the copies wanted: kept, upgraded, refilled or bought.

    Older copies are left for as many as are ``weighed``. What titles share is taken in
    some of the ways and left in others.
    """
    for upgraded, refilled in ((False, False), (True, False), (True, True)):
        ways: list[Option] = []
        left, uses = dict(base), NOTHING
        for code, copies in wanted.items():
            kept = min(copies, left.get(code, 0))
            copies -= kept
            if kept:
                left[code] -= kept
            if refilled:
                free, uses = _refilled(options[code], copies, uses, offers)
                ways += free
                copies -= len(free)
            if upgraded:
                higher, uses = _upgraded(
                    options[code], copies, left, weighed, uses, offers
                )
                ways += higher
                copies -= len(higher)
            ways += _bought(options[code], copies)
        yield Beyond(tuple(ways), uses, left)


def _refilled(
    options: list[Option], copies: int, uses: Uses, offers: Offers
) -> tuple[list[Option], Uses]:
    for option in options:
        if option.line.way is Way.REFILL:
            if option.uses.refills:
                free = min(copies, offers.refills - uses.refills)
                uses = uses._replace(refills=uses.refills + free)
            else:
                free = min(copies, offers.side_refills - uses.side_refills)
                uses = uses._replace(side_refills=uses.side_refills + free)
            return [option] * free, uses
    return [], uses


def _upgraded(
    options: list[Option],
    copies: int,
    left: dict[str, int],
    weighed: int,
    uses: Uses,
    offers: Offers,
) -> tuple[list[Option], Uses]:
    """Upgrades that nothing reduces, the cheapest first."""
    found: list[Option] = []
    upgrades = [
        each
        for each in options
        if each.line.way is Way.UPGRADE and not each.line.reductions
    ]
    for option in sorted(upgrades, key=lambda each: (each.line.paid, each.line.source)):
        source = option.line.source
        number = min(copies - len(found), left[source] - weighed)
        if number > 0:
            left[source] -= number
            found += [option] * number
    if found and offers.first_amount:
        uses = uses._replace(upgrades=min(len(found), offers.firsts))
    return found, uses


def _bought(options: list[Option], copies: int) -> list[Option]:
    """Copies bought, with those of a myriad card that come along."""
    along = [each for each in options if each.line.way is Way.MYRIAD]
    bought = next(
        each
        for each in options
        if each.line.way is Way.PURCHASE and not each.line.reductions
    )
    paid = -(-copies // (1 + MYRIAD_MORE)) if along else copies
    return [bought] * paid + along * (copies - paid)


_KEEP = Way.KEEP  # looked up in its enum each time, a member costs ten times as much
MOST_UNITS = 12  # copies of one title that are weighed; a legal deck holds three


class Weighing:
    """The lightest ways to give each copy of one title a source.

    ``most`` bounds the ways carried on.
    """

    def __init__(self, title: Title, offers: Offers, most: int = MOST_CARRIED) -> None:
        self.bounded = False
        self._title = title
        self._offers = offers
        self._most = most
        self._versions = {each.code: each for each in (*title.base, *title.after)}
        self._sources = Sources(title, offers)

    def plans(self) -> list[Plan]:
        """The lightest plan for each use of the shared offers, lightest first."""
        wanted, base = self._copies_to_source(), self._sources.base
        beyond = self._beyond(wanted)
        options = Options(self._title, self._offers, base)
        of = {code: options.of(code) for code in wanted}
        best: dict[Uses, Plan] = {}
        if beyond:
            self.bounded = True
            for ways in ways_beyond(beyond, of, base, MOST_UNITS, self._offers):
                self._weigh(wanted, of, ways, best)
        else:
            self._weigh(wanted, of, Beyond((), NOTHING, base), best)
        if self.bounded:
            # Whatever else is not looked at: what can be kept is, the rest is bought.
            all_of_it = {code: n + beyond.get(code, 0) for code, n in wanted.items()}
            simplest = next(ways_beyond(all_of_it, of, base, 0, self._offers))
            self._weigh({}, of, simplest, best)
        return ranked(best.values())

    def _copies_to_source(self) -> dict[str, int]:
        """The copies that need a source, by code.

        Where nothing is reduced or free, a copy that was there is best kept: to
        upgrade it and buy it again costs no less. Not so with myriad cards, of which
        others come along, and researched ones, which must be upgraded, and where a
        player insists on something.
        """
        title, base = self._title, self._sources.base
        wanted = {
            version.code: n - title.stay.get(version, 0)
            for version, n in title.after.items()
        }
        keep = sum(wanted.values())
        weighed = title.reduced or title.pins or self._involved()
        if weighed:
            keep -= MOST_UNITS  # but for those that cannot be weighed
        found: dict[str, int] = {}
        for code, copies in sorted(wanted.items()):
            kept = min(copies, base.get(code, 0), keep)
            if kept > 0:
                self.bounded = self.bounded or bool(weighed)
                keep -= kept
                base[code] -= kept
                self._sources.kept[code] += kept
                copies -= kept
            if copies:
                found[code] = copies
        return found

    def _involved(self) -> bool:
        versions = self._versions.values()
        return any(each.card.myriad or each.card.researched for each in versions)

    def _beyond(self, wanted: dict[str, int]) -> dict[str, int]:
        """Take what cannot be weighed from the copies wanted."""
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
        options: Mapping[str, list[Option]],
        beyond: Beyond,
        best: dict[Uses, Plan],
    ) -> None:
        """Find the lightest plans, the ways of copies ``beyond`` being given."""
        self._sources.base = beyond.base
        lines = tuple([option.line for option in beyond.options])
        places, start = self._sources.counted(wanted, options, lines)
        steps = {code: steps_of(options[code], places) for code in wanted}
        carried = Carrying(self._offers, self._most)
        found = carried.through(
            [(copies, steps[code]) for code, copies in wanted.items()],
            tuple(start),
            beyond.uses,
        )
        self.bounded = self.bounded or carried.bounded
        more = sum([option.weight for option in beyond.options])
        codes = [code for code, copies in wanted.items() for _ in range(copies)]
        for all_uses, counts, weight, picks in found:
            taken: Uses | None = all_uses
            if places or self._offers.swaps:
                over = {key: counts[place] for key, place in places.items()}
                taken = self._sources.settled(all_uses, over)
            if taken is None:
                continue
            weight += more
            known = best.get(taken)
            if known is not None and known.weight <= weight:
                continue
            chosen = [
                options[code][pick].line
                for code, pick in zip(codes, picks, strict=True)
            ]
            bought = [line for line in chosen if line.way is not _KEEP]
            best[taken] = Plan(weight, taken, (*lines, *bought))
