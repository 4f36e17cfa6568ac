"""Each player marks their own deck as up to date; the organiser, all of them."""

from __future__ import annotations

import pytest
from django.test import Client

from arkham.accounts.models import User
from campaigns.models import Campaign, Membership
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_member,
    a_row,
    a_seat,
    as_answers,
    report,
)
from tests.campaigns.people.helpers import PEOPLE
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, a_scenario

pytestmark = pytest.mark.django_db

MINE, ALL = "My deck is up to date", "All decks are up to date"
NOT_YET = "My deck isn’t up to date yet"


@pytest.fixture
def upgrading(alice: User, bob: User) -> Campaign:
    """Alice organises and plays Roland, Bob plays Daisy; decks are upgraded."""
    guide = a_row(a_game("one"), a_game("two"))
    campaign = a_campaign(alice, ROLAND, guide=guide)
    seat = a_seat(campaign, DAISY)
    report(campaign, as_answers(PEOPLE, *won("one")[:-1]))
    seat.member = a_member(campaign, bob)
    seat.save(update_fields=["member"])
    return campaign


def _page(browser: Client, campaign: Campaign, page: str = "") -> str:
    return browser.get(f"/campaigns/{campaign.pk}/{page}").content.decode()


def _press(browser: Client, campaign: Campaign, **more: str) -> int:
    campaign.refresh_from_db()
    sent = {"after": campaign.last, "key": f"k{len(more)}", **more}
    return browser.post(f"/campaigns/{campaign.pk}/", sent).status_code


def _goes_on(campaign: Campaign) -> bool:
    """Return whether the upgrade step is over, after which no mark is left."""
    before = campaign.last
    campaign.refresh_from_db()
    return campaign.last > before and not campaign.seats.filter(is_up_to_date=True)


def test_a_player_marks_their_own_deck(
    upgrading: Campaign, as_alice: Client, as_bob: Client
) -> None:
    """The table waits for the others; the last mark lets it go on."""
    page = _page(as_bob, upgrading)
    assert MINE in page
    assert ALL not in page
    assert _press(as_bob, upgrading, own="yes") == 303
    assert not _goes_on(upgrading)
    page = _page(as_bob, upgrading)
    assert "Waiting for alice" in page
    assert MINE not in page
    assert NOT_YET in page
    page = _page(as_alice, upgrading)
    assert "Decks are up to date" in page
    assert MINE not in page
    assert _press(as_alice, upgrading) == 303
    assert _goes_on(upgrading)


def test_a_player_cannot_finish_for_the_table(
    upgrading: Campaign, as_bob: Client
) -> None:
    """Neither by a form nor by the API, until all others are done."""
    assert _press(as_bob, upgrading) == 403
    assert not _goes_on(upgrading)
    place = {"scenario": "one", "step": "$upgrade_decks", "value": True}
    entry = {"kind": "decision", "payload": place}
    address = f"/api/v1/campaigns/{upgrading.pk}/entries/"
    body = {"after": upgrading.last, "entry": entry}
    answer = as_bob.post(address, body, content_type="application/json")
    assert answer.status_code == 403
    upgrading.seats.filter(investigator=ROLAND).update(is_up_to_date=True)
    answer = as_bob.post(address, body, content_type="application/json")
    assert answer.status_code == 201


def test_the_organiser_marks_all_decks(upgrading: Campaign, as_alice: Client) -> None:
    """Or only their own; then the others are awaited."""
    page = _page(as_alice, upgrading)
    assert MINE in page
    assert ALL in page
    assert _press(as_alice, upgrading, own="yes") == 303
    assert not _goes_on(upgrading)
    page = _page(as_alice, upgrading)
    assert "Waiting for bob" in page
    assert ALL in page
    assert _press(as_alice, upgrading) == 303
    assert _goes_on(upgrading)


def test_a_mark_is_removed(upgrading: Campaign, as_bob: Client) -> None:
    """While others still upgrade."""
    seat = upgrading.seats.get(investigator=DAISY)
    for mark, is_done in (("yes", True), ("no", False)):
        assert _press(as_bob, upgrading, own=mark) == 303
        seat.refresh_from_db()
        assert seat.is_up_to_date is is_done


def test_programs_mark_their_own_deck(upgrading: Campaign, as_bob: Client) -> None:
    """And no other; the last one answers for the table."""
    mine, other = (upgrading.seats.get(investigator=it).pk for it in (DAISY, ROLAND))
    address = f"/api/v1/campaigns/{upgrading.pk}/seats"
    kind, done = "application/json", {"up_to_date": True}
    refused = as_bob.patch(f"{address}/{other}/", done, content_type=kind)
    assert refused.status_code == 403
    marked = as_bob.patch(f"{address}/{mine}/", done, content_type=kind)
    assert marked.json()["up_to_date"] is True
    again = as_bob.patch(f"{address}/{mine}/", {"up_to_date": False}, content_type=kind)
    assert again.json()["up_to_date"] is False
    upgrading.seats.filter(pk=other).update(is_up_to_date=True)
    assert (
        as_bob.patch(f"{address}/{mine}/", done, content_type=kind).status_code == 200
    )
    assert _goes_on(upgrading)
    refused = as_bob.patch(f"{address}/{mine}/", done, content_type=kind)
    assert refused.status_code == 422


def test_other_phones_see_who_is_done(
    upgrading: Campaign, as_alice: Client, as_bob: Client
) -> None:
    """A poll finds that a deck was marked."""
    page = _page(as_alice, upgrading)
    seated = page.split('name="seated" value="')[1].split('"')[0]
    look = f"news?after={upgrading.last}&seated={seated}"
    assert not _page(as_alice, upgrading, look)
    _press(as_bob, upgrading, own="yes")
    assert "finished a deck" in _page(as_alice, upgrading, look)


def test_a_former_member_is_not_awaited(upgrading: Campaign, as_bob: Client) -> None:
    """Nor is a seat without a player."""
    Membership.objects.filter(campaign=upgrading, user__username="alice").update(
        left_at=upgrading.made_at
    )
    assert "Decks are up to date" in _page(as_bob, upgrading)
    assert _press(as_bob, upgrading) == 303
    assert _goes_on(upgrading)


def test_results_are_one_press_away_on_every_phone(
    upgrading: Campaign, as_alice: Client, as_bob: Client
) -> None:
    """From the top of the table and of the scenario, until the next game begins."""
    link = f'href="/campaigns/{upgrading.pk}/#results"'
    for browser in (as_alice, as_bob):
        assert 'href="#results"' in _page(browser, upgrading)
        assert link in _page(browser, upgrading, "scenario/")
    _press(as_alice, upgrading)
    page = _page(as_bob, upgrading)
    assert 'href="#results"' in page
    assert 'id="results"' in page
    assert "Results of " in page
    upgrading.refresh_from_db()
    report(upgrading, as_answers({"type": "start_scenario", "scenario": "two"}))
    assert "#results" not in _page(as_bob, upgrading)
    assert link not in _page(as_bob, upgrading, "scenario/")


def test_results_of_an_interlude_are_named_with_those_of_the_game_before(
    alice: User, as_alice: Client
) -> None:
    """Both are in one list until the next game begins."""
    rest = a_scenario("rest", {"id": "end"}, type="interlude", scenario_name="A Rest")
    guide = a_row(a_game("one"), rest, a_game("two"))
    campaign = a_campaign(alice, ROLAND, guide=guide)
    report(campaign, as_answers(PEOPLE, *won("one")))
    assert "Results of one</h2>" in _page(as_alice, campaign)
    report(campaign, as_answers({"type": "start_scenario", "scenario": "rest"}))
    assert "Results of one · A Rest</h2>" in _page(as_alice, campaign)


def test_the_last_player_awaited_reads_that_it_is_their_turn(
    upgrading: Campaign, as_alice: Client, as_bob: Client
) -> None:
    """Not that the question is for everyone."""
    _press(as_alice, upgrading, own="yes")

    assert "<strong>Your turn</strong>" in _page(as_bob, upgrading)
    assert "<strong>Waiting for bob</strong>" in _page(as_alice, upgrading)


def test_a_new_player_of_a_seat_marks_their_own_deck(
    upgrading: Campaign, as_bob: Client, as_alice: Client
) -> None:
    """The mark of the player who left the table goes with them."""
    _press(as_bob, upgrading, own="yes")
    member = Membership.objects.get(campaign=upgrading, user__username="bob")
    as_bob.post(f"/campaigns/{upgrading.pk}/people/members/{member.pk}/go")
    seat = upgrading.seats.get(investigator=DAISY)

    assert (seat.member, seat.is_up_to_date) == (None, False)
