"""The history of a deck: revisions, games, experience, other taboo lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from django.utils.functional import Promise

from arkham.rules.finding import Severity
from arkham.rules.legality import Judge
from arkham.rules.legality.granting import CARRIED
from arkham.rules.pool import CardPool
from arkham.rules.upgrade import Window
from arkham.rules.upgrade.facts import copies_by_card
from arkham.rules.upgrade.window import read_window
from decks.lists.content import Content
from decks.lists.editing import Edit, apply
from decks.models import Cause, Deck, Revision
from decks.pages.comparing import Copies, ListsCompared
from decks.pages.display import Judged
from decks.pages.notes import Note, notes_of
from decks.pages.reckoning import ShownLine, name_of, shown_lines
from decks.services import ledger
from decks.services.beginning import creation_of
from decks.services.beginning import name_of as deck_name
from decks.services.ledger import EntryBalance, is_played
from decks.services.windows import window_after, window_of

_BUILDING = frozenset({Cause.EDITED, Cause.RESTORED})


@dataclass(frozen=True, slots=True)
class DeckStep:
    """A revision worth showing; ``steps`` counts the edits that led to it."""

    revision: Revision
    steps: int
    before: int

    @property
    def cause(self) -> str | Promise:
        """Why the revision was made, in the reader's language."""
        return Cause(self.revision.cause).label

    @property
    def paid(self) -> int | None:
        """The experience paid for it; None if it was no upgrade."""
        invoice = self.revision.invoice
        return None if invoice is None else int(invoice["experience_spent"])


class Life:
    """The revisions and the ledger of a deck, from its latest revision."""

    def __init__(self, latest: Revision, judge: Judge) -> None:
        deck = latest.deck
        revisions = (
            deck.revisions.select_related("made_by")
            .defer("list", "circumstances", "window")
            .order_by("number")
        )
        self.steps = tuple(reversed(list(_merged_edits(revisions))))
        # Nothing is booked before the first game: the builder may still change it.
        self.creation = (
            None if is_played(latest) else creation_of(latest.content, judge)
        )
        entries = deck.ledger.select_related("author").order_by("number")
        self.ledger: tuple[EntryBalance, ...] = ledger.with_balances(entries)

    @property
    def balance(self) -> int:
        """The experience available, unspent experience from deck creation included."""
        booked = self.ledger[-1].balance if self.ledger else 0
        creation = self.creation
        return booked + (creation.left - creation.carried if creation else 0)

    @property
    def grants(self) -> tuple[tuple[str, int], ...]:
        """Sources of a first deck's experience, with points not yet in the ledger."""
        grants = self.creation.grants if self.creation else ()
        return tuple(
            (deck_name(each), each.amount) for each in grants if each.source != CARRIED
        )

    @property
    def played(self) -> bool:
        """True if a scenario was ever played with the deck."""
        return any(step.revision.played_at is not None for step in self.steps)


def _merged_edits(revisions: Iterable[Revision]) -> Iterable[DeckStep]:
    """Yield the revisions, with a run of edits merged into its last one."""
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


@dataclass(frozen=True, slots=True)
class TabooMove:
    """A card of the deck that another taboo list changes.

    ``old_cost`` is the cost of a copy by the old list, ``new_cost`` by the new one,
    from now on; ``forbidden`` means that no copy may be in the deck any more.
    """

    name: str
    copies: int
    old_cost: int
    new_cost: int
    forbidden: bool

    @property
    def would_have_cost(self) -> int:
        """The cost of all copies by the new list."""
        return self.copies * self.new_cost


@dataclass(frozen=True, slots=True)
class MovedLine:
    """A line of an upgrade sheet whose text or price another taboo list changes.

    ``old_name`` is the line by the old list, ``new_name`` by the new one;
    ``old_surcharge`` and ``new_surcharge`` are their costs in addition to the boxes.
    """

    card: str
    old_name: str
    new_name: str
    old_surcharge: int
    new_surcharge: int
    marked: int


def _found_only(here: Judged, there: Judged) -> tuple[Note, ...]:
    """Return findings on one deck that the other does not have, without advice."""
    known = {(each.rule, each.cards) for each in there.verdict.findings}
    found = [
        each
        for each in here.verdict.findings
        if (each.rule, each.cards) not in known and each.severity is not Severity.ADVICE
    ]
    return notes_of(found, here.pool, here.built)


class Move:
    """A deck under its own taboo list, and under another one."""

    def __init__(self, content: Content, taboo: str, judge: Judge) -> None:
        self.taboo = taboo
        self.here = Judged(content, judge)
        moved = apply(content, [Edit("choose", "taboo", value=taboo)], judge.pool)
        self.there = Judged(moved, judge)

    @cached_property
    def becomes_illegal(self) -> tuple[Note, ...]:
        """Findings under the new list that the old one didn't cause."""
        return _found_only(self.there, self.here)

    @cached_property
    def becomes_legal(self) -> tuple[Note, ...]:
        """Findings under the old list that the new one doesn't cause."""
        return _found_only(self.here, self.there)

    @property
    def changes(self) -> str:
        """The change of taboo list, as the text of a button."""
        return f"choose=taboo:{self.taboo}"

    @cached_property
    def repairs(self) -> str:
        """The change with all repairs that have only one solution; "" for none."""
        ways = [
            note.ways[0].value
            for note in self.becomes_illegal
            if len(note.ways) == 1 and note.ways[0].changes
        ]
        return " ".join([self.changes, *dict.fromkeys(ways)]) if ways else ""

    @cached_property
    def lines(self) -> tuple[MovedLine, ...]:
        """Lines of the deck's upgrade sheets that the new list changes."""
        old = {row.code: row.standing.sheet for row in self.here.rows}
        return tuple(
            MovedLine(
                row.name,
                before.name,
                after.name,
                before.surcharge,
                after.surcharge,
                line.marked,
            )
            for row in self.there.rows
            for before, after, line in zip(
                old[row.code], row.standing.sheet, row.sheet, strict=False
            )
            if (before.id, before.surcharge) != (after.id, after.surcharge)
        )

    @cached_property
    def cards(self) -> tuple[TabooMove, ...]:
        """Cards of the deck whose cost changes, or that are forbidden, by name."""
        return tuple(sorted(self._moved(), key=lambda each: each.name.casefold()))

    def _moved(self) -> Iterator[TabooMove]:
        old = {row.code: row for row in self.here.rows}
        for row in self.there.rows:
            before = old[row.code].standing
            limit = row.standing.taboo.deck_limit if row.standing.taboo else None
            forbidden = limit == 0
            if before.cost != row.standing.cost or forbidden:
                yield TabooMove(
                    name_of(row.code, self.there.pool),
                    row.copies,
                    before.cost,
                    row.standing.cost,
                    forbidden,
                )


@dataclass(frozen=True, slots=True)
class UpgradeInvoice:
    """The invoice of an upgrade between the two revisions."""

    revision: Revision
    total: int
    lines: tuple[ShownLine, ...]


class Comparison(ListsCompared):
    """Two revisions of a deck, the earlier one first.

    Raises ``Revision.DoesNotExist`` if there is none in that range.
    """

    def __init__(self, deck: Deck, earlier: int, later: int, pool: CardPool) -> None:
        between = deck.revisions.filter(number__gte=earlier, number__lte=later)
        self.revisions = list(between.order_by("number"))
        if not self.revisions:
            raise Revision.DoesNotExist
        self.earlier, self.later = self.revisions[0], self.revisions[-1]
        super().__init__(self.earlier.content, self.later.content, pool)

    @property
    def removed(self) -> tuple[Copies, ...]:
        """Cards that left without being exiled."""
        return self._named(self._gone - self._exiled)

    @property
    def exiled(self) -> tuple[Copies, ...]:
        """Cards exiled in the games in between."""
        return self._named(self._exiled)

    @cached_property
    def paid(self) -> tuple[UpgradeInvoice, ...]:
        """The upgrades in between; of several after one game only the last."""
        held: dict[int | None, Revision] = {
            each.base: each
            for each in self.revisions[1:]
            if is_played(each) and each.invoice is not None
        }
        return tuple(
            UpgradeInvoice(
                each,
                each.invoice["experience_spent"],
                shown_lines(each.invoice, self.pool, read_window(each.window).trauma),
            )
            for each in held.values()
            if each.invoice is not None
        )

    @property
    def total(self) -> int:
        """The total experience paid."""
        return sum(each.total for each in self.paid)

    # -- private --

    @cached_property
    def _exiled(self) -> Counter[str]:
        exiled: Counter[str] = Counter()
        for each in self.revisions[:-1]:
            window = self._window_after(each)
            exiled += copies_by_card(window.exiled, self.pool)
        return exiled

    def _window_after(self, played: Revision) -> Window:
        """Return the window after a game, as the last upgrade from it has it.

        The upgrade desk may correct the game's first record.
        """
        grown = [each for each in self.revisions if each.base == played.number]
        if grown:
            return window_of(played, grown[-1])
        return read_window(window_after(played))
