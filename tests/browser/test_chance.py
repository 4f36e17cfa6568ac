"""Chance in a browser: drawing a weakness, a hand and its odds, a table's products."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from cardpool.services import ensure_embedded_pool
from decks.models import Collection, Draw
from tests.browser.conftest import OpensPage
from tests.browser.looks import scrolls_sideways, small_targets

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
# The successive values of a progress bar on the page.
_WATCHED = """() => {
  window.bars = [];
  const look = () => {
    const bar = document.querySelector("progress");
    if (bar && bars.at(-1) !== bar.value) bars.push(bar.value);
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
NO_SCRIPTS: dict[str, Any] = {**PHONE, "java_script_enabled": False}


@pytest.fixture(autouse=True)
def _cards(live_server: LiveServer) -> None:
    ensure_embedded_pool()


def _begin(page: Page) -> str:
    """Build a legal first deck; return the address of its page."""
    page.goto("/decks/new/01001/")
    page.get_by_role("button", name="Begin with a legal deck").click()
    page.wait_for_url("**/edit*")
    return page.url.removesuffix("edit").split("?")[0].removesuffix("edit")


def _is_fit_for_a_thumb(page: Page) -> None:
    assert small_targets(page) == []
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("window", [PHONE, NO_SCRIPTS], ids=["phone", "no scripts"])
def test_a_weakness_is_drawn_and_can_be_checked(
    open_page: OpensPage, window: dict[str, Any]
) -> None:
    page = open_page(**window)
    deck = _begin(page)
    page.get_by_role("link", name="Draw at random").first.click()
    page.wait_for_url("**/weaknesses")
    if "java_script_enabled" not in window:
        _is_fit_for_a_thumb(page)
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Drawn:")
    expect(page.locator("#draws + ol")).to_contain_text("this seed gives this result")
    page.get_by_text("Record").click()
    expect(page.get_by_text("Drawn from")).to_be_visible()
    page.get_by_role("link", name="Correct this draw").click()
    page.get_by_label("Reason").fill("The card was lost.")
    page.get_by_role("button", name="Correct the draw").click()
    expect(page.locator("#draws + ol")).to_contain_text("The card was lost.")
    page.goto(f"{deck}edit")
    expect(page.get_by_role("link", name="Draw at random").first).to_be_visible()
    assert Draw.objects.count() == 1


@pytest.mark.parametrize("window", [PHONE, NO_SCRIPTS], ids=["phone", "no scripts"])
def test_a_hand_is_dealt_and_exchanged_and_its_odds_shown(
    open_page: OpensPage, window: dict[str, Any]
) -> None:
    page = open_page(**window)
    page.goto(_begin(page))
    page.get_by_text("More", exact=True).first.click()
    page.get_by_role("link", name="Opening hand").click()
    page.wait_for_url("**/hand")
    if "java_script_enabled" not in window:
        _is_fit_for_a_thumb(page)
    boxes = page.locator('input[name="give"]')
    expect(boxes).to_have_count(5)
    boxes.nth(0).check()
    page.locator(".hand .face").nth(1).click(force=True)  # anywhere on a card
    expect(boxes.nth(1)).to_be_checked()
    page.get_by_role("button", name="Take the mulligan").click()
    expect(page.locator("#dealt + ul li")).to_have_count(5)
    page.get_by_role("link", name="Draw for the next turn").click()
    expect(page.get_by_role("heading", name="Upkeep phase of turn 1")).to_be_visible()
    page.locator('input[name="want"]').first.check()
    page.get_by_role("button", name="Show the odds").click()
    odds = page.get_by_role("region", name="Odds", exact=True)
    expect(odds.locator("svg.chart")).to_be_visible()
    expect(odds.locator(".odds-table tbody tr")).to_have_count(10)
    if "java_script_enabled" not in window:
        _is_fit_for_a_thumb(page)


@pytest.mark.parametrize("window", [PHONE, NO_SCRIPTS], ids=["phone", "no scripts"])
def test_opening_hands_are_simulated_in_batches(
    open_page: OpensPage, window: dict[str, Any]
) -> None:
    """With scripts a bar shows the progress; without, all results come at once."""
    page = open_page(**window)
    page.goto(f"{_begin(page)}hand")
    asked: list[str] = []
    if window is PHONE:
        page.evaluate(_WATCHED)
    page.on("request", lambda request: asked.append(request.url.partition("?")[2]))
    page.get_by_role("link", name="Simulate openings").click()
    simulated = page.locator("#simulated")
    expect(simulated.get_by_role("table")).to_be_visible()
    expect(simulated.get_by_role("progressbar")).to_have_count(0)
    parts = [each for each in asked if "tempo" in each]
    if window is PHONE:
        assert parts == [f"tempo={part}" for part in range(1, 6)]
        assert page.evaluate("bars") == [1, 2, 3, 4]
        expect(simulated.get_by_role("heading")).to_be_focused()
    else:
        assert parts == ["tempo=5"]


def test_a_collection_is_checked_against_the_decks_of_a_table(
    open_page: OpensPage,
) -> None:
    """On a phone: products are ticked, then the decks are checked."""
    User.objects.create_user("alice", password="alice-of-arkham")
    page = open_page(**PHONE)
    page.goto("/account/login/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.locator("main form button").click()
    page.wait_for_url(re.compile(r"^(?!.*login)"))
    page.goto("/decks/collections/new")
    _is_fit_for_a_thumb(page)
    page.locator("#own-core").click()
    page.wait_for_url(re.compile(r"collections/\d+/"))
    page.get_by_label("Name", exact=True).fill("Attic")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="Attic")).to_be_visible()
    assert Collection.objects.get().products == {"core": 1}
    _begin(page)
    page.goto("/decks/table/")
    page.get_by_label("A deck of Roland Banks").select_option("Attic")
    page.get_by_role("button", name="Check these decks").click()
    expect(page.locator("#shared")).to_be_visible()
    _is_fit_for_a_thumb(page)
