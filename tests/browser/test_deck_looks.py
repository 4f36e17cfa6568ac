"""How a deck's page and the builder use their space, on a phone and a laptop."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from tests.browser.looks import scrolls_sideways, small_targets
from tests.decks.edits import apply
from tests.decks.helpers import NOW

ROLAND = "01001"


def _shared(*changes: tuple[str, str]) -> str:
    """Return the builder's address of a draft: Roland's starter deck, changed."""
    ensure_embedded_pool()
    content = apply(starter_deck(embedded_pool(), ROLAND), [*changes], embedded_pool())
    deck = services.create_deck(owner=None, content=content, now=NOW)
    return f"/decks/draft/{deck.key}/"


def _left(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["x"]


def _height(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollHeight"))


def _show(page: Page, look: str, at: str) -> None:
    with page.expect_response(re.compile(f"look={look}")):
        page.get_by_label("Show as").select_option(look)
    expect(
        page.locator(f"{at} .looks-{look}, {at}.looks-{look}").first
    ).to_be_attached()


def test_upgrade_sheets_begin_at_the_left(page: Page, live_server: LiveServer) -> None:
    """Beside a short part of the setup too: parts follow one another."""
    page.goto(_shared(("add", "09021"), ("add", "09022")))
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="View and print").click()
    title = page.locator("#setup")
    first = page.locator(".sheet-read").first
    assert abs(_left(first) - _left(title)) < 2
    second = page.locator(".sheet-read").nth(1).bounding_box()
    box = first.bounding_box()
    assert box is not None
    assert second is not None
    assert second["x"] - (box["x"] + box["width"]) < 60


def test_a_half_width_window_has_two_columns(page: Page) -> None:
    """As on a laptop that shows everything at twice its size."""
    page.set_viewport_size({"width": 720, "height": 450})
    page.goto(_shared())
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="View and print").click()
    page.wait_for_url("**/decks/*/")
    lefts = {round(_left(each)) for each in page.locator(".decklist > section").all()}
    assert len(lefts) == 2
    assert not scrolls_sideways(page)


def test_long_lists_have_two_columns_on_a_phone(phone: Page) -> None:
    """The pool of weaknesses, and the cards to draw; tables aren't split."""
    page, number = phone, int(_shared_pk(phone))
    page.goto(f"/decks/{number}/weaknesses")
    assert _height(page) < 3_000
    assert not scrolls_sideways(page)
    page.goto(f"/decks/{number}/hand")
    assert _height(page) < 3_300
    table = page.locator("#kinds ~ .scroll")
    assert table.evaluate("it => it.scrollWidth <= it.clientWidth")
    assert not scrolls_sideways(page)


def _shared_pk(page: Page) -> str:
    """Return the id of a draft that this window holds."""
    page.goto(_shared())
    return page.url.split("/decks/")[1].split("/")[0]


def test_compact_rows_are_shorter_on_a_phone(phone: Page) -> None:
    """Two are side by side; an open one has the whole width."""
    phone.goto(_shared())
    _show(phone, "rows", "#deck")
    rows = _height(phone)
    _show(phone, "compact", "#deck")
    assert _height(phone) < rows - 250
    assert not scrolls_sideways(phone)
    assert not small_targets(phone)
    entry = phone.locator("#card-01020")
    entry.locator("summary").tap()
    box = entry.bounding_box()
    assert box is not None
    assert box["width"] > 340
    _show(phone, "rows", "#deck")


def test_another_view_keeps_focus_and_open_cards(page: Page) -> None:
    """A press afterwards keeps the view."""
    page.goto(_shared())
    page.locator("#open-01020 summary").click()
    group = page.get_by_label("Group by")
    group.focus()
    with page.expect_response(re.compile("group=cost")):
        group.select_option("cost")
    expect(page.locator("#group-cost-3 #open-01020[open]")).to_be_attached()
    expect(group).to_be_focused()
    page.get_by_role("button", name="Remove 1 Dodge").first.click()
    expect(page.locator('[data-revision="2"] #group-cost-3')).to_be_attached()


def test_another_view_shows_what_another_window_changed(page: Page) -> None:
    """With its revision, so that the next press is made upon it."""
    page.goto(_shared())
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Remove 1 Machete").first.click()
    expect(other.locator('[data-revision="2"]')).to_be_attached()
    page.get_by_label("Group by").select_option("cost")
    expect(page.locator('[data-revision="2"] #group-cost-1')).to_be_attached()
    page.get_by_role("button", name="Remove 1 Dodge").first.click()
    expect(page.locator('[data-revision="3"]')).to_be_attached()


def _held(page: Page, part: str, held: list[Route]) -> None:
    page.route(re.compile(part), lambda route: held.append(route), times=1)


def _first(page: Page, held: list[Route]) -> Route:
    """The request that is held back; it is held a moment after it is sent."""
    for _try in range(250):
        if held:
            break
        page.wait_for_timeout(20)
    return held[0]


def test_a_press_overtakes_a_view(page: Page) -> None:
    """Its answer is in that view, and the late one takes no rows away."""
    page.goto(_shared())
    held: list[Route] = []
    _held(page, "group=cost", held)
    with page.expect_request(re.compile("group=cost")):
        page.get_by_label("Group by").select_option("cost")
    early = _first(page, held).fetch()
    page.get_by_role("button", name="Remove 1 Dodge").first.click()
    expect(page.locator('[data-revision="2"]')).to_be_attached()
    with page.expect_response(re.compile("group=cost")):
        held[0].fulfill(response=early)
    row = page.locator("#group-cost-1 #card-01023")
    expect(row.locator("output")).to_have_text("1")


def test_a_view_that_is_chosen_after_a_press(page: Page) -> None:
    """It stays, also when its answer comes before that of the press."""
    page.goto(_shared())
    group = page.get_by_label("Group by")
    group.select_option("cost")
    expect(page.locator("#group-cost-1")).to_be_attached()
    held: list[Route] = []
    _held(page, "/edit$", held)
    with page.expect_request(re.compile("/edit$")):
        page.get_by_role("button", name="Remove 1 Dodge").first.click()
    group.select_option("type")
    expect(page.locator("#group-asset")).to_be_attached()
    with page.expect_response(re.compile("group=type")):
        _first(page, held).continue_()
    expect(page.locator('[data-revision="2"] #group-asset')).to_be_attached()
    expect(group).to_have_value("type")
