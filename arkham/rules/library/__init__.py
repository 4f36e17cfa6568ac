"""The rules library: rules and terms of the game, their sources and changes.

Every entry is written in our own words and kept as data (``data/<topic>.toml``);
``library()`` reads them once. An entry knows the documents behind it in their order of
precedence, which version of the FAQ brought or ended each of its paragraphs, and what
other documents say instead.
"""

from __future__ import annotations

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
from arkham.rules.library.search import find, named

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
