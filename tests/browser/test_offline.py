"""An answer given without a connection, to a log that others wrote to meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import UltimatumChosen
from campaigns import services
from campaigns.models import Campaign, Role
from cardpool.services import ensure_embedded_pool
from tests.browser.looks import scrolls_sideways, small_targets
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_member,
    as_answers,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.rules.campaign.helpers.small import DAISY, ROLAND

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture
def campaign(live_server: LiveServer) -> Campaign:
    """Alice's campaign: who plays is asked."""
    ensure_embedded_pool()
    alice = User.objects.create_user("alice", password="alice-of-arkham")
    return a_campaign(alice, ROLAND, DAISY)


@pytest.fixture
def phones(live_server: LiveServer, browser: Browser) -> Iterator[Any]:
    """Phones whose consoles aren't checked: Chromium logs failed requests there."""
    made = []

    def phone(**options: Any) -> Page:
        made.append(browser.new_context(base_url=live_server.url, **PHONE, **options))
        return made[-1].new_page()

    yield phone
    for context in made:
        context.close()


def _at_the_table(page: Page, campaign: Campaign, name: str = "alice") -> None:
    page.goto(f"/account/login/?next=/campaigns/{campaign.pk}/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(f"{name}-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.locator("form[data-answer]")).to_be_visible()


def _swear(campaign: Campaign) -> None:
    """Write something that keeps the question as it is."""
    campaign.refresh_from_db()
    oath = UltimatumChosen(SETUP, "dread")
    services.choose_ultimatum(
        campaign=campaign,
        member=organiser_of(campaign),
        chosen=oath,
        context=write_context(campaign),
    )


def _only_daisy(page: Page) -> None:
    """Fill in the answer: Daisy plays, Roland does not."""
    page.get_by_label("Roland Banks").uncheck()
    page.locator("form[data-answer]").get_by_role("button").click()


def _fits(page: Page) -> None:
    assert not scrolls_sideways(page)
    assert small_targets(page) == []


def _kept(page: Page) -> int:
    number: int = page.evaluate("localStorage.length")
    return number


def test_an_answer_is_sent_if_its_question_is_the_same(
    campaign: Campaign, phones: Any
) -> None:
    """Once; an ultimatum that was added meanwhile blocks nothing."""
    phone = phones()
    _at_the_table(phone, campaign)
    phone.context.set_offline(True)
    _only_daisy(phone)
    waiting = phone.get_by_text("Your answer is saved on this device")
    expect(waiting).to_be_in_viewport()
    expect(phone.locator("#notice")).to_be_hidden()
    assert _kept(phone) == 1
    _swear(campaign)
    phone.context.set_offline(False)

    expect(phone.locator("#table-after")).to_have_value("3")
    expect(waiting).to_be_hidden()
    assert _kept(phone) == 0
    campaign.refresh_from_db()
    assert campaign.last == 3
    assert campaign.entries.get(sequence=3).payload["value"] == [[DAISY, ["chosen"]]]


def _leaves_an_answer(phone: Page, campaign: Campaign) -> Page:
    """Leave Alice's answer on a device that is signed out before it reconnects."""
    _at_the_table(phone, campaign)
    phone.context.set_offline(True)
    _only_daisy(phone)
    expect(phone.get_by_text("Your answer is saved on this device")).to_be_visible()
    assert _kept(phone) == 1
    phone.goto("about:blank")  # while a window closes it can be online for a moment
    phone.close()
    phone.context.clear_cookies()
    phone.context.set_offline(False)
    return phone.context.new_page()


def test_an_answer_is_dropped_if_someone_else_signs_in(
    campaign: Campaign, phones: Any
) -> None:
    """The page says so."""
    bob = User.objects.create_user("bob", password="bob-of-arkham")
    a_member(campaign, bob, Role.SCRIBE)
    phone = _leaves_an_answer(phones(), campaign)
    _at_the_table(phone, campaign, "bob")

    expect(phone.get_by_text("an unsent answer from another person")).to_be_visible()
    _fits(phone)
    assert _kept(phone) == 0
    expect(phone.locator("#table-after")).to_have_value("1")
    campaign.refresh_from_db()
    assert campaign.last == 1


def test_an_answer_is_sent_after_its_author_signs_in_again(
    campaign: Campaign, phones: Any
) -> None:
    phone = _leaves_an_answer(phones(), campaign)
    page = f"/campaigns/{campaign.pk}/"
    phone.goto(f"/account/login/?next={page}")
    phone.get_by_label("Username").fill("alice")
    phone.get_by_label("Password").fill("alice-of-arkham")
    phone.get_by_role("main").get_by_role("button", name="Sign in").click()

    expect(phone.locator("#table-after")).to_have_value("2")
    expect(phone.get_by_text("an unsent answer from another person")).to_be_hidden()
    _forgets(phone)


def test_a_waiting_answer_can_be_dropped(campaign: Campaign, phones: Any) -> None:
    """Offline too: it is never sent."""
    phone = phones()
    _at_the_table(phone, campaign)
    phone.context.set_offline(True)
    _only_daisy(phone)
    phone.get_by_role("button", name="Discard my answer").tap()
    assert _kept(phone) == 0
    phone.context.set_offline(False)
    phone.reload()
    expect(phone.locator("#table-after")).to_have_value("1")


def test_an_answer_given_too_late_can_be_discarded(
    campaign: Campaign, phones: Any
) -> None:
    """The others' answer stays; nothing of the discarded one is sent."""
    phone = phones()
    _at_the_table(phone, campaign)
    phone.context.set_offline(True)
    _only_daisy(phone)
    expect(phone.get_by_text("Your answer is saved on this device")).to_be_visible()
    report(campaign, as_answers(who(ROLAND, DAISY)))
    phone.context.set_offline(False)

    expect(phone.get_by_text("alice answered this first.")).to_be_visible()
    _fits(phone)
    phone.get_by_role("link", name="Discard my answer").tap()
    expect(phone.get_by_text("alice answered this first.")).to_have_count(0)
    expect(phone.locator("#table-after")).to_have_value("2")
    assert _kept(phone) == 0
    campaign.refresh_from_db()
    assert campaign.last == 2


def _sees_what_would_change(phone: Page, campaign: Campaign) -> None:
    """Another answer was written first; the page shows what this one would change."""
    _at_the_table(phone, campaign)
    report(campaign, as_answers(who(ROLAND, DAISY)))
    with phone.expect_response(lambda answer: answer.status == 409):
        _only_daisy(phone)
    phone.get_by_role("button", name="Show what yours would change").tap()
    expect(phone.get_by_role("heading", name="If you make this change")).to_be_visible()


def test_an_answer_given_too_late_can_replace_the_others(
    campaign: Campaign, phones: Any
) -> None:
    """What it would change is shown first; afterwards it is no longer kept."""
    phone = phones()
    _sees_what_would_change(phone, campaign)
    phone.get_by_role("button", name="Confirm").tap()
    expect(phone.get_by_text("Corrected.", exact=False).first).to_be_visible()
    campaign.refresh_from_db()
    assert campaign.entries.get(sequence=3).payload["value"] == [[DAISY, ["chosen"]]]

    phone.goto(f"/campaigns/{campaign.pk}/")
    expect(phone.locator("#table-after")).to_have_value("3")
    _forgets(phone)
    expect(phone.get_by_text("Your answer wasn’t sent")).to_have_count(0)


def _forgets(phone: Page) -> None:
    """Wait until nothing is kept; the page's own policy forbids Playwright's wait."""
    for _look in range(50):
        if phone.evaluate("localStorage.length") == 0:
            return
        phone.wait_for_timeout(100)
    raise AssertionError("an answer is still kept")


def test_a_conflict_without_scripts_shows_both_answers(
    campaign: Campaign, phones: Any
) -> None:
    """The one that was written meanwhile, and the one that was to be written."""
    phone = phones(java_script_enabled=False)
    _at_the_table(phone, campaign)
    report(campaign, as_answers(who(ROLAND, DAISY)))
    _only_daisy(phone)
    expect(phone.get_by_text("Your answer wasn’t sent")).to_be_visible()
    expect(phone.get_by_text("alice answered this first.")).to_be_visible()
    _fits(phone)
    campaign.refresh_from_db()
    assert campaign.last == 2


def test_news_of_others_arrives_without_a_reload(
    campaign: Campaign, phones: Any
) -> None:
    """Whatever was opened on the page stays open."""
    phone = phones()
    _at_the_table(phone, campaign)
    phone.evaluate("window.stays = true")
    _swear(campaign)
    expect(phone.locator("#table-after")).to_have_value("2")
    assert phone.evaluate("window.stays")


def test_an_answer_is_kept_until_its_correction_is_written(
    campaign: Campaign, phones: Any
) -> None:
    """The connection drops while it is being confirmed: no part of it is lost."""
    phone = phones()
    _sees_what_would_change(phone, campaign)
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Confirm").tap()
    expect(phone.get_by_text("No network", exact=False).first).to_be_visible()
    phone.context.set_offline(False)

    phone.goto(f"/campaigns/{campaign.pk}/")
    expect(phone.get_by_text("alice answered this first.")).to_be_visible()
    assert _kept(phone) == 1
