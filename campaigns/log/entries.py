"""What stands in a log beside what the fold reads.

Draws, corrections, a change of guides, achievements ticked by hand, the FAQ kept to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from arkham.rules.campaign.state import answers
from arkham.rules.campaign.state.answers import (
    Answer,
    Asserted,
    Released,
    Retracted,
    Stated,
    Sworn,
)


class Drawn(NamedTuple):
    """What chance decided for the table; the answer that follows says what it was for.

    ``record`` is what :class:`arkham.rules.draws.Draw` writes, by which anyone can
    draw again and see that the same comes of it.
    """

    scenario: str
    step: str
    record: Mapping[str, Any]
    sequence: int = 0


class Adopted(NamedTuple):
    """From here on another version of the guide is followed; by their digests."""

    before: str
    after: str
    sequence: int = 0


class Corrected(NamedTuple):
    """Why the answer that follows takes the place of the one at ``target``."""

    target: int
    reason: str
    sequence: int = 0


class Ticked(NamedTuple):
    """An achievement as the table says it stands; the last of each that holds counts.

    ``number`` is 1, or 0 where it is ticked off again; for one that is counted, how far
    it has come. ``items`` are those ticked of a list.
    """

    achievement: str
    number: int
    items: tuple[str, ...] = ()
    sequence: int = 0


class Pinned(NamedTuple):
    """From here on rules are shown to the table as of this version of the FAQ."""

    faq: str
    sequence: int = 0


Entry: TypeAlias = answers.Entry | Drawn | Adopted | Corrected | Ticked | Pinned
FOLDED = (Answer, Stated, Asserted, Sworn, Retracted, Released)


def folded(entries: Iterable[Entry]) -> list[answers.Entry]:
    """The entries a fold reads."""
    return [entry for entry in entries if isinstance(entry, FOLDED)]


def holding(entries: Iterable[Entry]) -> list[Entry]:
    """The entries of every kind that were not taken back, in order."""
    gone: set[int] = set()
    kept: list[Entry] = []
    for entry in reversed(list(entries)):
        if entry.sequence in gone:
            continue
        if isinstance(entry, Retracted | Released):
            gone.add(entry.target)
        else:
            kept.append(entry)
    return kept[::-1]
