"""Records of the log that matter in play are shown while a table plays."""

from __future__ import annotations

from django.test import Client

from arkham.accounts.models import User
from tests.campaigns.helpers.tables import a_campaign, a_row, as_answers, report, who
from tests.decks.helpers import text_of
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.prompts import ADDS, PARTNER
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw, a_step


def test_supplies_partners_and_time_are_on_the_scenarios_page(
    alice: User, as_alice: Client
) -> None:
    """Supplies and counts are on the page of the table too."""
    supplies = [{"id": "rope", "name": "Rope", "cost": 3}]
    supplies.append({"id": "food", "name": "Food", "cost": 1, "multiple": True})
    pack: Raw = {"type": "supplies", "section": "supplies", "points": [7, 7, 7, 7]}
    go: Raw = {"type": "investigator_choice_partner", "condition": PARTNER}
    game = a_game(
        "one",
        {"id": "pack", "type": "input", "input": pack | {"supplies": supplies}},
        a_step(ADDS | {"value": 12}, step_id="time"),
        {"id": "go", "type": "input", "input": go | {"prompt": ""}},
    )
    campaign = a_campaign(alice, ROLAND, DAISY, guide=a_row(game))
    packed = {ROLAND: {"rope": 1, "food": 2}, DAISY: {}}
    gone = {ROLAND: ["p1"], DAISY: ["none"]}
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    answers: list[Raw] = [
        {"type": "supplies", "scenario": "one", "step": "pack", "supplies": packed},
        {"type": "string_choices", "scenario": "one", "step": "go", "choices": gone},
    ]
    report(campaign, as_answers(*answers))
    table = text_of(as_alice.get(f"/campaigns/{campaign.pk}/"))
    scenario = text_of(as_alice.get(f"/campaigns/{campaign.pk}/scenario/"))
    for page in (table, scenario):
        assert "Supplies: Rope: 1, Food: 2" in page
    assert "Doubt 12" in table
    assert "Doubt: 12" in scenario
    assert "Roland Banks with P1" in scenario
    assert "Daisy Walker without a partner" in scenario
