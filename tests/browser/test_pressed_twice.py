"""A form that is pressed twice is sent once: nothing is made two times."""

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
    """Alice is about to begin a deck."""
    ensure_embedded_pool()
    User.objects.create_user("alice", password="alice-of-arkham")
    page.goto(f"/account/login/?next={ROLAND}")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{ROLAND}")
    return page


def _answer_late(route: Route) -> None:
    """The server does at once what it is asked; its answer takes its time."""
    if route.request.method != "POST":
        route.fallback()
        return
    with suppress(Error):  # the browser may wait for another answer by now
        answer = route.fetch(max_redirects=0)
        time.sleep(0.8)
        route.fulfill(response=answer)


# The second press comes before the answer to the first.
PRESSED_TWICE = "(it) => { it.click(); setTimeout(() => it.click(), 300); }"


def test_a_deck_is_begun_once(at_roland: Page) -> None:
    """However late the answer; back on that page, the form makes another."""
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
