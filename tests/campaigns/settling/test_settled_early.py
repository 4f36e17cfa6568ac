"""Decks are updated before a part's end: in a setup, with questions to follow."""

from __future__ import annotations

from collections import Counter

from arkham.accounts.models import User
from campaigns import services
from campaigns.models import Settlement
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    STORY,
    WITH_STORY,
    a_row,
    as_answers,
    organiser_of,
    report,
    sequence_of,
    write_context,
)
from tests.campaigns.settling.helpers import (
    content_now,
    retract_entry,
    starter_of,
    table_with,
    upgrade_cop,
)
from tests.decks.games_and_upgrades.helpers import booked_lines
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, WHO, Raw, a_step

DRAWN: list[Raw] = [
    {"type": "add_card", "investigator": "all", "card": "01097", "non_story": True},
    {"type": "remove_card", "investigator": "all", "card": "01000", "non_story": True},
]
SAVE: Raw = {"id": "save", "type": "input", "input": {"type": "save_decks"}}
PREPARE: Raw = {"id": "prepare", "type": "input", "input": {"type": "upgrade_decks"}}
PREPARED: Raw = {
    "type": "decision",
    "step": "prepare",
    "scenario": "two",
    "decision": True,
}
ASK: Raw = {
    "id": "more",
    "type": "input",
    "input": {
        "type": "choose_one",
        "choices": [{"id": "one", "text": ""}, {"id": "two", "text": ""}],
    },
}


def test_a_card_is_given_once_before_further_questions(alice: User) -> None:
    """It goes again, completely, once the setup is undone."""
    guide = a_row(
        a_game("one"),
        setup=["who", "drawn", "save", "more"],
        steps=[WHO, a_step(*DRAWN, step_id="drawn"), SAVE, ASK],
    )
    deck = starter_of(alice, ROLAND)
    before = content_now(deck)
    campaign = table_with(alice, deck, ROLAND, guide)
    answers: tuple[Raw, ...] = (
        {"type": "decision", "step": "save", "decision": True},
        {"type": "choice", "step": "more", "choice": 0},
    )
    for answer in answers:
        report(campaign, as_answers(answer))
        slots = content_now(deck).deck["slots"]
        assert (slots["01097"], slots.get("01000", 0)) == (1, 0)
    assert Settlement.objects.count() == 1
    retract_entry(campaign, sequence_of(campaign, "who", "$campaign_setup"))

    assert content_now(deck) == before


def test_a_game_is_recorded_once_it_is_over(alice: User) -> None:
    """With the deck that was upgraded in its setup; removed if its end is undone."""
    deck = starter_of(alice, ROLAND)
    guide = a_row(a_game("one"), a_game("two", PREPARE))
    campaign = table_with(alice, deck, ROLAND, guide)
    report(campaign, as_answers(*won("one"), *begun("two", ROLAND, DAISY)))
    assert deck.revisions.filter(played_at__isnull=False).count() == 1
    upgraded = upgrade_cop(deck, 90)
    report(campaign, as_answers(PREPARED))
    assert deck.revisions.filter(played_at__isnull=False).count() == 1
    report(campaign, as_answers(*won("two")[3:]))

    upgraded.refresh_from_db()
    assert upgraded.played_at is not None
    assert ledger.balance_of(deck) == 3 - 2 + 3
    assert ("victory", 2, "Friday: two") in booked_lines(deck)
    retract_entry(campaign, sequence_of(campaign, "$choose_resolution", "two"))
    upgraded.refresh_from_db()
    assert upgraded.played_at is None
    assert ledger.balance_of(deck) == 1
    report(campaign, as_answers(won("two")[4]))
    assert ledger.balance_of(deck) == 4


def test_a_card_of_the_setup_is_given_once(alice: User) -> None:
    """If the end of the game is undone, and then the whole game."""
    deck = starter_of(alice, ROLAND)
    guide = a_row(a_game("one"), a_game("two", WITH_STORY, a_step(*DRAWN), PREPARE))
    campaign = table_with(alice, deck, ROLAND, guide)
    before = content_now(deck).deck["slots"]
    report(campaign, as_answers(*won("one"), *begun("two", ROLAND, DAISY)))
    report(campaign, as_answers(PREPARED, *won("two")[3:]))
    given = content_now(deck).deck["slots"]
    assert given[STORY] == 1
    retract_entry(campaign, sequence_of(campaign, "$choose_resolution", "two"))
    assert content_now(deck).deck["slots"] == given
    report(campaign, as_answers(won("two")[4]))
    assert content_now(deck).deck["slots"] == given
    services.return_to_start(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario="one",
        context=write_context(campaign),
    )
    assert Counter(content_now(deck).deck["slots"]) == Counter(before)
