"""The operator imports texts and pictures from a site, which everyone then sees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from cardpool import pictures
from cardpool.models import CardImport, CardText, Picture, TabooEntry
from cardpool.services import ensure_embedded_pool
from tests.browser.looks import small_targets
from tests.cardpool.api_shape import Site, picture_site
from tests.cardpool.sources import LANTERN, a_picture, a_source

CARDS = [
    LANTERN | {"code": "01001", "text": "A text of a test."},
    LANTERN | {"code": "01020", "position": 2},
]


@pytest.fixture
def site(
    live_server: LiveServer,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Site]:
    """A site with two cards, one with two sides; its imports are deleted afterwards."""
    ensure_embedded_pool()
    monkeypatch.setattr(pictures, "PAUSE", 0)
    settings.DATA_DIR = tmp_path / "data"
    with picture_site() as site:
        site.add_cards(
            a_source(tmp_path / "site", *CARDS),
            c01001=a_picture(420, 300),
            c01001b=a_picture(421, 300),
            c01020=a_picture(300, 420),
        )
        settings.CARD_SOURCE = site.base
        yield site
    for model in (Picture, CardText, CardImport):
        model._default_manager.all().delete()
    TabooEntry.objects.update(text="")


def _sign_in(page: Page) -> None:
    User.objects.create_user("carl", password="carl-of-arkham", is_staff=True)
    page.goto("/account/login/")
    page.get_by_label("Username").fill("carl")
    page.get_by_label("Password").fill("carl-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()


def test_an_operator_imports_and_a_picture_is_shown(page: Page, site: Site) -> None:
    """From the first page to the preview of a card."""
    _sign_in(page)
    page.goto("/")
    page.get_by_role("link", name="ArkhamDB", exact=True).click()
    expect(page.get_by_label("From", exact=True)).to_have_value(site.base)

    page.get_by_role("button", name="Import cards").click()
    expect(page.get_by_text("3 new, 0 unchanged")).to_be_visible()
    expect(page.get_by_role("button", name="Import cards")).to_be_visible()

    page.goto("/cards/01001/")
    expect(page.get_by_text("A text of a test.")).to_be_visible()
    expect(page.get_by_alt_text("Back of Roland Banks")).to_be_visible()
    page.goto("/decks/new/01001/")
    page.get_by_role("button", name="Begin with a legal deck").click()
    page.locator("#card-01020 .name").hover()
    shown = page.locator("aside.preview")
    picture = shown.locator("img")
    expect(picture).to_be_visible()
    assert picture.evaluate(
        "async (it) => { await it.decode(); return it.naturalWidth }"
    )
    expect(shown.get_by_role("heading")).to_have_text("Machete")


def test_a_picture_is_shown_in_the_sheet_of_a_phone(phone: Page, site: Site) -> None:
    """A tap on it leads to the page of the card."""
    _sign_in(phone)
    phone.goto("/cards/import/")
    assert small_targets(phone) == []
    phone.get_by_role("button", name="Import cards").tap()
    expect(phone.get_by_text("Done.")).to_be_visible()

    phone.goto("/cards/?q=machete level:0")
    phone.get_by_role("link", name="Machete", exact=True).tap()
    sheet = phone.get_by_role("dialog")
    expect(sheet.locator("img")).to_be_visible()
    sheet.locator("img").tap()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Machete")


def test_an_import_needs_no_scripts(scriptless: Page, site: Site) -> None:
    """The page shows the progress whenever it is loaded."""
    _sign_in(scriptless)
    scriptless.goto("/cards/import/")
    scriptless.get_by_role("button", name="Import cards").click()
    for _turn in range(60):
        if scriptless.get_by_text("Done.").count():
            break
        scriptless.wait_for_timeout(500)
        scriptless.goto("/cards/import/")
    expect(scriptless.get_by_text("Done.")).to_be_visible()
