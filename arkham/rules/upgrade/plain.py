"""Prices titles where nothing is reduced and nothing is free."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

from arkham.rules.upgrade.change import Change
from arkham.rules.upgrade.invoice import InvoiceLine
from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.versions import (
    Version,
    is_upgrade,
    new_price,
    upgrade_price,
)
from arkham.rules.upgrade.ways import PlannedLine, Rank, Way

_PURCHASE, _UPGRADE = Way.PURCHASE, Way.UPGRADE  # looked up in its enum each time, a
# member costs ten times as much
_BOUGHT, _UPGRADED = Way.PURCHASE.rule, Way.UPGRADE.rule
_RANK = itemgetter(0)
_new = tuple.__new__  # half of what calling a named tuple's class costs


# Of lines of a title: their rank, the card, copies, the price and the source.
Row = tuple[Rank, Version, int, int, str]


def invoiced(change: Change) -> tuple[InvoiceLine, ...] | None:
    """The invoice of a change of the main deck where nothing changes any price.

    That is told at once where each title is by itself: a new card is bought, or made of
    a lower version that leaves. None where copies hang together in another way.
    """
    lower: dict[str, Version] = {}  # what leaves, by title, of cards in versions
    leaving: list[str] = []  # the counted copies, by code
    for version, copies in change.removed.items():
        if version.counts:
            leaving += [version.code] * copies
        if version.others and version.level is not None:
            if version.title in lower:
                return None
            lower[version.title] = version
    rows: list[Row] = []
    titles: set[str] = set()
    for version, copies in change.added.items():
        if version.involved:
            return None
        if version.level is None:
            continue
        if version.others:
            title = version.title
            if title in titles:
                return None
            titles.add(title)
            source = lower.get(title)
            if source is not None and is_upgrade(source, version):
                number, price = _upgrades(source, version, version.price, change)
                code = source.code
                if source.counts:
                    for _ in range(number):
                        leaving.remove(code)
                rows.append((version.upgraded_in, version, number, price, code))
                copies -= number
                if not copies:
                    continue
        rows.append((version.bought_in, version, copies, version.price, ""))
    if len(rows) > 1:
        rows.sort(key=_RANK)
    if len(leaving) > 1:
        leaving.sort(reverse=True)
    return tuple(_told(rows, leaving))


def _told(rows: list[Row], leaving: list[str]) -> list[InvoiceLine]:
    """The lines of an invoice: each new card that counts takes a place."""
    lines: list[InvoiceLine] = []
    for _, version, copies, price, source in rows:
        code = version.code
        if source:
            told = (_UPGRADED, code, price, price, source, "", (), 0, False)
            lines += [_new(InvoiceLine, told)] * copies
            continue
        counts = version.counts
        for _ in range(copies):
            replaced = leaving.pop() if counts and leaving else ""
            told = (_BOUGHT, code, price, price, "", replaced, (), 0, False)
            lines.append(_new(InvoiceLine, told))
    return lines


def _upgrades(
    lower: Version, version: Version, price: int, change: Change
) -> tuple[int, int]:
    """How many copies come by upgrading those that leave, and what one then costs.

    Each that leaves is upgraded where that is no dearer. Copies that stay are best
    kept: to upgrade one and buy it again costs no less.
    """
    difference = upgrade_price(lower, version)
    if difference > price:
        return 0, price
    copies, left = change.added[version], change.removed[lower]
    return (copies if copies < left else left), difference


def bought(
    version: Version, lower: Version | None, change: Change, offers: Offers
) -> list[PlannedLine]:
    """The lines of a title of which one version comes in for at most one other."""
    code, copies, side = version.code, change.added[version], change.side
    price = new_price(version, offers)
    lines: list[PlannedLine] = []
    if lower is not None and is_upgrade(lower, version):
        number, difference = _upgrades(lower, version, price, change)
        told = (_UPGRADE, code, difference, difference, lower.code, (), 0, side)
        lines = [_new(PlannedLine, told)] * number
        copies -= number
    if copies:
        told = (_PURCHASE, code, price, price, "", (), 0, side)
        lines += [_new(PlannedLine, told)] * copies
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
