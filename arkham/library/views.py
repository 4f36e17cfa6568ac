"""The pages of the rules library: its entries, and their texts as HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from arkham.rules.library import (
    NEWEST,
    TOPICS,
    VERSIONS,
    Entry,
    Paragraph,
    checks_of,
    find,
    library,
    open_questions,
    polish_name,
    respelt,
)
from arkham.rules.notation.names import names_of
from arkham.rules.snapshot import embedded_pool
from arkham.web.http import page_or_fragment

_LINK = re.compile(r"\]\(([a-z0-9-]+)\)")
_NAME = re.compile(r"(?<!\*)\*([^*\[\]]{2,60}+)\*(?!\*)")
_MARKS = re.compile(r"\[([^\[\]]*+)\]\([^()]*+\)|\*+|(?<!\S)(?:-|\d+\.) ")
EXCERPT = 22  # words
_MARKDOWN = MarkdownIt("zero").enable(["emphasis", "link", "list"])


def pin_of(version: str) -> str:
    """Return the query that pins a version of the FAQ; "" for the newest."""
    return "" if version == NEWEST else f"?faq={version}"


def shown_text(text: str, version: str = NEWEST) -> SafeString:
    """Return a paragraph as HTML, with links to other entries and to cards."""
    return _html(_(text), version, get_language())


@cache
def _html(text: str, version: str, _language: str | None) -> SafeString:
    def address(link: re.Match[str]) -> str:
        return f"]({reverse('library:entry', args=[link[1]])}{pin_of(version)})"

    def named(name: re.Match[str]) -> str:
        cards = names_of(embedded_pool()).called(name[1])
        if not cards:
            return name[0]
        return f"*[{name[1]}]({reverse('cardpool:card', args=[cards[0].code])})*"

    # The text is ours, and Markdown escapes anything like HTML.
    html: str = _MARKDOWN.render(_NAME.sub(named, _LINK.sub(address, text)))
    return mark_safe(html)  # noqa: S308


@dataclass(frozen=True, slots=True)
class ShownParagraph:
    """A paragraph in force: its anchor, its first version, and what it replaced."""

    anchor: str
    html: SafeString
    since: str
    was: tuple[SafeString, ...]


@dataclass(frozen=True, slots=True)
class ShownChange:
    """The text of a later version of the FAQ; empty if it only removed something."""

    version: str
    now: tuple[SafeString, ...]


def excerpt(entry: Entry, version: str = NEWEST) -> str:
    """Return the beginning of an entry, without mark-up, for a list of results."""
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
        """The paragraphs in force, each with those it replaced."""
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
        """Return the old paragraphs of each change, by its first new one in force."""
        found: dict[Paragraph, tuple[Paragraph, ...]] = {}
        for change in self.changes:
            now = [each for each in change.now if each.holds_at(self.version)]
            if now and change.was:
                found[now[0]] = change.was
        return found

    @property
    def later(self) -> list[ShownChange]:
        """The changes after the version shown."""
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
        """The documents in order of precedence, each with its sections."""
        found: dict[str, list[str]] = {}
        for source in self.entry.sources:
            sections = found.setdefault(_(source.name), [])
            if source.section:
                sections.append(source.section)
        return list(found.items())

    @property
    def related(self) -> list[Entry]:
        """The related entries."""
        return [library()[slug] for slug in self.entry.related]

    @property
    def checks(self) -> list[tuple[str, str]]:
        """Our rules that depend on it: id and sentence."""
        return [
            (each.id, _(each.sentence)) for each in checks_of(library(), self.entry)
        ]

    @property
    def questions(self) -> list[tuple[str, list[str]]]:
        """The questions left to each table, with their readings, default first."""
        return [
            (_(each.question), [_(words) for _value, words in each.readings])
            for each in open_questions(self.entry)
        ]


LONGEST_SEARCH = 200


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Search the rules, or browse them by letter or by topic."""
    query = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    by = "topic" if request.GET.get("by") == "topic" else "letter"
    version = _version(request)
    found = find(library(), query) if query else []
    context = {
        "query": query,
        "found": found,
        "by": by,
        "version": version,
        "pin": pin_of(version),
        "count": len(library()),
        "groups": _groups(by),
        "results": [
            (each, polish_name(each, query), excerpt(each, version)) for each in found
        ],
        "spelled": respelt(library(), query),
    }
    response = page_or_fragment(
        request, "library/index.html", "library/_found.html", context
    )
    kept = {
        "q": query,
        "by": request.GET.get("by", ""),
        "faq": "" if version == NEWEST else version,
    }
    query_string = urlencode({key: value for key, value in kept.items() if value})
    response["HX-Replace-Url"] = (
        f"{request.path}?{query_string}" if query_string else request.path
    )
    return response


def _groups(by: str) -> list[tuple[str, str, list[object]]]:
    """Return the groups of the list: an anchor, a heading, entries."""
    if by == "topic":
        return [
            (topic, TOPICS[topic], list(entries))
            for topic, entries in library().by_topic.items()
        ]
    return [
        (letter.lower(), letter, list(entries))
        for letter, entries in library().by_letter.items()
    ]


def _version(request: HttpRequest) -> str:
    """Return the requested version of the FAQ; the newest if it is unknown."""
    asked = request.GET.get("faq", "")
    return asked if asked in VERSIONS else NEWEST


@require_safe
def entry(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a rule or a term: its text, what it superseded, its sources."""
    found = library().get(slug)
    if found is None:
        raise Http404
    version = _version(request)
    context = {
        "shown": ShownEntry(found, version),
        "entry": found,
        "version": version,
        "versions": VERSIONS[::-1],
        "newest": NEWEST,
        "pin": pin_of(version),
    }
    return render(request, "library/entry.html", context)
