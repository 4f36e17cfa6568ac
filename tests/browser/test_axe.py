"""axe-core finds no fault on any kind of page, on a phone in the dark and a laptop."""

from __future__ import annotations

from collections import deque
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.test import Client
from django.urls import Resolver404, resolve
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from tests.browser.conftest import OpensPage
from tests.browser.looks import axe_faults
from tests.house.pages import pages_of

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
}
# Addresses that are no pages of ours, and those that would end the session.
ELSEWHERE = ("/admin/", "/api/", "/account/logout/", "/healthz")
KINDS = 90  # the least number of kinds of pages to be found
DEPTH = 3  # links followed from the starting pages


def _kind(address: str) -> str:
    """Return the route of the page at an address; "" if there is none."""
    path = urlsplit(address).path
    if not path.startswith("/") or path.startswith(ELSEWHERE):
        return ""
    try:
        return resolve(path).route
    except Resolver404:
        return ""


def test_axe_finds_nothing(
    open_page: OpensPage, live_server: LiveServer, alice: User
) -> None:
    """One page of each kind: the starting pages, and those they link to."""
    queue = deque((address, 0) for address in pages_of(alice))
    client = Client()
    client.force_login(alice)
    page = open_page(**PHONE)
    name, session = settings.SESSION_COOKIE_NAME, client.session.session_key or ""
    page.context.add_cookies([{"name": name, "value": session, "url": live_server.url}])
    seen: set[str] = set()
    faults: dict[str, list[str]] = {}
    while queue:
        address, depth = queue.popleft()
        kind = _kind(address)
        if not kind or kind in seen:
            continue
        seen.add(kind)
        answer = client.get(address)
        if answer.status_code != 200 or "html" not in answer["Content-Type"]:
            continue
        page.goto(address)
        found = axe_faults(page)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1280, "height": 800})
        found += axe_faults(page)
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size(PHONE["viewport"])
        if found:
            faults[address] = found
        if depth < DEPTH:
            links = page.eval_on_selector_all(
                "a[href]", "all => all.map(each => each.getAttribute('href'))"
            )
            queue.extend((link, depth + 1) for link in links)

    assert faults == {}
    assert len(seen) >= KINDS
