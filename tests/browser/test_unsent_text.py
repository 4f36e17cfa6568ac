"""Unsent text is restored to the field where it was typed, and to no other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import UltimatumChosen
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.models import Campaign, Role
from cardpool.services import ensure_embedded_pool
from decks.lists.starter import starter_deck
from decks.services import create_deck
from tests.browser.conftest import OpensPage
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    as_answers,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
COUNT = {"type": "input", "input": {"type": "counter", "text": "", "effects": []}}
NOTES = "Notes for everyone at the table"


@pytest.fixture
def alice(live_server: LiveServer) -> User:
    """Alice, who leaves pages and returns to them."""
    ensure_embedded_pool()
    return User.objects.create_user("alice", password="alice-of-arkham")


def _sign_in(page: Page, name: str, address: str) -> None:
    page.goto(f"/account/login/?next={address}")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(f"{name}-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{address}")


def _leave(page: Page) -> None:
    page.goto("/rules/a-an/")


def _in_a_scenario(alice: User, *steps: dict[str, Any]) -> Campaign:
    row = a_row(a_game("torch", *steps), id="core")
    campaign = a_campaign(alice, ROLAND, DAISY, guide=row)
    setup = as_answers(who(ROLAND, DAISY), *begun("torch", ROLAND, DAISY))
    report(campaign, setup)
    return campaign


def test_an_answer_stays_filled_in_when_others_write(phone: Page, alice: User) -> None:
    """An ultimatum keeps the question: a notice is shown, the form isn't swapped."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    _sign_in(phone, "alice", f"/campaigns/{campaign.pk}/")
    phone.get_by_label("Roland Banks").uncheck()
    _leave(phone)
    phone.go_back()
    services.choose_ultimatum(
        campaign=campaign,
        member=organiser_of(campaign),
        chosen=UltimatumChosen(SETUP, "dread"),
        context=write_context(campaign),
    )
    written = phone.get_by_role("link", name="Show the changes")
    expect(written).to_be_visible()
    phone.wait_for_timeout(1_000)  # within which a table would have been swapped in
    expect(written).to_be_visible()
    expect(phone.get_by_label("Roland Banks")).not_to_be_checked()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_an_answer_is_not_put_into_another_question(
    open_page: OpensPage, alice: User, scripts: bool
) -> None:
    """Bob answered meanwhile: the next question has the same field, which is empty."""
    steps = [{"id": "first", **COUNT}, {"id": "second", **COUNT}]
    campaign = _in_a_scenario(alice, *steps)
    page = open_page(**PHONE, java_script_enabled=scripts)
    _sign_in(page, "alice", f"/campaigns/{campaign.pk}/")
    number = page.locator("form[data-answer]").get_by_role("spinbutton")
    number.fill("7")
    _leave(page)
    page.go_back()
    expect(number).to_have_value("7")

    _leave(page)
    first = {"type": "count", "step": "first", "scenario": "torch", "count": 2}
    report(campaign, as_answers(first))
    page.go_back()
    expect(page.locator("#table-after")).to_have_value(str(campaign.last))
    expect(number).to_have_value("0")


@pytest.fixture
def refused_phone(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A phone whose console isn't checked: Chromium logs refusals there."""
    context = browser.new_context(base_url=live_server.url, **PHONE)
    yield context.new_page()
    context.close()


def test_notes_survive_leaving_and_others_changes(
    refused_phone: Page, page: Page, alice: User
) -> None:
    """What others wrote meanwhile is shown, not overwritten."""
    campaign = _in_a_scenario(alice)
    bob = User.objects.create_user("bob", password="bob-of-arkham")
    a_member(campaign, bob, Role.PLAYER)
    address = f"/campaigns/{campaign.pk}/scenario/"
    mine, theirs = refused_phone, page
    _sign_in(mine, "alice", address)
    _sign_in(theirs, "bob", address)
    mine.get_by_label(NOTES).fill("The cellar is open.")
    _leave(mine)
    theirs.get_by_label(NOTES).fill("Beware of rats.")
    theirs.get_by_role("button", name="Save notes").click()
    expect(theirs.get_by_text("last saved by bob")).to_be_visible()

    mine.go_back()
    expect(mine.get_by_label(NOTES)).to_have_value("The cellar is open.")
    mine.get_by_role("button", name="Doom: 1 more").tap()
    doom = mine.get_by_role("group", name="Doom").locator("output")
    expect(doom).to_have_text("1")
    expect(mine.get_by_label(NOTES)).to_have_value("The cellar is open.")
    mine.get_by_role("button", name="Save notes").tap()
    expect(mine.locator("blockquote")).to_have_text("Beware of rats.")
    expect(mine.get_by_label(NOTES)).to_have_value("The cellar is open.")


def test_lists_and_names_of_games_survive_leaving(phone: Page, alice: User) -> None:
    """Pasted lists are long, and worth keeping."""
    phone.goto("/")
    phone.get_by_label("Deck list").fill("2x Machete")
    _leave(phone)
    phone.go_back()
    expect(phone.get_by_label("Deck list")).to_have_value("2x Machete")

    content = starter_deck(embedded_pool(), "01001")
    deck = create_deck(owner=alice, content=content, now=NOW)
    _sign_in(phone, "alice", f"/decks/{deck.pk}/played")
    phone.get_by_label("Scenario").fill("The Gathering")
    _leave(phone)
    phone.go_back()
    expect(phone.get_by_label("Scenario")).to_have_value("The Gathering")
