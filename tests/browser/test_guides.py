"""Guides are imported on a phone: faults are shown, and a guide can be removed."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import FilePayload, Page, expect

from arkham.accounts.models import User
from tests.browser.looks import scrolls_sideways, small_targets
from tests.campaigns.helpers.zips import guide_files, zipped
from tests.rules.campaign.helpers.small import a_note, a_step


def _zip(content: bytes) -> FilePayload:
    return {"name": "guides.zip", "mimeType": "application/zip", "buffer": content}


def _signed_in(page: Page) -> None:
    page.goto("/account/login/?next=/campaigns/guides/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Campaign guides")).to_be_visible()


def _bring(page: Page, content: bytes) -> None:
    page.get_by_label("Zip with guides").set_input_files(_zip(content))
    page.get_by_role("button", name="Import guides").click()


@pytest.mark.django_db(transaction=True)
def test_guides_are_imported_and_removed(phone: Page, alice: User) -> None:
    """Faults are shown with their path; every target is large enough."""
    steps = (a_step(a_note("a")), {"id": "b", "steps": ["gone"]})
    files = guide_files("own", *steps)
    files["campaigns/bad/x.json"] = json.dumps([]).encode()
    _signed_in(phone)
    assert small_targets(phone) == []

    _bring(phone, zipped(files))
    expect(phone.get_by_role("status")).to_have_text("1 is new.")
    expect(phone.get_by_text("campaigns/bad/x.json")).to_be_visible()
    expect(phone.get_by_text("own/one · b")).to_be_hidden()
    phone.get_by_text("1 flaw that matters at the table").last.click()
    expect(phone.get_by_text("own/one · b")).to_be_visible()
    assert small_targets(phone) == []
    assert not scrolls_sideways(phone)

    phone.get_by_role("link", name="Our own").click()
    expect(phone.get_by_role("heading", name="Our own")).to_be_visible()
    assert not scrolls_sideways(phone)
    phone.get_by_role("link", name="Remove it").click()
    phone.get_by_role("button", name="Remove it").click()
    expect(phone.get_by_text("“Our own” was removed.")).to_be_visible()
    expect(phone.get_by_text("You haven’t imported any yet.")).to_be_visible()


@pytest.mark.django_db(transaction=True)
def test_guides_are_imported_without_scripts(scriptless: Page, alice: User) -> None:
    """With the same form and the same results."""
    _signed_in(scriptless)

    _bring(scriptless, zipped(guide_files()))

    expect(scriptless.get_by_text("No flaws")).to_be_visible()
