"""The entries of the rules library, and the strict reader of their files.

A file ``data/<topic>.toml`` has one table for each entry, named by its slug:

``title``       the heading
``polish``      the Polish rulebook's; several are separated by ";"
``also``        further names
``terms``       terms of the catalogue's glossary
``rows``        rows of the catalogue
``sources``     a key of ``DOCUMENTS`` and a section, such as "faq 1.29"
``related``     slugs
``text``        Markdown paragraphs and lists, separated by empty lines; one beginning
                with ``{2.0}`` applies since that version of the FAQ, ``{-2.0}`` until
                it, ``{1.1-2.0}`` between the two
``checks``      ids of rules whose findings lead here first, separated by spaces
``superseded``  tables of ``rows``, ``source``, ``said`` and ``instead``
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from arkham.rules.finding import gettext_noop
from arkham.rules.notation.names import fold

# Versions of the FAQ that brought an erratum, in order; preceded by none.
BEFORE_ANY = "none"
VERSIONS = (
    BEFORE_ANY, "1.0", "1.1", "1.2", "1.3", "1.4", "1.41", "1.5", "1.6", "1.7", "1.8",
    "1.9", "2.0", "2.1", "2.2", "2.3", "2.4", "2.5",
)  # fmt: skip
NEWEST = VERSIONS[-1]

# The files of the library, in the order in which pages list them.
TOPICS: dict[str, str] = {
    "authority": gettext_noop("Which rule wins"),
    "deckbuilding": gettext_noop("Building a deck"),
    "experience": gettext_noop("Experience and upgrades"),
    "weaknesses": gettext_noop("Weaknesses"),
    "setup": gettext_noop("Setup and elimination"),
    "round": gettext_noop("Rounds and actions"),
    "tests": gettext_noop("Skill tests and chaos tokens"),
    "enemies": gettext_noop("Enemies and encounters"),
    "cards": gettext_noop("Cards"),
    "abilities": gettext_noop("Abilities and wording"),
    "play": gettext_noop("In play"),
    "campaign": gettext_noop("Campaigns"),
    "by-campaign": gettext_noop("One campaign only"),
    "keeping": gettext_noop("Campaign logs in Orne"),
}

# Documents of our own, which have no sections.
UNPRINTED = frozenset({"reading", "orne"})

# The first words of sources, in order of precedence.
DOCUMENTS: dict[str, str] = {
    "faq": gettext_noop("FAQ 2.5"),
    "rr": gettext_noop("Rules Reference"),
    "polish": gettext_noop("Polish rulebook of 2021"),
    "glossary": gettext_noop("Collected glossary of 2024, made by players"),
    "reading": gettext_noop("Our reading; the documents don’t say"),
    "orne": gettext_noop("Orne’s own: how we keep a log"),
}


@dataclass(frozen=True, slots=True)
class SourceSection:
    """A document, by its key in ``DOCUMENTS``, and the section in it."""

    document: str
    section: str = ""

    @property
    def name(self) -> str:
        """The name of the document."""
        return DOCUMENTS[self.document]

    @property
    def rank(self) -> int:
        """Its precedence: 1 is the highest."""
        return list(DOCUMENTS).index(self.document) + 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or a list, in Markdown; links lead to other entries by slug.

    ``since`` is the version of the FAQ that added it, ``until`` the one that ended it;
    both are "" if no version is recorded.
    """

    text: str
    since: str = ""
    until: str = ""

    def holds_at(self, version: str) -> bool:
        """True if this was in force at that version of the FAQ."""
        at = VERSIONS.index(version)
        begun = not self.since or VERSIONS.index(self.since) <= at
        return begun and (not self.until or at < VERSIONS.index(self.until))


@dataclass(frozen=True, slots=True)
class FaqChange:
    """The paragraphs that a version of the FAQ ended, and those it added."""

    version: str
    was: tuple[Paragraph, ...]
    now: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Superseded:
    """Another document's statement, and the source that applies instead."""

    source: str
    said: str
    instead: SourceSection
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule or a term.

    ``slug`` is permanent; ``polish`` is the heading of the Polish rulebook; ``also``
    are further names for searching; ``terms`` and ``rows`` are those of our catalogue
    of rules; ``sources`` are in order of precedence; ``checks`` are the ids of our
    rules whose findings lead here first.
    """

    slug: str
    topic: str
    title: str
    polish: str
    also: tuple[str, ...]
    terms: tuple[str, ...]
    rows: tuple[str, ...]
    sources: tuple[SourceSection, ...]
    related: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]
    superseded: tuple[Superseded, ...] = ()
    checks: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which it can be found, the title first."""
        headings = (part.strip() for part in self.polish.split(";"))
        return (self.title, *(name for name in headings if name), *self.also)

    def as_of(self, version: str = NEWEST) -> tuple[Paragraph, ...]:
        """The paragraphs in force at a version of the FAQ.

        Without recorded versions we assume that a paragraph has always been in force.
        """
        return tuple(each for each in self.paragraphs if each.holds_at(version))

    @property
    def changes(self) -> tuple[FaqChange, ...]:
        """The changes made by the FAQ, version by version, the oldest first."""
        versions = {
            version
            for each in self.paragraphs
            for version in (each.since, each.until)
            if version
        }
        return tuple(
            FaqChange(
                version,
                tuple(each for each in self.paragraphs if each.until == version),
                tuple(each for each in self.paragraphs if each.since == version),
            )
            for version in sorted(versions, key=VERSIONS.index)
        )


_PERIOD = re.compile(r"\{([\d.]*)(?:-([\d.]+))?\}\s+")
_LINK = re.compile(r"\]\(([^()]*+)\)")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_ROW = re.compile(r"[A-Z]+-[A-Z]*[0-9]+[a-z]?")
_KEYS = {
    "title", "polish", "also", "terms", "rows", "sources", "related", "text",
    "superseded", "checks",
}  # fmt: skip


class UnreadableEntry(ValueError):
    """The library's files are invalid; the message says where and what."""


class Library(Mapping[str, Entry]):
    """The entries by slug, in alphabetical order of their titles."""

    def __init__(self, entries: Iterable[Entry], fingerprint: str) -> None:
        self.fingerprint = fingerprint  # of the files it was read from
        ordered = sorted(entries, key=lambda entry: fold(entry.title))
        self._entries = {entry.slug: entry for entry in ordered}

    def __getitem__(self, slug: str) -> Entry:
        return self._entries[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        return id(self)  # functions that take a library are cached by it

    @cached_property
    def by_row(self) -> dict[str, Entry]:
        """The entry about a row of the catalogue; the first if there are several."""
        found: dict[str, Entry] = {}
        for entry in self.values():
            for row in entry.rows:
                found.setdefault(row, entry)
        return found

    @cached_property
    def by_letter(self) -> dict[str, list[Entry]]:
        """The entries by the first letter of their titles."""
        found: dict[str, list[Entry]] = {}
        for entry in self.values():
            found.setdefault(fold(entry.title)[0].upper(), []).append(entry)
        return found

    @cached_property
    def by_topic(self) -> dict[str, list[Entry]]:
        """The entries by topic, in the order of the topics."""
        found: dict[str, list[Entry]] = {topic: [] for topic in TOPICS}
        for entry in self.values():
            found[entry.topic].append(entry)
        return found


@cache
def library() -> Library:
    """The library that is part of the package."""
    folder = files("arkham.rules.library") / "data"
    return read_library(
        {
            topic: (folder / f"{topic}.toml").read_text(encoding="utf-8")
            for topic in TOPICS
        }
    )


def read_library(texts: Mapping[str, str]) -> Library:
    """Read a library from the text of each topic's file. Raises ``UnreadableEntry``."""
    entries: dict[str, Entry] = {}
    for topic, text in texts.items():
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UnreadableEntry(f"{topic}: {error}") from error
        for slug, table in tables.items():
            place = f"{topic}: {slug}"
            if slug in entries:
                raise UnreadableEntry(f"{place}: there is such an entry already")
            entries[slug] = _entry(place, topic, slug, table)
    for entry in entries.values():
        for slug in (*entry.related, *_linked(entry)):
            if slug not in entries:
                raise UnreadableEntry(f"{entry.topic}: {entry.slug}: no entry {slug!r}")
    contents = "\0".join(texts.values()).encode()
    return Library(entries.values(), hashlib.sha256(contents).hexdigest()[:16])


def _linked(entry: Entry) -> Iterator[str]:
    for paragraph in entry.paragraphs:
        yield from _LINK.findall(paragraph.text)


def _entry(place: str, topic: str, slug: str, table: Any) -> Entry:
    if not isinstance(table, dict):
        raise UnreadableEntry(f"{place}: expected a table")
    if odd := table.keys() - _KEYS:
        raise UnreadableEntry(f"{place}: unknown {', '.join(sorted(odd))}")
    if not _SLUG.fullmatch(slug):
        raise UnreadableEntry(
            f"{place}: a slug is of small letters, digits and hyphens"
        )
    read = _Reader(place, table)
    return Entry(
        slug,
        topic,
        read.text("title", required=True),
        read.text("polish"),
        read.texts("also"),
        read.rows("terms"),
        read.rows("rows"),
        _sources(place, read.texts("sources", required=True)),
        read.texts("related"),
        tuple(_paragraphs(place, read.text("text", required=True))),
        tuple(_superseded(place, each) for each in table.get("superseded", ())),
        tuple(read.text("checks").split()),
    )


class _Reader:
    """Reads values of the right type from a table, or raises ``UnreadableEntry``."""

    def __init__(self, place: str, table: dict[str, Any]) -> None:
        self.place = place
        self.table = table

    def text(self, key: str, *, required: bool = False) -> str:
        value = self.table.get(key, "")
        if not isinstance(value, str) or (required and not value.strip()):
            raise UnreadableEntry(f"{self.place}: {key}: expected a text")
        return value.strip()

    def texts(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        value = self.table.get(key, [])
        fits = isinstance(value, list) and all(isinstance(each, str) for each in value)
        if not fits or (required and not value):
            raise UnreadableEntry(f"{self.place}: {key}: expected a list of texts")
        if len(set(value)) < len(value):
            raise UnreadableEntry(f"{self.place}: {key}: something stands there twice")
        return tuple(value)

    def rows(self, key: str) -> tuple[str, ...]:
        rows = self.texts(key)
        for row in rows:
            if not _ROW.fullmatch(row):
                raise UnreadableEntry(f"{self.place}: {key}: {row!r} is no row")
        return rows


def _sources(place: str, texts: tuple[str, ...]) -> tuple[SourceSection, ...]:
    found = [_source(place, text) for text in texts]
    return tuple(sorted(found, key=lambda source: source.rank))


def _source(place: str, text: str) -> SourceSection:
    document, _, section = text.partition(" ")
    if document not in DOCUMENTS:
        expected = ", ".join(DOCUMENTS)
        raise UnreadableEntry(
            f"{place}: {document!r} is no source; expected {expected}"
        )
    if bool(section) == (document in UNPRINTED):
        raise UnreadableEntry(
            f"{place}: {text!r}: a document has a section, ours has none"
        )
    return SourceSection(document, section)


def _superseded(place: str, table: Any) -> Superseded:
    if not isinstance(table, dict) or table.keys() != {
        "rows", "source", "said", "instead",
    }:  # fmt: skip
        raise UnreadableEntry(
            f"{place}: superseded: expected rows, source, said, instead"
        )
    read = _Reader(f"{place}: superseded", table)
    return Superseded(
        read.text("source", required=True),
        read.text("said", required=True),
        _source(place, read.text("instead", required=True)),
        read.rows("rows"),
    )


def _paragraphs(place: str, text: str) -> Iterator[Paragraph]:
    for block in re.split(r"\n\s*\n", text):
        period = _PERIOD.match(block)
        if period is None:
            if block.startswith("{"):
                raise UnreadableEntry(f"{place}: {block[:12]!r} begins with no period")
            yield Paragraph(block)
            continue
        since, until = period[1], period[2] or ""
        for version in filter(None, (since, until)):
            if version not in VERSIONS[1:]:
                raise UnreadableEntry(f"{place}: FAQ {version} is not known")
        if not since and not until:
            raise UnreadableEntry(f"{place}: a period begins or ends somewhere")
        if since and until and VERSIONS.index(since) >= VERSIONS.index(until):
            raise UnreadableEntry(f"{place}: {period[0].strip()} ends before it begins")
        yield Paragraph(block[period.end() :], since, until)
