"""Helpers for play at the table: areas, piles, rounds, eliminations.

The round with its player windows (:mod:`.round`), the steps of an elimination
(:mod:`.elimination`), what a player has in play and whether it fits the slots
(:mod:`.area`, :mod:`.slots`), and decks of named cards (:mod:`.pile`). None of this is
needed to keep a campaign.
"""

from __future__ import annotations
