"""Questions that one press answers: known numbers, and a few copies of a card."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from arkham.accounts.models import User
from campaigns.models import Campaign, Guide
from campaigns.questions.question import QuestionField
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_row,
    as_answers,
    have_our_guides,
    report,
    who,
)
from tests.rules.campaign.helpers.games import a_game, begun, ended
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db
PROLOGUE = "disappearance_at_the_twilight_estate"


def _campaign(organiser: User, guide_id: str, *codes: str) -> Campaign:
    have_our_guides()
    guide = Guide.objects.get(guide_id=guide_id, origin="ours")
    return a_campaign(organiser, *codes, guide=guide)


def _question(client: Client, campaign: Campaign) -> str:
    page = unescape(client.get(f"/campaigns/{campaign.pk}/").content.decode())
    return page[page.index('id="now"') : page.index("</main>")]


def test_the_number_of_players_is_proposed(alice: User, as_alice: Client) -> None:
    """The guide asks before anyone takes part; the table has its seats."""
    campaign = _campaign(alice, "tcu", ROLAND, DAISY)
    difficulty = {"type": "choice", "step": "difficulty_choice", "choice": 1}
    report(
        campaign,
        as_answers(difficulty, {"type": "start_scenario", "scenario": PROLOGUE}),
    )
    asked = _question(as_alice, campaign)
    assert "How many of you play?" in asked
    assert "the number of investigators at this table" in asked
    (proposed,) = re.findall(
        r'class="button wide-button chosen" name="answer" value="(\w+)"', asked
    )
    assert proposed == "two"


def test_no_number_of_players_is_proposed_without_seats(
    alice: User, as_alice: Client
) -> None:
    campaign = _campaign(alice, "tcu")
    difficulty = {"type": "choice", "step": "difficulty_choice", "choice": 1}
    report(
        campaign,
        as_answers(difficulty, {"type": "start_scenario", "scenario": PROLOGUE}),
    )
    asked = _question(as_alice, campaign)
    assert "How many of you play?" in asked
    assert "investigators at this table" not in asked


@pytest.mark.parametrize(
    ("field", "presses"),
    [
        (QuestionField("a", "A", "number", (), 0, 3), ("0", "1", "2", "3")),
        (QuestionField("a", "A", "number", (), 0, 6), tuple("0123456")),
        (QuestionField("a", "A", "number", (), 0, 7), ()),
        (QuestionField("a", "A", "number"), ()),
        (QuestionField("a", "A", "tick", (), 0, 1), ()),
    ],
)
def test_few_copies_are_pressed(field: QuestionField, presses: tuple[str, ...]) -> None:
    assert field.presses == presses


def test_several_copies_in_the_display_are_pressed(
    alice: User, as_alice: Client
) -> None:
    """One press each, without the keyboard; none at first."""
    campaign = a_campaign(alice, ROLAND, guide=a_row(a_game("tentacles"), id="core"))
    outcome = {ROLAND: "alive"}
    report(campaign, as_answers(who(ROLAND), *begun("tentacles", ROLAND)[:2]))
    report(campaign, as_answers(*ended("tentacles", 1, "R1", **outcome)))
    asked = _question(as_alice, campaign)
    row = asked[asked.index('id="field-01177"') :]
    row = row[: row.index("</fieldset>")]
    assert "Yithian Observer" in row
    pressed = re.findall(r'type="radio" name="01177" value="(\d)"( checked)?', row)
    assert pressed == [("0", " checked"), ("1", ""), ("2", "")]
    # A player card is in each deck as often as its limit allows.
    assert len(re.findall(r'type="radio" name="02111"', asked)) == 3
