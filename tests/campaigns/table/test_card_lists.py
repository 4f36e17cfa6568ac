"""A question about cards lists those of linked decks and of the scenario."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log import store
from campaigns.models import Campaign
from campaigns.pages.board import board_of
from campaigns.questions.question import QuestionField
from decks import services as deck_services
from decks.lists.starter import starter_deck
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_row,
    as_answers,
    organiser_of,
    report,
    who,
)
from tests.decks.edits import apply
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw

pytestmark = pytest.mark.django_db
LEO, DUKE, CAT_BURGLAR = "01048", "02014", "01055"
ARMITAGE = "12115"  # there are two of this name
CULTISTS = ["01137", "01138", "01139", "01140", "01141", "01121b"]  # by their names


def _asks(*queries: Raw, **more: Any) -> Raw:
    effects = [
        {
            "type": "campaign_log_cards",
            "section": "campaign_notes",
            "id": "$input_value",
            "cards": "$input_value",
        }
    ]
    return {
        "id": "cards",
        "type": "input",
        "input": {
            "type": "card_choice",
            "query": list(queries),
            "choices": [{"id": "so", "text": "So", "effects": effects}],
            **more,
        },
    }


def _table(alice: User, *queries: Raw, deck: bool = True, **more: Any) -> Campaign:
    """Roland and Daisy at the question in The Midnight Masks; Daisy on paper."""
    row = a_row(a_game("arkham", _asks(*queries, **more)), id="core")
    campaign = a_campaign(alice, DAISY, guide=row)
    content = starter_deck(embedded_pool(), ROLAND)
    content = apply(content, [("add", LEO), ("add", CAT_BURGLAR)], embedded_pool())
    made = deck_services.create_deck(owner=alice, content=content, now=NOW)
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(ROLAND, deck=made if deck else None),
        now=NOW,
    )
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("arkham", ROLAND, DAISY)))
    return campaign


def _fields(campaign: Campaign) -> list[QuestionField]:
    question = board_of(organiser_of(campaign)).question
    assert question is not None
    return list(question.fields)


UNIQUE_ALLIES: Raw = {"source": "deck", "traits": ["ally"], "unique": True}


def test_cards_of_decks_are_ticked(alice: User, as_alice: Client) -> None:
    """Leo De Luca is unique and an ally; the burglar is not; Daisy's are named."""
    campaign = _table(alice, UNIQUE_ALLIES, {"code": ["02040"]})
    listed, others = _fields(campaign)
    assert (listed.kind, others.kind) == ("several", "cards")
    named = {option.value: option.label for option in listed.options}
    assert named["02040"] == "Dr. Henry Armitage"
    assert named[LEO] == "Leo De Luca"
    assert CAT_BURGLAR not in named
    sent = {"answer": [LEO], "others": "Duke", "after": campaign.last, "key": "k"}
    answer = as_alice.post(f"/campaigns/{campaign.pk}/", sent)

    assert answer.status_code == 303
    campaign.refresh_from_db()
    given = store.entries(campaign)[-1]
    assert isinstance(given, Answer)
    assert dict(given.value) == {LEO: ("so",), DUKE: ("so",)}
    page = as_alice.get(f"/campaigns/{campaign.pk}/timeline/{campaign.last}/")
    assert f'value="{LEO}" checked' in " ".join(page.content.decode().split())


def test_cards_excluded_by_the_guide_are_not_listed(alice: User) -> None:
    query = UNIQUE_ALLIES | {"exclude_code": [LEO]}
    first = _fields(_table(alice, query))[0]
    assert LEO not in {option.value for option in first.options}


def test_cards_of_the_scenario_are_listed(alice: User) -> None:
    """The six cultists of its encounter sets, from its facts."""
    query: Raw = {"source": "scenario", "traits": ["cultist"], "unique": True}
    listed = _fields(_table(alice, query))[0]
    assert sorted(option.value for option in listed.options) == sorted(CULTISTS)


def test_cards_are_counted_one_by_one(alice: User, as_alice: Client) -> None:
    """Those with a count of 0 are left out; others are typed once per copy."""
    query: Raw = {"source": "deck", "types": ["asset"], "traits": ["ally"]}
    campaign = _table(alice, query, include_counts=True)
    fields = _fields(campaign)
    assert {field.kind for field in fields} == {"number", "cards"}
    sent = {LEO: "1", CAT_BURGLAR: "0", "others": "Duke\nDuke", "key": "k"}
    sent["after"] = str(campaign.last)
    assert as_alice.post(f"/campaigns/{campaign.pk}/", sent).status_code == 303
    campaign.refresh_from_db()
    given = store.entries(campaign)[-1]
    assert isinstance(given, Answer)
    assert dict(given.value) == {LEO: (1,), DUKE: (2,)}
    page = as_alice.get(f"/campaigns/{campaign.pk}/timeline/{campaign.last}/")
    assert ">Duke\nDuke</textarea>" in page.content.decode()


def test_without_known_cards_they_are_typed(alice: User) -> None:
    """Two decks on paper."""
    campaign = _table(alice, UNIQUE_ALLIES, deck=False)
    assert [field.kind for field in _fields(campaign)] == ["cards"]


def test_a_correction_is_prefilled_with_names(alice: User, as_alice: Client) -> None:
    """With a card's code if another card has that name."""
    campaign = _table(alice, UNIQUE_ALLIES, deck=False)
    sent = {"answer": f"{DUKE}\n{ARMITAGE}", "key": "k", "after": str(campaign.last)}
    assert as_alice.post(f"/campaigns/{campaign.pk}/", sent).status_code == 303
    campaign.refresh_from_db()
    address = f"/campaigns/{campaign.pk}/timeline/{campaign.last}/"
    page = as_alice.get(address).content.decode()
    (filled,) = re.findall(r"<textarea[^>]*>([^<]*)</textarea>", page)
    assert filled.split() == ["Duke", ARMITAGE]
    again = {"answer": filled, "confirm": "yes", "key": "l", "after": campaign.last}
    assert as_alice.post(address, again).status_code == 303
    campaign.refresh_from_db()
    given = store.entries(campaign)[-1]
    assert isinstance(given, Answer)
    assert [*given.value] == [DUKE, ARMITAGE]
