"""Random draws that anyone can check afterwards.

One portable generator (:mod:`.chance`) makes every draw from a seed, and records it
with the pool it was made from (:mod:`.record`). Anyone with the record can repeat the
draw, and must get the same result.
"""

from __future__ import annotations

from arkham.rules.draws.record import Chance, DrawRecord, Purpose, draw, replayed

__all__ = ["Chance", "DrawRecord", "Purpose", "draw", "replayed"]
