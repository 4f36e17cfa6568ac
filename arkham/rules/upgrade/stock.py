"""What the copies of one title share, and how much of it there is.

Counts are by kind and code (``options``): older copies, Raven Quills, copies exiled or
set aside, and what may be owed for until every copy has its source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arkham.rules.upgrade.carrying import Step
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
    Title,
)
from arkham.rules.upgrade.uses import Uses
from arkham.rules.upgrade.ways import Line, Way

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


def steps_of(options: Sequence[Option], places: Mapping[Key, int]) -> list[Step]:
    """Every option with its counts by their place."""
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
                () if mark is None or line.way is _KEEP else (mark,),
                {},
            )
        )
    return steps
