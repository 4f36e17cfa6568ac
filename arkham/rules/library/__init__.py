"""The rules library: rules and terms of the game, their sources and changes.

Every entry is written in our own words and stored as data (``data/<topic>.toml``);
``library()`` reads them once. An entry knows the documents behind it in order of
precedence, which version of the FAQ added or ended each of its paragraphs, and what
other documents say instead.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from arkham.rules.library.entries import (
    NEWEST,
    TOPICS,
    VERSIONS,
    Entry,
    FaqChange,
    Library,
    Paragraph,
    SourceSection,
    Superseded,
    library,
)
from arkham.rules.library.links import checks_of, entries_of, entry_of, open_questions
from arkham.rules.notation.names import closest, fold

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
    "polish_name",
    "respelt",
]


_IN_NAMES, _IN_TEXT = 4, 5  # ranks: whole names come before, similar spellings after
_CLOSE = 0.75  # minimum similarity of a misspelt name
_CLOSE_WORD = 0.8  # and of a word in one
_LONGEST_NAME = 60  # a longer text is no misspelt name


class _Indexed(NamedTuple):
    entry: Entry
    names: tuple[str, ...]
    words: frozenset[str]  # of the names
    text: str  # the folded text, between spaces


@cache
def _index(library: Library) -> tuple[_Indexed, ...]:
    return tuple(_indexed(entry) for entry in library.values())


def _indexed(entry: Entry) -> _Indexed:
    names = tuple(fold(name) for name in entry.names)
    text = " ".join(each.text for each in entry.as_of())
    words = frozenset(word for name in names for word in name.split())
    return _Indexed(entry, names, words, f" {fold(text)} ")


def find(library: Library, text: str) -> list[Entry]:
    """Find entries for a text in English or Polish, the best match first.

    Accents, capitals and punctuation are ignored; the last word may be incomplete. A
    rule's id (``deck.size``) finds the entry it is based on. If nothing matches, a
    similar spelling is used (:func:`respelt`).
    """
    by_id = entry_of(library, text.strip())
    if by_id is not None:
        return [by_id]
    wanted = fold(text)
    if not wanted:
        return []
    spelled = respelt(library, text) or wanted
    return list(_fitting(library, spelled, _IN_TEXT))


def named(library: Library, text: str) -> list[Entry]:
    """Entries that have these words in a name, the best match first."""
    wanted = fold(text)
    return list(_fitting(library, wanted, _IN_NAMES)) if wanted else []


def polish_name(entry: Entry, text: str) -> str:
    """The Polish heading if these words match it and not the title, else ""."""
    words = fold(text).split()

    def has_all(name: str) -> bool:
        said = fold(name).split()
        return all(any(each.startswith(word) for each in said) for word in words)

    return entry.polish if has_all(entry.polish) and not has_all(entry.title) else ""


@lru_cache(maxsize=256)
def _fitting(library: Library, wanted: str, worst: int) -> tuple[Entry, ...]:
    ranked = [
        (rank, len(each.names[0]), each.names[0], each.entry)
        for each in _index(library)
        if (rank := _rank(each, wanted)) is not None and rank <= worst
    ]
    return tuple(entry for *_, entry in sorted(ranked, key=lambda each: each[:3]))


def _rank(indexed: _Indexed, wanted: str) -> int | None:
    """The rank of a match, 0 best; None if there is none."""
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


@lru_cache(maxsize=256)
def respelt(library: Library, text: str) -> str:
    """The name, or words of entries, that a misspelt search may mean.

    "" if the search finds something as it is, or if nothing is similar.
    """
    wanted = fold(text)
    if not wanted or len(wanted) > _LONGEST_NAME or _fitting(library, wanted, _IN_TEXT):
        return ""
    words = _words(library)
    corrected = [
        word if word in words else next(iter(closest(word, words, 1, _CLOSE_WORD)), "")
        for word in wanted.split()
    ]
    spelled = " ".join(corrected)
    if all(corrected) and _fitting(library, spelled, _IN_TEXT):
        return spelled
    names = [name for each in _index(library) for name in each.names]
    return next(iter(closest(wanted, names, 1, _CLOSE)), "")


@cache
def _words(library: Library) -> dict[str, None]:
    """The words of all entries, those of names first."""
    index = _index(library)
    named = [word for each in index for name in each.names for word in name.split()]
    return dict.fromkeys([*named, *(w for each in index for w in each.text.split())])
