"""Two people in one campaign: an account on a laptop, a guest on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from campaigns import services
from campaigns.models import Campaign
from campaigns.people.table import token_of
from cardpool.services import ensure_embedded_pool
from tests.browser.looks import scrolls_sideways, small_targets
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_row,
    a_seat,
    as_answers,
    organiser_of,
    report,
    who,
)
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND, a_step

WEAKNESS = a_step(
    {"type": "add_weakness", "investigator": "$input_value", "weakness_traits": []},
    step_id="draw",
)
ASKS = {
    "id": "ask",
    "type": "input",
    "input": {
        "type": "investigator_choice",
        "source": "scenario",
        "investigator": "any",
        "choices": [{"id": "who", "text": "", "effects": WEAKNESS["effects"]}],
    },
}
AMNESIA = "01096"
DRAWN = {
    "type": "string_choices",
    "step": "ask",
    "scenario": "one",
    "choices": {DAISY: ["who"]},
}


@pytest.fixture
def campaign(live_server: LiveServer) -> Campaign:
    """Alice's campaign: she plays Roland; Daisy draws a weakness now."""
    ensure_embedded_pool()
    alice = User.objects.create_user("alice", password="alice-of-arkham")
    campaign = a_campaign(alice, ROLAND, guide=a_row(a_game("one", ASKS)))
    a_seat(campaign, DAISY)
    report(
        campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY), DRAWN)
    )
    return campaign


@pytest.fixture
def devices(live_server: LiveServer, browser: Browser) -> Iterator[tuple[Page, Page]]:
    """A laptop and a phone. Chromium logs failed requests in the console."""
    contexts = [
        browser.new_context(
            base_url=live_server.url, viewport={"width": 1280, "height": 800}
        ),
        browser.new_context(
            base_url=live_server.url,
            viewport={"width": 390, "height": 844},
            has_touch=True,
            is_mobile=True,
        ),
    ]
    laptop, phone = (context.new_page() for context in contexts)
    yield laptop, phone
    for context in contexts:
        context.close()


def _fits(page: Page) -> None:
    assert not scrolls_sideways(page)
    assert small_targets(page) == []


def _invited(laptop: Page, campaign: Campaign) -> str:
    """Alice signs in and creates a link for Daisy's seat; return its address."""
    laptop.goto(f"/account/login/?next=/campaigns/{campaign.pk}/people/")
    laptop.get_by_label("Username").fill("alice")
    laptop.get_by_label("Password").fill("alice-of-arkham")
    laptop.get_by_role("main").get_by_role("button", name="Sign in").click()
    laptop.get_by_label("Their investigator").select_option("Daisy Walker")
    laptop.get_by_role("button", name="Create a link").click()
    expect(laptop.get_by_role("heading", name="Invitation")).to_be_visible()
    expect(laptop.locator("svg.square")).to_be_visible()
    _fits(laptop)
    return laptop.get_by_label("The link").input_value()


def _at_the_table(phone: Page, address: str) -> None:
    """Dora follows the link and takes the seat as a guest."""
    phone.goto(address)
    expect(phone.get_by_role("heading", level=1)).to_have_text("Friday")
    _fits(phone)
    phone.get_by_label("Your name at the table").fill("Dora")
    phone.get_by_role("button", name="Play now").tap()
    expect(phone.get_by_text("You play as Dora, a guest")).to_be_visible()
    _fits(phone)


def _lost(route: Route) -> None:
    route.abort("internetdisconnected")


def test_each_sees_the_others_answers(
    campaign: Campaign, devices: tuple[Page, Page]
) -> None:
    """At once; an answer given without a connection is kept, and sent once."""
    laptop, phone = devices
    address = _invited(laptop, campaign)
    _at_the_table(phone, address)
    laptop.goto(f"/campaigns/{campaign.pk}/")
    expect(laptop.locator(".turn")).to_contain_text("Waiting for Dora")

    # Dora answers for Daisy while offline: her answer is kept.
    question = phone.locator("form[data-answer]")
    expect(question).to_be_visible()
    campaign.refresh_from_db()
    before = campaign.last
    question.get_by_label("Daisy Walker").fill(AMNESIA)
    phone.context.route("**/campaigns/**", _lost)
    phone.context.set_offline(True)
    question.get_by_role("button").tap()
    expect(phone.get_by_text("Your answer is saved on this device")).to_be_visible()
    expect(phone.locator("#notice")).to_be_hidden()
    campaign.refresh_from_db()
    assert campaign.last == before

    # The connection is back, and the page loaded again: it is sent, once.
    phone.context.unroute("**/campaigns/**", _lost)
    phone.context.set_offline(False)
    expect(phone.locator("#table-after")).to_have_value(str(before + 1))
    phone.reload()
    expect(phone.locator("#table-after")).to_have_value(str(before + 1))
    assert phone.evaluate("Object.keys(localStorage)") == []
    campaign.refresh_from_db()
    assert campaign.last == before + 1
    assert campaign.entries.get(sequence=before + 1).author_name == "Dora"

    # Alice's page shows it by itself; her answer is on Dora's phone likewise.
    expect(laptop.locator("#table-after")).to_have_value(str(before + 1))
    expect(laptop.locator(".turn")).not_to_contain_text("Waiting for Dora")
    laptop.get_by_role("button", name="End the scenario").click()
    expect(laptop.locator("#table-after")).to_have_value(str(before + 2))
    expect(phone.locator("#table-after")).to_have_value(str(before + 2))


def test_a_guest_creates_an_account_and_keeps_the_seat(
    campaign: Campaign, devices: tuple[Page, Page]
) -> None:
    """From the banner, on the phone; the account has the seat on any device."""
    _laptop, phone = devices
    link = services.invite(
        campaign=campaign,
        member=organiser_of(campaign),
        now=timezone.now(),
        seat=campaign.seats.get(investigator=DAISY),
    )
    _at_the_table(phone, f"/campaigns/join/{token_of(link)}/")
    phone.get_by_role("link", name="Create account").tap()
    phone.get_by_label("Username").fill("dora")
    phone.get_by_label("Password", exact=True).fill("dora-of-arkham-9")
    again = phone.get_by_label(re.compile("again"))
    if again.count():
        again.fill("dora-of-arkham-9")
    phone.get_by_role("main").get_by_role("button").first.tap()
    expect(phone.get_by_text("Is that you, dora?")).to_be_visible()
    phone.get_by_role("button", name="Move the seats to my account").tap()
    expect(phone.get_by_text("Your seats now belong to your account.")).to_be_visible()
    phone.get_by_role("link", name="People").tap()
    expect(phone.locator(".place", has_text="Daisy Walker")).to_contain_text("dora")
    _fits(phone)
