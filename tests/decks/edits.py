"""Changes of a deck in tests, as words and texts like those of the pages."""

from __future__ import annotations

from collections.abc import Iterable

from arkham.rules.pool import CardPool
from decks.lists import editing
from decks.lists.content import Content


def apply(
    content: Content, changes: Iterable[tuple[str, str]], pool: CardPool
) -> Content:
    """Return the content after all the changes, in order. Raises Misread."""
    edits = [edit for each in changes for edit in editing.read_edit(*each)]
    return editing.apply(content, edits, pool)
