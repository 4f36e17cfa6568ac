"""Achievements and statistics by thumb and without scripts; rules as of a FAQ."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from arkham.accounts.models import User
from arkham.rules.campaign.paper import EnteredInvestigator, Position
from campaigns import services
from campaigns.models import Campaign
from tests.browser.looks import scrolls_sideways, small_targets
from tests.campaigns.helpers.tables import NOW, a_campaign, organiser_of, write_context
from tests.rules.campaign.helpers.small import ROLAND

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """A Return to The Circle Undone, kept by hand, at its last scenario."""
    guide = services.guide_by_hand(campaign="rttcu", now=NOW)
    campaign = a_campaign(alice, ROLAND, guide=guide)
    notes = (("mementos", "gilmans_journal"),)
    services.enter_campaign(
        campaign=campaign,
        member=organiser_of(campaign),
        position=Position(
            "return_to_before_the_black_throne",
            (EnteredInvestigator(ROLAND),),
            {},
            lines=notes,
        ),
        context=write_context(campaign),
    )
    return campaign


def _open(page: Page, address: str) -> None:
    page.goto(f"/account/login/?next={address}")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()


def _fits(page: Page) -> None:
    assert small_targets(page) == [], page.url
    assert not scrolls_sideways(page), page.url


def test_an_achievement_is_ticked_on_a_phone(phone: Page, campaign: Campaign) -> None:
    """From the table to the list, hidden names included; then its reasons."""
    _open(phone, f"/campaigns/{campaign.pk}/")
    phone.get_by_role("link", name="Achievements").tap()
    expect(phone.get_by_text("0 of 15")).to_be_visible()
    expect(phone.get_by_role("heading", name="Carl Shmarl")).to_be_hidden()
    _fits(phone)
    phone.get_by_text("14 more, hidden").tap()
    _fits(phone)
    phone.get_by_role("button", name="Tick Carl Shmarl").tap()

    expect(phone.get_by_text("1 of 15")).to_be_visible()
    expect(phone.get_by_role("heading", name="Carl Shmarl ticked")).to_be_visible()
    phone.get_by_text("Why?").tap()
    expect(phone.get_by_text("Gilman", exact=False).first).to_be_visible()
    _fits(phone)


def test_the_list_of_achievements_needs_no_scripts(
    scriptless: Page, campaign: Campaign
) -> None:
    """The log's facts can't be changed there; the rest is for the table to tick."""
    _open(scriptless, f"/campaigns/{campaign.pk}/achievements/")
    scriptless.get_by_text("Tick by hand 'Member These?").click()
    known = scriptless.get_by_label("Gilman's Journal")
    expect(known).to_be_checked()
    expect(known).to_be_disabled()
    scriptless.get_by_label("Corn Husk Doll").check()
    scriptless.get_by_role("button", name="Save 'Member These?").click()

    expect(scriptless.get_by_text("2 / 10")).to_be_visible()


def test_rules_are_shown_as_of_the_pinned_faq(phone: Page, campaign: Campaign) -> None:
    """The FAQ is chosen in the settings; later changes are one tap away."""
    _open(phone, f"/campaigns/{campaign.pk}/settings/")
    phone.get_by_label("Show rules as of").select_option("1.0")
    phone.get_by_role("button", name="Use this version").tap()
    phone.get_by_role("link", name="Rules as of FAQ 1.0").tap()
    phone.get_by_label("Rule or term, in English or Polish").fill("strefy")
    phone.get_by_role("link", name="Slots", exact=True).tap()
    expect(phone.get_by_text("As it was at FAQ 1.0.")).to_be_visible()
    later = phone.get_by_text("or gaining control of one")
    expect(later).to_be_hidden()
    phone.get_by_text("Changed later, by FAQ 1.3").tap()
    expect(later).to_be_visible()


def test_statistics_fit_a_phone(phone: Page, campaign: Campaign) -> None:
    """Charts and tables, filtered without scripts."""
    _open(phone, "/campaigns/")
    phone.get_by_role("link", name="Statistics").tap()
    expect(phone.get_by_role("heading", name="Investigators")).to_be_visible()
    _fits(phone)
    phone.get_by_label("Campaign", exact=True).select_option(label=campaign.name)
    phone.get_by_role("button", name="Show statistics").tap()

    expect(phone.get_by_text("1 campaign", exact=True)).to_be_visible()
    expect(phone.get_by_role("rowheader", name="Roland Banks")).to_be_visible()
