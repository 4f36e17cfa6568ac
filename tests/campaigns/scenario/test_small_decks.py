"""The decks of a scenario, as their helpers offer them."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from arkham.accounts.models import User
from tests.campaigns.helpers.tables import a_campaign, a_row, as_answers, report, who
from tests.campaigns.scenario.helpers import scenario_page
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.small import ROLAND, WHO

pytestmark = pytest.mark.django_db


def test_the_deck_opens_with_the_cards_of_the_set_up(
    alice: User, as_alice: Client
) -> None:
    guide = a_row(a_game("wilds"), id="tfa", setup=["who"], steps=[WHO])
    campaign = a_campaign(alice, ROLAND, guide=guide)
    report(campaign, as_answers(who(ROLAND), *begun("wilds", ROLAND)[:2]))
    page = unescape(scenario_page(as_alice, campaign))
    (address,) = re.findall(r'href="(/table/deck/[^"]+)"', page)
    form = unescape(as_alice.get(address).content.decode())
    assert ">Circuitous Trail\nPath of Thorns\n" in form
    assert "Overgrowth\nSnake Bite</textarea>" in form


def test_some_of_several_cards_are_shuffled_in(client: Client) -> None:
    """The others are not in the deck."""
    lines = "Camp\n2 of: River / Ruins / Jungle"
    asked = {"kind": "exploration", "locations": lines}
    assert f">{lines}</textarea>" in client.get("/table/deck/", asked).content.decode()
    answer = client.get("/table/deck/", asked | {"begin": "1"})
    cards = parse_qs(urlsplit(answer.headers["Location"]).query)["card"]
    assert cards[0] == "l.Camp"
    assert len({*cards} & {"l.River", "l.Ruins", "l.Jungle"}) == len(cards) - 1 == 2


def test_pairs_of_locations_are_named_by_the_table(client: Client) -> None:
    asked = {"kind": "exploration", "locations": "Camp\nRiver", "paired": "1"}
    page = unescape(client.get("/table/deck/", asked).content.decode())
    assert "put them into one line, “1 of: A / B”" in page


def test_the_holders_of_tekeli_li_are_known(client: Client) -> None:
    """From a campaign; else they have numbers, and the table enters names."""
    asked = {"kind": "tekeli-li"}
    page = client.get("/table/deck/", asked).content.decode()
    assert page.count('name="player" maxlength="60" value=""') == 4
    named = client.get("/table/deck/", {**asked, "player": "Roland Banks"})
    assert 'value="Roland Banks"' in named.content.decode()
    begun_deck = client.get("/table/deck/", {**asked, "begin": "1"}, follow=True)
    assert "16 cards left" in begun_deck.content.decode()
