"""At what price can the copies of one title be had?

Every copy of a title in the new deck has one source: it was there already (*keep*),
an older copy was upgraded, or it was bought, refilled, swapped in or came along with
another. The ways of each copy are in ``options``; how they are put together is in
``carrying``. What is shared by titles is decided in ``assembly``.

That is exact for every deck that is played. A deck may list thousands of copies of a
title: of these a few are weighed (``MOST_UNITS``), and of the ways so far only the
lightest carried on (``MOST_CARRIED``); the others are had as ``beyond`` has them. The
price is then one that the rules allow, and may be more than the least: ``bounded``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arkham.rules.upgrade.beyond import ways_beyond
from arkham.rules.upgrade.carrying import MOST_CARRIED, Carrying, Step
from arkham.rules.upgrade.offers import Offers
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
    Options,
    Title,
)
from arkham.rules.upgrade.uses import NOTHING, Plan, Uses, joined, ranked
from arkham.rules.upgrade.ways import Line, Way, weight_of

MOST_UNITS = 12  # copies of one title that are weighed; a legal deck holds three


class Weighing:
    """The lightest ways to give each copy of one title a source.

    ``most`` bounds the ways carried on.
    """

    def __init__(self, title: Title, offers: Offers, most: int = MOST_CARRIED) -> None:
        stay = title.stay
        self.bounded = False
        self._title = title
        self._offers = offers
        self._most = most
        self._versions = {each.code: each for each in (*title.base, *title.after)}
        self._base = {
            each.code: n - stay.get(each, 0) for each, n in title.base.items()
        }
        self._kept = {each.code: n for each, n in stay.items()}

    def plans(self) -> list[Plan]:
        """The lightest plan for each use of the shared offers, lightest first."""
        wanted = self._copies_to_source()
        beyond = self._beyond(wanted)
        options = Options(self._title, self._offers, self._base)
        of = {code: options.of(code) for code in wanted}
        best: dict[Uses, Plan] = {}
        if not beyond:
            self._weigh_all(wanted, of, best)
        else:
            self.bounded = True
            base = dict(self._base)
            for plain in ways_beyond(beyond, of, base, MOST_UNITS, self._offers):
                self._base = plain.base
                self._weigh(wanted, of, best, plain.lines, plain.uses)
            self._base = base
        if self.bounded:
            # Whatever else is not looked at: what can be kept is, the rest is bought.
            all_of_it = {code: n + beyond.get(code, 0) for code, n in wanted.items()}
            self._simplest(all_of_it, of, best)
        return ranked(best.values())

    def _copies_to_source(self) -> dict[str, int]:
        """The copies that need a source, by code.

        Where nothing is reduced or free, a copy that was there is best kept: to
        upgrade it and buy it again costs no less. Not so with myriad cards, of which
        others come along, and researched ones, which must be upgraded, and where a
        player insists on something.
        """
        title, base = self._title, self._base
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
                self._kept[code] += kept
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

    def _weigh_all(
        self,
        wanted: Mapping[str, int],
        options: Mapping[str, list[Option]],
        best: dict[Uses, Plan],
    ) -> None:
        """Find the lightest plans; one or two copies of a card are soon weighed."""
        if len(wanted) == 1:
            ((code, copies),) = wanted.items()
            each = options[code]
            if copies == 1:
                self._weigh_one(code, each, best)
                return
            if copies == 2 and not any(way.whole for way in each):
                self._weigh_pair(code, each, best)
                return
        self._weigh(wanted, options, best)

    def _weigh_pair(
        self, code: str, options: Sequence[Option], best: dict[Uses, Plan]
    ) -> None:
        """The plans where two copies of a card want a source."""
        offers, held = self._offers, self._base.get(code, 0)
        for number, one in enumerate(options):
            for other in options[number:]:
                uses = joined(one.uses, other.uses, offers)
                if uses is None:
                    continue
                left: dict[Key, int] = {}
                for key, n in (*one.takes, *other.takes):
                    left[key] = left.get(key, self._there(key)) - n
                if left and min(left.values()) < 0:
                    continue
                for key, n in (*one.adds, *other.adds):
                    left[key] = left.get(key, self._there(key)) + n
                lines = tuple(
                    [
                        each.line
                        for each in (one, other)
                        if each.line.way is not Way.KEEP
                    ]
                )
                if held and lines and left.get((BASE, code), held):
                    continue  # a copy left over and the same card bought
                taken = self._settled(uses, left)
                if taken is None:
                    continue
                weight = one.weight + other.weight
                known = best.get(taken)
                if known is None or weight < known.weight:
                    best[taken] = Plan(weight, taken, lines)

    def _weigh_one(
        self, code: str, options: Sequence[Option], best: dict[Uses, Plan]
    ) -> None:
        """The plans where one copy wants a source: what holds by itself."""
        held = bool(self._base.get(code))
        for line, weight, uses, takes, adds, whole in options:
            keep = line.way is Way.KEEP
            if held and not keep:
                continue  # a copy left over and the same card bought
            if whole and any(self._there(key) != n for key, n in whole):
                continue
            left: dict[Key, int] = {}
            for key, n in takes:
                left[key] = self._there(key) - n
            for key, n in adds:
                left[key] = self._there(key) + n
            taken = self._settled(uses, left)
            if taken is None:
                continue
            known = best.get(taken)
            if known is None or weight < known.weight:
                best[taken] = Plan(weight, taken, () if keep else (line,))

    def _weigh(
        self,
        wanted: Mapping[str, int],
        options: Mapping[str, list[Option]],
        best: dict[Uses, Plan],
        lines: tuple[Line, ...] = (),
        uses: Uses = NOTHING,
    ) -> None:
        """Find the lightest plans, ``lines`` with their ``uses`` being given."""
        places, start = self._counted(wanted, options, lines)
        steps = {code: self._steps(options[code], places) for code in wanted}
        carried = Carrying(self._offers, self._most)
        found = carried.through(
            [(copies, steps[code]) for code, copies in wanted.items()],
            tuple(start),
            uses,
        )
        self.bounded = self.bounded or carried.bounded
        given = sum(map(weight_of, lines))
        codes = [code for code, copies in wanted.items() for _ in range(copies)]
        for all_uses, counts, weight, picks in found:
            taken: Uses | None = all_uses
            if places or self._offers.swaps:
                over = {key: counts[place] for key, place in places.items()}
                taken = self._settled(all_uses, over)
            if taken is None:
                continue
            weight += given
            known = best.get(taken)
            if known is not None and known.weight <= weight:
                continue
            chosen = [
                options[code][pick].line
                for code, pick in zip(codes, picks, strict=True)
            ]
            bought = [line for line in chosen if line.way is not Way.KEEP]
            best[taken] = Plan(weight, taken, (*lines, *bought))

    def _counted(
        self,
        wanted: Mapping[str, int],
        options: Mapping[str, list[Option]],
        lines: Sequence[Line],
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
            have = self._there(key)
            if key[0] in (ASIDE, EXILED, QUILLS) and have >= n * most:
                continue
            places[key] = len(start)
            start.append(have)
        anew = {line.code for line in lines}
        for code in wanted:
            if self._base.get(code):
                places[BOUGHT, code] = len(start)
                start.append(int(code in anew))
        return places, start

    def _there(self, key: Key) -> int:
        """What there is of a count before any copy has its source."""
        kind, code = key
        if kind == BASE:
            return self._base[code]
        if kind == KEPT:
            return self._kept.get(code, 0)
        if kind == EXILED:
            return self._offers.exiled.get(code, 0)
        if kind == QUILLS:
            return self._offers.quills.get(code, 0)
        return self._offers.aside.get(code, 0) if kind == ASIDE else 0

    def _steps(
        self, options: Sequence[Option], places: Mapping[Key, int]
    ) -> list[Step]:
        steps = []
        for option in options:
            line, _, _, takes, adds, whole = option
            if not places:
                steps.append(Step(option, (), (), (), (), {}))
                continue
            changes = [(key, -n) for key, n in takes] + [*adds]
            mark = places.get((BOUGHT, line.code))
            steps.append(
                Step(
                    option,
                    tuple([(places[key], n) for key, n in takes if key in places]),
                    # Where there is enough, there is always more than the whole of it.
                    tuple([(places.get(key, -1), n) for key, n in whole]),
                    tuple([(places[key], n) for key, n in changes if key in places]),
                    () if mark is None or line.way is Way.KEEP else (mark,),
                    {},
                )
            )
        return steps

    def _settled(self, uses: Uses, left: Mapping[Key, int]) -> Uses | None:
        """The uses of a plan with what is left over, if it holds together."""
        for (kind, code), n in left.items():
            if kind in OWED and n < 0:
                return None
            if kind == BOUGHT and n and left.get((BASE, code), self._base[code]):
                return None  # a copy left over and the same card bought
        swaps = self._offers.swaps
        if not swaps:
            return uses
        outs = sum(
            left.get((BASE, code), n)
            for code, n in self._base.items()
            if self._versions[code].swappable
        )
        return uses._replace(outs=min(outs, swaps)) if outs else uses

    def _simplest(
        self,
        wanted: Mapping[str, int],
        options: Mapping[str, list[Option]],
        best: dict[Uses, Plan],
    ) -> None:
        """Keep what can be kept and buy the rest: there is always that way."""
        lines: list[Line] = []
        weight = 0
        left: dict[Key, int] = {}
        for code, copies in wanted.items():
            kept = min(copies, self._base.get(code, 0))
            left[BASE, code] = self._base.get(code, 0) - kept
            bought = next(
                each
                for each in options[code]
                if each.line.way is Way.PURCHASE and each.uses == NOTHING
            )
            lines += [bought.line] * (copies - kept)
            weight += bought.weight * (copies - kept)
        uses = self._settled(NOTHING, left)
        assert uses is not None
        known = best.get(uses)
        if known is None or weight < known.weight:
            best[uses] = Plan(weight, uses, tuple(lines))
