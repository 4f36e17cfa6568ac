"""At what price can the copies of one title be had?

Every copy of a title in the new deck has one source: it was there already (*keep*),
an older copy was upgraded, or it was bought, refilled, swapped in or came along with
another. The ways of each copy are in ``options``, what there is for them in ``stock``;
how they are put together is in ``carrying``. What is shared by titles is decided in
``assembly``.

That is exact for every deck that is played. A deck may list thousands of copies of a
title: of these a few are weighed (``MOST_UNITS``), and of the ways so far only the
lightest carried on (``MOST_CARRIED``); the others are had as ``beyond`` has them. The
price is then one that the rules allow, and may be more than the least: ``bounded``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arkham.rules.upgrade.beyond import ways_beyond
from arkham.rules.upgrade.carrying import MOST_CARRIED, Carrying
from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.options import (
    BASE,
    Key,
    Option,
    Options,
    Title,
)
from arkham.rules.upgrade.stock import Stock, steps_of
from arkham.rules.upgrade.uses import NOTHING, Plan, Uses, joined, ranked
from arkham.rules.upgrade.ways import Line, Way, weight_of

_KEEP = Way.KEEP  # looked up in its enum each time, a member costs ten times as much
_new = tuple.__new__  # half of what calling a named tuple's class costs
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
        self._stock = Stock(title, offers)

    def plans(self) -> list[Plan]:
        """The lightest plan for each use of the shared offers, lightest first."""
        wanted = self._copies_to_source()
        beyond = self._beyond(wanted)
        options = Options(self._title, self._offers, self._stock.base)
        of = {code: options.of(code) for code in wanted}
        best: dict[Uses, Plan] = {}
        if not beyond:
            self._weigh_all(wanted, of, best)
        else:
            self.bounded = True
            base = dict(self._stock.base)
            for plain in ways_beyond(beyond, of, base, MOST_UNITS, self._offers):
                self._stock.base = plain.base
                self._weigh(wanted, of, best, plain.lines, plain.uses)
            self._stock.base = base
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
        title, base = self._title, self._stock.base
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
                self._stock.kept[code] += kept
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
        offers, held = self._offers, self._stock.base.get(code, 0)
        for number, one in enumerate(options):
            for other in options[number:]:
                uses = joined(one.uses, other.uses, offers)
                if uses is None:
                    continue
                left: dict[Key, int] = {}
                for key, n in (*one.takes, *other.takes):
                    left[key] = left.get(key, self._stock.there(key)) - n
                if left and min(left.values()) < 0:
                    continue
                for key, n in (*one.adds, *other.adds):
                    left[key] = left.get(key, self._stock.there(key)) + n
                lines = tuple(
                    [each.line for each in (one, other) if each.line.way is not _KEEP]
                )
                if held and lines and left.get((BASE, code), held):
                    continue  # a copy left over and the same card bought
                taken = self._stock.settled(uses, left)
                if taken is None:
                    continue
                weight = one.weight + other.weight
                known = best.get(taken)
                if known is None or weight < known.weight:
                    best[taken] = _new(Plan, (weight, taken, lines))

    def _weigh_one(
        self, code: str, options: Sequence[Option], best: dict[Uses, Plan]
    ) -> None:
        """The plans where one copy wants a source: what holds by itself."""
        held = bool(self._stock.base.get(code))
        for line, weight, uses, takes, adds, whole in options:
            keep = line.way is _KEEP
            if held and not keep:
                continue  # a copy left over and the same card bought
            if whole and any(self._stock.there(key) != n for key, n in whole):
                continue
            left: dict[Key, int] = {}
            for key, n in takes:
                left[key] = self._stock.there(key) - n
            for key, n in adds:
                left[key] = self._stock.there(key) + n
            taken = self._stock.settled(uses, left)
            if taken is None:
                continue
            known = best.get(taken)
            if known is None or weight < known.weight:
                plan = (weight, taken, () if keep else (line,))
                best[taken] = _new(Plan, plan)

    def _weigh(
        self,
        wanted: Mapping[str, int],
        options: Mapping[str, list[Option]],
        best: dict[Uses, Plan],
        lines: tuple[Line, ...] = (),
        uses: Uses = NOTHING,
    ) -> None:
        """Find the lightest plans, ``lines`` with their ``uses`` being given."""
        places, start = self._stock.counted(wanted, options, lines)
        steps = {code: steps_of(options[code], places) for code in wanted}
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
                taken = self._stock.settled(all_uses, over)
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
            bought = [line for line in chosen if line.way is not _KEEP]
            best[taken] = Plan(weight, taken, (*lines, *bought))

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
            kept = min(copies, self._stock.base.get(code, 0))
            left[BASE, code] = self._stock.base.get(code, 0) - kept
            bought = next(
                each
                for each in options[code]
                if each.line.way is Way.PURCHASE and each.uses == NOTHING
            )
            lines += [bought.line] * (copies - kept)
            weight += bought.weight * (copies - kept)
        uses = self._stock.settled(NOTHING, left)
        assert uses is not None
        known = best.get(uses)
        if known is None or weight < known.weight:
            best[uses] = Plan(weight, uses, tuple(lines))
