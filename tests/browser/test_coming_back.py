"""Leaving a page and coming back to it by the browser's own buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services.ledger import Earned
from tests.browser.conftest import Launches
from tests.decks.helpers import NOW

LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
# Playwright starts Chromium without the back/forward cache, which people have.
CACHE_OFF = "--disable-back-forward-cache"
ROUNDS = 2  # stored values which may change with every visit


@pytest.fixture(autouse=True)
def _cards(live_server: LiveServer) -> None:
    ensure_embedded_pool()
    User.objects.create_user("alice", password="alice-of-arkham")


@pytest.fixture(scope="module")
def caching(launch: Launches) -> Browser:
    """A browser with a back/forward cache."""
    return launch(ignore_default_args=[CACHE_OFF])


@pytest.fixture(params=["without a page cache", "with a page cache"])
def any_browser(request: pytest.FixtureRequest) -> Browser:
    """Chromium without its back/forward cache, and with it."""
    name = "browser" if request.param.startswith("without") else "caching"
    found: Browser = request.getfixturevalue(name)
    return found


@pytest.fixture(params=[LAPTOP, PHONE], ids=["laptop", "phone"])
def visitor(
    request: pytest.FixtureRequest, any_browser: Browser, live_server: LiveServer
) -> Iterator[Page]:
    """Alice's window, signed in."""
    context: BrowserContext = any_browser.new_context(
        base_url=live_server.url, **request.param
    )
    page = context.new_page()
    _sign_in(page)
    yield page
    context.close()


def _sign_in(page: Page) -> None:
    page.goto("/account/login/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda address: "login" not in address)


def _a_deck() -> Deck:
    content = starter_deck(embedded_pool(), "01001")
    alice = User.objects.get(username="alice")
    return services.create_deck(owner=alice, content=content, now=NOW)


def _a_played_deck() -> Deck:
    deck = _a_deck()
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 6),)),
        expected_revision=1,
        actor=deck.owner,
        now=NOW,
    )
    return deck


class Place(NamedTuple):
    """A page with a search: its text, its field, and the links that are found."""

    address: str
    box: str
    words: str
    found: str


PLACES = {
    "builder": Place("edit?view=add", "#q", "perception", "#results a.found"),
    "desk": Place("upgrade/?view=add", "#q", "perception", "#results a.found"),
    "cards": Place("/cards/", "main input[name=q]", "perception", "#results a"),
    "rules": Place("/rules/", "main input[name=q]", "aloof", "#found li a"),
    "investigators": Place("/decks/new/", "#sift-name", "roland", "#shelves .person a"),
}


PRESSED = {
    "builder": "#results .quantity [aria-pressed=false]:not([id^=found-0-])",
    "desk": "#results button[id^=buy]",
}


def _address(name: str) -> str:
    """Return the page's address; make a deck for pages of a deck."""
    address = PLACES[name].address
    if address.startswith("/"):
        return address
    deck = _a_played_deck() if name == "desk" else _a_deck()
    return f"/decks/{deck.pk}/{address}"


@pytest.mark.parametrize("name", ["builder", "desk"])
def test_a_page_ends_with_its_footer(visitor: Page, name: str) -> None:
    """Text for screen readers in a scrolling list makes no page longer."""
    visitor.goto(_address(name))
    footer = "document.querySelector('.footer').getBoundingClientRect().bottom"
    height = "document.documentElement.scrollHeight"
    assert visitor.evaluate(f"{height} - ({footer} + scrollY)") < 2


def _press_browser_button(page: Page, way: str) -> None:
    """Go back or forward; Playwright's own call never returns for a cached page."""
    page.evaluate(f"setTimeout(() => history.{way}(), 0)")


@pytest.mark.parametrize("name", PLACES)
def test_back_and_forward_show_whole_pages(visitor: Page, name: str) -> None:
    """Search, open a result, go back, go forward, repeatedly."""
    page, place = visitor, PLACES[name]
    page.goto(_address(name))
    page.locator(place.box).press_sequentially(place.words, delay=30)
    page.wait_for_url(re.compile(rf"[?&]q={place.words}(&|$)"))
    link = page.locator(place.found).first
    target = link.get_attribute("href")
    assert target
    link.click()
    page.wait_for_url(f"**{target}")
    opened = page.locator("h1").text_content() or ""

    for _round in range(ROUNDS):
        _press_browser_button(page, "back")
        expect(page.locator("header.masthead")).to_be_visible()
        expect(page.locator("h1")).not_to_have_text(opened)
        expect(page.locator(place.box)).to_have_value(place.words)
        expect(page.locator(place.found).first).to_be_attached()
        _press_browser_button(page, "forward")
        expect(page.locator("header.masthead")).to_be_visible()
        expect(page.locator("h1")).to_have_text(opened)


@pytest.mark.parametrize("name", PLACES)
def test_a_slow_click_on_a_link_after_typing_opens_it(page: Page, name: str) -> None:
    """Leaving the search box does not search again and replace the link."""
    place = PLACES[name]
    _sign_in(page)
    page.goto(_address(name))
    page.locator(place.box).press_sequentially(place.words, delay=30)
    page.wait_for_url(re.compile(rf"[?&]q={place.words}(&|$)"))
    link = page.locator(place.found).first
    target = link.get_attribute("href")
    link.hover()
    page.mouse.down()
    page.wait_for_timeout(600)  # longer than any delay of a search and its response
    page.mouse.up()
    page.wait_for_url(f"**{target}")


@pytest.mark.parametrize("name", ["builder", "desk"])
def test_a_deck_can_be_changed_after_going_back(visitor: Page, name: str) -> None:
    """Earlier presses are kept, and the next press builds on them."""
    page = visitor
    page.goto(_address(name))
    page.locator("#q").press_sequentially("perception", delay=30)
    page.wait_for_url(re.compile("q=perception(&|$)"))
    deck = Deck.objects.get()
    for _press in range(2):
        builder = page.locator("#builder")
        seen = builder.get_attribute("data-revision") or ""
        page.locator(PRESSED[name]).first.click()
        expect(builder).not_to_have_attribute("data-revision", seen)
        now = builder.get_attribute("data-revision") or ""
        page.goto(f"/decks/{deck.pk}/")
        _press_browser_button(page, "back")
        expect(builder).to_have_attribute("data-revision", now)
        expect(page.locator("header.masthead")).to_be_visible()


def test_a_page_works_after_going_back_to_it(visitor: Page) -> None:
    """It prints, and says so if the server can't be reached."""
    page = visitor
    page.goto("/table/round/")
    for _press in range(2):
        seen = page.url
        page.locator("#next").click()
        expect(page).not_to_have_url(seen)
    # The address changes before the page is loaded again: wait for the new document.
    page.locator("body").evaluate("body => body.classList.add('left')")
    _press_browser_button(page, "back")
    expect(page.locator("body:not(.left)")).to_be_visible()
    page.wait_for_load_state("load")
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    page.context.set_offline(True)
    page.locator("#next").click()
    expect(page.get_by_text("We can’t reach the server.")).to_be_visible()


@pytest.mark.parametrize(
    ("address", "field", "first", "then"),
    [
        ("/odds/", "skill", "5", "7"),
        ("/decks/published/?q=skids", "q", "roland", "daisy"),
    ],
)
def test_back_shows_the_fields_of_the_results(
    page: Page, address: str, field: str, first: str, then: str
) -> None:
    """Beside the results, not what was typed in them later."""
    asked = page.locator(f"main [name={field}]")
    page.goto(address)
    for value in (first, then):
        asked.fill(value)
        with page.expect_navigation(url=re.compile(f"{field}={value}")):
            asked.press("Enter")

    page.go_back()

    expect(page).to_have_url(re.compile(f"{field}={first}"))
    expect(asked).to_have_value(first)


def test_back_shows_the_list_that_was_checked(
    any_browser: Browser, live_server: LiveServer
) -> None:
    """Without an account too: the first deck sets the first cookie."""
    context = any_browser.new_context(base_url=live_server.url)
    page = context.new_page()
    page.goto("/")
    page.locator("textarea").fill("Roland Banks\n2x Machete")
    page.get_by_role("button", name="Judge this deck").click()
    expect(page).to_have_title(re.compile("Incomplete"))
    page.get_by_role("button", name="Open in the builder").click()
    page.wait_for_url("**/edit")

    page.go_back()

    expect(page).to_have_title(re.compile("Incomplete"))
    expect(page.get_by_role("main")).to_contain_text("Machete")
    context.close()
