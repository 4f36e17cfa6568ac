"""What differs between two deck lists, title by title?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from arkham.rules.deck import DeckList
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.lazy import lazy
from arkham.rules.upgrade.versions import Version, version_of
from arkham.rules.upgrade.window import Window

Copies = dict[str, int]


class TitleChange:
    """Copies of one title before and after, by the code of their first printing.

    What was exiled or taken is not among those before, what was granted not among
    those after.
    """

    __slots__ = ("after", "base", "title")

    def __init__(self, title: str) -> None:
        self.title = title
        self.base: Copies = {}
        self.after: Copies = {}

    def added(self) -> Copies:
        """Copies that come in, by code."""
        return _beyond(self.after, self.base)

    def removed(self) -> Copies:
        """Copies that leave, the exiled and taken ones left out, by code."""
        return _beyond(self.base, self.after)


def _beyond(these: Copies, those: Copies) -> Copies:
    return {
        code: copies - those.get(code, 0)
        for code, copies in these.items()
        if copies > those.get(code, 0)
    }


class Change:
    """Two lists compared; ``side`` tells whether it is their second decks.

    ``gone`` are the exiled and taken copies that were in the deck, ``missing`` those
    that were not. ``whole`` tells whether the titles have all their copies, or only
    those of the entries that differ.
    """

    def __init__(self, *, side: bool = False, whole: bool = True) -> None:
        self.titles: dict[str, TitleChange] = {}
        self.gone: Copies = {}
        self.missing: Copies = {}
        self.side = side
        self.whole = whole

    @lazy
    def removed(self) -> Copies:
        """Copies that leave, the exiled and taken ones left out, by code."""
        left: Copies = {}
        for each in self.titles.values():
            left.update(each.removed())
        return left

    @lazy
    def added(self) -> Copies:
        """Copies that come in, by code."""
        come: Copies = {}
        for each in self.titles.values():
            come.update(each.added())
        return come


def first_code(frame: Frame, code: str) -> str:
    """The code of a card's first printing; an unknown code as it is."""
    card = frame.pool.get_card(code)
    return card.code if card is not None else code


def changed_codes(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """The codes of which two lists do not hold as many copies."""
    held = before.get
    return [
        *[code for code, copies in after.items() if held(code) != copies],
        *[code for code in before if code not in after],
    ]


def differing(
    before: Mapping[str, int], after: Mapping[str, int], frame: Frame
) -> Change:
    """The entries of two lists that are not the same; reprints are one card."""
    change = Change(whole=False)
    titles, unmarked = change.titles, frame.unmarked
    for code in changed_codes(before, after):
        standing = unmarked[code]
        card = standing.card
        if card is None:
            continue
        each = titles.get(standing.title)
        if each is None:
            each = titles[standing.title] = TitleChange(standing.title)
        first = card.code
        if code in before:
            each.base[first] = each.base.get(first, 0) + before[code]
        if code in after:
            each.after[first] = each.after.get(first, 0) + after[code]
    return change


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
    granted = _by_first(window.granted, frame)
    change = Change(side=side)
    for code in {*changed_codes(before, after), *lost, *granted, *sheets}:
        standing = frame.unmarked[code]
        if standing.card is not None:
            change.titles[standing.title] = TitleChange(standing.title)
    for title, copies in change.titles.items():
        copies.base = copies_of(title, before, frame)
        copies.after = copies_of(title, after, frame)
    for code, copies_lost in lost.items():
        each = change.titles.get(frame.unmarked[code].title, TitleChange(""))
        had = each.base.get(code, 0)
        gone = min(copies_lost, had)
        each.base[code] = had - gone
        if gone:
            change.gone[code] = gone
        if copies_lost > gone:
            change.missing[code] = copies_lost - gone
    for code, copies_given in granted.items():
        each = change.titles.get(frame.unmarked[code].title, TitleChange(""))
        has = each.after.get(code, 0)
        each.after[code] = has - min(copies_given, has)
    return change


def copies_of(title: str, entries: Mapping[str, int], frame: Frame) -> Copies:
    """The copies of a title in a list, by the code of their first printing."""
    held: Copies = {}
    unmarked = frame.unmarked
    for code, copies in entries.items():
        standing = unmarked[code]
        if standing.title == title and standing.card is not None:
            first = standing.card.code
            held[first] = held.get(first, 0) + copies
    return held


def _by_first(copies: Mapping[str, int], frame: Frame) -> Copies:
    found: Copies = {}
    for code, number in copies.items():
        first = first_code(frame, code)
        found[first] = found.get(first, 0) + number
    return found


def newly_aside(before: DeckList, after: DeckList, frame: Frame) -> Copies:
    """Copies set aside in the new list and not in the old one, by first printing."""
    if not after.set_aside:
        return {}
    now = _by_first(after.set_aside, frame)
    return _beyond(now, _by_first(before.set_aside, frame))


def versions_of(change: TitleChange, frame: Frame) -> dict[str, Version]:
    """The versions of a title that have a level, by code."""
    found = {}
    for code in {*change.base, *change.after}:
        version = version_of(code, frame.unmarked[code])
        if version is not None:
            found[code] = version
    return found
