"""The life of a deck as its page shows it: revisions, games, experience."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise

from arkham.rules.legality import Judge
from arkham.rules.legality.granting import CARRIED
from decks.models import Cause, Revision
from decks.services import ledger
from decks.services.beginning import creation_of, name_of
from decks.services.chain import is_played
from decks.services.ledger import Running

_BUILDING = frozenset({Cause.EDITED, Cause.RESTORED})


@dataclass(frozen=True, slots=True)
class DeckStep:
    """A revision worth showing; ``steps`` counts the edits that led to it."""

    revision: Revision
    steps: int
    before: int

    @property
    def cause(self) -> str | Promise:
        """Why it is there, in the reader's language."""
        return Cause(self.revision.cause).label

    @property
    def paid(self) -> int | None:
        """What it cost; None where nothing was to be paid."""
        invoice = self.revision.invoice
        return None if invoice is None else int(invoice["experience_spent"])


class Life:
    """The revisions and the ledger of a deck, whose latest revision this is."""

    def __init__(self, latest: Revision, judge: Judge) -> None:
        deck = latest.deck
        revisions = (
            deck.revisions.select_related("made_by")
            .defer("list", "circumstances", "window")
            .order_by("number")
        )
        self.steps = tuple(reversed(list(_merged_edits(revisions))))
        # Before the first game it is not booked: the builder may still change it.
        self.creation = (
            None if is_played(latest) else creation_of(latest.content, judge)
        )
        entries = deck.ledger.select_related("author").order_by("number")
        self.ledger: tuple[Running, ...] = ledger.running(entries)

    @property
    def balance(self) -> int:
        """The experience there is, of the creation of a first deck as well."""
        booked = self.ledger[-1].balance if self.ledger else 0
        creation = self.creation
        return booked + (creation.left - creation.carried if creation else 0)

    @property
    def grants(self) -> tuple[tuple[str, int], ...]:
        """What grants experience to a first deck, with the points not booked yet."""
        grants = self.creation.grants if self.creation else ()
        return tuple(
            (name_of(each), each.amount) for each in grants if each.source != CARRIED
        )

    @property
    def played(self) -> bool:
        """Whether a scenario was ever played with the deck."""
        return any(step.revision.played_at is not None for step in self.steps)


def _merged_edits(revisions: Iterable[Revision]) -> Iterable[DeckStep]:
    """Every revision, but of a run of edits the last one alone."""
    run: list[Revision] = []
    for each in revisions:
        if each.cause in _BUILDING and (not run or run[-1].played_at is None):
            run.append(each)
            continue
        yield from _run(run)
        run = [each] if each.cause in _BUILDING else []
        if not run:
            yield DeckStep(each, 1, each.number - 1)
    yield from _run(run)


def _run(run: list[Revision]) -> Iterable[DeckStep]:
    if run:
        yield DeckStep(run[-1], len(run), run[0].number - 1)
