"""The cards that decks of a frame may include, worked out once for every frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import CardRole
from cardpool.access import admits, is_barred

KEPT = 32  # frames; the codes of each take some 50 KB


@dataclass(frozen=True, slots=True)
class Included:
    """The codes of the cards that a frame lets into its decks.

    ``cards`` are ordinary cards and signatures, ``signatures`` the latter;
    ``weaknesses`` are the basic ones that may be drawn. ``limited`` has the limited
    options, as a mask, of every ordinary card that must use one.
    """

    cards: frozenset[str]
    signatures: frozenset[str]
    weaknesses: frozenset[str]
    limited: Mapping[str, int]


@lru_cache(maxsize=KEPT)
def included_in(frame: Frame) -> Included:
    """What a frame lets into its decks, whatever lies in them already."""
    cards, signatures, weaknesses = set(), set(), set()
    limited = {}
    for code in frame.pool:
        standing = frame.standing(code)
        if standing.role is CardRole.BASIC_WEAKNESS:
            if not is_barred(standing):
                weaknesses.add(code)
        elif admits(standing):
            cards.add(code)
            if standing.role is CardRole.SIGNATURE:
                signatures.add(code)
            elif standing.limited:
                limited[code] = standing.limited
    return Included(
        frozenset(cards), frozenset(signatures), frozenset(weaknesses), limited
    )
