"""A whole Gathering takes two people on two phones 44 presses at most.

From the first page to decks that may be upgraded: begun, joined, set up, five tests
with the live bag, resolved and settled. A press is a tap; a select takes two.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from cardpool.services import ensure_embedded_pool
from tests.browser.looks import scrolls_sideways, small_targets
from tests.campaigns.helpers.tables import have_our_guides
from tests.rules.campaign.helpers.small import DAISY, ROLAND

MOST = 44
TESTS = 5


class Table:
    """Alice and her guest, each with a phone; counts the presses of both."""

    def __init__(self, alice: Page, guest: Page) -> None:
        self.alice, self.guest = alice, guest
        self.presses = 0

    def tap(self, control: Locator) -> None:
        """Tap once."""
        control.tap()
        self.presses += 1

    def pick(self, field: Locator, value: str) -> None:
        """Choose an option of a select: two presses."""
        field.select_option(value)
        self.presses += 2

    def answer(self, page: Page, question: str, button: str) -> None:
        """Answer a question by one button; the other phone follows by itself."""
        expect(page.locator("#now-title")).to_contain_text(question)
        assert not scrolls_sideways(page)
        assert small_targets(page) == []
        before = page.locator("#now-title").inner_text()
        self.tap(page.locator("#now").get_by_role("button", name=button, exact=True))
        expect(page.locator("#now-title")).not_to_have_text(before)

    def test_once(self, page: Page) -> None:
        """Reveal a token, and end the test."""
        self.tap(page.locator("#draw"))
        expect(page.locator("#end")).to_be_enabled()
        page.wait_for_timeout(500)  # sooner, it would count as a double tap
        self.tap(page.locator("#end"))
        expect(page.locator("#end")).to_be_disabled()


@pytest.fixture
def table(live_server: LiveServer, browser: Browser, alice: User) -> Iterator[Table]:
    """Alice is signed in; her guest has no name yet.

    Chromium logs requests that are aborted by leaving a page.
    """
    ensure_embedded_pool()
    have_our_guides()
    client = Client()
    client.force_login(alice)
    contexts = [
        browser.new_context(
            base_url=live_server.url,
            viewport={"width": 390, "height": 844},
            has_touch=True,
            is_mobile=True,
        )
        for _phone in range(2)
    ]
    mine, theirs = (context.new_page() for context in contexts)
    name = settings.SESSION_COOKIE_NAME
    mine.context.add_cookies(
        [{"name": name, "value": client.cookies[name].value, "url": live_server.url}]
    )
    yield Table(mine, theirs)
    for context in contexts:
        context.close()


def _arrive(table: Table) -> None:
    alice, guest = table.alice, table.guest
    alice.goto("/campaigns/")
    table.tap(alice.get_by_role("link", name="Begin a campaign").first)
    value = alice.locator("#id_guide option", has_text="Night of the Zealot").first
    table.pick(alice.locator("#id_guide"), value.get_attribute("value") or "")
    table.pick(alice.locator("#id_seat_1"), f"code:{ROLAND}")
    table.pick(alice.locator("#id_seat_2"), f"code:{DAISY}")
    table.tap(alice.get_by_role("button", name="Begin", exact=True))
    guest.goto(alice.locator("#invite-link").input_value())
    table.tap(guest.get_by_label("Your name at the table"))
    guest.keyboard.insert_text("Gus")
    table.tap(guest.get_by_role("button", name="Play Daisy Walker"))
    expect(guest.get_by_text("You play as Gus, a guest")).to_be_visible()


def _set_up(table: Table) -> None:
    alice, guest = table.alice, table.guest
    table.answer(guest, "Who takes part", "Continue")
    table.answer(guest, "Which difficulty", "Standard")
    table.answer(alice, "random basic weakness", "Continue")
    table.answer(alice, "Which weakness", "Draw for every investigator")
    table.answer(guest, "Weaknesses in your decks", "Decks are up to date")
    table.answer(guest, "The Gathering", "Begin")
    leads = guest.get_by_role("group", name="Lead investigator")
    expect(leads.get_by_label("Roland Banks")).to_be_checked()
    table.answer(guest, "Who plays", "Continue")


def _play(table: Table) -> None:
    page = table.alice
    table.tap(page.get_by_role("link", name="Scenario", exact=True))
    expect(page.locator(".turn")).to_contain_text("end the scenario")
    for _test in range(TESTS):
        table.test_once(page)
    table.tap(page.locator(".turn a"))


def _end(table: Table) -> None:
    alice = table.alice
    table.answer(alice, "Play the scenario", "End the scenario")
    table.answer(alice, "Which resolution", "Resolution 1")
    table.answer(alice, "How did it end", "Continue")
    table.answer(alice, "Lita Chantler", "Roland Banks")
    expect(alice.locator("#now-title")).to_contain_text("victory display")
    for card in ("Ghoul Priest", "Attic", "Cellar"):
        table.tap(alice.locator("#now").get_by_text(card).first)
    table.answer(alice, "victory display", "Continue")
    table.answer(alice, "Results of this answer", "Confirm")
    table.answer(alice, "Upgrade your decks", "All decks are up to date")


def test_a_gathering_takes_few_presses(table: Table) -> None:
    """The guest answers as Alice does; each phone moves on by itself."""
    _arrive(table)
    _set_up(table)
    _play(table)
    _end(table)
    expect(table.alice.locator("#now-title")).to_contain_text("The Midnight Masks")
    expect(table.guest.locator("#now-title")).to_contain_text("The Midnight Masks")
    replay = replayed(Campaign.objects.get()).replay
    assert replay.state.people[ROLAND].experience == 6  # 4 points, and 2 more
    assert table.presses <= MOST, table.presses
