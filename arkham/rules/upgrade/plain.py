"""What does a title cost where nothing is reduced and nothing free?"""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.versions import (
    Version,
    is_upgrade,
    purchase_price,
    upgrade_price,
)
from arkham.rules.upgrade.ways import Line, Way

_new = tuple.__new__  # half of what calling a named tuple's class costs


def bought(
    version: Version,
    copies: int,
    lower: Version | None,
    left: int,
    offers: Offers,
    side: bool,
) -> list[Line]:
    """The lines of a title of which one version comes in for at most one other.

    Of the ``lower`` one ``left`` copies leave; each is upgraded where that is no
    dearer. Copies that stay are best kept: to upgrade one and buy it again costs no
    less.
    """
    price = version.price
    if offers.surcharge:
        price = purchase_price(version, offers.surcharge, offers.least)
    code = version.code
    lines: list[Line] = []
    if lower is not None and is_upgrade(lower, version):
        difference = upgrade_price(lower, version)
        if difference <= price:
            told = (Way.UPGRADE, code, difference, difference, lower.code, (), 0, side)
            upgraded = min(copies, left)
            lines = [_new(Line, told)] * upgraded
            copies -= upgraded
    if copies:
        told = (Way.PURCHASE, code, price, price, "", (), 0, side)
        lines += [_new(Line, told)] * copies
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
