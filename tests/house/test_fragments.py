"""A fragment is never stored under the address of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from arkham.web.http import HTMX_HEADERS

pytestmark = pytest.mark.usefixtures("rows")

SOURCES = ("arkham", "cardpool", "decks", "campaigns")


class Asks(NamedTuple):
    """What an element asks for by htmx: where, and for which part of the page."""

    method: str
    address: str
    target: str


class Asking(HTMLParser):
    """Collects what the elements of a page ask for by htmx."""

    def __init__(self) -> None:
        super().__init__()
        self.asks: set[Asks] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        for method in ("get", "post"):
            if address := values.get(f"hx-{method}"):
                target = values.get("hx-target", "").removeprefix("#")
                self.asks.add(Asks(method, address, target))


def _asked_by(page: str) -> set[Asks]:
    asking = Asking()
    asking.feed(page)
    return asking.asks


def _text(answer: object) -> str:
    assert isinstance(answer, HttpResponse)
    return answer.content.decode()


def _asked(client: Client, pages: list[str]) -> Iterator[Asks]:
    for address in pages:
        answer = client.get(address, follow=True)
        if answer.status_code == 200 and "text/html" in answer["Content-Type"]:
            for ask in _asked_by(_text(answer)):
                yield ask._replace(address=urljoin(address, ask.address))


def test_what_htmx_gets_is_not_stored_in_place_of_a_page(
    as_alice: Client, pages: list[str]
) -> None:
    """Every address that pages ask by htmx, walked: part, page, page on coming back.

    An address is a page's if it answers a plain visit with one; then the part must not
    be stored, and a cache is told which headers decide. Answers to forms are never
    stored, whatever came of them; nor are pages that such forms change in place.
    """
    asked = set(_asked(as_alice, pages))
    found = {ask for ask in asked if ask.method == "get"}
    views = {resolve(ask.address.partition("?")[0]).view_name for ask in found}
    assert {
        "cardpool:index", "library:index", "decks:new", "decks:edit", "decks:desk",
        "odds:test", "odds:bag", "table:round", "table:test", "table:area",
        "table:deck", "campaigns:news", "campaigns:scenario-news",
    } <= views  # fmt: skip
    for ask in sorted(found):
        htmx = {"HX-Request": "true", "HX-Target": ask.target}
        page = as_alice.get(ask.address)
        if "<html" not in _text(page):
            continue  # an address of the fragment's own, which nobody visits
        part = as_alice.get(ask.address, headers=htmx)
        assert "<html" not in _text(part), ask
        assert part["Cache-Control"] == "no-store", ask
        for answer in (page, part):
            assert {*HTMX_HEADERS} <= {*re.split(r",\s*", answer["Vary"])}, ask
        back = {**htmx, "HX-History-Restore-Request": "true"}
        assert "<html" in _text(as_alice.get(ask.address, headers=back)), ask
    for ask in sorted(asked - found):
        answer = as_alice.post(ask.address, headers={"HX-Request": "true"})
        assert answer["Cache-Control"] == "no-store", ask
    for address in pages[-5:]:
        assert as_alice.get(address)["Cache-Control"] == "no-store", address


def test_only_one_place_asks_what_htmx_wants() -> None:
    """Views that look at the headers themselves forget those of going back."""
    asked = [
        str(path)
        for source in SOURCES
        for path in Path(source).rglob("*.py")
        if re.search(r'headers(\.get\(|\[)"HX-', path.read_text(), re.IGNORECASE)
        and path != Path("arkham/web/http.py")
    ]
    assert asked == []
