"""Shows what chance decided so that anyone can check it."""

from __future__ import annotations

from typing import NamedTuple

from arkham.rules.draws import DrawRecord
from arkham.rules.draws.record import draw_replays
from campaigns.log.entries import Drawn
from campaigns.words.log_entries import drawn_named
from campaigns.words.names import Names


class ShownDraw(NamedTuple):
    """What chance decided: the result, what it was drawn from, and the record."""

    sequence: int
    result: str
    pool: str
    record: DrawRecord

    @property
    def seed(self) -> str:
        """The seed it was drawn with."""
        return self.record.seed

    @property
    def agrees(self) -> bool:
        """Whether drawing again with this seed has the same result."""
        return not [*draw_replays(self.record)]


def shown_draw(entry: Drawn, names: Names) -> ShownDraw:
    """A draw of the log, with the names of what was drawn."""
    record = DrawRecord.from_data(entry.record)
    return ShownDraw(
        entry.sequence,
        ", ".join(drawn_named(entry, code, names) for code in record.result),
        ", ".join(
            drawn_named(entry, code, names) + (f" × {copies}" if copies > 1 else "")
            for code, copies in record.pool
        ),
        record,
    )
