"""Corrections that replace one game of a campaign with another."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from campaigns import services
from campaigns.models import Campaign
from tests.campaigns.helpers.tables import (
    a_row,
    as_answers,
    organiser_of,
    report,
    write_context,
)
from tests.campaigns.settling.helpers import (
    content_now,
    correct_step,
    starter_of,
    table_with,
    upgrade_cop,
)
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import ROLAND, Raw, a_step

PARANOIA = "01097"
TWO, THREE = 0, 1  # which game the first one leads to
_LEADS: Raw = {"type": "campaign_data", "setting": "next_scenario"}
_NEXT: Raw = {
    "id": "next",
    "type": "input",
    "input": {
        "type": "choose_one",
        "choices": [
            {"id": each, "text": "", "effects": [{**_LEADS, "scenario": each}]}
            for each in ("two", "three")
        ],
    },
}


def _gives(*cards: str) -> Raw:
    given = {"type": "add_card", "investigator": "all", "non_story": True}
    return a_step(*({**given, "card": card} for card in cards), step_id="gives")


def _leads(number: int) -> Raw:
    return {"type": "choice", "step": "next", "scenario": "one", "choice": number}


def _change_next(campaign: Campaign, number: int) -> None:
    correct_step(campaign, _leads(number), "It was the other one")


@pytest.mark.parametrize("given", [(), (PARANOIA,)])
def test_cards_of_a_replaced_game_are_taken_once(
    alice: User, given: tuple[str, ...]
) -> None:
    """Undoing the game that took them does not leave them in the deck."""
    deck = starter_of(alice, ROLAND)
    guide = a_row(
        a_game("one", _NEXT),
        a_game("two", _gives(*given)),
        a_game("three", _gives(PARANOIA)),
        scenarios=["one"],
    )
    campaign = table_with(alice, deck, guide=guide)
    begun, *rest = won("one")
    report(campaign, as_answers(begun, *rest[:2], _leads(TWO), *rest[2:]))
    report(campaign, as_answers(*won("two")))
    _change_next(campaign, THREE)
    deck.refresh_from_db()
    upgrade_cop(deck)
    report(campaign, as_answers(*won("three")))
    deck.refresh_from_db()
    upgrade_cop(deck)
    assert content_now(deck).deck["slots"][PARANOIA] == 1

    _change_next(campaign, TWO)
    assert content_now(deck).deck["slots"].get(PARANOIA, 0) == len(given)
    services.return_to_start(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario="two",
        context=write_context(campaign),
    )
    assert PARANOIA not in content_now(deck).deck["slots"]
    report(campaign, as_answers(*won("two")[1:]))
    assert content_now(deck).deck["slots"].get(PARANOIA, 0) == len(given)
