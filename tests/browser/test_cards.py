"""Looking up cards: while typing, by thumb, without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from cardpool.services import ensure_embedded_pool
from tests.browser.conftest import OpensPage
from tests.browser.looks import scrolls_sideways, small_targets

PAGES = [
    "/cards/?q=class:seeker",
    "/cards/?q=t:investigator",
    "/cards/?q=clas:seeker",
    "/cards/?by_class=seeker&by_class=mystic&trait=spell&mark=fast&type=event&owned=1",
    "/cards/01020/",
    "/cards/01060/",
    "/cards/06002/",
    "/cards/09022/",
    "/cards/products/",
    "/cards/language/",
]


@pytest.fixture(autouse=True)
def _cards(live_server: LiveServer) -> None:
    ensure_embedded_pool()


def test_the_results_follow_the_search_box(page: Page) -> None:
    """The results change, the focus stays, and the address is that of the search."""
    page.goto("/cards/")
    box = page.get_by_role("searchbox", name="Search", exact=True)
    results = page.locator("#results")

    box.press_sequentially("shrivelling level:5")

    expect(results.get_by_role("status")).to_contain_text("1 card")
    expect(results.get_by_role("link", name="Shrivelling")).to_have_count(1)
    expect(box).to_be_focused()
    expect(page).to_have_url(re.compile(r"\?q=shrivelling(%20|\+)level%3A5"))

    page.reload()
    expect(results.get_by_role("link", name="Shrivelling")).to_have_count(1)


def test_a_mistake_in_a_search_is_fixed_with_one_key(page: Page) -> None:
    """The fault is marked in its place, and the remedy is a link."""
    page.goto("/cards/")
    box = page.get_by_role("searchbox", name="Search", exact=True)

    box.press_sequentially("clas:seeker level:5")

    alert = page.locator("#results").get_by_role("alert")
    expect(alert.locator("mark")).to_have_text("clas")
    alert.get_by_role("link").press("Enter")
    expect(page.locator("#results")).to_contain_text("class seeker, level 5")


def test_filters_work_by_keyboard(page: Page) -> None:
    """Classes are check boxes that the space bar toggles."""
    page.goto("/cards/?q=t:skill")
    mystic = page.get_by_role("checkbox", name="Mystic")

    mystic.focus()
    page.keyboard.press("Space")

    expect(page.locator(".chips")).to_contain_text("class:mystic")
    expect(mystic).to_be_checked()


def test_links_lead_from_a_search_to_who_may_include_a_card(page: Page) -> None:
    page.goto("/cards/?q=shrivelling+level:5")
    page.get_by_role("link", name="Shrivelling").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Shrivelling")

    page.get_by_text("investigators").first.click()
    page.get_by_role("link", name="Agnes Baker").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Agnes Baker")

    page.get_by_role("link", name="Browse").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Cards Agnes Baker may include"
    )


def test_everything_works_without_scripts(scriptless: Page) -> None:
    """Forms are sent, pages respond."""
    page = scriptless
    page.goto("/cards/")
    page.get_by_role("searchbox", name="Search", exact=True).fill("trait:spell")
    page.get_by_role("checkbox", name="Mystic").check(force=True)
    page.get_by_role("checkbox", name="Event").check(force=True)
    page.get_by_role("button", name="Show all traits, cycles and products").click()
    expect(page.get_by_role("checkbox", name="Event")).to_be_checked()
    page.get_by_role("combobox", name="Add a cycle").select_option("The Dunwich Legacy")
    page.get_by_role("button", name="Search").click()

    expect(page.locator(".chips")).to_contain_text("class:mystic type:event cycle:dwl")
    page.get_by_role("link", name="Remove the filter The Dunwich Legacy").click()
    expect(page.locator(".chip")).to_have_count(2)
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.locator("#results")).to_contain_text("Page 2 of")


def test_filters_work_by_thumb(phone: Page) -> None:
    """One button, a sheet from below; each filter is a chip that one press removes."""
    page = phone
    page.goto("/cards/")
    page.get_by_role("button", name="Filters").tap()
    sheet = page.locator("#filters")
    expect(sheet).to_be_visible()
    chips = page.locator(".chip")
    sheet.get_by_title("Mystic").tap()
    expect(chips).to_have_count(1)
    sheet.get_by_text("Event", exact=True).tap()
    expect(chips).to_have_count(2)
    sheet.get_by_role("combobox", name="Add a trait").select_option("Spell")
    expect(chips).to_have_count(3)
    sheet.get_by_role("combobox", name="Add a trait").select_option("Spirit")
    expect(chips).to_have_count(4)
    expect(sheet.get_by_role("checkbox", name="Spirit")).to_be_checked()
    assert small_targets(page) == []
    show = sheet.get_by_role("button", name=re.compile(r"Show \d+ cards"))
    show.tap()
    expect(sheet).not_to_be_visible()
    expect(page.get_by_role("button", name="Filters 4 active")).to_be_visible()
    expect(page).to_have_url(re.compile("by_class=mystic&type=event&trait=spell"))
    found = page.locator("#results .cards .name").first
    box = found.bounding_box()
    assert box is not None
    assert box["y"] < 600

    found.tap()
    page.locator("dialog[open] [data-close]").tap()
    page.get_by_role("link", name="Remove the filter Mystic").tap()
    expect(page.locator(".chip")).to_have_count(3)
    expect(page).not_to_have_url(re.compile("by_class"))
    page.goto("/cards/products/")
    page.go_back()
    expect(page.locator(".chip")).to_have_count(3)
    page.get_by_role("link", name="Clear filters").last.tap()
    expect(page.locator(".chip")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/cards/\??$"))


def test_products_are_folded_on_a_phone_only(phone: Page, page: Page) -> None:
    """On a phone they are folded by cycle, until one is pressed."""
    for each in (phone, page):
        each.goto("/cards/products/")
    expect(page.get_by_role("link", name="Where Doom Awaits")).to_be_visible()
    here = phone.get_by_role("link", name="Where Doom Awaits")
    expect(here).to_be_hidden()
    phone.locator("summary", has_text="The Dunwich Legacy").tap()
    expect(here).to_be_visible()


@pytest.mark.parametrize("path", PAGES)
def test_every_target_fits_a_thumb(phone: Page, path: str) -> None:
    """At least 44 pixels each way, and no sideways scrolling."""
    phone.goto(path)

    assert small_targets(phone) == []
    assert not scrolls_sideways(phone)


@pytest.mark.parametrize("path", PAGES)
def test_nothing_scrolls_sideways_on_the_narrowest_phone(
    open_page: OpensPage, path: str
) -> None:
    """Down to 320 pixels."""
    page = open_page(viewport={"width": 320, "height": 568})
    page.goto(path)

    assert not scrolls_sideways(page)


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_the_boxes_of_a_sheet_are_beside_its_lines(page: Page, width: int) -> None:
    """A line has at most four boxes; none overlaps the line's name."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/cards/09022/")
    row = page.get_by_role("row", name="Scriptweaver")

    expect(row.locator("td .sign")).to_have_count(4)
    last = row.locator("td .sign").last.bounding_box()
    name = row.get_by_role("rowheader").bounding_box()

    assert last is not None
    assert name is not None
    assert last["x"] + last["width"] <= name["x"]
