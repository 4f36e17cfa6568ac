"""The rules library: rules and terms of the game, their sources and changes.

Every entry is written in our own words and kept as data (``data/<topic>.toml``);
``library()`` reads them once. An entry knows the documents behind it in their order of
precedence, which version of the FAQ brought or ended each of its paragraphs, and what
other documents say instead.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

from arkham.rules.library.entry import (
    NEWEST,
    TOPICS,
    VERSIONS,
    Entry,
    FaqChange,
    Paragraph,
    SourceSection,
    Superseded,
)
from arkham.rules.library.links import checks_of, entries_of, entry_of, open_questions
from arkham.rules.library.reading import Library, library
from arkham.rules.notation.names import fold

__all__ = [
    "NEWEST",
    "TOPICS",
    "VERSIONS",
    "Entry",
    "FaqChange",
    "Library",
    "Paragraph",
    "SourceSection",
    "Superseded",
    "checks_of",
    "entries_of",
    "entry_of",
    "find",
    "library",
    "named",
    "open_questions",
]


_IN_NAMES, _IN_TEXT = 4, 5  # ranks: whole names come before, likeness after
_CLOSE = 0.75  # how alike a misspelt name must be
_CLOSE_WORD = 0.8  # and a misspelt word of one
_LONGEST_NAME = 60  # nothing longer is a misspelt name


class _Indexed(NamedTuple):
    entry: Entry
    names: tuple[str, ...]
    words: frozenset[str]  # of the names
    text: str  # the text, between spaces


@cache
def _index(library: Library) -> tuple[_Indexed, ...]:
    return tuple(_indexed(entry) for entry in library.values())


def _indexed(entry: Entry) -> _Indexed:
    names = tuple(fold(name) for name in entry.names)
    text = " ".join(each.text for each in entry.as_of())
    words = frozenset(word for name in names for word in name.split())
    return _Indexed(entry, names, words, f" {fold(text)} ")


def find(library: Library, text: str) -> list[Entry]:
    """Entries for these words in English or Polish, the likeliest first.

    Accents, capitals and punctuation do not matter; the last word may be unfinished. A
    rule's id (``deck.size``) finds the entry it rests on. If nothing fits, names that
    are spelled alike do.
    """
    by_id = entry_of(library, text.strip())
    if by_id is not None:
        return [by_id]
    wanted = fold(text)
    if not wanted:
        return []
    return _fitting(library, wanted, _IN_TEXT) or _alike(library, wanted)


def named(library: Library, text: str) -> list[Entry]:
    """Entries that have these words in a name, the likeliest first."""
    wanted = fold(text)
    return _fitting(library, wanted, _IN_NAMES) if wanted else []


def _fitting(library: Library, wanted: str, worst: int) -> list[Entry]:
    ranked = [
        (rank, len(each.names[0]), each.names[0], each.entry)
        for each in _index(library)
        if (rank := _rank(each, wanted)) is not None and rank <= worst
    ]
    return [entry for *_, entry in sorted(ranked, key=lambda each: each[:3])]


def _rank(indexed: _Indexed, wanted: str) -> int | None:
    """How well it fits, 0 best; None if it does not."""
    title, *others = indexed.names
    if wanted == title:
        return 0
    if wanted in others:
        return 1
    if title.startswith(wanted):
        return 2
    if any(name.startswith(wanted) for name in others):
        return 3
    *whole, last = wanted.split()
    if set(whole) <= indexed.words and any(
        word.startswith(last) for word in indexed.words
    ):
        return _IN_NAMES
    if all(f" {word} " in indexed.text for word in whole) and (
        f" {last}" in indexed.text
    ):
        return _IN_TEXT
    return None


def _alike(library: Library, wanted: str) -> list[Entry]:
    if len(wanted) > _LONGEST_NAME:
        return []
    named: dict[str, Entry] = {}
    words: dict[str, list[Entry]] = {}
    for each in _index(library):
        for name in each.names:
            named.setdefault(name, each.entry)
            for word in name.split():
                words.setdefault(word, []).append(each.entry)
    close = get_close_matches(wanted, named, n=5, cutoff=_CLOSE)
    if close:
        return list(dict.fromkeys(named[name] for name in close))
    nearest = get_close_matches(wanted, words, n=1, cutoff=_CLOSE_WORD)
    return list(dict.fromkeys(entry for word in nearest for entry in words[word]))
