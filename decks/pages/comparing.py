"""Compare two lists, of one deck or of two decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from arkham.rules.pool import CardPool
from arkham.rules.upgrade.facts import copies_by_card
from cardpool.shown import ShownCard
from decks.lists.content import Content, read_content
from decks.pages.differences import Difference, differences
from decks.pages.reckoning import name_of


@dataclass(frozen=True, slots=True)
class Copies:
    """Copies of a card that differ; in both lists, ``after`` are the second's."""

    copies: int
    name: str
    code: str
    after: int = 0
    card: ShownCard | None = None


class ListsCompared:
    """Two contents, ``before`` and ``after``, of one deck or of two decks."""

    def __init__(self, before: Content, after: Content, pool: CardPool) -> None:
        self.before, self.after, self.pool = before, after, pool

    @property
    def added(self) -> tuple[Copies, ...]:
        """Copies that only the second list has, or has more of."""
        return self._named(self._entries(self.after) - self._entries(self.before))

    @property
    def removed(self) -> tuple[Copies, ...]:
        """Copies that only the first list has, or has more of."""
        return self._named(self._gone)

    @property
    def common(self) -> tuple[Copies, ...]:
        """Every card that is in both lists."""
        before, after = self._entries(self.before), self._entries(self.after)
        return tuple(
            self._copies(code, before[code], after[code])
            for code in sorted(before.keys() & after.keys())
        )

    def only(self, mine: Content, other: Content) -> tuple[Copies, ...]:
        """Return the cards of one content that the other does not have at all."""
        found, others = self._entries(mine), self._entries(other)
        return self._named(Counter({c: found[c] for c in found.keys() - others}))

    @property
    def customized(self) -> tuple[Difference, ...]:
        """Upgrade sheets whose marks or entries differ."""
        apart = self._apart(_sheets_of)
        return tuple(each for each in apart if each.pointer.startswith("/deck/meta"))

    @property
    def others(self) -> tuple[Difference, ...]:
        """Choices, terms and everything else that differs."""
        return self._apart(_rest_of)

    # -- private --

    @property
    def _gone(self) -> Counter[str]:
        return self._entries(self.before) - self._entries(self.after)

    def _entries(self, content: Content) -> Counter[str]:
        return copies_by_card(content.deck["slots"], self.pool)

    def _apart(self, part: Callable[[Content], Content]) -> tuple[Difference, ...]:
        """Return the differences in a part of the content."""
        return differences(part(self.before), part(self.after), self.pool)

    def _named(self, copies: Counter[str]) -> tuple[Copies, ...]:
        return tuple(
            self._copies(code, number) for code, number in sorted(copies.items())
        )

    def _copies(self, code: str, before: int, after: int = 0) -> Copies:
        name = name_of(code, self.pool)
        card = self.pool.get_card(code)
        shown = ShownCard(card, self.pool) if card else None
        return Copies(before, name, code, after, shown)


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
    return {k: value for k, value in meta.items() if k.startswith("cus_") is sheets}
