"""Finds the cards that stay and may be worth exchanging and buying again.

Adaptable exchanges any level 0 card, also one the player means to keep: another card
comes in for nothing, and the one that left is bought again. That pays off where the
card that comes in would cost more, and where copies bought again come along with one
another or are made cheaper.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.versions import Version, due_for_nothing, new_price


class Exchanging(NamedTuple):
    """The titles that may be exchanged although copies stay.

    ``any_title``: an exchange may save more than it costs to buy a card again, so that
    every level 0 card is worth a look; of those that do not change otherwise,
    ``titles`` are enough.
    """

    any_title: bool
    titles: frozenset[str]


NO_EXCHANGING = Exchanging(False, frozenset())


def exchanging(
    staying: Mapping[Version, int], coming: Mapping[Version, int], offers: Offers
) -> Exchanging:
    """Find what is worth exchanging: level 0 copies that stay, and those that come."""
    if not (offers.swaps and staying):
        return NO_EXCHANGING
    # Copies whose purchase can be cheaper than that of a card that comes in.
    titles = {
        version.title
        for version in staying
        if version.involved or version.code in offers.exiled
    }
    ranked = sorted([(new_price(version, offers), version.code) for version in staying])
    cheapest = ranked[0][0]
    saved = max(
        [
            new_price(version, offers) - due_for_nothing(version, offers)
            for version in (*staying, *coming)
            if version.swappable
        ]
    )
    if saved <= cheapest:
        return Exchanging(False, frozenset(titles))
    by_code = {version.code: version for version in staying}
    copies = 0
    for _, code in ranked:
        version = by_code[code]
        if version.title not in titles:
            titles.add(version.title)
            copies += staying[version]
        if copies >= offers.swaps:
            break
    return Exchanging(True, frozenset(titles))
