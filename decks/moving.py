"""Another list of taboos: what becomes illegal, and what costs otherwise?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from arkham.rules.finding import Severity
from arkham.rules.legality import Judge
from decks.content import Content
from decks.display import Judged
from decks.editing import apply
from decks.invoices import name_of
from decks.notes import Note, notes_of


@dataclass(frozen=True, slots=True)
class Moved:
    """A card of the deck that another list treats otherwise.

    ``cost`` is what a copy costs by the old list, ``costs`` by the new one;
    ``forbidden`` tells that no copy may be in the deck any more.
    """

    name: str
    copies: int
    cost: int
    costs: int
    forbidden: bool


class Move:
    """A deck by the list of taboos it follows, and by another one."""

    def __init__(self, content: Content, taboo: str, judge: Judge) -> None:
        self.taboo = taboo
        self.here = Judged(content, judge)
        moved = apply(content, [("choose", f"taboo:{taboo}")], judge.pool)
        self.there = Judged(moved, judge)

    @cached_property
    def becomes_illegal(self) -> tuple[Note, ...]:
        """What is found under the new list and was not under the old one."""
        known = {(each.rule, each.cards) for each in self.here.verdict.findings}
        new = [
            each
            for each in self.there.verdict.findings
            if (each.rule, each.cards) not in known
            and each.severity is not Severity.ADVICE
        ]
        return notes_of(new, self.there.pool, self.there.built)

    @cached_property
    def cards(self) -> tuple[Moved, ...]:
        """The cards of the deck that cost otherwise, or are forbidden, by name."""
        return tuple(sorted(self._moved(), key=lambda each: each.name.casefold()))

    def _moved(self) -> Iterator[Moved]:
        old = {row.code: row for row in self.here.rows}
        for row in self.there.rows:
            before = old[row.code].standing
            limit = row.standing.taboo.deck_limit if row.standing.taboo else None
            forbidden = limit == 0
            if before.cost != row.standing.cost or forbidden:
                yield Moved(
                    name_of(row.code, self.there.pool),
                    row.copies,
                    before.cost,
                    row.standing.cost,
                    forbidden,
                )

    @property
    def difference(self) -> int:
        """How much more the whole deck is worth by the new list."""
        return (
            self.there.verdict.experience_required
            - self.here.verdict.experience_required
        )
