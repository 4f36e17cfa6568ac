"""What does a title cost where nothing is reduced and nothing free?"""

from __future__ import annotations

from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import Standing
from arkham.rules.upgrade.change import Copies, TitleChange
from arkham.rules.upgrade.plans import Line, Way
from arkham.rules.upgrade.versions import (
    is_upgrade,
    purchase_price,
    upgrade_price,
)


def bought(change: TitleChange, frame: Frame, least: int) -> list[Line] | None:
    """The lines of a title of which one version comes in for at most one other.

    None where there is more to weigh: several versions, a sheet, a myriad card, a
    researched one.
    """
    added = change.added()
    if not added:
        return []
    if len(added) > 1:
        return None
    [(code, copies)] = added.items()
    standing = frame.unmarked[code]
    if standing.level is None or standing.card is None:
        return []
    card = standing.card
    if standing.sheet or card.myriad or card.researched:
        return None
    removed = {
        code: copies
        for code, copies in change.removed().items()
        if frame.unmarked[code].level is not None
    }
    if len(removed) > 1:
        return None
    price = purchase_price(standing, 0, least)
    new = Line(Way.PURCHASE, code, price, price)
    upgrades = _upgrades(code, standing, removed, frame, price)[:copies]
    return [*upgrades, *[new] * (copies - len(upgrades))]


def _upgrades(
    code: str, standing: Standing, removed: Copies, frame: Frame, price: int
) -> list[Line]:
    """The copies that can be had for the difference, where that is no dearer."""
    for source, copies in removed.items():
        lower = frame.unmarked[source]
        if is_upgrade(lower, standing):
            difference = upgrade_price(lower, standing)
            if difference <= price:
                line = Line(Way.UPGRADE, code, difference, difference, source)
                return [line] * copies
    return []
