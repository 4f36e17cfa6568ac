"""Offline use of the site: its installation, and what its service worker keeps.

A service worker (``static/arkham/worker.js``) keeps a person's recently read pages,
only for them. Two headers of each page control that: ``Orne-Reader`` identifies the
reader, so that all pages are deleted when another reads, and ``Orne-Copy`` is set if a
copy may be kept. See ``docs/offline.md``. The files it keeps are made small here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils.crypto import salted_hmac
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from whitenoise.storage import CompressedManifestStaticFilesStorage

from arkham.library.views import ShownEntry
from arkham.rules.gists import all_gists
from arkham.rules.library import TOPICS, library
from arkham.web.http import Middleware
from campaigns.people.table import key_in
from cardpool.catalog import current_pool
from cardpool.shown import ShownCard
from cardpool.words import fold

SHEET, PAPER = "#fffdf7", "#f5f1e6"  # of tokens.css, light theme
SIZES = (192, 512)
SHORTCUTS: tuple[tuple[str, str | Promise], ...] = (
    ("campaigns:index", gettext_lazy("Campaigns")),
    ("decks:index", gettext_lazy("Decks")),
    ("library:index", gettext_lazy("Rules")),
    ("table:index", gettext_lazy("At the table")),
)

# Pages to read at a table. Account forms, settings, links and files are excluded, as
# are the API and the admin.
KEPT = frozenset(
    {
        "home",
        "campaigns:achievements",
        "campaigns:index",
        "campaigns:log",
        "campaigns:scenario",
        "campaigns:table",
        "campaigns:timeline",
        "campaigns:ultimatums",
        "cardpool:card",
        "decks:index",
        "decks:published",
        "decks:sheet",
        "decks:show",
        "library:entry",
        "library:index",
    }
)
HELPERS = ("odds", "table")  # their addresses are their whole state
OFFLINE_TEMPLATES = ("base.html", "offline/index.html", "offline/unsent.html")
KINDS_OF_FILES = (".css", ".js", ".svg", ".woff2")
LIBRARIES = ("htmx-2.min.js",)


@cache_control(public=True, max_age=3600)
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the manifest for installing the site on a phone or computer."""
    content = {
        "id": reverse("home"),
        "name": "Orne",
        "short_name": "Orne",
        "description": _(
            "Decks and campaigns of Arkham Horror: The Card Game, judged and explained."
        ),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "standalone",
        "theme_color": SHEET,
        "background_color": PAPER,
        "icons": [
            _icon("lamp.svg", "any", "image/svg+xml"),
            *(_icon(f"icons/icon-{each}.png", f"{each}x{each}") for each in SIZES),
            _icon("icons/maskable-512.png", "512x512") | {"purpose": "maskable"},
        ],
        "shortcuts": [
            {"name": str(name), "url": reverse(page)} for page, name in SHORTCUTS
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")


def _icon(file: str, sizes: str, kind: str = "image/png") -> dict[str, str]:
    return {"src": static(f"arkham/{file}"), "sizes": sizes, "type": kind}


@cache_control(no_cache=True)
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, preceded by what it should keep.

    It changes when any of its files or pages changes; a browser then replaces the old
    one.
    """
    files = dict(_files())
    folder = settings.BASE_DIR / "templates"
    written = [(folder / name).read_text("utf-8") for name in OFFLINE_TEMPLATES]
    source = files["arkham/worker.js"].read_text(encoding="utf-8")
    digest = blake2b(digest_size=8)
    for each in (*sorted(map(static, files)), *written):
        digest.update(each.encode())
    for file in files.values():
        digest.update(file.read_bytes())
    skipped = {"arkham/worker.js"}
    if isinstance(staticfiles_storage, SmallFilesStorage):  # sheets within another
        sheets = b"".join(file.read_bytes() for file in files.values())
        skipped |= {f"arkham/{name.decode()}" for name in _IMPORT.findall(sheets)}
    facts = {
        "version": digest.hexdigest(),
        "files": [static(name) for name in files if name not in skipped],
        "files_at": settings.STATIC_URL,
        "listed": reverse("offline:index"),
        "unsent": reverse("offline:unsent"),
        "references": {
            reverse("library:index"): reverse("offline:rules"),
            reverse("cardpool:index"): reverse("offline:cards"),
        },
        "signOut": reverse("account_logout"),
    }
    text = f"const ORNE = {json.dumps(facts)};\n{source}"
    return HttpResponse(text, content_type="text/javascript; charset=utf-8")


def _files() -> Iterator[tuple[str, Path]]:
    """Yield the styles, scripts and fonts of all pages, with their paths."""
    found = finders.find("arkham", find_all=False)
    folder = Path(str(found))
    for file in sorted(folder.rglob("*")):
        if file.suffix in KINDS_OF_FILES:
            yield f"arkham/{file.relative_to(folder).as_posix()}", file
    for name in LIBRARIES:
        yield f"django_htmx/{name}", Path(str(finders.find(f"django_htmx/{name}")))


# Comments and indentation; a script's comments have lines of their own.
_WASTE = {
    ".css": re.compile(rb"(?:/\*.*?\*/|\s)+", re.DOTALL),
    ".js": re.compile(rb"^[ \t]*(?://.*\n)?", re.MULTILINE),
}
_IMPORT = re.compile(rb'@import url\("([^"]+)"\);')


class _SmallFiles(NamedTuple):
    """Our files; sheets hold those they import, and nothing holds waste."""

    storage: Any

    def open(self, name: str) -> ContentFile[bytes]:
        with self.storage.open(name) as file:
            content: bytes = file.read()
        if waste := _WASTE.get(Path(name).suffix):
            content = _IMPORT.sub(
                lambda found: self.open(f"arkham/{found[1].decode()}").read(),
                waste.sub(b" ", content),
            )
        return ContentFile(content)


class SmallFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Names files by their content and compresses them; our own are made small."""

    def post_process(
        self, paths: dict[str, Any], *args: Any, **options: Any
    ) -> Iterator[Any]:
        """Yield each file with its new name."""
        ours = {
            name: (_SmallFiles(storage) if name.startswith("arkham/") else storage, at)
            for name, (storage, at) in paths.items()
        }
        yield from super().post_process(ours, *args, **options)


class OfflineCopyMiddleware(Middleware):
    """Marks each page with its reader, and whether a device may keep a copy.

    Never for answers to forms or htmx: pages and fragments must not be mixed.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the answer, with the headers if it is a requested page."""
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if request.method != "GET" or "HX-Request" in request.headers or not is_page:
            return response
        response["Orne-Reader"] = _mark_of_reader(request)
        if response.status_code == 200 and _may_be_kept(request):
            response["Orne-Copy"] = "yes"
        return response


def _mark_of_reader(request: HttpRequest) -> str:
    """Return letters that identify an account or guest without revealing them."""
    user = getattr(request, "user", None)
    reader = f"{getattr(user, 'pk', None)}.{key_in(request)}"
    return salted_hmac("arkham.offline", reader).hexdigest()[:16]


def _may_be_kept(request: HttpRequest) -> bool:
    match = request.resolver_match
    if match is None:
        return False
    if match.app_name in HELPERS:
        return True
    return match.view_name in KEPT and not request.GET


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List what can be read offline; shown instead of a page that can't be."""
    return render(request, "offline/index.html")


@require_safe
def unsent(request: HttpRequest) -> HttpResponse:
    """Shown instead of the answer to a form that could not be sent."""
    return render(request, "offline/unsent.html")


class Topic(NamedTuple):
    """Entries of the rules library on one topic."""

    name: str
    slug: str
    entries: list[ShownEntry]


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the whole rules library on one page."""
    entries = list(map(ShownEntry, library().values()))
    topics = [
        Topic(_(name), topic, [each for each in entries if each.entry.topic == topic])
        for topic, name in TOPICS.items()
    ]
    return render(request, "offline/rules.html", {"topics": topics})


@require_safe
def cards(request: HttpRequest) -> HttpResponse:
    """Show every deck card and investigator on one page, one per line."""
    pool = current_pool()
    found = filter(None, map(pool.get_card, all_gists()))
    shown = sorted(
        (ShownCard(card, pool) for card in found),
        key=lambda each: (fold(each.name), each.level or 0),
    )
    groups = [
        (letter.upper(), list(those))
        for letter, those in groupby(shown, key=lambda each: fold(each.name)[:1])
    ]
    return render(request, "offline/cards.html", {"groups": groups})


# Mounted under /offline/.
offline_urlpatterns = [
    path("", index, name="index"),
    path("unsent/", unsent, name="unsent"),
    path("rules/", rules, name="rules"),
    path("cards/", cards, name="cards"),
]
