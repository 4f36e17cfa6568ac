"""Any rule within ten seconds of the home page: typed, tapped, without scripts."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect

from tests.browser.looks import scrolls_sideways


def test_a_rule_is_found_from_the_home_page_by_keyboard(page: Page) -> None:
    """A key, some letters, an arrow, Enter."""
    page.goto("/")
    begun = time.monotonic()
    page.keyboard.press("/")
    box = page.get_by_role("combobox", name="Search cards, rules, decks")
    expect(box).to_be_focused()
    expect(box).to_have_attribute("aria-expanded", "false")
    page.keyboard.type("opportunity")
    rule = page.get_by_role("option", name="Attack of opportunity")
    expect(rule).to_be_visible()
    expect(box).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#glance-said")).to_have_text(re.compile("result"))
    for _press in range(page.get_by_role("option").count()):
        page.keyboard.press("ArrowDown")
        if rule.get_attribute("aria-selected") == "true":
            break
    marked = rule.get_attribute("id") or ""
    expect(box).to_have_attribute("aria-activedescendant", marked)
    expect(box).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("Attack of opportunity")
    assert time.monotonic() - begun < 10


def test_the_list_is_closed_and_opened_again_by_keyboard(page: Page) -> None:
    """Escape closes it and keeps the typed text; arrows wrap around."""
    page.goto("/rules/")
    page.keyboard.press("/")
    page.keyboard.type("machette")
    card = page.get_by_role("option", name="Machete")
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    box = page.get_by_role("combobox")
    expect(card).not_to_be_visible()
    expect(box).to_have_value("machette")
    expect(box).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowUp")
    last = page.get_by_role("option").last
    expect(last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(last).to_have_attribute("aria-selected", "false")
    page.keyboard.press("ArrowDown")
    expect(card).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Tab")
    expect(card).not_to_be_visible()


def test_a_rule_is_found_from_the_home_page_by_thumb(phone: Page) -> None:
    """One button opens the search; a rule by its Polish name, without its accents."""
    phone.goto("/")
    phone.get_by_role("button", name="Search", exact=True).tap()
    box = phone.get_by_label("Search cards, rules, decks")
    expect(box).to_be_focused()
    box.fill("trwala")
    phone.get_by_role("option", name="Permanent").tap()

    expect(phone.get_by_role("heading", level=1)).to_have_text("Permanent")


def test_the_search_is_closed_by_thumb(phone: Page) -> None:
    """It fits the screen while it is open."""
    phone.set_viewport_size({"width": 320, "height": 640})
    phone.goto("/")
    phone.get_by_role("button", name="Search", exact=True).tap()
    phone.get_by_label("Search cards, rules, decks").fill("investigate")
    expect(phone.get_by_role("option").first).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") == 320
    phone.get_by_role("button", name="Close search").tap()
    expect(phone.get_by_label("Search cards, rules, decks")).not_to_be_visible()


def test_the_search_box_searches_everything(page: Page) -> None:
    """Enter shows all results, on a page of its own."""
    page.goto("/")
    page.get_by_label("Search cards, rules, decks").fill("shrivelling")
    page.keyboard.press("Enter")

    expect(page).to_have_url("/search/?q=shrivelling")
    expect(page.get_by_role("link", name="Shrivelling").first).to_be_visible()


def test_everything_is_searched_without_scripts(scriptless: Page) -> None:
    """The box leads to the same page."""
    scriptless.goto("/rules/")
    scriptless.get_by_label("Search cards, rules, decks").fill("rolnd")
    scriptless.keyboard.press("Enter")
    scriptless.get_by_role("link", name="Roland Banks").first.click()

    expect(scriptless.get_by_role("heading", level=1)).to_contain_text("Roland Banks")


def test_the_rules_are_filtered_while_typing(page: Page) -> None:
    """The address is that of the search."""
    page.goto("/rules/")
    box = page.get_by_label("Rule or term, in English or Polish")
    box.press_sequentially("massiv")

    expect(page.locator("#found .entries a").first).to_have_text("Massive")
    expect(page).to_have_url("/rules/?q=massiv")
    expect(box).to_be_focused()


def test_a_rule_is_read_without_scripts(scriptless: Page) -> None:
    """The superseded text is one click away; an older FAQ is chosen by a form."""
    scriptless.goto("/")
    scriptless.get_by_role("link", name="Rules", exact=True).click()
    scriptless.get_by_label("Rule or term, in English or Polish").fill("permanent")
    scriptless.get_by_role("button", name="Search").click()
    scriptless.get_by_role("link", name="Permanent", exact=True).click()
    old = scriptless.get_by_text("In play it cannot be discarded")
    expect(old).not_to_be_visible()
    scriptless.get_by_text("The rule before FAQ 1.1").click()
    expect(old).to_be_visible()
    scriptless.get_by_label("Read it as of FAQ").select_option("1.0")
    scriptless.get_by_role("button", name="Show").click()

    expect(scriptless.get_by_text("As it was at FAQ 1.0")).to_be_visible()
    expect(old).to_be_visible()


def test_rows_of_the_list_are_not_split_between_columns(page: Page) -> None:
    """A split row would shift the others."""
    page.goto("/rules/")
    heights = "lines => [...new Set(lines.map(each => each.getClientRects().length))]"
    assert page.locator(".index > li").evaluate_all(heights) == [1]


def test_the_list_has_two_columns_on_a_phone(phone: Page) -> None:
    """Which halves the scrolling."""
    phone.goto("/rules/")
    assert phone.evaluate("document.documentElement.scrollHeight") < 9_000
    assert not scrolls_sideways(phone)
