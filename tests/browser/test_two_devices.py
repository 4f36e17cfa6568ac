"""Two devices edit one deck: the second sees both versions and loses nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck
from tests.browser.looks import scrolls_sideways, small_targets
from tests.decks.helpers import NOW

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
MACHETE, DODGE = "01020", "01023"


@pytest.fixture
def deck(live_server: LiveServer) -> Deck:
    """A deck of Alice's."""
    ensure_embedded_pool()
    alice = User.objects.create_user("alice", password="alice-of-arkham")
    content = starter_deck(embedded_pool(), "01001")
    return services.create_deck(owner=alice, content=content, now=NOW, name="Ours")


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def devices(
    request: pytest.FixtureRequest, live_server: LiveServer, browser: Browser
) -> Iterator[tuple[Page, Page]]:
    """A laptop, and a phone with or without scripts; Alice is signed in on both.

    Chromium logs a 412 in the console, so it isn't checked here.
    """
    contexts = [
        browser.new_context(base_url=live_server.url, **options)
        for options in (LAPTOP, PHONE | {"java_script_enabled": request.param})
    ]
    laptop, phone = (context.new_page() for context in contexts)
    yield laptop, phone
    for context in contexts:
        context.close()


def _sign_in(page: Page, then: str) -> None:
    page.goto(f"/account/login/?next={then}")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{then}")


def _fits(phone: Page) -> None:
    assert not scrolls_sideways(phone)
    assert small_targets(phone) == []


def _copies(deck: Deck) -> tuple[int, int]:
    """Return the numbers of Machetes and Dodges in the latest revision."""
    deck.refresh_from_db()
    slots = deck.revisions.get(number=deck.revision).list["slots"]
    return slots[MACHETE], slots[DODGE]


def test_cards_edited_on_two_devices(deck: Deck, devices: tuple[Page, Page]) -> None:
    """Whichever version is chosen, both edits stay among the revisions."""
    laptop, phone = devices
    for page in devices:
        _sign_in(page, f"/decks/{deck.pk}/edit")
    fewer = laptop.locator(f"#fewer-{MACHETE}")
    fewer.click()
    expect(laptop.locator('#builder[data-revision="2"]')).to_be_attached()

    # The phone is refused, and shows where the two differ.
    phone.locator(f"#fewer-{DODGE}").tap()
    told = phone.get_by_role("heading", level=1)
    expect(told).to_have_text("The deck has changed")
    expect(phone.get_by_role("row", name=re.compile("^Dodge 1 2"))).to_be_visible()
    expect(phone.get_by_role("row", name=re.compile("^Machete 2 1"))).to_be_visible()
    _fits(phone)
    assert _copies(deck) == (1, 2)

    # It takes the other version, and makes its own change again.
    phone.get_by_role("link", name="Keep the current version").tap()
    expect(phone.locator('#builder[data-revision="2"]')).to_be_attached()
    phone.locator(f"#fewer-{DODGE}").tap()
    expect(phone.locator('#builder[data-revision="3"]')).to_be_attached()
    assert _copies(deck) == (1, 1)

    # Now the laptop is the second; it insists, and can undo that.
    laptop.locator(f"#more-{MACHETE}").click()
    laptop.get_by_role("button", name="Use your version").click()
    expect(laptop.locator('#builder[data-revision="4"]')).to_be_attached()
    assert _copies(deck) == (2, 2)
    laptop.locator("#undo").click()
    expect(laptop.locator('#builder[data-revision="5"]')).to_be_attached()
    assert _copies(deck) == (1, 1)


def test_notes_edited_on_two_devices(deck: Deck, devices: tuple[Page, Page]) -> None:
    """The text typed on the phone stays, beside what the laptop saved."""
    laptop, phone = devices
    for page, notes in ((laptop, "Guns first."), (phone, "Clues first.")):
        _sign_in(page, f"/decks/{deck.pk}/about")
        page.get_by_label("Notes", exact=True).fill(notes)
    laptop.get_by_role("button", name="Save").click()
    laptop.wait_for_url(f"**/decks/{deck.pk}/")

    phone.get_by_role("button", name="Save").tap()
    expect(phone.get_by_role("alert")).to_contain_text("changed them after")
    expect(phone.get_by_label("Current notes")).to_have_value("Guns first.")
    mine = phone.get_by_label("Notes", exact=True)
    expect(mine).to_have_value("Clues first.")
    _fits(phone)
    deck.refresh_from_db()
    assert deck.notes == "Guns first."

    mine.fill("Guns first. Then clues.")
    phone.get_by_role("button", name="Save your version").tap()
    phone.wait_for_url(f"**/decks/{deck.pk}/")
    deck.refresh_from_db()
    assert deck.notes == "Guns first. Then clues."
