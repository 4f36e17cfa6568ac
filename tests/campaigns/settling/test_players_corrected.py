"""A correction of who played a game, after decks were upgraded."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.settlement import Fate, fate_of
from campaigns import services
from campaigns.log.replays import replayed
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    as_answers,
    organiser_of,
    report,
    sequence_of,
    write_context,
)
from tests.campaigns.settling.helpers import OBOL, deck_with, table_with
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
