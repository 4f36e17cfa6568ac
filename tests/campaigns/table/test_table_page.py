"""The page of a table: one question at a time, updated when others write."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import UltimatumChosen
from campaigns import queries, services
from campaigns.models import Campaign, Role
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_member,
    a_row,
    a_seat,
    as_answers,
    have_our_guides,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.campaigns.table.helpers import send_answer
from tests.decks.helpers import text_of
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS, WHO, a_step

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["", "scenario/", "log/"])
def test_the_head_shows_the_difficulty(
    as_alice: Client, alice: User, page: str
) -> None:
    """Once it was chosen, on every page with the campaign's head."""
    chosen = {"type": "campaign_data", "setting": "difficulty", "value": "hard"}
    steps = [WHO, a_step(chosen, step_id="hard")]
    guide = a_row(a_game("one"), setup=["who", "hard"], steps=steps)
    campaign = a_campaign(alice, ROLAND, guide=guide)
    address = f"/campaigns/{campaign.pk}/{page}"
    assert " Our own · " not in text_of(as_alice.get(address))
    report(campaign, as_answers(who(ROLAND)))
    assert " Our own · Hard " in text_of(as_alice.get(address))


def test_a_stranger_gets_404(as_bob: Client, campaign: Campaign) -> None:
    assert as_bob.get(f"/campaigns/{campaign.pk}/").status_code == 404
    assert as_bob.get(f"/campaigns/{campaign.pk}/news").status_code == 404
    assert send_answer(as_bob, campaign, answer=[ROLAND]).status_code == 404


def test_it_is_the_turn_of_a_player_who_is_alone(
    as_alice: Client, alice: User, bob: User
) -> None:
    """A question is for everyone once another player has a seat."""
    campaign = a_campaign(alice, ROLAND)
    address = f"/campaigns/{campaign.pk}/"
    assert "<strong>Your turn</strong>" in as_alice.get(address).content.decode()
    a_seat(campaign, DAISY, a_member(campaign, bob))
    page = as_alice.get(address).content.decode()
    assert "<strong>Anyone can answer</strong>" in page


def test_who_plays_is_asked_first_with_everyone_ticked(
    as_alice: Client, campaign: Campaign
) -> None:
    """All investigators with a seat."""
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()

    assert page.count("checked") == 2
    assert "Roland Banks" in page
    assert "Daisy Walker" in page


def test_the_button_to_draw_weaknesses_is_the_main_one(
    as_alice: Client, alice: User
) -> None:
    """Continue is for those who drew from their own cards."""
    weak = a_step({"type": "add_weakness", "investigator": "all"}, step_id="weak")
    campaign = a_campaign(alice, ROLAND, DAISY, guide=a_row(a_game("one", weak)))
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    (main,) = re.findall(r'"button main wide-button[^>]*>(.*?)</button>', page)

    assert "Draw for every investigator" in main
    assert ">Continue</button>" in page
    sent = {"after": campaign.last, "key": "own", "answer": "no card"}
    refused = as_alice.post(f"/campaigns/{campaign.pk}/", sent)
    assert refused.status_code == 422
    assert '"button main wide-button">Continue</button>' in refused.content.decode()


def test_a_table_without_investigators_links_to_adding_one(
    alice: User, as_alice: Client, bob: User, as_bob: Client
) -> None:
    """The question can't be answered: organisers get a link, others see who has it."""
    campaign = a_campaign(alice)
    a_member(campaign, bob, Role.PLAYER)
    add, write = f'href="/campaigns/{campaign.pk}/people/sit/"', "data-answer"
    page = as_alice.get(f"/campaigns/{campaign.pk}/")
    assert "There are no investigators at this table yet." in text_of(page)
    assert add in page.content.decode()
    assert write not in page.content.decode()
    theirs = as_bob.get(f"/campaigns/{campaign.pk}/")
    assert "The organiser adds them." in text_of(theirs)
    assert add not in theirs.content.decode()

    a_seat(campaign, ROLAND)
    assert write in as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()


def test_an_answer_leads_to_the_next_question(
    as_alice: Client, campaign: Campaign
) -> None:
    """It is in the log, and the page shows the next question."""
    response = send_answer(as_alice, campaign, answer=[ROLAND])

    assert response.status_code == 303
    assert campaign.last == 2
    row = campaign.entries.get(sequence=2)
    assert row.payload["value"] == [[ROLAND, ["chosen"]]]
    assert row.author_name == "alice"


def test_an_impossible_answer_is_refused_with_a_reason(
    as_alice: Client, campaign: Campaign
) -> None:
    """No one plays: nothing is written."""
    response = send_answer(as_alice, campaign)

    assert response.status_code == 422
    assert "Choose 1 to 4 investigators" in text_of(response)
    assert campaign.last == 1


@pytest.mark.parametrize("told", [[], ["nobody"]], ids=["refused", "misfilled"])
def test_htmx_scrolls_to_the_reason_of_a_refusal(
    as_alice: Client, campaign: Campaign, told: list[str]
) -> None:
    """Above the question, or at the invalid field."""
    sent = {"answer": told, "after": campaign.last, "key": "k"}
    address = f"/campaigns/{campaign.pk}/"
    response = as_alice.post(address, sent, headers={"hx-request": "true"})

    assert response.status_code == 422
    assert response["HX-Reswap"] == "innerHTML show:#refused:top"
    assert response.content.decode().count('id="refused"') == 1


def test_the_same_form_sent_twice_is_written_once(
    as_alice: Client, campaign: Campaign
) -> None:
    """Its key is known."""
    data = {"after": 1, "key": "once", "answer": [ROLAND]}
    for _time in range(2):
        assert as_alice.post(f"/campaigns/{campaign.pk}/", data).status_code == 303
    campaign.refresh_from_db()

    assert campaign.last == 2


def test_a_late_answer_shows_what_others_wrote(
    as_alice: Client, campaign: Campaign
) -> None:
    """And overwrites nothing of theirs."""
    report(campaign, as_answers(who(ROLAND, DAISY)))
    data = {"after": 1, "key": "late", "answer": "one"}
    response = as_alice.post(f"/campaigns/{campaign.pk}/", data)

    assert response.status_code == 409
    assert "Your answer wasn’t sent" in text_of(response)
    assert "alice – Who plays? Roland Banks; Daisy Walker" in text_of(response)
    campaign.refresh_from_db()
    assert campaign.last == 2


def test_an_entry_that_keeps_the_question_blocks_no_answer(
    as_alice: Client, campaign: Campaign
) -> None:
    """The answer is written after it, once with its key."""
    services.choose_ultimatum(
        campaign=campaign,
        member=organiser_of(campaign),
        chosen=UltimatumChosen(SETUP, "dread"),
        context=write_context(campaign),
    )
    path = f"/campaigns/{campaign.pk}/"
    for _time in range(2):
        late = as_alice.post(path, {"after": 1, "key": "mine", "answer": [DAISY]})
        assert late.status_code == 303
    campaign.refresh_from_db()
    assert campaign.last == 3


def test_an_answer_given_meanwhile_may_be_corrected(
    as_alice: Client, as_bob: Client, bob: User, campaign: Campaign
) -> None:
    """By those who may; after the same answer, the table goes on for both."""
    a_member(campaign, bob)
    report(campaign, as_answers(who(ROLAND, DAISY)))
    path = f"/campaigns/{campaign.pk}/"
    sent = {"after": 1, "key": "mine", "answer": [ROLAND]}
    page = as_alice.post(path, sent)
    assert "alice answered this first." in text_of(page)
    assert f'action="{path}timeline/2/"' in page.content.decode()
    assert f'action="{path}timeline/2/"' not in as_bob.post(path, sent).content.decode()
    same = as_alice.post(path, {**sent, "answer": [ROLAND, DAISY]})
    assert same["Location"] == f"{path}#new"

    corrected = {**sent, "after": 2, "confirm": "yes"}
    assert as_alice.post(f"{path}timeline/2/", corrected).status_code == 303
    campaign.refresh_from_db()
    assert campaign.entries.get(sequence=3).payload["value"] == [[ROLAND, ["chosen"]]]
    assert as_alice.post(path, sent).status_code == 303  # it is written with its key
    campaign.refresh_from_db()
    assert campaign.last == 3


def test_a_late_answer_to_a_past_question_is_shown(
    as_alice: Client, campaign: Campaign
) -> None:
    """Readable or not, together with what was missed."""
    report(campaign, as_answers(who(ROLAND, DAISY)))
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=1,
        context=write_context(campaign),
    )
    path = f"/campaigns/{campaign.pk}/"
    for filled in ({"answer": "one"}, {}):
        late = as_alice.post(path, {"after": 2, "key": "mine", **filled})
        assert late.status_code == 409
        assert "alice – Undone Entry 1" in text_of(late)
        assert "This question is no longer open." in text_of(late)


def test_a_spectator_reads_and_does_not_answer(
    as_bob: Client, bob: User, campaign: Campaign
) -> None:
    """The page is shown; the form is refused."""
    a_member(campaign, bob, Role.SPECTATOR)

    assert as_bob.get(f"/campaigns/{campaign.pk}/").status_code == 200
    assert send_answer(as_bob, campaign, answer=[ROLAND]).status_code == 403
    assert campaign.last == 1


def test_the_last_answer_is_undone(as_alice: Client, campaign: Campaign) -> None:
    """It stays in the log, and its question is asked again."""
    send_answer(as_alice, campaign, answer=[ROLAND])
    path = f"/campaigns/{campaign.pk}/take-back"
    data = {"after": campaign.last, "key": "back", "target": 2}
    assert as_alice.post(path, {**data, "target": "9" * 5000}).status_code == 400
    response = as_alice.post(path, data)
    campaign.refresh_from_db()

    assert response.status_code == 303
    assert campaign.last == 3
    assert campaign.entries.get(sequence=3).kind == "retracted"


def test_polls_report_who_wrote(as_alice: Client, campaign: Campaign) -> None:
    """204 while the page is up to date."""
    path = f"/campaigns/{campaign.pk}/news?after=1"
    assert as_alice.get(path).status_code == 204

    report(campaign, as_answers(who(ROLAND, DAISY)))
    shown = as_alice.get(path)
    assert shown.status_code == 200
    assert "alice" in text_of(shown)


def test_a_new_member_is_news(as_alice: Client, campaign: Campaign) -> None:
    """Until the page shows them; a poll without a mark only asks about the log."""
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    (seated,) = re.findall(r'name="seated" value="(\d+)"', page)
    path = f"/campaigns/{campaign.pk}/news?after=1"
    assert as_alice.get(f"{path}&seated={seated}").status_code == 204
    mark = queries.marks_of([campaign.pk])
    campaign.seats.filter(investigator=DAISY).update(member=None)
    assert queries.marks_of([campaign.pk]) != mark
    shown = as_alice.get(f"{path}&seated={seated}")
    assert "Someone took or left a seat, or finished a deck." in text_of(shown)
    assert as_alice.get(path).status_code == 204


def test_later_scenarios_are_not_shown(as_alice: Client, campaign: Campaign) -> None:
    """Their names appear once they are reached."""
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    page = text_of(as_alice.get(f"/campaigns/{campaign.pk}/"))

    way = page[page.index("Scenarios") :]
    assert "one" in way
    assert "three" not in way
    assert "Later scenarios are hidden" in way


def test_a_campaign_is_begun_on_one_page(as_alice: Client, alice: User) -> None:
    """With one of our guides and two investigators; Orne asks for the rest."""
    have_our_guides()
    page = as_alice.get("/campaigns/new/").content.decode()
    guide = re.search(r'value="(\d+)"[^>]*>The Night of the Zealot', page)
    assert guide is not None
    data = {
        "guide": guide[1],
        "seat_1": f"code:{ROLAND}",
        "seat_2": f"code:{SKIDS}",
        "player_2": "Dora",
    }
    response = as_alice.post("/campaigns/new/", data)

    assert response.status_code == 303
    campaign = Campaign.objects.get()
    seats = campaign.seats.order_by("pk")
    assert [seat.investigator for seat in seats] == [ROLAND, SKIDS]
    assert [seat.name for seat in seats] == ["", "Dora"]
    assert as_alice.get(response["Location"]).status_code == 200


def test_an_investigator_can_have_one_seat_only(as_alice: Client, alice: User) -> None:
    """The form says so, and no campaign is begun."""
    have_our_guides()
    page = as_alice.get("/campaigns/new/").content.decode()
    guide = re.search(r'value="(\d+)"[^>]*>The Night of the Zealot', page)
    assert guide is not None
    seats = {"seat_1": f"code:{ROLAND}", "seat_2": f"code:{ROLAND}"}
    response = as_alice.post("/campaigns/new/", {"guide": guide[1], **seats})

    assert response.status_code == 422
    assert "twice" in text_of(response)
    assert not Campaign.objects.exists()


def test_a_question_to_someone_else_names_them(
    as_alice: Client, bob: User, alice: User
) -> None:
    """If only they can answer it."""
    campaign = a_campaign(alice, ROLAND)
    a_seat(campaign, DAISY, a_member(campaign, bob))
    page = text_of(as_alice.get(f"/campaigns/{campaign.pk}/"))

    assert "bob" in page
