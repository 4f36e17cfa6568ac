"""Prices titles where nothing is reduced and nothing is free."""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.upgrade.change import Change
from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.versions import (
    Version,
    is_upgrade,
    new_price,
    upgrade_price,
)
from arkham.rules.upgrade.ways import PlannedLine, Way

_PURCHASE, _UPGRADE = Way.PURCHASE, Way.UPGRADE  # looked up in its enum each time, a
# member costs ten times as much
_new = tuple.__new__  # half of what calling a named tuple's class costs


def bought(
    version: Version, lower: Version | None, change: Change, offers: Offers
) -> list[PlannedLine]:
    """The lines of a title of which one version comes in for at most one other.

    Each copy that leaves is upgraded where that is no dearer. Copies that stay are best
    kept: to upgrade one and buy it again costs no less.
    """
    code, copies, side = version.code, change.added[version], change.side
    price = new_price(version, offers)
    lines: list[PlannedLine] = []
    if lower is not None and is_upgrade(lower, version):
        difference = upgrade_price(lower, version)
        if difference <= price:
            left = change.removed[lower]
            upgraded = copies if copies < left else left
            line = (_UPGRADE, code, difference, difference, lower.code, (), 0, side)
            lines = [_new(PlannedLine, line)] * upgraded
            copies -= upgraded
    if copies:
        line = (_PURCHASE, code, price, price, "", (), 0, side)
        lines += [_new(PlannedLine, line)] * copies
    return lines


def may_be_reduced(
    base: Mapping[Version, int],
    after: Mapping[Version, int],
    stay: Mapping[Version, int],
    offers: Offers,
) -> bool:
    """Whether something offered may serve a copy of a title (or seems to).

    Copies that ``stay`` need no offer; of others a higher version may be made, and
    another copy come in their place.
    """
    if offers.pelt or offers.medallion:
        return True
    free = offers.swaps or offers.refills or offers.side_refills
    for version, copies in after.items():
        if copies > stay.get(version, 0) and (
            (free and version.swappable) or version.code in offers.exiled
        ):
            return True
    for version, copies in base.items():
        if offers.aside and version.code in offers.aside:
            return True
        if copies > stay.get(version, 0) and (
            (offers.swaps and version.swappable) or _upgrade_served(version, offers)
        ):
            return True
    return False


def _upgrade_served(lower: Version, offers: Offers) -> bool:
    """Whether something offered may serve an upgrade of this version."""
    return bool(
        offers.firsts
        or (offers.first_amount and offers.first_trait in lower.standing.traits)
        or lower.code in offers.quills
        or lower.card.subname in offers.paired
    )
