"""An API key: created on a phone, copied once, used, revoked."""

from __future__ import annotations

import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from tests.browser.looks import scrolls_sideways, small_targets


def _status(server: LiveServer, key: str) -> int:
    """Return the status of a request with this key."""
    request = urllib.request.Request(  # noqa: S310
        f"{server.url}/api/v1/decks/", headers={"Authorization": f"Bearer {key}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as refusal:
        return refusal.code


@pytest.mark.django_db(transaction=True)
def test_a_key_is_made_and_revoked(
    phone: Page, live_server: LiveServer, alice: User
) -> None:
    """Every target is large enough for a thumb."""
    phone.goto("/account/login/?next=/account/")
    phone.get_by_label("Username").fill("alice")
    phone.get_by_label("Password").fill("alice-of-arkham")
    phone.get_by_role("main").get_by_role("button", name="Sign in").click()
    phone.get_by_role("link", name="Keys for programs").click()
    phone.get_by_label("Name of the program").fill("scribe")
    phone.get_by_label("Access").select_option("read and write")
    phone.get_by_role("button", name="Create key").click()

    key = phone.get_by_label("Copy it now").input_value()
    assert small_targets(phone) == []
    assert not scrolls_sideways(phone)
    assert _status(live_server, key) == 200

    phone.get_by_role("link", name="Revoke the key of scribe").click()
    phone.get_by_role("button", name="Revoke key").click()
    expect(phone.get_by_text("Key revoked.")).to_be_visible()
    expect(phone.get_by_label("Copy it now")).to_have_count(0)
    assert _status(live_server, key) == 401
