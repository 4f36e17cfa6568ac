"""The log of a campaign on a phone, by keyboard and without scripts."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from arkham.accounts.models import User
from campaigns.models import Campaign
from tests.browser.looks import scrolls_sideways, small_targets
from tests.campaigns.helpers.tables import (
    a_campaign,
    as_answers,
    report,
    sequence_of,
    who,
)
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def played(alice: User) -> Campaign:
    """The first scenario was won with two victory points."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    return campaign


def _open(page: Page, campaign: Campaign) -> None:
    page.goto(f"/account/login/?next=/campaigns/{campaign.pk}/log/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Campaign Notes")).to_be_visible()


def _put_right(page: Page) -> None:
    """Correct the victory display from two to five, starting at the number."""
    roland = page.get_by_role("region", name="Roland Banks")
    roland.get_by_text("Experience earned", exact=True).click()
    roland.get_by_role("link", name="entry").first.click()
    page.get_by_label(re.compile("^(The|Corrected) total")).fill("5")
    page.get_by_label("Reason for the correction").fill("Two cards were forgotten")
    page.get_by_role("button", name="Show what would change").click()
    expect(page.get_by_text("+3 experience").first).to_be_visible()
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("The log still shows the first answer")).to_be_visible()
    expect(page.get_by_text("Two cards were forgotten")).to_be_visible()


def test_a_number_is_corrected_on_a_phone(phone: Page, played: Campaign) -> None:
    """From “why?” to the correction by thumb; nothing scrolls sideways."""
    _open(phone, played)
    assert small_targets(phone) == []
    assert not scrolls_sideways(phone)

    _put_right(phone)
    assert small_targets(phone) == []
    assert not scrolls_sideways(phone)

    phone.get_by_role("link", name="Log", exact=True).click()
    roland = phone.get_by_role("region", name="Roland Banks")
    expect(roland.get_by_text("6", exact=True)).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_header_is_the_same_on_every_tab(
    page: Page, played: Campaign, width: int
) -> None:
    """The tabs don't move under the thumb that presses them."""
    page.set_viewport_size({"width": width, "height": 844})
    _open(page, played)
    shown = []
    for tab in ("table", "log", "people", "timeline", "settings", "ultimatums"):
        page.goto(reverse(f"campaigns:{tab}", args=[played.pk]))
        title = page.locator(".campaign-head .title-line")
        tabs = page.locator(".campaign-head .tabs").bounding_box()
        assert tabs
        shown.append((title.inner_text(), tabs["y"]))
    assert len(set(shown)) == 1


def test_a_number_is_corrected_without_scripts(
    scriptless: Page, played: Campaign
) -> None:
    """Details open by themselves; forms post."""
    _open(scriptless, played)
    _put_right(scriptless)


def test_a_line_is_explained_by_keyboard(page: Page, played: Campaign) -> None:
    """Tab reaches it, Enter opens it."""
    _open(page, played)
    line = page.locator("summary", has_text="Won").first
    line.focus()
    page.keyboard.press("Enter")
    expect(page.locator("details[open] .whys")).to_contain_text("one")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="entry").first).to_be_visible()


def test_the_sheet_prints_without_navigation(page: Page, played: Campaign) -> None:
    """Black on white: the sheet alone."""
    _open(page, played)
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation", name="Campaign")).to_be_hidden()
    expect(page.get_by_text("Open a line to see")).to_be_hidden()
    expect(page.get_by_role("heading", name="Campaign Notes")).to_be_visible()


def test_a_wrong_assertion_is_shown_at_its_number(page: Page, played: Campaign) -> None:
    """With the entry."""
    _open(page, played)
    page.get_by_role("link", name="Change by hand").click()
    page.get_by_text("Confirm a value").click()
    form = page.locator("#fact-assert")
    form.get_by_label("What").select_option(label="Experience of Roland Banks")
    form.get_by_label("Should be").fill("11")
    form.get_by_role("button", name="Record it").click()
    roland = page.get_by_role("region", name="Roland Banks")
    expect(roland.get_by_text("the table says 11, the log 3")).to_be_visible()


def test_restarting_a_scenario_asks_first(page: Page, played: Campaign) -> None:
    """What would be lost is shown before."""
    _open(page, played)
    page.get_by_role("link", name="Timeline").click()
    page.get_by_role("link", name="Restart this scenario").last.click()
    expect(page.get_by_text("−3 experience").first).to_be_visible()
    page.get_by_role("button", name="Restart this scenario").click()
    expect(page.get_by_text("Back at the start of the scenario.")).to_be_visible()
    assert sequence_of(played, "victory") > 0
