"""The operator blocks an account; a user creates a webhook and tests it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.webhooks.models import Delivery
from tests.browser.looks import axe_faults, small_targets

pytestmark = pytest.mark.usefixtures("live_server")

PHONE = {"width": 390, "height": 844}


def _sign_in(page: Page, name: str, *, is_staff: bool = False) -> None:
    User.objects.create_user(name, password=f"{name}-of-arkham", is_staff=is_staff)
    page.goto("/account/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(f"{name}-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page).not_to_have_url("/account/login/")


def _is_sound(page: Page) -> None:
    """Check with axe, and for small targets and sideways scrolling."""
    assert axe_faults(page) == []
    assert small_targets(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_an_operator_blocks_an_account(page: Page, live_server: LiveServer) -> None:
    """Starting at the account page, on a phone."""
    page.set_viewport_size({"width": 390, "height": 844})
    User.objects.create_user("mallory", password="mallory-of-arkham")
    _sign_in(page, "olivia", is_staff=True)
    page.goto("/account/")
    page.get_by_role("link", name="This server").click()
    expect(page.get_by_role("heading", name="Health")).to_be_visible()
    _is_sound(page)
    page.get_by_role("link", name="Search accounts").click()
    page.get_by_label("Name or e-mail address").fill("mall")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main").get_by_text("olivia")).to_have_count(0)
    page.get_by_role("button", name="Block mallory").click()
    expect(page.get_by_role("button", name="Unblock mallory")).to_be_visible()
    _is_sound(page)
    assert not User.objects.get(username="mallory").is_active


def test_a_webhook_is_created_tested_and_deleted(
    page: Page, live_server: LiveServer, settings: Settings
) -> None:
    """The test goes to this server, which has no such address."""
    page.set_viewport_size({"width": 390, "height": 844})
    settings.ORNE_OWN_WEBHOOK_SITES = [live_server.url.removeprefix("http://")]
    _sign_in(page, "wanda")
    page.goto("/account/")
    page.get_by_role("link", name="Webhooks").click()
    page.get_by_label("Address").fill(f"{live_server.url}/nowhere")
    page.get_by_label("Deck deleted").uncheck()
    page.get_by_role("button", name="Create webhook").click()
    secret = page.get_by_label("Secret: copy it now")
    expect(secret).to_be_visible()
    expect(secret).to_have_value(
        User.objects.get(username="wanda").webhooks.get().secret
    )
    _is_sound(page)
    page.get_by_role("link", name=f"{live_server.url}/nowhere").first.click()
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("Not delivered: answer")).to_be_visible()
    _is_sound(page)
    Delivery.objects.update(state=Delivery.State.FAILED)
    page.reload()
    page.get_by_role("button", name="Send the message of").click()
    expect(page.get_by_text("Not delivered: answer")).to_be_visible()
    page.get_by_role("link", name="Delete webhook").click()
    page.get_by_role("button", name="Delete webhook").click()
    expect(page.get_by_text("No webhooks yet.")).to_be_visible()
