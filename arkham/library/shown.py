"""Shows an entry of the rules library: its text as HTML, its changes beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

from arkham.rules.library import (
    NEWEST,
    TOPICS,
    VERSIONS,
    Entry,
    Paragraph,
    checks_of,
    library,
    open_questions,
)

_LINK = re.compile(r"\]\(([a-z0-9-]+)\)")
_MARKS = re.compile(r"\[([^\[\]]*+)\]\([^()]*+\)|\*+|(?<!\S)(?:-|\d+\.) ")
EXCERPT = 22  # words
_MARKDOWN = MarkdownIt("zero").enable(["emphasis", "link", "list"])


def pin_of(version: str) -> str:
    """The end of an address that keeps to a version of the FAQ; "" for the newest."""
    return "" if version == NEWEST else f"?faq={version}"


def shown_text(text: str, version: str = NEWEST) -> SafeString:
    """A paragraph of the library as HTML, with links to its neighbours."""
    return _html(_(text), version, get_language())


@cache
def _html(text: str, version: str, _language: str | None) -> SafeString:
    def address(link: re.Match[str]) -> str:
        return f"]({reverse('library:entry', args=[link[1]])}{pin_of(version)})"

    # The text is ours, and Markdown escapes whatever looks like HTML.
    html: str = _MARKDOWN.render(_LINK.sub(address, text))
    return mark_safe(html)  # noqa: S308


@dataclass(frozen=True, slots=True)
class ShownParagraph:
    """A paragraph in force: its anchor, since when, and what it took the place of."""

    anchor: str
    html: SafeString
    since: str
    was: tuple[SafeString, ...]


@dataclass(frozen=True, slots=True)
class ShownChange:
    """What a later version of the FAQ says; nothing, where it only ended something."""

    version: str
    now: tuple[SafeString, ...]


def excerpt(entry: Entry, version: str = NEWEST) -> str:
    """The beginning of an entry, without mark-up, for a list of results."""
    first = next(iter(entry.as_of(version)), None)
    plain = _MARKS.sub(r"\1", _(first.text).replace("\n", " ")) if first else ""
    return Truncator(plain).words(EXCERPT)


class ShownEntry:
    """An entry as of a version of the FAQ, for the templates."""

    def __init__(self, entry: Entry, version: str = NEWEST) -> None:
        self.entry = entry
        self.version = version
        self.topic = _(TOPICS[entry.topic])
        self.changes = entry.changes

    @property
    def paragraphs(self) -> list[ShownParagraph]:
        """What was in force; each new paragraph followed by the old one it replaced."""
        anchors = {each: f"p{n}" for n, each in enumerate(self.entry.paragraphs, 1)}
        was = self._replaced()
        return [
            ShownParagraph(
                anchors[each],
                shown_text(each.text, self.version),
                each.since,
                tuple(shown_text(old.text) for old in was.get(each, ())),
            )
            for each in self.entry.as_of(self.version)
        ]

    def _replaced(self) -> dict[Paragraph, tuple[Paragraph, ...]]:
        """The old paragraphs of a change, by the first new one that is in force."""
        found: dict[Paragraph, tuple[Paragraph, ...]] = {}
        for change in self.changes:
            now = [each for each in change.now if each.holds_at(self.version)]
            if now and change.was:
                found[now[0]] = change.was
        return found

    @property
    def later(self) -> list[ShownChange]:
        """What came after the version shown: the FAQ, and what it says instead."""
        at = VERSIONS.index(self.version)
        return [
            ShownChange(
                change.version,
                tuple(shown_text(each.text, self.version) for each in change.now),
            )
            for change in self.changes
            if VERSIONS.index(change.version) > at
        ]

    @property
    def sources(self) -> list[tuple[str, list[str]]]:
        """The documents in their order of precedence, each with its sections."""
        found: dict[str, list[str]] = {}
        for source in self.entry.sources:
            sections = found.setdefault(_(source.name), [])
            if source.section:
                sections.append(source.section)
        return list(found.items())

    @property
    def related(self) -> list[Entry]:
        """The entries beside it."""
        return [library()[slug] for slug in self.entry.related]

    @property
    def checks(self) -> list[tuple[str, str]]:
        """Our rules that rest on it: the id and the sentence."""
        return [
            (each.id, _(each.sentence)) for each in checks_of(library(), self.entry)
        ]

    @property
    def questions(self) -> list[tuple[str, list[str]]]:
        """What is left to each table: the question and its readings, default first."""
        return [
            (_(each.question), [_(words) for _value, words in each.readings])
            for each in open_questions(self.entry)
        ]
