"""The document about keeping a campaign by API is right."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, Role
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    NOW,
    a_member,
    a_seat,
    have_our_guides,
    organiser_of,
)
from tests.campaigns.helpers.walkthrough import Walk, steps_of
from tests.rules.campaign.helpers.small import DAISY, ROLAND

Call = Callable[..., Any]
DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "api-walkthrough.md"


@pytest.mark.django_db
def test_the_document_keeps_a_campaign_by_api_alone(alice: User, bob: User) -> None:
    """From two decks to the end of the campaign, with its literal requests."""
    have_our_guides()
    walk = Walk(ALICE=_key(alice), BOB=_key(bob))

    steps = list(steps_of(DOCUMENT.read_text(encoding="utf-8")))
    for step in steps:
        walk.take(step)

    assert len(steps) > 40
    campaign = Campaign.objects.get()
    assert replayed(campaign).replay.pending is None
    assert replayed(campaign).replay.state.campaign_result == "win"


def _program() -> Callable[[int, dict[str, Call]], str]:
    """Return the document's program."""
    (source,) = re.findall(
        r"^```python\n(.*?)^```$",
        DOCUMENT.read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    found: dict[str, Any] = {}
    exec(source, found)  # noqa: S102 (it is our own)
    played: Callable[[int, dict[str, Call]], str] = found["play"]
    return played


def _calling(key: str) -> Call:
    """Return how the holder of a key sends requests, all of which must succeed."""

    def call(method: str, path: str, body: Any = None) -> Any:
        answer = Client().generic(
            method,
            path,
            json.dumps(body).encode() if body is not None else b"",
            CONTENT_TYPE="application/json",
            headers={"Authorization": f"Bearer {key}"},
        )
        assert answer.status_code in (200, 201), (body, answer.content)
        return answer.json()

    return call


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("guide", "scenarios", "result"),
    [
        ("core", 4, "win"),
        ("dwl", 13, "win"),
        ("ptc", 12, "win"),
        ("tfa", 16, "win"),
        ("tcu", 13, "lose"),
        ("tdea", 7, "win"),
        ("tdeb", 7, "win"),
        ("tic", 13, "win"),
        ("eoe", 16, "win"),
        ("tskc", 34, "win"),
        ("fhv", 14, "win"),
        ("tdc", 17, "win"),
        ("boa", 4, "win"),
        ("fof", 3, None),
        ("gob", 3, None),
        ("rtnotz", 4, "win"),
        ("rtdwl", 13, "win"),
        ("rtptc", 12, "win"),
        ("rttfa", 16, "win"),
        ("rttcu", 13, "lose"),
    ],
)
def test_the_documents_program_plays_each_of_our_guides(
    alice: User, bob: User, guide: str, scenarios: int, result: str | None
) -> None:
    """Two people with decks play to the end; the ledgers have what was earned.

    Resolution 1 is always taken, which loses The Circle Undone, and its epilogue. Some
    campaigns end without a result.
    """
    have_our_guides()
    seats, players = [], {}
    for owner, code in ((alice, ROLAND), (bob, DAISY)):
        content = starter_deck(embedded_pool(), code)
        deck = deck_services.create_deck(owner=owner, content=content, now=NOW)
        seats.append((owner, code, deck))
        players[code] = _calling(_key(owner))
    row = Guide.objects.get(guide_id=guide, origin=Guide.Origin.OURS)
    campaign = services.start_campaign(
        organiser=alice, guide=row, name="By API", now=NOW
    )
    members = {alice: organiser_of(campaign), bob: a_member(campaign, bob, Role.SCRIBE)}
    for owner, code, deck in seats:
        seat = a_seat(campaign, code, members[owner])
        services.link_deck(seat=seat, member=members[owner], deck=deck, now=NOW)

    assert _program()(campaign.pk, players) == result

    campaign.refresh_from_db()
    replay = replayed(campaign).replay
    ended = [each.status for each in replay.scenarios if each.status != "skipped"]
    assert ended == ["completed"] * scenarios
    assert {row.author_name for row in campaign.entries.all()} == {"alice", "bob"}
    for _owner, code, deck in seats:
        earned = replay.state.people[code].experience
        assert earned
        # A weakness that was drawn may give its bearer some experience.
        by_cards = deck.ledger.filter(kind__in=("granted", "card"))
        drawn = sum(by_cards.values_list("amount", flat=True))
        assert ledger.balance_of(deck) == earned + drawn


def _key(owner: User) -> str:
    _key, text = accounts.make_key(
        owner=owner, name="walk", scope=ApiKey.Scope.WRITE, now=NOW
    )
    return text
