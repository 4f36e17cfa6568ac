"""Pages: server time in this process, and what a first visit loads, compressed."""

from __future__ import annotations

import re
from functools import cache

from bench.site import visitor
from bench.timing import median_seconds

Measures = dict[str, tuple[float, str]]

_STATIC = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@cache
def _deck() -> str:
    """The address of a draft: a legal first deck, opened in the visitor's browser."""
    answer = visitor().post("/decks/new/01001/", {"starter": "1"})
    return str(answer["Location"]).removesuffix("edit")


def _milliseconds(address: str, **fields: str) -> float:
    def visit() -> None:
        ask = visitor().post if fields else visitor().get
        answer = ask(address, fields)
        assert answer.status_code in (200, 303), (address, answer.status_code)

    return median_seconds(visit) * 1_000


def home() -> Measures:
    """The first page, and the verdict on a pasted list."""
    from decks.samples import SAMPLE_TEXT

    visitor()
    return {
        "pages.home_ms": (_milliseconds("/"), "ms"),
        "pages.judged_ms": (_milliseconds("/", text=SAMPLE_TEXT), "ms"),
    }


def builder() -> Measures:
    """The builder with a whole deck: shown, searched, changed."""
    edit = f"{_deck()}edit"
    return {
        "pages.builder_ms": (_milliseconds(edit), "ms"),
        "pages.builder_search_ms": (
            _milliseconds(f"{edit}?view=add&q=level:0-2&order=level"),
            "ms",
        ),
        "pages.deck_ms": (_milliseconds(_deck()), "ms"),
        "pages.terms_ms": (_milliseconds(f"{_deck()}terms"), "ms"),
        "pages.my_decks_ms": (_milliseconds("/decks/"), "ms"),
        "pages.investigators_ms": (_milliseconds("/decks/new/"), "ms"),
    }


def upgrade() -> Measures:
    """The upgrade desk of a deck that was played."""
    from django.utils import timezone

    from decks import services
    from decks.ledger import Earned
    from decks.models import Deck

    visitor().post("/decks/new/01001/", {"starter": "1"})
    deck = Deck.objects.latest("pk")
    game = services.Game((Earned("victory", 8, ""),))
    services.mark_played(deck=deck, game=game, expected_revision=1, now=timezone.now())
    desk = f"/decks/{deck.pk}/upgrade/"
    return {
        "pages.desk_ms": (_milliseconds(desk), "ms"),
        "pages.desk_search_ms": (_milliseconds(f"{desk}?view=add&q=level:1-3"), "ms"),
    }


def change() -> Measures:
    """One card more and one card fewer, as htmx asks for them."""
    from decks.models import Revision

    edit = f"{_deck()}edit"

    def press(what: str) -> None:
        latest = Revision.objects.order_by("-number").values_list("number", flat=True)
        fields = {"revision": str(latest[0]), "do": what}
        answer = visitor().post(edit, fields, headers={"hx-request": "true"})
        assert answer.status_code == 200

    def both() -> None:
        press("add=01022")
        press("remove=01022")

    return {"pages.change_ms": (median_seconds(both) * 500, "ms")}


def verdict() -> Measures:
    """A verdict that was shared."""
    answer = visitor().post(f"{_deck()}share")
    return {"pages.verdict_ms": (_milliseconds(answer["Location"]), "ms")}


def first_load() -> Measures:
    """The page with everything it links to, compressed, in kilobytes of 1,024."""
    return {
        "pages.first_load_kb": (_weight("/"), "KB"),
        "pages.builder_load_kb": (_weight(f"{_deck()}edit"), "KB"),
    }


def _weight(address: str) -> float:
    import gzip

    page = visitor().get(address).content
    text = gzip.decompress(page).decode()
    files = [visitor().get(file) for file in sorted(set(_STATIC.findall(text)))]
    sizes = [len(b"".join(answer)) for answer in files]
    return round((len(page) + sum(sizes)) / 1_024, 1)
