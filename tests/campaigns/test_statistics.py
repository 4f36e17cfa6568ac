"""Statistics across campaigns: what is counted, for whom, and with how many queries."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import Answer, SideScenario, Stated
from campaigns import services
from campaigns.files.summaries import counted
from campaigns.models import Campaign, Guide, LogEntry, Summary
from campaigns.pages.statistics import (
    CampaignFilter,
    Statistics,
    campaigns_of,
    statistics_of,
)
from cardpool.catalog import current_pool
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    as_answers,
    later,
    organiser_of,
    report,
    sequence_of,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

PAGE = "/campaigns/statistics/"
API = "/api/v1/campaigns/statistics"


def _counted(user: User, wanted: CampaignFilter | None = None) -> Statistics:
    return statistics_of(
        campaigns_of(user).matching(wanted or CampaignFilter()), current_pool()
    )


def _played(alice: User, guide: Guide | None = None) -> Campaign:
    """A campaign of Roland and Daisy whose first game is over."""
    guide = guide or Guide.objects.first() or a_row()
    campaign = a_campaign(alice, ROLAND, DAISY, guide=guide)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    return campaign


def test_games_investigators_and_outcomes_are_counted(alice: User) -> None:
    """Over all campaigns; one in progress is neither won nor lost."""
    _played(alice)
    _played(alice)

    found = _counted(alice)

    assert (found.campaigns, found.left) == (2, 0)
    assert dict(found.results) == {"win": 0, "survived": 0, "lose": 0, "": 2}
    (game,) = found.scenarios
    assert (game.scenario, game.games, game.players) == ("one", 2, 4)
    assert game.resolutions == (("R1", 2),)
    assert game.experience == sum(each.experience for each in found.people) > 0
    assert [(each.name, each.campaigns, each.games) for each in found.people] == [
        ("Daisy Walker", 2, 2),
        ("Roland Banks", 2, 2),
    ]
    assert all(each.alive == each.campaigns for each in found.people)
    assert dict(found.classes) == {"guardian": 2, "seeker": 2}


def test_an_imported_copy_is_not_counted_twice(alice: User) -> None:
    """Nor a copy of the copy; the one that is furthest counts."""
    first = _played(alice)
    data = services.export_campaign(member=organiser_of(first))

    def imported(data: object) -> Campaign:
        return services.import_campaign(
            organiser=alice, data=data, usable=Guide.objects.all(), now=NOW
        ).campaign

    copy = imported(data)
    imported(services.export_campaign(member=organiser_of(copy)))
    assert _counted(alice).campaigns == 1
    assert campaigns_of(alice).campaigns == (first,)

    report(copy, as_answers(*won("two")))
    assert campaigns_of(alice).campaigns == (copy,)
    first.delete()
    assert _counted(alice).campaigns == 1


def test_brought_experience_was_earned_before(alice: User) -> None:
    """And the price of a side scenario doesn't lower earned experience."""
    campaign = _played(alice)
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=Stated("one", do.Trauma("input", physical=1), (ROLAND,), (), "A fall"),
        context=write_context(campaign),
    )
    earned = _counted(alice)
    assert earned.physical == 1
    seat = campaign.seats.get(investigator=ROLAND)
    begun = services.transfer_campaign(
        campaign=campaign,
        member=organiser_of(campaign),
        guide=campaign.guide,
        going=[services.SeatTransfer(seat, 3)],
        now=NOW,
    )
    report(begun, as_answers(who(ROLAND)))
    paid = SideScenario("one", "custom", "Ours", 2)
    report(campaign, [Answer("start_side_scenario", "own-1", "", paid)])
    playing = {
        "type": "string_choices",
        "step": "$choose_investigators",
        "scenario": "own-1",
        "choices": {ROLAND: ["chosen"]},
    }
    report(campaign, as_answers(playing))
    found = _counted(alice)

    assert (found.campaigns, found.experience) == (2, earned.experience)
    assert (found.physical, found.mental) == (1, 0)


def test_undone_games_are_not_counted(alice: User) -> None:
    """A campaign's summary is updated with its log."""
    campaign = _played(alice)
    assert _counted(alice).scenarios
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, "$choose_resolution"),
        context=write_context(campaign),
    )

    assert _counted(alice).scenarios == ()


def test_only_the_users_campaigns_are_counted(alice: User, bob: User) -> None:
    """Not those of others, nor copies made as previews."""
    campaign = _played(alice)
    member = organiser_of(campaign)
    services.branch(campaign=campaign, member=member, now=NOW, up_to=3, name="If")

    assert _counted(alice).campaigns == 1
    assert _counted(bob).campaigns == 0


def test_statistics_are_filtered(alice: User, bob: User) -> None:
    """By campaign, guide and investigator; without matches all counts are zero."""
    mine = _played(alice)
    ours = _played(alice, a_row(version=4))
    a_member(ours, bob)

    assert campaigns_of(alice).matching(CampaignFilter(campaign=mine.pk)) == [mine]
    assert campaigns_of(alice).matching(CampaignFilter(person=bob.pk)) == [ours]
    assert campaigns_of(alice).people == ((bob.pk, bob.username),)
    assert _counted(alice, CampaignFilter(guide="own")).campaigns == 2
    assert _counted(alice, CampaignFilter(guide="other")).campaigns == 0
    assert _counted(bob, CampaignFilter(campaign=mine.pk)).campaigns == 0


def test_summaries_are_cached(alice: User) -> None:
    """The second request reads no log at all."""
    _played(alice)
    first = _counted(alice)
    assert Summary.objects.count() == 1
    with CaptureQueriesContext(
        connection,
    ) as caught:
        assert _counted(alice) == first

    table = LogEntry._meta.db_table
    assert not [each for each in caught.captured_queries if table in each["sql"]]


def test_many_campaigns_take_a_constant_number_of_queries(
    alice: User, client: Client, django_assert_num_queries: Callable[..., Any]
) -> None:
    """As many for nine as for one."""
    client.force_login(alice)
    _played(alice)
    client.get(PAGE)
    with CaptureQueriesContext(connection) as one:
        assert client.get(PAGE).status_code == 200
    number = len(one)
    for _each in range(8):
        _played(alice)
    client.get(PAGE)

    with django_assert_num_queries(number):
        assert client.get(PAGE).status_code == 200


def test_a_broken_log_is_left_out_and_reported(alice: User) -> None:
    """The others are counted all the same."""
    _played(alice)
    broken = _played(alice)
    Campaign.objects.filter(pk=broken.pk).update(last=broken.last + 1, head="x" * 64)

    found = _counted(alice)

    assert (found.campaigns, found.left) == (1, 1)


def test_remaining_campaigns_are_counted_next_time(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request replays a limited number of campaigns."""
    monkeypatch.setattr("campaigns.files.summaries.MOST_ANEW", 1)
    _played(alice)
    _played(alice)

    assert len(counted(campaigns_of(alice).campaigns)) == 1
    assert len(counted(campaigns_of(alice).campaigns)) == 2


def test_the_page_has_charts_and_tables(alice: User, client: Client) -> None:
    """Each chart has its numbers in words; the page is private."""
    _played(alice)
    assert client.get(PAGE).status_code == 302
    client.force_login(alice)

    page = client.get(PAGE).content.decode()

    assert "Outcome: Won 0, Survived 0, Lost 0, Unfinished 1" in page
    assert "Roland Banks" in page
    assert "Resolution 1 × 1" in page
    heads = re.findall(r"<th [^>]*>(Experience[^<]*)</th>", page)
    assert heads == ["Experience earned", "Experience earned by each"]


@pytest.mark.parametrize("query", ["campaign=x", "campaign=9999999999", "person=-1"])
def test_an_invalid_filter_is_ignored(alice: User, client: Client, query: str) -> None:
    _played(alice)
    client.force_login(alice)

    assert "1 campaign" in client.get(f"{PAGE}?{query}").content.decode()


def test_programs_get_the_same(alice: User, client: Client) -> None:
    """With the unit of each number."""
    campaign = _played(alice)
    assert client.get(API).status_code == 401
    client.force_login(alice)

    data = client.get(API).json()

    assert data["campaigns"] == 1
    assert data["results"][-1] == {"result": "", "campaigns": 1}
    assert data["investigators"][0]["code"] == DAISY
    assert data["scenarios"][0]["resolutions"] == [{"resolution": "R1", "games": 1}]
    assert client.get(API, {"campaign": campaign.pk + 1}).json()["campaigns"] == 0
    assert client.get(API, {"campaign": "x"}).status_code == 400


def test_fates_and_trauma_are_counted(alice: User) -> None:
    """A killed investigator isn't counted as alive."""
    from arkham.rules.campaign.model import effects as do
    from arkham.rules.campaign.state.answers import Stated

    campaign = _played(alice)
    killed = Stated("one", do.Trauma("input", killed=True), (ROLAND,), (), "a fall")
    hurt = Stated("one", do.Trauma("input", mental=2), (DAISY,), (), "a sight")
    for fact in (killed, hurt):
        services.state_fact(
            campaign=campaign,
            member=organiser_of(campaign),
            fact=fact,
            context=services.WriteContext(campaign.last, later(90)),
        )

    people = {each.code: each for each in _counted(alice).people}

    assert (people[ROLAND].killed, people[ROLAND].alive) == (1, 0)
    assert (people[DAISY].mental, people[DAISY].alive) == (2, 1)
