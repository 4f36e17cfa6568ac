"""A correction of who played a game, after decks were upgraded."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.settlement import Fate, fate_of
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from decks.models import Deck
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    as_answers,
    organiser_of,
    report,
    sequence_of,
    write_context,
)
from tests.campaigns.settling.helpers import OBOL, deck_with, table_with, upgrade_cop
from tests.decks.helpers import latest_of
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

CHOOSE, LEAD = "$choose_investigators", "$lead_investigator"


@pytest.mark.parametrize(
    ("outcome", "fate", "balance"),
    [("alive", Fate.ALIVE, 5), ("physical", Fate.KILLED, 3)],
)
def test_the_obol_of_an_investigator_added_to_a_game_counts(
    alice: User, outcome: str, fate: Fate, balance: int
) -> None:
    """The deck is played as it is now; the upgrade isn't asked for again."""
    deck = deck_with(alice, OBOL)
    campaign = table_with(alice, deck)
    alone = won("one", 2, **{DAISY: "alive"})
    report(campaign, as_answers(*(r for r in alone if r.get("step") != LEAD)))
    assert (ledger.balance_of(deck), latest_of(deck).played_at) == (0, None)
    both = won("one", 2, **{ROLAND: outcome, DAISY: "alive"})
    players, lead, *_played, status = both[1:6]
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, CHOOSE),
        given=as_answers(players)[0]._replace(sequence=0),
        reason="Roland was there",
        context=write_context(campaign),
    )
    report(campaign, as_answers(lead, status))
    assert latest_of(deck).played_at is not None
    assert fate_of(replayed(campaign).replay.state, ROLAND) is fate
    assert ledger.balance_of(deck) == balance


def _players(campaign: Campaign, *codes: str) -> None:
    """Correct who played the first game, and answer what the correction asks."""
    game = won("one", 2, **dict.fromkeys(codes, "alive"))
    step = next(each for each in game if each.get("step") == CHOOSE)
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, CHOOSE),
        given=as_answers(step)[0]._replace(sequence=0),
        reason="Forgotten",
        context=write_context(campaign),
    )
    while pending := replayed(campaign).replay.pending:
        if pending.scenario != "one":
            break
        (given,) = [each for each in game if each.get("step") == pending.step]
        report(campaign, as_answers(given))


def test_a_finished_game_is_recorded_for_those_added_to_it(alice: User) -> None:
    """And no longer for those it is taken from; their decks have the next one alike."""
    deck = deck_with(alice)
    campaign = table_with(alice, deck)
    alone = won("one", 2, **{DAISY: "alive"})
    report(campaign, as_answers(*(r for r in alone if r.get("step") != LEAD)))
    assert (ledger.balance_of(deck), latest_of(deck).played_at) == (0, None)

    _players(campaign, ROLAND, DAISY)
    first = latest_of(deck)
    assert (first.played_at is not None, ledger.balance_of(deck)) == (True, 3)

    _players(campaign, DAISY)
    assert (latest_of(deck).played_at, ledger.balance_of(deck)) == (None, 0)

    _players(campaign, ROLAND, DAISY)
    assert latest_of(deck).played_at is not None
    assert ledger.balance_of(deck) == 3


def _games(deck: Deck) -> tuple[list[int], int]:
    """The revisions that games were played with, and the balance."""
    played = deck.revisions.filter(played_at__isnull=False).order_by("number")
    return [each.number for each in played], ledger.balance_of(deck)


@pytest.mark.parametrize(
    ("after", "out", "again"),
    [
        ("upgrade", ([1], -2), ([1], 1)),
        ("another game", ([1, 2], 3), ([1, 2], 6)),
    ],
)
def test_a_game_that_stayed_in_the_deck_is_not_recorded_twice(
    alice: User, after: str, out: tuple[list[int], int], again: tuple[list[int], int]
) -> None:
    """A deck that went on keeps the game that its investigator is taken from."""
    deck = deck_with(alice)
    campaign = table_with(alice, deck)
    both = {ROLAND: "alive", DAISY: "alive"}
    report(campaign, as_answers(*won("one", 2, **both)))
    if after == "upgrade":
        upgrade_cop(deck)
    else:
        report(campaign, as_answers(*won("two", 2, **both)))
    _players(campaign, DAISY)
    assert _games(deck) == out
    _players(campaign, ROLAND, DAISY)
    assert _games(deck) == again


def test_a_revision_that_another_game_was_played_with_is_not_claimed(
    alice: User,
) -> None:
    """Both games are recorded in the end."""
    deck = deck_with(alice)
    campaign = table_with(alice, deck)
    both = {ROLAND: "alive", DAISY: "alive"}
    report(campaign, as_answers(*won("one", 2, **both)))
    _players(campaign, DAISY)
    report(campaign, as_answers(*won("two", 2, **both)))
    assert _games(deck) == ([1], 3)
    _players(campaign, ROLAND, DAISY)
    assert _games(deck) == ([1, 2], 6)
