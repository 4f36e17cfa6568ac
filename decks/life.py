"""The life of a deck as its page tells it: revisions, games, experience."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise

from decks import ledger
from decks.ledger import Running
from decks.models import Cause, Deck, Revision

_BUILDING = frozenset({Cause.EDITED, Cause.RESTORED})


@dataclass(frozen=True, slots=True)
class Step:
    """A revision worth telling; ``steps`` counts the edits that led to it."""

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
    """The revisions and the ledger of a deck."""

    def __init__(self, deck: Deck) -> None:
        revisions = (
            deck.revisions.select_related("made_by")
            .defer("list", "circumstances", "window")
            .order_by("number")
        )
        self.steps = tuple(reversed(list(_told(revisions))))
        entries = deck.ledger.select_related("author").order_by("number")
        self.ledger: tuple[Running, ...] = ledger.running(entries)

    @property
    def balance(self) -> int:
        """The experience there is."""
        return self.ledger[-1].balance if self.ledger else 0

    @property
    def played(self) -> bool:
        """Whether a scenario was ever played with the deck."""
        return any(step.revision.played_at is not None for step in self.steps)


def _told(revisions: Iterable[Revision]) -> Iterable[Step]:
    """Every revision, but of a run of edits the last one alone."""
    run: list[Revision] = []
    for each in revisions:
        if each.cause in _BUILDING and (not run or run[-1].played_at is None):
            run.append(each)
            continue
        yield from _run(run)
        run = [each] if each.cause in _BUILDING else []
        if not run:
            yield Step(each, 1, each.number - 1)
    yield from _run(run)


def _run(run: list[Revision]) -> Iterable[Step]:
    if run:
        yield Step(run[-1], len(run), run[0].number - 1)
