"""The outcome of a scenario's last answer is previewed before it is written."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.state.answers import Answer, SideScenario
from arkham.rules.pool import CardPool
from campaigns import services
from campaigns.models import Campaign
from campaigns.pages.board import board_of, outcome_of, replayed_with
from campaigns.views.table import running
from campaigns.words.changes import ChangesInWords, PersonChanges
from tests.campaigns.helpers.tables import (
    STORY,
    a_campaign,
    a_row,
    as_answers,
    experience,
    organiser_of,
    report,
    sequence_of,
    who,
    write_context,
)
from tests.campaigns.table.helpers import answer_first
from tests.decks.helpers import text_of
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, WHO, a_scenario

pytestmark = pytest.mark.django_db


def test_the_outcome_is_previewed(as_alice: Client, campaign: Campaign) -> None:
    """The last answer of a scenario is written once it is confirmed."""
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    while (
        b"Results of this answer"
        not in (page := answer_first(as_alice, campaign)).content
    ):
        assert page.status_code in (200, 303), page.content
    before = campaign.last
    assert experience(campaign, ROLAND) == 0

    confirmed = re.findall(
        r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.content.decode()
    )
    data = {name: value for name, value in confirmed if name != "csrfmiddlewaretoken"}
    response = as_alice.post(f"/campaigns/{campaign.pk}/", {**data, "confirm": "yes"})
    campaign.refresh_from_db()
    assert response.status_code == 303
    assert campaign.last == before + 1


@pytest.mark.parametrize("in_place", [False, True])
def test_an_answer_is_replayed_once(
    as_alice: Client,
    campaign: Campaign,
    monkeypatch: pytest.MonkeyPatch,
    in_place: bool,
) -> None:
    """For the preview, and again when written; the state before it is cached."""
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")[:-2]))
    address = f"/campaigns/{campaign.pk}/"
    header = {"HX-Request": "true"} if in_place else {}
    as_alice.get(address)
    folds = 0

    def counted(*given: Any, **more: Any) -> Replay:
        nonlocal folds
        folds += 1
        return fold(*given, **more)

    monkeypatch.setattr("campaigns.log.replays.fold", counted)
    before = campaign.last
    sent = {"after": before, "key": "k", "total": "7"}
    shown = as_alice.post(address, sent, headers=header).content.decode()
    assert "Results of this answer" in shown
    assert folds == 1

    folds = 0
    as_alice.post(address, {**sent, "confirm": "yes"}, headers=header)
    assert folds == 1
    campaign.refresh_from_db()
    assert campaign.last == before + 1

    folds = 0
    assert "Results" in text_of(as_alice.get(address))
    assert folds == 0


def test_a_reconsidered_answer_is_prefilled(
    as_alice: Client, campaign: Campaign
) -> None:
    """Going back from the preview keeps the form."""
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")[:-2]))
    address = f"/campaigns/{campaign.pk}/"
    sent = {"after": campaign.last, "key": "k", "total": "7"}
    shown = as_alice.post(address, sent).content.decode()
    assert "Results of this answer" in shown
    assert 'name="change"' in shown

    page = as_alice.post(address, {**sent, "change": "yes"}).content.decode()

    assert "Results of this answer" not in page
    assert 'name="total" value="7"' in page
    campaign.refresh_from_db()
    assert campaign.last == sent["after"]


def _aside(campaign: Campaign) -> None:
    """After a game that was won a side scenario of two points is resolved."""
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    outcomes = {ROLAND: "physical", DAISY: "alive"}
    begins = SideScenario("one", "official", "", 0)
    report(campaign, [Answer("start_side_scenario", "aside", "", begins)])
    report(campaign, as_answers(*won("aside", 2, **outcomes)[1:-2]))


@pytest.mark.parametrize("is_put_right", [False, True])
def test_the_whole_outcome_is_shown(alice: User, is_put_right: bool) -> None:
    """Of a side scenario too; corrections of earlier games are not part of it."""
    aside = a_game("aside", side_scenario_type="standard", xp_cost=0)
    row = a_row(a_game("one"), a_game("two"), aside, scenarios=["one", "two"])
    campaign = a_campaign(alice, ROLAND, DAISY, guide=row)
    _aside(campaign)
    if is_put_right:
        target = sequence_of(campaign, "victory")
        (better,) = as_answers(
            {"type": "count", "step": "victory", "scenario": "one", "count": 5}
        )
        services.correct(
            campaign=campaign,
            member=organiser_of(campaign),
            target=target,
            given=better,
            reason="",
            context=write_context(campaign),
        )
    board = board_of(organiser_of(campaign))
    so_far = running(board)
    assert so_far is not None
    assert [each.phrases for each in so_far.people] == [("+1 physical trauma",)]
    (last,) = as_answers(
        {"type": "count", "step": "victory", "scenario": "aside", "count": 2}
    )
    people = outcome_of(board, "aside", replayed_with(board, last)).people
    assert [each.phrases for each in people] == [
        ("+3 experience", "+1 physical trauma"),
        ("+3 experience",),
    ]


def test_the_results_of_a_game_include_the_interlude_since(alice: User) -> None:
    """With its answers: what was earned in it is a result, not known before."""
    gives = {"type": "add_card", "investigator": "$input_value", "card": STORY}
    asks = {
        "id": "asks",
        "type": "input",
        "input": {
            "type": "investigator_choice",
            "source": "campaign",
            "investigator": "any",
            "choices": [{"id": "takes", "text": "Takes it", "effects": [gives]}],
        },
    }
    between = a_scenario("between", asks, type="interlude")
    guide = a_row(a_game("one"), between, a_game("two"), setup=["who"], steps=[WHO])
    campaign = a_campaign(alice, ROLAND, DAISY, guide=guide)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    begins = {"type": "start_scenario", "scenario": "between"}
    takes = {"type": "string_choices", "scenario": "between", "step": "asks"}
    report(campaign, as_answers(begins, {**takes, "choices": {DAISY: ["takes"]}}))
    board = board_of(organiser_of(campaign))
    assert board.settled is not None
    assert board.settled.name.count(" · ") == 1
    found = running(board)
    assert found is not None
    (daisy,) = (each for each in found.people if each.name == "Daisy Walker")
    assert any(each.startswith("gets ") for each in daisy.phrases)


@pytest.mark.parametrize("had", [0, 1])
def test_a_first_bag_is_no_result(alice: User, had: int) -> None:
    """The table shows it whole, as a standalone scenario fills it."""
    fill = {"id": "fill", "effects": [{"type": "add_chaos_token", "tokens": ["skull"]}]}
    first, second = (a_game(each) for each in ("one", "two"))
    for game in (first, second)[1 - had :]:
        game["steps"].append(fill)
        game["setup"] = ["fill", *game["setup"]]
    campaign = a_campaign(alice, ROLAND, guide=a_row(first, second))
    report(campaign, as_answers(who(ROLAND), *won("one")))
    report(campaign, as_answers(*begun("two", ROLAND)[:-1]))  # who leads isn't asked
    found = running(board_of(organiser_of(campaign)))
    assert (found.tokens if found else ()) == ("+1 × Skull",) * had


def test_a_second_settlement_is_previewed_as_well(
    as_alice: Client, campaign: Campaign
) -> None:
    """After a correction, a repeated answer is confirmed like the first time."""
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    target = sequence_of(campaign, "$choose_resolution")
    path = f"/campaigns/{campaign.pk}/timeline/{target}/"
    corrected = {"answer": "no_resolution", "reason": "So", "confirm": "yes"}
    as_alice.post(path, {**corrected, "after": campaign.last, "key": "anew"})
    campaign.refresh_from_db()
    before = campaign.last

    assert "Results of this answer" in text_of(answer_first(as_alice, campaign))
    campaign.refresh_from_db()
    assert campaign.last == before


def test_without_an_outcome_nothing_is_confirmed(as_alice: Client, alice: User) -> None:
    """After an interlude without gains no empty list is shown."""
    guide = a_row(
        {"id": "interlude", "scenario_name": "Interlude", "type": "interlude",
         "setup": ["ask", "$upgrade_decks"],
         "steps": [{"id": "ask", "type": "input", "input": {
             "type": "choose_one", "choices": [
                 {"id": "left", "text": "Left", "steps": []},
                 {"id": "right", "text": "Right", "steps": []},
             ]}}]},
        a_game("one"),
    )  # fmt: skip
    campaign = a_campaign(alice, ROLAND, guide=guide)
    report(
        campaign,
        as_answers(who(ROLAND), {"type": "start_scenario", "scenario": "interlude"}),
    )

    page = as_alice.post(
        f"/campaigns/{campaign.pk}/",
        {"answer": "left", "after": campaign.last, "key": "k"},
        follow=True,
    ).content.decode()

    assert "Results of this answer" not in page
    assert "Upgrade your decks" in page


@pytest.mark.parametrize(
    ("card", "name"),
    [("83055", "John &amp; Jessie Burke"), ("01008", "Daisy&#x27;s Tote Bag")],
)
def test_names_are_escaped_once(rows: CardPool, card: str, name: str) -> None:
    """And lead to their cards, several phrases beside each other."""
    gets = f"gets {rows[card].name}"
    changes = PersonChanges(
        "Daisy Walker", ("+1 experience", gets), "", ("01002", card)
    )
    changed = ChangesInWords((changes,), (), (), (), "", "")
    page = render_to_string("campaigns/_changes.html", {"changes": changed})
    assert f'<a class="named" href="/cards/{card}/">{name}</a>' in page
    assert "&amp;amp;" not in page
    assert "+1 experience · gets <a" in " ".join(page.split())
