"""Finds the copies a scenario put into a deck, which do not count in it (DECK-18)."""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.card import Card
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.entry import Line
from arkham.rules.legality.tally import NO_ROOM, Concern

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
