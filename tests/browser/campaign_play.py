"""Helpers and expected results of a campaign played on two devices."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import expect

from arkham.accounts.models import User
from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.lookup import printed_values
from arkham.rules.snapshot import embedded_pool
from campaigns.log import store
from campaigns.models import Campaign
from campaigns.words.names import CampaignNames
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck
from tests.browser.playing import Device, Sheet

NOW = datetime(2026, 3, 1, 19, tzinfo=UTC)
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
SURVIVED = "Survived"
BY_HORROR = "Defeated by horror: 1 mental trauma"
DISPLAY = "What is in the victory display?"
RESOLUTION = "Which resolution was reached?"
ENDED = "How did it end for each investigator?"
WEAKNESSES = "Which weakness was drawn?"
SET_UP: dict[str, str | None] = {
    "Who takes part in this campaign?": None,
    "Which difficulty do you play on?": "Standard",
    "Who still needs to draw a random basic weakness?": None,
}
# The tokens that are in every bag of standard difficulty here.
STANDARD = {
    "+1": 1,
    "0": 2,
    "−1": 3,
    "−2": 2,
    "−3": 1,
    "−4": 1,
    "Skull": 2,
    "Cultist": 1,
    "Auto-fail": 1,
    "Elder sign": 1,
}
# Of each revision: its cause, and whether a game was played with it.
BUILT, WEAKNESS = ("built", False), ("edited", True)
UPGRADED = ("upgraded", True)


def save_deck(owner: str, investigator: str, name: str) -> Deck:
    """Save a deck for a user before the campaign begins."""
    content = starter_deck(embedded_pool(), investigator)
    user = User.objects.get(username=owner)
    return services.create_deck(owner=user, content=content, now=NOW, name=name)


def build_deck(device: Device, investigator: str) -> Deck:
    """Build and save a first deck on a device, without an account."""
    page = device.page
    page.goto(f"/decks/new/{investigator}/")
    device.fits()
    device.press(page.get_by_role("button", name="Begin with a legal deck"))
    page.wait_for_url(re.compile(r"/edit"))
    device.press(page.get_by_role("button", name="Save"))
    page.wait_for_url("**/login/**")
    device.sign_in()
    page.wait_for_url("**/decks/**")
    expect(page.get_by_text("The deck is saved in your account.")).to_be_visible()
    return Deck.objects.get(owner__username=device.name)


def begin_campaign(device: Device, guide: str, deck: str, other: str) -> Campaign:
    """Begin a campaign with the user's own deck and a seat for another player."""
    page = device.page
    page.goto("/campaigns/new/")
    if "/login/" in page.url:
        device.sign_in()
        page.wait_for_url("**/campaigns/new/")
    device.fits()
    page.get_by_label("Campaign", exact=True).select_option(label=guide)
    page.get_by_label("Name of the campaign").fill("Fridays")
    page.get_by_label("Seat 1", exact=True).select_option(label=deck)
    page.get_by_label("Seat 2", exact=True).select_option(value=f"code:{other}")
    page.get_by_label("Player").nth(1).fill("Bob")
    device.press(page.get_by_role("button", name="Begin", exact=True))
    page.wait_for_url(re.compile(r"/campaigns/\d+/"))
    return Campaign.objects.get()


def join_table(alice: Device, bob: Device, table: str, role: str, plays: str) -> None:
    """Alice creates an invitation; Bob follows it, signs in and chooses a deck."""
    page = alice.page
    page.goto(f"{table}people/")
    alice.fits()
    invite = page.get_by_role("region", name="Invite a player")
    invite.get_by_label("Role").select_option(label=role)
    page.get_by_label("Their investigator").select_option(label=plays)
    alice.press(page.get_by_role("button", name="Create a link"))
    address = page.get_by_label("The link").input_value()

    page = bob.page
    page.goto(address)
    bob.fits()
    bob.press(page.get_by_role("link", name="Sign in first"))
    bob.sign_in()
    bob.press(page.get_by_role("button", name="Join as bob"))
    bob.fits()
    bob.press(page.get_by_role("link", name=f"Choose a deck {plays}"))
    bob.press(page.get_by_role("button", name=f"Choose the deck “Bob’s ({plays})”"))
    expect(page.get_by_text("Saved.")).to_be_visible()
    bob.fits()


def fold_alone(campaign: Campaign) -> tuple[Replay, CampaignNames]:
    """Replay the answers with the rules alone, without the server's records."""
    own = open_own_guide(campaign.guide.guide_id)
    pool = embedded_pool()
    answers = [each for each in store.entries(campaign) if isinstance(each, Answer)]
    replay = fold(own.guide, answers, printed_values(pool))
    return replay, CampaignNames(pool, own.guide, own.words)


def check_sheet(campaign: Campaign, sheet: Sheet) -> None:
    """Check that a page shows the sheet that the rules work out from the answers."""
    campaign.refresh_from_db()
    replay, names = fold_alone(campaign)
    state = replay.state
    assert replay.pending is None
    assert replay.problems == ()
    for code in state.people:
        name, person = names.card(code), state.people[code]
        numbers = (person.experience or 0, person.physical or 0, person.mental or 0)
        assert sheet.numbers[name] == numbers
        assert (name in sheet.fates) == (fate_of(state, code) is not Fate.ALIVE)
        held = [*(person.story or ()), *(person.added or ())]
        assert sheet.cards[name] == [names.card(each) for each in held]


def copies_in(deck: Deck, *codes: str) -> list[int]:
    """Return how many copies of these cards the latest revision has."""
    deck.refresh_from_db()
    slots = deck.revisions.get(number=deck.revision).list["slots"]
    return [slots.get(code, 0) for code in codes]


def causes_of(deck: Deck) -> list[tuple[str, bool]]:
    """Return of each revision its cause, and whether a game was played with it."""
    return [
        (str(each.cause), each.played_at is not None)
        for each in deck.revisions.order_by("number")
    ]


def booked_by_game(deck: Deck) -> dict[str, int]:
    """Return what each game earned, by the ledger, and what was spent."""
    found: Counter[str] = Counter()
    for each in deck.ledger.order_by("pk"):
        game = each.reason.partition(": ")[2].partition(",")[0]
        found[game or each.kind] += each.amount
    return dict(found)
