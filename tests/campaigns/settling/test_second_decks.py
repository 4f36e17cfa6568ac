"""A campaign's changes reach an investigator's second deck as well."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from decks import services as deck_services
from decks.lists.content import read_content
from decks.models import Deck
from tests.campaigns.helpers.tables import (
    NOW,
    a_row,
    as_answers,
    organiser_of,
    report,
    write_context,
)
from tests.campaigns.settling.helpers import content_now, game_of, table_with
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import DAISY, Raw, a_step
from tests.rules.upgrades import read_base

JIM, SPIRIT = "02004", "60508"  # parallel Jim's back asks for a second deck of allies
ANSWER: Raw = {"type": "choice", "step": "asked", "scenario": "one"}
LEAVES: Raw = {
    "type": "remove_card",
    "investigator": "all",
    "card": SPIRIT,
    "non_story": True,
}


def _jims_deck(owner: User) -> Deck:
    listed = read_base("decks/legal/02004-jim-culver-parallel-back")
    content = read_content({"deck": dict(listed)})
    return deck_services.create_deck(owner=owner, content=content, now=NOW)


def _answer_again(campaign: Campaign, choice: int) -> None:
    (given,) = as_answers({**ANSWER, "choice": choice})
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=[
            each.sequence
            for each in replayed(campaign).replay.used
            if isinstance(each, Answer) and each.step == "asked"
        ][-1],
        given=given._replace(sequence=0),
        reason="It was not so",
        context=write_context(campaign),
    )


def _held(deck: Deck) -> tuple[int, int]:
    listed = content_now(deck).asked().deck
    return listed.entries.get(SPIRIT, 0), listed.side_deck.get(SPIRIT, 0)


@pytest.mark.parametrize("exile", [True, False])
@pytest.mark.parametrize("at_once", [True, False])
def test_a_spirit_leaves_and_returns(alice: User, exile: bool, at_once: bool) -> None:
    """With the game that removed it, or by a correction after the next one."""
    order = a_step(LEAVES | {"exile": exile}, step_id="leaves")
    asked: Raw = {
        "id": "asked",
        "type": "input",
        "input": {
            "type": "choose_one",
            "choices": [
                {"id": "no", "text": ""},
                {"id": "yes", "text": "", "steps": ["leaves"]},
            ],
        },
    }
    game = a_game("one", asked)
    game["steps"].append(order)
    deck = _jims_deck(alice)
    assert _held(deck) == (0, 1)
    campaign = table_with(alice, deck, JIM, a_row(game, a_game("two")))
    report(campaign, game_of(JIM, {**ANSWER, "choice": int(at_once)}))
    if not at_once:
        report(campaign, as_answers(*won("two", 2, **{JIM: "alive", DAISY: "alive"})))
        _answer_again(campaign, 1)
    assert _held(deck) == (0, 0)
    _answer_again(campaign, 0)

    assert _held(deck) == (0, 1)
