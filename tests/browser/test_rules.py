"""Any rule within ten seconds of the home page: typed, tapped, without scripts."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect


def test_a_rule_is_found_from_the_home_page_by_keyboard(page: Page) -> None:
    """Some letters, a key, and there it stands: in far less than ten seconds."""
    page.goto("/")
    begun = time.monotonic()
    box = page.get_by_label("Search cards and rules")
    box.press_sequentially("opportun")
    first = page.locator("#glance a").first
    expect(first).to_contain_text("Attack of opportunity")
    box.press("Tab")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("Attack of opportunity")
    assert time.monotonic() - begun < 10


def test_a_rule_is_found_from_the_home_page_by_thumb(phone: Page) -> None:
    """By its Polish name, without its accents."""
    phone.goto("/")
    phone.get_by_label("Search cards and rules").fill("trwala")
    phone.get_by_role("link", name="Permanent").tap()

    expect(phone.get_by_role("heading", level=1)).to_have_text("Permanent")


def test_the_box_still_searches_cards(page: Page) -> None:
    """Enter asks for cards, as before."""
    page.goto("/")
    page.get_by_label("Search cards and rules").fill("shrivelling")
    page.keyboard.press("Enter")

    expect(page).to_have_url("/cards/?q=shrivelling")


def test_the_rules_are_sifted_while_one_types(page: Page) -> None:
    """And the address is that of the search."""
    page.goto("/rules/")
    box = page.get_by_label("Rule or term, in English or Polish")
    box.press_sequentially("massiv")

    expect(page.locator("#found .entries a").first).to_have_text("Massive")
    expect(page).to_have_url("/rules/?q=massiv")
    expect(box).to_be_focused()


def test_a_rule_is_read_without_scripts(scriptless: Page) -> None:
    """What it superseded is one click away; an older FAQ is a form."""
    scriptless.goto("/")
    scriptless.get_by_role("link", name="Rules", exact=True).click()
    scriptless.get_by_label("Rule or term, in English or Polish").fill("permanent")
    scriptless.get_by_role("button", name="Search").click()
    scriptless.get_by_role("link", name="Permanent", exact=True).click()
    old = scriptless.get_by_text("In play it cannot be discarded")
    expect(old).not_to_be_visible()
    scriptless.get_by_text("Since FAQ 1.1; what held until then").click()
    expect(old).to_be_visible()
    scriptless.get_by_label("Read it as of FAQ").select_option("1.0")
    scriptless.get_by_role("button", name="Show").click()

    expect(scriptless.get_by_text("As it was at FAQ 1.0")).to_be_visible()
    expect(old).to_be_visible()
