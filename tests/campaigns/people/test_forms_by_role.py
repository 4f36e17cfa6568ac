"""Every page of a campaign shows exactly the forms that its visitor may use.

Each form is sent as it is shown, and must not be refused because of the role. Changes
are rolled back at once.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from campaigns import services
from campaigns.models import Campaign, Membership, Role
from campaigns.people.table import token_of
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    as_answers,
    report,
    who,
)
from tests.campaigns.helpers.visitors import At
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, a_step

pytestmark = pytest.mark.django_db
WEAKNESS = a_step(
    {"type": "add_weakness", "investigator": "$input_value", "weakness_traits": []},
    step_id="draw",
)
ASKS = {
    "id": "ask",
    "type": "input",
    "input": {
        "type": "investigator_choice",
        "source": "scenario",
        "investigator": "any",
        "choices": [{"id": "who", "text": "", "effects": WEAKNESS["effects"]}],
    },
}
DAISY_DRAWS = {
    "type": "string_choices",
    "step": "ask",
    "scenario": "one",
    "choices": {DAISY: ["who"]},
}
PAGES = (
    "",
    "scenario/",
    "log/",
    "timeline/",
    "timeline/2/",
    "fact/",
    "between/",
    "people/",
    "ultimatums/",
    "achievements/",
    "settings/",
    "begin-again?scenario=one",
)
MOMENTS = ("asked", "playing", "upgrading", "between")


@pytest.fixture(params=MOMENTS)
def table(request: pytest.FixtureRequest, alice: User) -> Campaign:
    """Alice's campaign at several moments; Roland is hers, Daisy another player's."""
    moment = request.param
    steps = (ASKS,) if moment == "asked" else ()
    row = a_row(a_game("one", *steps), a_game("two"))
    found = a_campaign(alice, ROLAND, guide=row)
    a_seat(found, DAISY)
    report(found, as_answers(who(ROLAND, DAISY)))
    if moment == "asked":
        report(found, as_answers(*begun("one", ROLAND, DAISY), DAISY_DRAWS))
    elif moment == "playing":
        report(found, as_answers(*begun("one", ROLAND, DAISY)))
    else:
        answers = as_answers(*won("one"))
        report(found, answers[:-1] if moment == "upgrading" else answers)
    return found


def _sitting(campaign: Campaign, bob: User, told_role: str) -> At:
    """Bob, or a guest, in a role; Daisy is theirs if they play her."""
    role, _blank, more = told_role.partition(" ")
    seat = campaign.seats.get(investigator=DAISY)
    browser = Client()
    if more == "as a guest":
        link = services.invite(
            campaign=campaign,
            member=_alice(campaign),
            role=Role(role),
            seat=seat if role == Role.PLAYER else None,
            now=timezone.now(),
        )
        browser.post(f"/campaigns/join/{token_of(link)}/", {"name": "Dora"})
    else:
        member = a_member(campaign, bob, role)
        if more == "of Daisy":
            seat.member = member
            seat.save()
        browser.force_login(bob)
    return At(browser, campaign)


ROLES = (
    "organiser",
    "scribe",
    "player of Daisy",
    "player",
    "spectator",
    "player as a guest",
    "spectator as a guest",
)


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_no_form_is_shown_without_permission(
    table: Campaign, bob: User, role: str
) -> None:
    """For any role and any question."""
    at = _sitting(table, bob, role)
    for page in PAGES:
        for form in at.forms(page):
            status, answered = at.sent(form)
            assert status < 500, (page, form)
            assert status != 403, (page, form)
            assert "put away" not in answered or page == "settings/", (page, form)


@pytest.mark.slow
@pytest.mark.parametrize(
    "role", ["organiser", "scribe", "player of Daisy", "spectator"]
)
def test_an_archived_campaign_is_read_only(
    table: Campaign, bob: User, role: str
) -> None:
    """Its pages can be read, and say so; it can be restored."""
    at = _sitting(table, bob, role)
    services.archive(campaign=table, member=_alice(table), now=NOW)
    table.refresh_from_db()
    kept = {"later", "settings/", "people/"}
    for page in PAGES:
        assert "This campaign is archived" in at.shown(page), page
        for form in at.forms(page):
            rest = form.action.partition(f"/campaigns/{table.pk}/")[2]
            assert any(rest.startswith(each) for each in kept), (page, form)
            status, answered = at.sent(form)
            assert status < 400 or "sure" in answered, (page, form)
            assert "Unarchive it to continue" not in answered


def _alice(campaign: Campaign) -> Membership:
    """Alice, whoever else organises."""
    return campaign.memberships.get(user__username="alice")


LINES = (
    ("timeline/", "Only the organiser or a scribe can correct entries"),
    ("timeline/2/", "a scribe or the organiser can correct"),
    ("fact/", "Only the organiser or a scribe can change what"),
    ("people/", "The organiser invites people and assigns seats"),
    ("ultimatums/", "Only the organiser can record the choice."),
    ("settings/", "Only the organiser can change the name"),
)


@pytest.mark.parametrize(("page", "line"), LINES)
def test_members_without_permission_see_who_has_it(
    played: Campaign, bob: User, as_alice: Client, page: str, line: str
) -> None:
    """Discreetly, and only they do."""
    mine, theirs = At(as_alice, played), _sitting_at(played, bob)
    assert line in theirs.shown(page)
    assert line not in mine.shown(page)


def test_a_restart_is_offered_to_those_who_may(played: Campaign, bob: User) -> None:
    """Others see the page without its button."""
    page = "begin-again?scenario=one"
    theirs = _sitting_at(played, bob)
    assert "Only the organiser or a scribe can do this." in theirs.shown(page)
    assert theirs.forms(page) == []


def _sitting_at(campaign: Campaign, bob: User) -> At:
    """Make Bob a member without an investigator."""
    a_member(campaign, bob)
    browser = Client()
    browser.force_login(bob)
    return At(browser, campaign)
