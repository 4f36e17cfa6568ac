"""A form that is submitted twice is sent once: nothing is created twice."""

from __future__ import annotations

import re
import time
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from cardpool.services import ensure_embedded_pool
from decks.models import Deck

ROLAND = "/decks/new/01001/"


@pytest.fixture
def at_roland(live_server: LiveServer, page: Page) -> Page:
    """Alice on the page where she creates a deck of Roland's."""
    ensure_embedded_pool()
    User.objects.create_user("alice", password="alice-of-arkham")
    page.goto(f"/account/login/?next={ROLAND}")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{ROLAND}")
    return page


def _answer_late(route: Route) -> None:
    """Delay the server's responses; the work is done at once."""
    if route.request.method != "POST":
        route.fallback()
        return
    with suppress(Error):  # the browser may be waiting for another response by now
        answer = route.fetch(max_redirects=0)
        time.sleep(0.8)
        route.fulfill(response=answer)


# The second press comes before the response to the first.
PRESSED_TWICE = "(it) => { it.click(); setTimeout(() => it.click(), 300); }"


def test_a_double_press_creates_one_deck(at_roland: Page) -> None:
    """Even if the response is slow; back on the page, the form creates another."""
    begin = at_roland.get_by_role("button", name="Begin with the required cards")
    at_roland.route(f"**{ROLAND}", _answer_late)
    begin.evaluate(PRESSED_TWICE)
    at_roland.wait_for_url(re.compile("/edit"))
    expect(at_roland.locator("#builder")).to_be_attached()
    assert Deck.objects.count() == 1

    at_roland.goto(ROLAND)
    begin.click()
    at_roland.wait_for_url(re.compile("/edit"))
    expect(at_roland.locator("#builder")).to_be_attached()
    assert Deck.objects.count() == 2
