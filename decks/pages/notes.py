"""A finding as pages show it, and where it leads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from arkham.rules.finding import Finding, Severity
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.library import Entry, entry_of, library
from arkham.rules.pool import CardPool
from arkham.web.http import mark_of
from arkham.web.language import advice_text, finding_text
from decks.pages.remedies import DeckRemedy, ways_out

Words = str | Promise

# A finding on more cards than this is shown once, on top, and only marked at the cards.
MOST_CARDS_MARKED = 3

SEVERITIES: dict[Severity, Words] = {
    Severity.ILLEGAL: gettext_lazy("Illegal"),
    Severity.INCOMPLETE: gettext_lazy("Incomplete"),
    Severity.ADVICE: gettext_lazy("Note"),
}


@dataclass(frozen=True, slots=True)
class Note:
    """A finding in the reader's language, with its ways out.

    ``number`` counts from 1 in the rules' order; ``style`` is ``illegal``,
    ``incomplete`` or ``advice``.
    """

    number: int
    rule: str
    style: str
    word: Words
    text: str
    advice: str
    cites: tuple[str, ...]
    cards: tuple[str, ...]
    ways: tuple[DeckRemedy, ...]

    @property
    def mark(self) -> str:
        """Differs where the note would look different."""
        return mark_of("note", self)

    @property
    def entry(self) -> Entry | None:
        """What to read about it in the rules library."""
        return entry_of(library(), self.rule)

    @property
    def is_short(self) -> bool:
        """Whether it is shown at its cards as well."""
        return len(self.cards) <= MOST_CARDS_MARKED


def translated(finding: Finding) -> tuple[str, str]:
    """The sentence of a finding and its advice, in the reader's language."""
    return finding_text(finding), advice_text(finding)


def notes_of(
    findings: Iterable[Finding], pool: CardPool, built: BuiltDeck | None = None
) -> tuple[Note, ...]:
    """The findings as the pages show them."""
    notes = []
    for number, finding in enumerate(findings, 1):
        text, advice = translated(finding)
        notes.append(
            Note(
                number,
                finding.rule,
                finding.severity.word,
                SEVERITIES[finding.severity],
                text,
                advice,
                tuple(str(each) for each in finding.cites),
                finding.cards,
                ways_out(finding, pool, built),
            )
        )
    return tuple(notes)
