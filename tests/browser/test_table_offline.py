"""An answer given without network survives a refresh, with two devices."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from campaigns.models import Campaign, Role
from cardpool.services import ensure_embedded_pool
from tests.browser.offline import LAPTOP, device, sign_in, wait_until_kept
from tests.campaigns.helpers.tables import a_campaign, a_member, as_answers, report, who
from tests.rules.campaign.helpers.small import DAISY, ROLAND

WAITS = "Your answer is saved on this device"
AS_IT_WAS = "No network. This is the page as it was"


@pytest.fixture
def campaign(live_server: LiveServer) -> Campaign:
    """Alice's campaign, at which Bob may write too; it asks who plays."""
    ensure_embedded_pool()
    alice = User.objects.create_user("alice", password="alice-of-arkham")
    bob = User.objects.create_user("bob", password="bob-of-arkham")
    found = a_campaign(alice, ROLAND, DAISY)
    a_member(found, bob, Role.SCRIBE)
    return found


@pytest.fixture
def devices(
    browser: Browser, live_server: LiveServer, campaign: Campaign
) -> Iterator[tuple[Page, Page]]:
    """Alice's phone and Bob's laptop, both on the table's page."""
    phone = device(browser, live_server.url)
    laptop = device(browser, live_server.url, **LAPTOP)
    address = f"/campaigns/{campaign.pk}/"
    sign_in(phone, "alice", address)
    sign_in(laptop, "bob", address)
    wait_until_kept(phone, address)
    yield phone, laptop
    phone.context.close()
    laptop.context.close()


def _only_daisy(page: Page) -> None:
    """Fill in the answer: Daisy plays, Roland does not."""
    page.get_by_label("Roland Banks").uncheck()
    page.locator("form[data-answer]").get_by_role("button").click()


def test_an_answer_survives_a_refresh_and_reaches_the_other_device(
    devices: tuple[Page, Page], campaign: Campaign
) -> None:
    """It waits on the page, and is written once."""
    phone, laptop = devices
    phone.context.set_offline(True)
    _only_daisy(phone)
    expect(phone.get_by_text(WAITS)).to_be_visible()
    phone.reload()
    expect(phone.get_by_text(AS_IT_WAS)).to_be_visible()
    expect(phone.get_by_text(WAITS)).to_be_visible()
    phone.goto("/offline/")
    waiting = phone.get_by_role("region", name="Not sent yet")
    waiting.get_by_role("link", name=f"/campaigns/{campaign.pk}/").tap()
    expect(phone.get_by_text(WAITS)).to_be_visible()

    phone.context.set_offline(False)
    expect(phone.locator("#table-after")).to_have_value("2")
    expect(laptop.locator("#table-after")).to_have_value("2")
    campaign.refresh_from_db()
    assert campaign.entries.get(sequence=2).payload["value"] == [[DAISY, ["chosen"]]]


def test_a_late_answer_is_shown_beside_the_others(
    devices: tuple[Page, Page], campaign: Campaign
) -> None:
    """After a refresh without network too; what was missed is shown."""
    phone, laptop = devices
    phone.context.set_offline(True)
    _only_daisy(phone)
    expect(phone.get_by_text(WAITS)).to_be_visible()
    phone.reload()
    report(campaign, as_answers(who(ROLAND, DAISY)))
    expect(laptop.locator("#table-after")).to_have_value("2")
    phone.context.set_offline(False)
    expect(phone.get_by_text("Your answer wasn’t sent")).to_be_visible()
    expect(phone.get_by_text("alice answered this first.")).to_be_visible()
    campaign.refresh_from_db()
    assert campaign.last == 2
