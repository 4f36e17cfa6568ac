"""A verdict that was reached once and stored, as pages show it."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise

from arkham.rules.finding import Severity
from decks.models import SharedVerdict
from decks.pages.display import STATUSES
from decks.pages.notes import SEVERITIES, Note


class ShownVerdict:
    """A kept verdict with the names the pages use; findings without their ways out."""

    def __init__(self, shared: SharedVerdict) -> None:
        verdict = shared.verdict
        self.status: str = verdict["status"]
        self.status_word: str | Promise = STATUSES[self.status]
        self.deck_size: int = verdict["deck_size"]
        self.experience: int = verdict["experience_required"]
        self.notes = tuple(
            note_of(number, each) for number, each in enumerate(verdict["findings"], 1)
        )


def note_of(number: int, finding: Mapping[str, object]) -> Note:
    """A finding that was kept as JSON types, in its own words."""
    word = str(finding["severity"])
    cites, cards = finding["cites"], finding["cards"]
    assert isinstance(cites, list) and isinstance(cards, list)
    return Note(
        number,
        str(finding["rule"]),
        word,
        SEVERITIES[Severity[word.upper()]],
        str(finding["message"]),
        str(finding["remedy"] or ""),
        tuple(cites),
        tuple(cards),
        (),
    )
