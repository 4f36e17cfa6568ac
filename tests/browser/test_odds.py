"""The odds page in a browser: a bag is chosen, changed, queried and drawn from."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpensPage
from tests.browser.looks import scrolls_sideways, small_targets

PHONE: dict[str, Any] = {"viewport": {"width": 320, "height": 700}, "has_touch": True}
NO_SCRIPTS: dict[str, Any] = {**PHONE, "java_script_enabled": False}


def _is_fit_for_a_thumb(page: Page) -> None:
    assert small_targets(page) == []
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("window", [PHONE, NO_SCRIPTS], ids=["phone", "no scripts"])
def test_odds_of_a_changed_bag_are_shown_and_tokens_drawn(
    open_page: OpensPage, window: dict[str, Any]
) -> None:
    page = open_page(**window)
    page.goto("/")
    page.get_by_role("link", name="Know the odds").click()
    expect(page).to_have_url(re.compile("/odds/"))
    _is_fit_for_a_thumb(page)

    page.get_by_label("Scenario").select_option(label="The Devourer Below")
    page.get_by_label("Difficulty").first.select_option(label="Hard")
    page.get_by_role("button", name="Use its chaos bag").click()
    expect(page.get_by_label("Modifier of Elder thing")).to_have_value("-7")
    before = page.locator(".answer strong").inner_text()

    page.get_by_label("Bless", exact=True).fill("10")
    page.get_by_label("Skill value").fill("5")
    if window is NO_SCRIPTS:
        page.get_by_role("button", name="Show the odds").click()
    answer = page.locator(".answer")
    expect(answer).to_contain_text("skill 5 against difficulty 3")
    expect(answer.locator("strong")).not_to_have_text(before)
    page.get_by_text("Show as a table").first.click()
    expect(page.locator("tr.asked th").first).to_have_text("5")
    _is_fit_for_a_thumb(page)

    page.get_by_role("button", name="Reveal tokens from this bag").click()
    expect(page).to_have_url(re.compile(r"/odds/bag/\?.*seed="))
    expect(page.get_by_role("button", name="Add 1 Bless")).to_be_disabled()
    page.get_by_role("button", name="Reveal a token").click()
    expect(page.locator(".chip")).to_have_count(1)
    page.get_by_role("button", name="Reveal another").click()
    expect(page.locator(".chip")).to_have_count(2)
    _is_fit_for_a_thumb(page)
    page.get_by_role("button", name="End the test").click()
    expect(page.locator(".chip")).to_have_count(0)
    page.get_by_role("button", name="Add 1 Curse").click()
    expect(page.get_by_role("group", name="Curse").locator("output")).to_have_text("1")
    page.get_by_role("link", name="Undo the last step").click()
    expect(page.get_by_role("group", name="Curse").locator("output")).to_have_text("0")


def test_the_odds_of_a_test_are_found_by_keyboard(page: Page) -> None:
    page.goto("/odds/")
    page.get_by_label("Skill value").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".answer")).to_contain_text("skill 5 against difficulty 3")
    expect(page.get_by_label("Skill value")).to_be_focused()
    expect(page).to_have_url(re.compile("skill=5"))
