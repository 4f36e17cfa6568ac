"""Expensive requests are cached or bounded."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from arkham.rules.deck import DeckList
from arkham.rules.draws.upgrades import eligible_versions
from arkham.rules.legality import judge_of
from arkham.rules.snapshot import embedded_pool
from decks.draws.pools import version_offers
from decks.lists.content import read_content
from decks.pages.display import Judged
from tests.house.timing import processor_time

SHREWD_ANALYSIS, STRANGE_SOLUTION = "04106", "02021"


def test_the_description_is_generated_once() -> None:
    """In each format, whatever the query."""
    client = Client()
    first = client.get("/api/schema")
    asked = ("/api/schema?x=1", "/api/schema?version=%00", "/api/schema?lang=en")

    took = processor_time(
        lambda: [client.get(address).status_code for address in asked], 0.1
    )

    assert first["Content-Type"].startswith("application/vnd.oai.openapi")
    assert {client.get(address).content for address in asked} == {first.content}
    assert took < 0.3
    written = client.get("/api/schema", HTTP_ACCEPT="application/vnd.oai.openapi+json")
    assert json.loads(written.content)["info"]["title"] == "Orne"


def test_offers_for_a_huge_draft_are_found_quickly() -> None:
    """Only cards that can be researched are looked at."""
    pool = embedded_pool()
    judge = judge_of(pool)
    cards = [code for code, card in pool.items() if card.in_decks and card.level == 0]
    slots = dict.fromkeys([SHREWD_ANALYSIS, STRANGE_SOLUTION, *cards[:390]], 2)
    content = read_content({"investigator_code": "01002", "slots": slots})
    judged = Judged(content, judge)

    assert processor_time(lambda: version_offers(judged), 0.5) < 2.0


def test_researched_cards_are_offered() -> None:
    """Every version of the researched card, and of no other."""
    judge = judge_of(embedded_pool())
    deck = DeckList("01002", {SHREWD_ANALYSIS: 1, STRANGE_SOLUTION: 2, "01006": 1})

    assert len(eligible_versions(judge, deck, STRANGE_SOLUTION)) == 4
    assert eligible_versions(judge, deck, "01006") == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "field"),
    [("/", "text"), ("/account/login/", "login"), ("/account/signup/", "username")],
)
def test_an_endless_text_is_not_echoed(address: str, field: str) -> None:
    """A quote takes six letters on a page; the start is offered for correction."""
    client = Client()
    endless = client.post(address, {field: '"' * 2_000_000})
    long = client.post(address, {field: "§" * 10_000})

    assert len(endless.content) < 100_000
    assert b"\xc2\xa7" * 10_000 in long.content


MANY = {f"k{number}": "x" for number in range(20_000)}
PLAIN = {"investigator_code": "01001", "slots": {}}
FULL_OF_FAULTS: dict[str, tuple[str, object]] = {
    "circumstances": ("legality", {"deck": PLAIN, "circumstances": MANY}),
    "a batch": ("legality/batch", [{"deck": PLAIN, "circumstances": MANY}]),
    "a window": ("upgrades/price", {"prev": PLAIN, "next": PLAIN, "window": MANY}),
    "a bag": ("odds", {"bag": MANY, "difficulty": 1}),
    "meanings": ("odds", {"bag": {}, "difficulty": 1, "meanings": MANY}),
    "no question": ("odds", MANY),
    "no list": ("lists/read", MANY),
    "no link": ("campaigns/join", MANY),
}


@pytest.mark.django_db
@pytest.mark.parametrize("what", FULL_OF_FAULTS)
def test_a_body_full_of_faults_gets_a_short_response(what: str) -> None:
    """Only the first faults are listed: each is longer than the fault itself."""
    door, body = FULL_OF_FAULTS[what]
    client, sent = Client(), json.dumps(body)

    def ask() -> int:
        answer = client.post(f"/api/v1/{door}", sent, content_type="application/json")
        assert answer.status_code in (200, 413, 422)
        return len(answer.content)

    assert ask() < 100_000
    assert processor_time(ask, 0.3) < 0.5
