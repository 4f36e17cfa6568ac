"""Random draws that anyone can check afterwards.

Every draw is made from a seed by one portable generator (:mod:`.chance`) and recorded
with the pool it was made from (:mod:`.record`), so that anyone with the record can
draw again and must find the same.
"""

from __future__ import annotations

from arkham.rules.draws.record import Chance, DrawRecord, Purpose, draw, replayed

__all__ = ["Chance", "DrawRecord", "Purpose", "draw", "replayed"]
