"""Which weaknesses may this deck be dealt, and what is it after a draw?"""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arkham.rules.collection import Collection, everything
from arkham.rules.draws.weaknesses import handed_out, open_to, whole_pool, without
from arkham.rules.legality.compiling import PLACEHOLDER
from decks.content import Content
from decks.display import Judged
from decks.editing import apply

MORRIGAN = "morrigan"


@dataclass(frozen=True, slots=True)
class WeaknessPool:
    """The weaknesses of a collection: all, those gone, and those open to the deck."""

    all_cards: Mapping[str, int]
    gone: Mapping[str, int]
    open_cards: Mapping[str, int]

    @property
    def copies(self) -> int:
        """How many cards may come."""
        return sum(self.open_cards.values())


def weakness_pool(
    judged: Judged,
    collection: Collection | None,
    table: Iterable[Content] = (),
    traits: Several[str] = (),
) -> WeaknessPool:
    """What the deck's next weakness is drawn from.

    Out of everything, where no collection is told; ``table`` are the other decks that
    draw from it.
    """
    frame = judged.frame
    assert frame is not None
    pool = judged.pool
    cards = whole_pool(collection or everything(pool), pool, frame.rulings)
    decks = [judged.content, *table]
    gone = handed_out((each.deck["slots"] for each in decks), pool)
    return WeaknessPool(cards, gone, open_to(frame, without(cards, gone), traits))


def undrawn(content: Content) -> int:
    """Weaknesses the list says are still to be drawn."""
    return int(content.deck["slots"].get(PLACEHOLDER, 0))


def to_be_drawn(judged: Judged) -> int:
    """Weaknesses still to be drawn: said by the list, or lacking from it."""
    built = judged.built
    if built is None:
        return 0
    lacking = max(built.weaknesses_wanted - built.basic_weaknesses, 0)
    return undrawn(judged.content) + lacking


def is_during_deckbuilding(judged: Judged) -> bool:
    """Whether the Boon of the Morrigan has a say: the deck lacks required ones."""
    frame = judged.frame
    return (
        frame is not None and MORRIGAN in frame.ultimatums and to_be_drawn(judged) > 0
    )


def with_drawn(judged: Judged, codes: Iterable[str]) -> Content:
    """The deck with these weaknesses, each in place of one still to be drawn."""
    content = judged.content
    for code in codes:
        changes = [("add", code)]
        if undrawn(content):
            changes.insert(0, ("remove", PLACEHOLDER))
        content = apply(content, changes, judged.pool)
    return content


def with_returned(judged: Judged, codes: Iterable[str]) -> Content:
    """The deck without these weaknesses; as many are to be drawn again."""
    content = judged.content
    for code in codes:
        changes = [("remove", code), ("add", PLACEHOLDER)]
        content = apply(content, changes, judged.pool)
    return content
