"""Every page keeps the house's rules, whoever wrote it."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.house.addresses import ADDRESSES


class Outline(HTMLParser):
    """What the rules ask of a page's elements."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.inline: list[str] = []
        self.nameless: list[str] = []
        self.assets: set[str] = set()
        self._language: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.elements[tag] += 1
        if values.get("id"):
            self.ids[str(values["id"])] += 1
        self.inline += [
            f"<{tag} {name}>"
            for name, _value in attrs
            if name == "style" or name.startswith(("on", "hx-on"))
        ]
        if tag == "style" or (
            tag == "script" and not values.get("src") and "json" not in str(values)
        ):
            self.inline.append(f"<{tag}>")
        if tag == "html" and not values.get("lang"):
            self.nameless.append("<html lang>")
        if tag == "img" and values.get("alt") is None:
            self.nameless.append("<img alt>")
        if tag == "script" and values.get("src"):
            self.assets.add(str(values["src"]))
        if tag == "link" and values.get("rel") == "stylesheet":
            self.assets.add(str(values["href"]))


def test_the_pages_were_found() -> None:
    """The walk sees the doors."""
    assert {"/", "/cards/", "/decks/", "/campaigns/", "/account/login/"} <= set(
        ADDRESSES
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "address", "allowed"),
    [("get", "/decks/bring/", "POST"), ("options", "/decks/", "GET, HEAD")],
)
def test_another_method_is_refused_by_a_page(
    client: Client, method: str, address: str, allowed: str
) -> None:
    """An address of forms that is opened again shows a way on, not nothing."""
    answer = getattr(client, method)(address)

    assert (answer.status_code, answer["Allow"]) == (405, allowed)
    assert answer["Content-Type"].startswith("text/html")
    assert "<h1>Not possible here</h1>" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("signed_in", [False, True], ids=["stranger", "alice"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_keeps_the_rules(
    request: pytest.FixtureRequest, address: str, signed_in: bool
) -> None:
    """One h1, unique ids, nothing inline, a strict policy, assets that exist."""
    client: Client = request.getfixturevalue("as_alice" if signed_in else "client")

    answer = client.get(address)

    # 400: a page that another program leads to, opened without what it says.
    assert answer.status_code in (200, 302, 400, 404, 405), answer.status_code
    if not answer.get("Content-Type", "").startswith("text/html"):
        return
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    if answer.status_code == 200:
        outline = Outline()
        outline.feed(answer.content.decode())
        assert outline.elements["h1"] == 1
        assert outline.elements["main"] == 1
        assert outline.inline == []
        assert outline.nameless == []
        assert [name for name, times in outline.ids.items() if times > 1] == []
        assert all(
            finders.find(asset.removeprefix("/static/")) for asset in outline.assets
        )
