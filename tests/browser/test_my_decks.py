"""Dozens of decks on a phone: many at once, the bin, a pull list that stays ticked."""

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
from tests.browser.conftest import OpensPage
from tests.browser.looks import scrolls_sideways, small_targets

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMES = ("Big guns", "Evidence first", "Rusty hooks")


@pytest.fixture
def alice(live_server: LiveServer) -> User:
    """A user with a few decks."""
    ensure_embedded_pool()
    user = User.objects.create_user("alice", password="alice-of-arkham")
    content = starter_deck(embedded_pool(), "01001")
    for name in NAMES:
        services.create_deck(owner=user, content=content, now=NOW, name=name)
    return user


def _choose(page: Page, *names: str) -> None:
    for name in names:
        page.get_by_label(f"Choose {name}").check()


@pytest.mark.usefixtures("alice")
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("width", [390, 320])
def test_many_decks_are_managed_on_a_phone(
    open_page: OpensPage, scripts: bool, width: int
) -> None:
    """Chosen, moved into a folder, deleted, restored, and pulled from the binders."""
    page = open_page(
        viewport={"width": width, "height": 844}, has_touch=True,
        java_script_enabled=scripts,
    )  # fmt: skip
    page.goto("/account/login/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "login" not in url)

    page.goto("/decks/")
    bar = page.get_by_role("group", name="Chosen decks")
    expect(bar).to_be_hidden()
    _choose(page, "Big guns", "Rusty hooks")
    expect(bar).to_be_visible()
    if scripts:
        assert not scrolls_sideways(page)
        assert small_targets(page) == []

    bar.get_by_role("button", name="Move").tap()
    page.get_by_label("Name", exact=True).fill("Solo")
    page.get_by_role("button", name="Move the decks").tap()
    expect(page.get_by_text("2 decks are in “Solo” now.")).to_be_visible()

    _choose(page, "Big guns", "Evidence first")
    bar.get_by_role("button", name="Delete").tap()
    expect(page.get_by_role("heading", name="Delete 2 decks?")).to_be_visible()
    page.get_by_role("button", name="Delete the decks").tap()
    expect(page.get_by_text("2 decks are in the bin.")).to_be_visible()
    page.get_by_role("link", name="Bin (2)").tap()
    page.get_by_role("button", name="Restore Big guns").tap()
    expect(page.get_by_role("link", name="Big guns", exact=True)).to_be_visible()

    _choose(page, "Big guns", "Rusty hooks")
    bar.get_by_role("button", name="Pull list").tap()
    expect(page.get_by_role("heading", name="Pull list")).to_be_visible()
    if scripts:
        assert not scrolls_sideways(page)
        page.get_by_label("Machete").check()
        page.reload()
        expect(page.get_by_label("Machete")).to_be_checked()
