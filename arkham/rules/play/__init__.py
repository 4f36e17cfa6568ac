"""Helpers for play at the table: areas, piles, rounds, eliminations.

The round with its player windows (:mod:`.round`), the steps of an elimination
(:mod:`.elimination`), what a player has in play and whether the slots hold it
(:mod:`.area`, :mod:`.slots`), decks of named cards (:mod:`.pile`), and what a test
with these tokens came to (:mod:`.result`). Nothing here is needed to keep a campaign.
"""

from __future__ import annotations
