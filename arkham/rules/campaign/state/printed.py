"""What campaigns ask of investigator cards, from the card pool."""

from __future__ import annotations

from arkham.rules.campaign.state.state import Printed
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType


def printed_values(pool: CardPool) -> dict[str, Printed]:
    """Health, sanity, class and traits of every investigator, by each code."""
    found: dict[str, Printed] = {}
    for card in pool.values():
        if card.type is not CardType.INVESTIGATOR:
            continue
        printed = Printed(
            card.health or 0,
            card.sanity or 0,
            card.classes[0].value if card.classes else "",
            card.traits,
            card.title,
        )
        found[card.code] = printed
        for printing in card.printings:
            found[printing.code] = printed
    return found
