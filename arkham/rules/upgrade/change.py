"""What differs between two deck lists, title by title?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arkham.rules.deck import DeckList
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import Standing
from arkham.rules.upgrade.versions import Version, version_of
from arkham.rules.upgrade.window import Window

Copies = Counter[str]


@dataclass(slots=True)
class TitleChange:
    """The copies of one title before and after, by the code of their first printing.

    What was exiled or taken is not among those before, what was granted not among
    those after.
    """

    title: str
    base: Copies = field(default_factory=Counter)
    after: Copies = field(default_factory=Counter)


@dataclass(slots=True)
class Change:
    """Two lists compared; ``side`` tells whether it is their second decks.

    ``gone`` are the exiled and taken copies that were in the deck, ``missing`` those
    that were not.
    """

    titles: dict[str, TitleChange]
    gone: Copies
    missing: Copies
    side: bool = False

    def removed(self) -> Copies:
        """Copies that leave, the exiled and taken ones left out."""
        left: Copies = Counter()
        for each in self.titles.values():
            left.update(each.base - each.after)
        return left

    def added(self) -> Copies:
        """Copies that come in."""
        come: Copies = Counter()
        for each in self.titles.values():
            come.update(each.after - each.base)
        return come


def first_code(frame: Frame, code: str) -> str:
    """The code of a card's first printing; an unknown code as it is."""
    card = frame.pool.get_card(code)
    return card.code if card is not None else code


def compare(
    before: Mapping[str, int],
    after: Mapping[str, int],
    frame: Frame,
    window: Window,
    *,
    sheets: Iterable[str] = (),
    side: bool = False,
) -> Change:
    """Compare two lists of entries; reprints are one card.

    ``sheets`` are the codes whose marks differ. Only titles of which something
    changes are listed, with all their copies.
    """
    lost = Counter(_by_first(window.exiled, frame))
    lost.update(_by_first(window.taken, frame))
    changed = {code for code, _ in before.items() ^ after.items()}
    changed.update(lost, _by_first(window.granted, frame), sheets)
    unmarked = frame.unmarked
    titles = {
        standing.title: TitleChange(standing.title)
        for standing in map(unmarked.__getitem__, changed)
        if standing.card is not None
    }
    _collect(before, titles, frame, "base")
    _collect(after, titles, frame, "after")
    gone: Copies = Counter()
    missing: Copies = Counter()
    for code, copies in lost.items():
        had = _title_of(titles, unmarked[code]).base
        gone[code] = min(copies, had[code])
        had[code] -= gone[code]
        missing[code] = copies - gone[code]
    for code, copies in _by_first(window.granted, frame).items():
        has = _title_of(titles, unmarked[code]).after
        has[code] -= min(copies, has[code])
    return Change(titles, +gone, +missing, side)


def _title_of(titles: dict[str, TitleChange], standing: Standing) -> TitleChange:
    return titles.get(standing.title) or TitleChange(standing.title)


def _collect(
    entries: Mapping[str, int], titles: dict[str, TitleChange], frame: Frame, part: str
) -> None:
    unmarked = frame.unmarked
    for code, copies in entries.items():
        standing = unmarked[code]
        change = titles.get(standing.title)
        if change is not None and standing.card is not None:
            held: Copies = change.base if part == "base" else change.after
            held[standing.card.code] += copies


def _by_first(copies: Mapping[str, int], frame: Frame) -> dict[str, int]:
    found: dict[str, int] = {}
    for code, number in copies.items():
        first = first_code(frame, code)
        found[first] = found.get(first, 0) + number
    return found


def newly_aside(before: DeckList, after: DeckList, frame: Frame) -> dict[str, int]:
    """Copies set aside in the new list and not in the old one, by first printing."""
    if not after.set_aside:
        return {}
    now = Counter(_by_first(after.set_aside, frame))
    return dict(now - Counter(_by_first(before.set_aside, frame)))


def versions_of(change: TitleChange, frame: Frame) -> dict[str, Version]:
    """The versions of a title that have a level, by code."""
    found = {}
    for code in {*change.base, *change.after}:
        version = version_of(code, frame.unmarked[code])
        if version is not None:
            found[code] = version
    return found
