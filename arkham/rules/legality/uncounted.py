"""Finds the copies a scenario put into a deck, which do not count in it (DECK-18)."""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.card import Card
from arkham.rules.deck import DeckList
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.standing import Line
from arkham.rules.legality.tally import NO_ROOM, Concern
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


_BARRING = frozenset({Concern.NOT_ADMITTED, Concern.BARRED, Concern.OUT_OF_POOL})


def is_counted_when_bought(card: Card) -> bool:
    """Whether copies of a card count toward the deck size unless they were granted."""
    return card.level is not None and not card.permanent and card.in_decks


def granted_aside(built: BuiltDeck, granted: Mapping[str, int]) -> dict[str, int]:
    """Copies to set aside, by the codes of the list, since a scenario granted them.

    ``granted`` are copies by the code of the card. Such a card is subject to no option,
    limit or deck size; copies the deck has room for may as well have been bought, and
    stay.
    """
    excess = built.counted - built.frame.size if built.frame.size_judged else 0
    left = dict(granted)
    for line in built.ordinary:
        left[line.card.code] = left.get(line.card.code, 0) - line.set_aside
    found: dict[str, int] = {}
    for line in built.ordinary:
        may = min(line.copies, left[line.card.code])
        if may <= 0:
            continue
        room = excess if line.standing.counts else 0
        copies = min(may, max(room, _beyond_terms(built, line, may, found)))
        if copies > 0:
            found[line.code] = copies
            left[line.card.code] -= copies
            excess -= copies if line.standing.counts else 0
    return found


def _beyond_terms(
    built: BuiltDeck, line: Line, copies: int, aside: Mapping[str, int]
) -> int:
    """Copies that could not be in the deck had no scenario granted them.

    ``aside`` are those found so far.
    """
    standing = line.standing
    crowded = built.unmet & NO_ROOM and standing.limited
    if crowded or not _BARRING.isdisjoint(standing.concerns):
        return copies
    of_title = sum(
        each.copies - aside.get(each.code, 0)
        for each in built.ordinary
        if each.standing.title == standing.title
    )
    return of_title - standing.limit
