"""The page goes on after a press that the server refuses, or never receives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns.models import Campaign
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck
from tests.campaigns.helpers.tables import a_campaign
from tests.decks.helpers import NOW
from tests.rules.campaign.helpers.small import DAISY, ROLAND

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture
def alice(live_server: LiveServer) -> User:
    """Alice, and the cards."""
    ensure_embedded_pool()
    return User.objects.create_user("alice", password="alice-of-arkham")


@pytest.fixture
def phone(live_server: LiveServer, browser: Browser, alice: User) -> Iterator[Page]:
    """Her phone, whose console isn't checked: Chromium logs every refusal."""
    context = browser.new_context(base_url=live_server.url, **PHONE)
    page = context.new_page()
    page.goto("/account/login/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda address: "login" not in address)
    yield page
    context.close()


@pytest.fixture
def deck(alice: User) -> Deck:
    """A first deck of hers."""
    content = starter_deck(embedded_pool(), "01001")
    return services.create_deck(owner=alice, content=content, now=NOW)


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """Her campaign, which asks who plays."""
    return a_campaign(alice, ROLAND, DAISY)


def _fewer(page: Page, seen: int) -> None:
    """Remove a card from revision ``seen``, which makes a new one."""
    builder = page.locator("#builder")
    expect(builder).to_have_attribute("data-revision", str(seen))
    page.locator("button[id^=fewer-]").first.click()
    expect(builder).to_have_attribute("data-revision", str(seen + 1))


def test_the_builder_goes_on_after_a_press_without_connection(
    phone: Page, deck: Deck
) -> None:
    """One notice is shown, and the next press is sent."""
    phone.goto(f"/decks/{deck.pk}/edit?view=deck")
    _fewer(phone, 1)
    phone.context.set_offline(True)
    phone.locator("button[id^=fewer-]").first.click()
    notice = phone.get_by_text("We can’t reach the server.")
    expect(notice).to_be_in_viewport()

    phone.context.set_offline(False)
    _fewer(phone, 2)

    expect(notice).to_be_hidden()


def test_an_error_page_is_not_put_into_the_builder(
    phone: Page, deck: Deck, settings: Settings
) -> None:
    """Its message is shown; the deck stays as it is."""
    phone.goto(f"/decks/{deck.pk}/edit?view=deck")
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "revisions": 1}
    phone.locator("button[id^=fewer-]").first.click()

    expect(phone.locator("#notice")).to_contain_text("Limit reached. This deck")
    expect(phone.locator("header.masthead")).to_have_count(1)
    expect(phone.locator("#builder")).to_have_attribute("data-revision", "1")


@pytest.mark.parametrize(
    ("cookie", "said"),
    [("sessionid", "sign in to see it"), ("csrftoken", "This form has expired.")],
)
def test_a_refused_answer_stays_filled_in(
    phone: Page, campaign: Campaign, cookie: str, said: str
) -> None:
    """The reason is beside the button, and outlasts the next poll for news."""
    phone.goto(f"/campaigns/{campaign.pk}/")
    phone.get_by_label("Roland Banks").uncheck()
    phone.context.clear_cookies(name=cookie)
    phone.locator("form[data-answer]").get_by_role("button").click()

    notice = phone.locator("form[data-answer] #notice")
    expect(notice).to_contain_text(said)
    expect(notice).to_be_in_viewport()
    phone.wait_for_event("requestfinished", lambda sent: "/news" in sent.url)
    phone.wait_for_timeout(200)
    expect(notice).to_be_visible()
    expect(phone.get_by_label("Roland Banks")).not_to_be_checked()


def test_the_reason_for_a_refusal_is_in_view(phone: Page, campaign: Campaign) -> None:
    """It is above the question, without scrolling."""
    phone.goto(f"/campaigns/{campaign.pk}/")
    for each in ("Roland Banks", "Daisy Walker"):
        phone.get_by_label(each).uncheck()
    phone.locator("form[data-answer]").get_by_role("button").click()

    said = phone.locator("#table").get_by_role("alert")
    expect(said).to_contain_text("Choose 1 to 4 investigators")
    expect(said).to_be_in_viewport(ratio=1)


def test_a_kept_answer_survives_a_refusal(phone: Page, campaign: Campaign) -> None:
    """Given without a connection, refused for a while, then written."""
    phone.goto(f"/campaigns/{campaign.pk}/")
    phone.get_by_label("Roland Banks").uncheck()
    phone.context.set_offline(True)
    phone.locator("form[data-answer]").get_by_role("button").click()
    kept = phone.get_by_text("Your answer is saved on this device")
    expect(kept).to_be_in_viewport()
    address = f"**/campaigns/{campaign.pk}/"
    phone.route(address, lambda route: route.fulfill(status=429, body="later"))

    phone.context.set_offline(False)
    phone.wait_for_event("response", lambda answer: answer.status == 429)
    expect(kept).to_be_visible()
    phone.unroute(address)

    expect(phone.locator("#table-after")).to_have_value("2")
    expect(kept).to_be_hidden()
