"""A deck is described, shared by a link, published, found and copied; on a phone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck
from tests.browser.conftest import OpensPage
from tests.browser.looks import scrolls_sideways, small_targets

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
NOTES = "# Why\n\n**Guns.** <marquee>Bang</marquee>\n\n|a|b|\n|:-|-:|\n|1|2|"


@pytest.fixture
def deck(live_server: LiveServer) -> Deck:
    """Alice's deck; Bob has an account as well."""
    ensure_embedded_pool()
    alice = User.objects.create_user("alice", password="alice-of-arkham")
    User.objects.create_user("bob", password="bob-of-arkham")
    content = starter_deck(embedded_pool(), "01001")
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    return services.create_deck(owner=alice, content=content, now=now)


def _sign_in(page: Page, name: str) -> None:
    page.goto("/account/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(f"{name}-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "login" not in url)


def _fits(page: Page, scripts: bool) -> None:
    if scripts:
        assert not scrolls_sideways(page)
        assert small_targets(page) == []


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_deck_is_shared_and_copied(
    open_page: OpensPage, deck: Deck, scripts: bool
) -> None:
    """Others lose it when its owner makes it private again, but keep their copies."""
    page = open_page(**PHONE, java_script_enabled=scripts)
    _sign_in(page, "alice")

    # Name, notes and tags, previewed before they are saved.
    page.goto(f"/decks/{deck.pk}/")
    page.get_by_text("More", exact=True).tap()
    _fits(page, scripts)
    page.get_by_role("link", name="Name, notes and tags").tap()
    page.get_by_label("Name").fill("Badge and gun")
    page.get_by_label("Tags").fill("solo")
    page.get_by_label("Notes").fill(NOTES)
    page.get_by_role("button", name="Preview notes").tap()
    expect(page.locator("#as-read strong")).to_have_text("Guns.")
    _fits(page, scripts)
    page.get_by_role("button", name="Save").tap()
    expect(page.get_by_role("heading", name="Why")).to_be_visible()

    # By a link, which a stranger opens.
    page.get_by_role("link", name="Visibility: Private").tap()
    page.get_by_role("button", name="Share by a link").tap()
    link = page.get_by_label("The link").input_value()
    _fits(page, scripts)
    stranger = open_page(**PHONE, java_script_enabled=scripts)
    stranger.goto(link)
    expect(stranger.get_by_role("heading", name="Badge and gun")).to_be_visible()
    expect(stranger.get_by_text("Guns. Bang")).to_be_visible()
    _fits(stranger, scripts)

    # Published; the link keeps working until the deck is private again.
    page.get_by_role("button", name="Publish", exact=True).tap()
    expect(page.get_by_text("The deck is published.")).to_be_visible()
    stranger.goto(link)
    expect(stranger.get_by_role("heading", name="Badge and gun")).to_be_visible()
    stranger.goto("/decks/published/?tag=solo")
    _fits(stranger, scripts)
    stranger.get_by_role("link", name="Badge and gun").tap()
    stranger.wait_for_url("**/decks/published/*/")
    shown = stranger.url

    # Bob copies it and keeps the copy.
    bobs = open_page(**PHONE, java_script_enabled=scripts)
    _sign_in(bobs, "bob")
    bobs.goto(shown)
    bobs.get_by_role("button", name="Copy into my decks").tap()
    bobs.wait_for_url("**/edit")
    page.get_by_role("button", name="Make private").tap()
    expect(page.get_by_text("Only you can see the deck now.")).to_be_visible()
    bobs.goto(bobs.url.removesuffix("edit"))
    expect(bobs.get_by_text("Copied from “Badge and gun” by alice")).to_be_visible()
    expect(bobs.get_by_text("It is no longer shared.")).to_be_visible()
    assert stranger.request.get(shown).status == 404
    assert stranger.request.get(link).status == 404
