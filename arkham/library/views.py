"""The pages of the rules library: search and browse, and an entry."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from arkham.library.shown import ShownEntry, excerpt, pin_of
from arkham.rules.library import NEWEST, TOPICS, VERSIONS, find, library
from arkham.web.http import page_or_fragment, wants_part

LONGEST_SEARCH = 200
GLANCE = 6  # entries shown under the search box of every page


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
    }
    if wants_part(request, "glance"):
        context["found"] = found[:GLANCE]
        response = render(request, "library/_glance.html", context)
    else:
        context["groups"] = _groups(by)
        context["results"] = [(each, excerpt(each, version)) for each in found]
        response = page_or_fragment(
            request, "library/index.html", "library/_found.html", context
        )
        kept = {"q": query, "by": request.GET.get("by", ""), "faq": _told(version)}
        told = urlencode({key: value for key, value in kept.items() if value})
        response["HX-Replace-Url"] = f"{request.path}?{told}" if told else request.path
    return response


def _groups(by: str) -> list[tuple[str, str, list[object]]]:
    """What the page lists: an anchor, a heading, entries."""
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
    """The version of the FAQ asked for; the newest where that is none."""
    asked = request.GET.get("faq", "")
    return asked if asked in VERSIONS else NEWEST


def _told(version: str) -> str:
    return "" if version == NEWEST else version


@require_safe
def entry(request: HttpRequest, slug: str) -> HttpResponse:
    """A rule or a term: its text, what it superseded, who says so."""
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
