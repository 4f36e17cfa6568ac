"""One scenario of a campaign, with the ones before it simulated (STAND-06)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from campaigns.services import EntryRefused
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    MISKATONIC,
    NOW,
    STORY,
    a_row,
    as_answers,
    report,
    rules_of,
    who,
)
from tests.rules.campaign.helpers.games import begun, ended
from tests.rules.campaign.helpers.small import ROLAND

Raw = dict[str, Any]


@pytest.fixture
def deck(alice: User) -> Deck:
    """Roland's deck, which was never played."""
    content = starter_deck(embedded_pool(), ROLAND)
    return deck_services.create_deck(owner=alice, content=content, now=NOW)


@pytest.fixture
def campaign(alice: User, deck: Deck) -> Campaign:
    """The second game is played; the first is resolved for it."""
    return services.start_campaign(
        organiser=alice,
        guide=a_row(*MISKATONIC),
        name="Tonight",
        now=NOW,
        simulated="two",
        sitting=[services.Sitting(ROLAND, deck=deck)],
    )


def resolved(scenario: str) -> list[Raw]:
    """Resolve both games; Roland is defeated in the second; no upgrade is asked for."""
    return [
        *begun(scenario, ROLAND)[:2],
        *ended(scenario, 1, "R1", **{ROLAND: "physical"}),
        {"type": "count", "step": "victory", "scenario": scenario, "count": 2},
    ]


def test_earlier_scenarios_are_resolved_but_not_played(
    campaign: Campaign, deck: Deck
) -> None:
    """Cards are granted; no experience is earned, no game is recorded."""
    report(campaign, as_answers(who(ROLAND), *resolved("one")))
    replay = replayed(campaign).replay
    deck.refresh_from_db()
    latest = deck.revisions.get(number=deck.revision)

    assert [(each.id, each.status) for each in replay.scenarios] == [
        ("$campaign_setup", "completed"),
        ("one", "completed"),
        ("two", "playable"),
    ]
    assert latest.list["slots"][STORY] == 1
    assert latest.played_at is None
    assert ledger.balance_of(deck) == 0
    assert not replay.state.people[ROLAND].physical


def test_nothing_follows_the_scenario(campaign: Campaign, deck: Deck) -> None:
    """Only it is a game of the deck."""
    report(campaign, as_answers(who(ROLAND), *resolved("one"), *resolved("two")))
    deck.refresh_from_db()

    assert replayed(campaign).replay.pending is None
    assert [each.id for each in replayed(campaign).replay.scenarios][-1] == "two"
    assert [each.played_at is None for each in deck.revisions.all()].count(False) == 1
    assert ledger.balance_of(deck) == 0


@pytest.mark.parametrize(
    "named",
    [
        {"simulated": "four"},
        {"standalone": "four"},
        {"simulated": "two", "standalone": "two"},
    ],
)
def test_the_scenario_must_be_the_guides(alice: User, named: dict[str, Any]) -> None:
    """And it is either standalone or simulated."""
    with pytest.raises(EntryRefused) as refused:
        services.start_campaign(
            organiser=alice, guide=a_row(*MISKATONIC), name="", now=NOW, **named
        )

    assert rules_of(refused.value) == ["log.scenario"]
    assert not Campaign.objects.exists()


def test_a_program_begins_one_and_exports_it(alice: User, as_alice: Client) -> None:
    """A round trip."""
    guide = a_row(*MISKATONIC)
    body = {"guide": guide.pk, "simulated": "two"}
    made = as_alice.post("/api/v1/campaigns/", body, content_type="application/json")
    assert made.status_code == 201
    assert made.json()["simulated"] == "two"
    file = as_alice.get(f"/api/v1/campaigns/{made.json()['id']}/export").json()
    assert file["simulated"] == "two"
    Campaign.objects.all().delete()
    back = as_alice.post(
        "/api/v1/campaigns/import", file, content_type="application/json"
    )

    assert back.status_code == 201
    assert Campaign.objects.get().simulated == "two"
    wrong = as_alice.post(
        "/api/v1/campaigns/import",
        {**file, "simulated": "nine"},
        content_type="application/json",
    )
    assert wrong.status_code == 422
    assert Campaign.objects.count() == 1
