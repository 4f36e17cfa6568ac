"""Who leads is asked together with who plays: one form, two answers in the log."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from tests.campaigns.helpers.tables import a_campaign, a_row, as_answers, report, who
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, WHO

pytestmark = pytest.mark.django_db
LEADS = re.compile(r'name="lead" value="(\d+)"( checked)?')


@pytest.fixture
def beginning(alice: User) -> Campaign:
    """A table of two that begins its first scenario: it is asked who plays."""
    games = a_game("one"), a_game("two")
    guide = a_row(*games, setup=["who"], steps=[WHO])
    campaign = a_campaign(alice, ROLAND, DAISY, guide=guide)
    report(campaign, as_answers(who(ROLAND, DAISY), begun("one", ROLAND, DAISY)[0]))
    return campaign


def _press(client: Client, campaign: Campaign, *players: str, lead: str = "") -> int:
    data = {
        "after": str(campaign.last),
        "key": f"press{campaign.last}",
        "answer": [*players],
        **({"lead": lead} if lead else {}),
    }
    status = client.post(f"/campaigns/{campaign.pk}/", data).status_code
    campaign.refresh_from_db()
    return status


def _page(client: Client, campaign: Campaign) -> str:
    return client.get(f"/campaigns/{campaign.pk}/").content.decode()


def _asked(campaign: Campaign) -> str:
    pending = replayed(campaign).replay.pending
    assert pending is not None
    return pending.step


def test_both_are_answered_at_once(beginning: Campaign, as_alice: Client) -> None:
    """The log has an answer for each."""
    page = _page(as_alice, beginning)
    assert LEADS.findall(page) == [(ROLAND, " checked"), (DAISY, "")]
    before = beginning.last
    assert _press(as_alice, beginning, ROLAND, DAISY, lead=DAISY) == 303
    assert _asked(beginning) == "$play_scenario"
    known = replayed(beginning)
    game = known.replay.state.games["one"]
    assert (game.players, game.lead) == ((ROLAND, DAISY), DAISY)
    written = [each for each in known.entries if each.sequence > before]
    assert [each.step for each in written if isinstance(each, Answer)] == [
        "$choose_investigators",
        "$lead_investigator",
    ]


@pytest.mark.parametrize(
    ("players", "lead", "asked"),
    [
        ((ROLAND, DAISY), "", "$lead_investigator"),
        ((ROLAND, DAISY), "01003", "$lead_investigator"),
        ((ROLAND,), DAISY, "$play_scenario"),  # who plays alone leads
    ],
)
def test_a_lead_who_was_not_chosen_is_asked_for(
    beginning: Campaign,
    as_alice: Client,
    players: tuple[str, ...],
    lead: str,
    asked: str,
) -> None:
    assert _press(as_alice, beginning, *players, lead=lead) == 303
    assert _asked(beginning) == asked


def test_the_last_lead_is_chosen_already(beginning: Campaign, as_alice: Client) -> None:
    """The question after it has no such field."""
    played = *begun("one", DAISY, ROLAND)[1:], *won("one")[3:]
    report(beginning, as_answers(*played, begun("two", ROLAND, DAISY)[0]))
    page = _page(as_alice, beginning)
    assert LEADS.findall(page) == [(ROLAND, ""), (DAISY, " checked")]
    sent = {"after": beginning.last, "key": "again", "answer": [ROLAND, DAISY]}
    assert as_alice.post(f"/campaigns/{beginning.pk}/", sent).status_code == 303
    assert not LEADS.search(_page(as_alice, beginning))
