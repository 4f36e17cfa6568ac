"""Campaigns played through by two accounts on two devices, decks included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns.models import Campaign
from campaigns.provided import provide_guides
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.models import Deck
from decks.starter import starter_deck
from tests.browser.playing import Device, Table

NOW = datetime(2026, 3, 1, 19, tzinfo=UTC)
ROLAND, DAISY = "01001", "01002"


@pytest.fixture
def devices(live_server: LiveServer, browser: Browser) -> Iterator[tuple[Device, Device]]:
    """Alice at a laptop, Bob with a phone; both have an account."""
    ensure_embedded_pool()
    provide_guides(now=NOW)
    options = [
        {"viewport": {"width": 1280, "height": 800}},
        {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    ]
    contexts = [browser.new_context(base_url=live_server.url, **each) for each in options]
    for name, context in zip(("alice", "bob"), contexts, strict=True):
        User.objects.create_user(name, password=f"{name}-of-arkham")
        context.set_default_timeout(10_000)
    yield tuple(
        Device(name, context.new_page())
        for name, context in zip(("alice", "bob"), contexts, strict=True)
    )
    for context in contexts:
        context.close()


def _a_deck(owner: str, investigator: str) -> Deck:
    """A deck somebody saved beforehand."""
    content = starter_deck(embedded_pool(), investigator)
    user = User.objects.get(username=owner)
    return services.create_deck(owner=user, content=content, now=NOW)


def _built(device: Device, investigator: str) -> Deck:
    """A first deck, built and saved on a device."""
    page = device.page
    device.sign_in(f"/decks/new/{investigator}/")
    device.press(page.get_by_role("button", name="With a legal first deck"))
    page.wait_for_url(re.compile(r"/edit"))
    device.fits()
    if page.get_by_role("button", name="Save").count():
        device.press(page.get_by_role("button", name="Save"))
    return Deck.objects.get(owner__username=device.name)


def _begun(device: Device, guide: str, mine: str, other: str) -> Campaign:
    """Alice begins a campaign; the other seat is free."""
    page = device.page
    page.goto("/campaigns/")
    device.fits()
    device.press(page.get_by_role("link", name="Begin a campaign"))
    device.fits()
    page.get_by_label("Campaign", exact=True).select_option(label=guide)
    page.get_by_label("Name of the campaign").fill("Fridays")
    page.get_by_label("Seat 1").select_option(label=mine)
    page.get_by_label("Seat 2").select_option(value=f"code:{other}")
    page.get_by_label("Who plays there").nth(1).fill("Bob")
    device.press(page.get_by_role("button", name="Begin", exact=True))
    page.wait_for_url(re.compile(r"/campaigns/\d+/"))
    return Campaign.objects.get()


def _invited(device: Device, campaign: Campaign, role: str, investigator: str) -> str:
    page = device.page
    page.goto(f"/campaigns/{campaign.pk}/people/")
    page.get_by_label("They come as").select_option(role)
    page.get_by_label("Their investigator").select_option(investigator)
    device.press(page.get_by_role("button", name="Make a link"))
    return page.get_by_label("The link").input_value()


def _joins(device: Device, address: str, deck: str) -> None:
    page = device.page
    page.goto(address)
    device.fits()
    device.press(page.get_by_role("link", name="Sign in first"))
    page.get_by_label("Username").fill(device.name)
    page.get_by_label("Password").fill(f"{device.name}-of-arkham")
    device.press(page.get_by_role("main").get_by_role("button", name="Sign in"))
    device.press(page.get_by_role("button", name=re.compile("^Sit down as")))
    device.fits()
    device.press(page.get_by_role("link", name="People"))
    device.fits()
    page.get_by_label("Deck", exact=True).select_option(label=deck)
    device.press(page.get_by_role("button", name="Keep the changes"))
    device.fits()


def test_the_night_of_the_zealot(devices: tuple[Device, Device]) -> None:
    alice, bob = devices
    _built(alice, ROLAND)
    deck = _a_deck("bob", DAISY)
    campaign = _begun(alice, "The Night of the Zealot", "Roland Banks", DAISY)
    _joins(bob, _invited(alice, campaign, "Scribe", "Daisy Walker"), "Daisy Walker")
    table = Table(f"/campaigns/{campaign.pk}/", alice, bob)
    table.sit_down()
    table.play("Campaign set-up", {
        "Who takes part in this campaign?": None,
        "How difficult shall it be?": "Standard",
        "Everybody draws a random basic weakness.": None,
        "Which weakness was drawn?": {"Roland Banks": "Haunted", "Daisy Walker": "Paranoia"},
    })
    table.play("The Gathering", {
        "Who is the lead investigator?": "Roland Banks",
        "Which resolution was reached?": "Resolution 1",
        "How did it end for each?": {"Roland Banks": "Survived", "Daisy Walker": "Defeated by horror: 1 mental trauma"},
        "Who takes this? Lita Chantler": "Roland Banks",
        "What is the victory display worth?": 3,
    })
    table.play("The Midnight Masks", {
        "Who is the lead investigator?": "Daisy Walker",
        "Which resolution was reached?": "Resolution 1",
        "How did it end for each?": {"Roland Banks": "Survived", "Daisy Walker": "Resigned"},
        "Which unique cultists are in the victory display?": {"Herman Collins": "Interrogated"},
        "Which unique cultists are in play, or left in their deck?": {"Victoria Devereux": "Got away"},
        "What is the victory display worth?": 3,
    })
    table.play("The Devourer Below", {
        "Who is the lead investigator?": "Roland Banks",
        "Which resolution was reached?": "Resolution 1",
        "How did it end for each?": {"Roland Banks": "Survived", "Daisy Walker": "Survived"},
        "What is the victory display worth?": 5,
    })
    for each in (alice, bob):
        each.fits()
    for each in (alice, bob):
        for path in ("log/", "scenario/", "timeline/", ""):
            each.page.goto(f"/campaigns/{campaign.pk}/{path}")
            each.fits()
        each.page.goto(f"/decks/{Deck.objects.get(owner__username=each.name).pk}/")
        each.fits()
        each.page.goto(f"/decks/{Deck.objects.get(owner__username=each.name).pk}/upgrade/")
        each.fits()
