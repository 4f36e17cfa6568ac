"""The reductions that one purchase or upgrade may have.

One that saves nothing is left for a card that it serves.
"""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.uses import NOTHING, Uses
from arkham.rules.upgrade.ways import Line


def upgrade_lines(
    line: Line, traits: frozenset[str], offers: Offers
) -> Iterator[tuple[Line, Uses]]:
    """An upgrade with each set of shared reductions it may have.

    ``traits`` are those of the lower version.
    """
    firsts, most = offers.firsts, offers.medallion
    traited = bool(offers.first_amount) and offers.first_trait in traits
    if not (firsts or traited or most):
        yield line, NOTHING
        return
    floor = offers.upgrade_floor
    counted = min(1, firsts)
    for first in range(counted + 1):
        for is_traited in (False, True) if traited else (False,):
            uses = Uses(
                upgrades=counted if offers.first_amount else 0,
                firsts=first,
                first_is_traited=bool(first and traited),
                traited=(1 if first else 2) if is_traited else 0,
            )
            told = (
                ("firsts", first),
                ("first-trait", offers.first_amount if is_traited else 0),
            )
            reduced = _reduced(line, floor, *told)
            yield reduced, uses
            if most and reduced.paid > floor:
                further = _reduced(line, floor, *told, ("medallion", most))
                yield further, uses._replace(medallion=1)


def purchase_lines(
    line: Line, exiled: bool, offers: Offers
) -> Iterator[tuple[Line, Uses]]:
    """A new purchase with each set of reductions it may have."""
    rebuys, pelts, most = offers.rebuy if exiled else 0, offers.pelt, offers.medallion
    if not (rebuys or pelts or most):
        yield line, NOTHING
        return
    floor = offers.purchase_floor
    room = max(line.gross - floor, 0)
    for rebuy in range(min(rebuys, room) + 1):
        for pelt in (0, pelts) if pelts and rebuy < room else (0,):
            for medallion in (0, most) if most and rebuy + pelt < room else (0,):
                yield (
                    _reduced(
                        line,
                        floor,
                        ("rebuy", rebuy),
                        ("pelt", pelt),
                        ("medallion", medallion),
                    ),
                    Uses(pelt=min(pelt, 1), medallion=min(medallion, 1), rebuys=rebuy),
                )


def _reduced(line: Line, floor: int, *reductions: tuple[str, int]) -> Line:
    told = tuple([each for each in reductions if each[1]])
    if not told:
        return line
    paid = max(floor, line.gross - sum([amount for _, amount in told]))
    return line._replace(paid=min(paid, line.gross), reductions=told)
