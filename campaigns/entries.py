"""What stands in a log beside what the fold reads: draws, and a change of guides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from arkham.rules.campaign import answers
from arkham.rules.campaign.answers import (
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


Entry: TypeAlias = answers.Entry | Drawn | Adopted | Corrected
FOLDED = (Answer, Stated, Asserted, Sworn, Retracted, Released)


def folded(entries: Iterable[Entry]) -> list[answers.Entry]:
    """The entries a fold reads."""
    return [entry for entry in entries if isinstance(entry, FOLDED)]
