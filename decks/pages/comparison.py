"""What a deck became between two revisions, and what was paid for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arkham.rules.pool import CardPool
from arkham.rules.upgrade import Window
from arkham.rules.upgrade.window_json import read_window
from decks.lists.content import Content, read_content
from decks.models import Deck, Revision
from decks.pages.differences import Difference, differences
from decks.pages.invoices import ShownLine, name_of, shown_lines
from decks.services.chain import is_played
from decks.services.windows import window_after, window_of


@dataclass(frozen=True, slots=True)
class Copies:
    """Copies of a card that came or went."""

    copies: int
    name: str
    code: str


@dataclass(frozen=True, slots=True)
class Paid:
    """The invoice of an upgrade on the way."""

    revision: Revision
    total: int
    lines: tuple[ShownLine, ...]


class Comparison:
    """Two revisions of a deck, the earlier one first.

    Raises ``Revision.DoesNotExist`` if it has none between them.
    """

    def __init__(self, deck: Deck, earlier: int, later: int, pool: CardPool) -> None:
        self.pool = pool
        between = deck.revisions.filter(number__gte=earlier, number__lte=later)
        self.revisions = list(between.order_by("number"))
        if not self.revisions:
            raise Revision.DoesNotExist
        self.earlier, self.later = self.revisions[0], self.revisions[-1]

    @property
    def added(self) -> tuple[Copies, ...]:
        """Cards that came in."""
        return self._named(self._entries(self.later) - self._entries(self.earlier))

    @property
    def removed(self) -> tuple[Copies, ...]:
        """Cards that left, and were not exiled."""
        gone = self._entries(self.earlier) - self._entries(self.later)
        return self._named(gone - self._exiled)

    @property
    def exiled(self) -> tuple[Copies, ...]:
        """Cards exiled in the games on the way."""
        return self._named(self._exiled)

    @property
    def customized(self) -> tuple[Difference, ...]:
        """Upgrade sheets on which something was marked or written."""
        return self._apart(_sheets_of)

    @property
    def others(self) -> tuple[Difference, ...]:
        """Choices, terms and whatever else is different."""
        return self._apart(_rest_of)

    @cached_property
    def paid(self) -> tuple[Paid, ...]:
        """The upgrades on the way; of several after one game the one that held."""
        held: dict[int | None, Revision] = {
            each.base: each
            for each in self.revisions[1:]
            if is_played(each) and each.invoice is not None
        }
        return tuple(
            Paid(
                each,
                each.invoice["experience_spent"],
                shown_lines(each.invoice, self.pool, read_window(each.window).trauma),
            )
            for each in held.values()
            if each.invoice is not None
        )

    @property
    def total(self) -> int:
        """What was paid in all."""
        return sum(each.total for each in self.paid)

    # -- inside --

    def _apart(self, part: Callable[[Content], Content]) -> tuple[Difference, ...]:
        """The differences in a part of the content."""
        before, after = part(self.earlier.content), part(self.later.content)
        return differences(before, after, self.pool)

    @cached_property
    def _exiled(self) -> Counter[str]:
        exiled: Counter[str] = Counter()
        for each in self.revisions[:-1]:
            told = self._window_after(each)
            exiled += self._by_first(told.exiled.items())
        return exiled

    def _window_after(self, played: Revision) -> Window:
        """The window after a game, as the last of what grew from it has it.

        At the desk a game may be told otherwise than after it.
        """
        grown = [each for each in self.revisions if each.base == played.number]
        if grown:
            return window_of(played, grown[-1])
        return read_window(window_after(played))

    def _entries(self, revision: Revision) -> Counter[str]:
        return self._by_first(revision.list["slots"].items())

    def _by_first(self, entries: Iterable[tuple[str, int]]) -> Counter[str]:
        """Copies by the code of a card's first printing."""
        found: Counter[str] = Counter()
        for code, copies in entries:
            card = self.pool.get_card(code)
            found[card.code if card else code] += copies
        return found

    def _named(self, copies: Counter[str]) -> tuple[Copies, ...]:
        return tuple(
            Copies(number, name_of(code, self.pool), code)
            for code, number in sorted(copies.items())
        )


def _sheets_of(content: Content) -> Content:
    return read_content(
        {
            "investigator_code": content.deck["investigator_code"],
            "slots": {},
            "meta": _meta(content, sheets=True),
        }
    )


def _rest_of(content: Content) -> Content:
    deck = {**content.deck, "slots": {}, "meta": _meta(content, sheets=False)}
    return Content(deck, content.circumstances)


def _meta(content: Content, *, sheets: bool) -> dict[str, Any]:
    meta = content.deck["meta"]
    return {k: told for k, told in meta.items() if k.startswith("cus_") is sheets}
