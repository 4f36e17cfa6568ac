"""Assigns copies listed as set aside to the entries of a deck."""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.deck import DeckList
from arkham.rules.pool import CardPool


def aside_by_entry(deck: DeckList, pool: CardPool) -> Mapping[str, int]:
    """The copies set aside, each of a printing under which the deck lists the card.

    Another printing is the same card (SRC-04), so copies that the entry of their own
    code has no room for are taken from the card's other entries; what is left over
    stays with one of its entries, if it has any, as more than the deck holds.
    """
    entries, listed = deck.entries, deck.set_aside
    found = {code: min(copies, entries.get(code, 0)) for code, copies in listed.items()}
    if found == listed:
        return listed
    for code, copies in sorted(listed.items()):
        left = copies - found[code]
        card = pool.get_card(code)
        for printing in card.printings if card and left else ():
            other = printing.code
            taken = min(left, entries.get(other, 0) - found.get(other, 0))
            if taken > 0:
                found[other] = found.get(other, 0) + taken
                left -= taken
        if left:
            codes = [printing.code for printing in card.printings] if card else []
            home = next((each for each in codes if each in entries), code)
            found[home] = found.get(home, 0) + left
    return {code: copies for code, copies in found.items() if copies}


def aside_as_held(deck: DeckList, pool: CardPool) -> Mapping[str, int]:
    """As :func:`aside_by_entry`, without what is more than the deck holds."""
    found = aside_by_entry(deck, pool)
    entries = deck.entries
    if all(copies <= entries.get(code, 0) for code, copies in found.items()):
        return found
    held = {code: min(copies, entries.get(code, 0)) for code, copies in found.items()}
    return {code: copies for code, copies in held.items() if copies}


def more_aside(deck: DeckList, more: Mapping[str, int]) -> dict[str, int]:
    """The copies a deck has set aside, with more of them."""
    found = dict(deck.set_aside)
    for code, copies in more.items():
        found[code] = found.get(code, 0) + copies
    return found
