"""Achievements at a table: by the log, by hand, undone; and the FAQ it keeps to."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.paper import EnteredInvestigator, Position
from arkham.rules.campaign.state.answers import Stated
from arkham.rules.library import NEWEST, entry_of, library
from arkham.rules.ultimatums import ALL
from campaigns import services
from campaigns.log import store
from campaigns.log.entries import Pinned, Ticked
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Role
from campaigns.pages.board import names_at
from campaigns.pages.ending import ShownAchievement, achievements_of
from campaigns.services import EntryRefused, Forbidden, LogMoved
from campaigns.services.agreements import pinned
from campaigns.views.timeline import desk_of
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    organiser_of,
    rules_of,
    write_context,
)
from tests.rules.campaign.helpers.small import DAISY, ROLAND


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """Alice's Return to The Circle Undone, kept by hand, near its end."""
    guide = services.guide_by_hand(campaign="rttcu", now=NOW)
    campaign = a_campaign(alice, ROLAND, DAISY, guide=guide)
    people = (EnteredInvestigator(ROLAND), EnteredInvestigator(DAISY))
    position = Position(
        "return_to_before_the_black_throne",
        people,
        {"skull": 2},
        "expert",
        lines=(("mementos", "gilmans_journal"),),
    )
    services.enter_campaign(
        campaign=campaign,
        member=organiser_of(campaign),
        position=position,
        context=write_context(campaign),
    )
    return campaign


def _all(campaign: Campaign) -> dict[str, ShownAchievement]:
    member = organiser_of(campaign)
    reasons = desk_of(member).reasons
    found = achievements_of(replayed(member.campaign), names_at(member), reasons)
    return {each.id: each for each in found}


def _tick(campaign: Campaign, *ticked: Any, by: Any = None) -> int:
    services.tick_achievement(
        campaign=campaign,
        member=by or organiser_of(campaign),
        ticked=Ticked(*ticked),
        context=write_context(campaign),
    )
    return campaign.last


def _win(campaign: Campaign) -> None:
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=Stated(SETUP, course.SetResult("win"), (), (), "we won"),
        context=write_context(campaign),
    )


def test_the_log_ticks_achievements_and_explains_them(campaign: Campaign) -> None:
    """With the entries as reasons; before them, with the conditions."""
    before = _all(campaign)["circle_expertise"]
    assert not before.is_done
    assert [*before.needed][1] == "Difficulty: Expert"
    _win(campaign)

    found = _all(campaign)["circle_expertise"]

    assert (found.is_done, found.by_log, found.entry) == (True, True, 0)
    assert found.whys[-1].sequence == campaign.last
    assert found.whys[-1].author == organiser_of(campaign).name


def test_other_achievements_are_ticked_by_hand(campaign: Campaign) -> None:
    """A tick can be removed or undone; the entry stays in the log."""
    entry = _tick(campaign, "carl_shmarl", 1)
    found = _all(campaign)["carl_shmarl"]
    assert (found.is_done, found.by_log, found.entry) == (True, False, entry)
    assert found.needed == ()

    _tick(campaign, "carl_shmarl", 0)
    assert not _all(campaign)["carl_shmarl"].is_done
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=campaign.last,
        context=write_context(campaign),
    )

    assert _all(campaign)["carl_shmarl"].is_done
    assert isinstance(store.entries(campaign)[entry - 1], Ticked)


def test_counts_and_lists_show_their_progress(campaign: Campaign) -> None:
    """The log's items and the table's are combined."""
    _tick(campaign, "who_you_gonna_call", 12)
    _tick(campaign, "member_these", 0, ("worn_crucifix",))
    found = _all(campaign)
    ghosts, mementos = found["who_you_gonna_call"], found["member_these"]

    assert (ghosts.number, ghosts.most, ghosts.is_done) == (12, 13, False)
    assert (mementos.number, mementos.most, mementos.is_done) == (2, 10, False)
    assert [(each.name, each.by_log) for each in mementos.items if each.is_ticked] == [
        ("Gilman's Journal", True),
        ("Worn Crucifix", False),
    ]
    _tick(campaign, "who_you_gonna_call", 13)
    assert _all(campaign)["who_you_gonna_call"].is_done


@pytest.mark.parametrize(
    "ticked",
    [
        ("nobody_knows", 1),
        ("carl_shmarl", 2),
        ("carl_shmarl", -1),
        ("who_you_gonna_call", 14),
        ("member_these", 0, ("moon",)),
        ("member_these", 0, ("worn_crucifix", "worn_crucifix")),
        ("carl_shmarl", 1, ("worn_crucifix",)),
    ],
)
def test_an_impossible_tick_is_refused(campaign: Campaign, ticked: Any) -> None:
    """And nothing is written."""
    last = campaign.last
    with pytest.raises(EntryRefused) as refused:
        _tick(campaign, *ticked)

    assert rules_of(refused.value) == ["log.achievement"]
    assert Campaign.objects.get(pk=campaign.pk).last == last


def test_players_tick_and_spectators_do_not(campaign: Campaign, bob: User) -> None:
    """An earlier tick is not overwritten unseen."""
    member = a_member(campaign, bob)
    stale = write_context(campaign)
    _tick(campaign, "carl_shmarl", 1, by=member)
    with pytest.raises(LogMoved):
        services.tick_achievement(
            campaign=campaign,
            member=member,
            ticked=Ticked("carl_shmarl", 0),
            context=stale,
        )
    member.role = Role.SPECTATOR
    member.save()
    with pytest.raises(Forbidden):
        _tick(campaign, "carl_shmarl", 0, by=member)


def test_the_page_hides_unreached_achievements(
    campaign: Campaign, client: Client
) -> None:
    """Names that are spoilers are one click away; scripts aren't needed."""
    address = f"/campaigns/{campaign.pk}/achievements/"
    client.force_login(organiser_of(campaign).user)  # type: ignore[arg-type]
    page = client.get(address).content.decode()
    shown, hidden = page.split('<details class="achievements-hidden">')
    assert "Carl Shmarl" in hidden
    assert "Carl Shmarl" not in shown
    sent = {
        "after": campaign.last,
        "key": "a",
        "achievement": "carl_shmarl",
        "number": "1",
    }

    assert client.post(address, sent).status_code == 303
    assert client.post(address, sent).status_code == 303  # once, by its key
    shown = client.get(address).content.decode().partition("achievements-hidden")[0]
    assert "Carl Shmarl" in shown
    assert Campaign.objects.get(pk=campaign.pk).last == campaign.last + 1
    assert (
        "Carl Shmarl" in client.get(f"/campaigns/{campaign.pk}/log/").content.decode()
    )
    page = client.get(f"/campaigns/{campaign.pk}/timeline/").content.decode()
    assert "Achievement" in page


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"achievement": "nobody", "number": "1"}, 422),
        ({"achievement": "carl_shmarl", "number": "x"}, 400),
        ({"number": "1"}, 400),
        ({"achievement": "carl_shmarl", "number": "1", "after": "0"}, 409),
    ],
)
def test_the_page_refuses_an_impossible_tick(
    campaign: Campaign, client: Client, sent: dict[str, str], status: int
) -> None:
    """With a message; nothing is written."""
    client.force_login(organiser_of(campaign).user)  # type: ignore[arg-type]
    address = f"/campaigns/{campaign.pk}/achievements/"
    answer = client.post(address, {"after": campaign.last, "key": "k", **sent})

    assert answer.status_code == status


def test_strangers_do_not_see_achievements(
    campaign: Campaign, client: Client, bob: User
) -> None:
    """Neither by page nor by API."""
    client.force_login(bob)
    for address in (
        "/campaigns/{}/achievements/",
        "/api/v1/campaigns/{}/achievements/",
    ):
        assert client.get(address.format(campaign.pk)).status_code == 404


def test_programs_list_and_tick_achievements(
    campaign: Campaign, client: Client
) -> None:
    """Through the same services as the page."""
    client.force_login(organiser_of(campaign).user)  # type: ignore[arg-type]
    address = f"/api/v1/campaigns/{campaign.pk}/achievements/"
    body = {"after": campaign.last, "achievement": "carl_shmarl"}

    done = client.post(address, body, content_type="application/json")
    again = client.post(address, body, content_type="application/json")
    wrong = {**body, "after": campaign.last + 1, "items": ["moon"]}
    refused = client.post(address, wrong, content_type="application/json")

    assert done.status_code == 201
    assert done.json()["entries"][0]["kind"] == "ticked"
    assert again.status_code == 409
    assert refused.status_code == 422
    found = {each["id"]: each for each in client.get(address).json()}
    assert found["carl_shmarl"]["done"]
    assert found["carl_shmarl"]["entry"] == campaign.last + 1
    assert found["member_these"]["items"][4]["by_log"]


# -- the FAQ --


def _pin(campaign: Campaign, faq: str, by: Any = None) -> None:
    services.pin_faq(
        campaign=campaign,
        member=by or organiser_of(campaign),
        faq=faq,
        context=write_context(campaign),
    )


def test_a_campaign_pins_a_version_of_the_faq(campaign: Campaign) -> None:
    """The one of its beginning, or the last pinned by its log, unless undone."""
    assert pinned(campaign) == NEWEST
    campaign.terms = {"faq": "1.0"}
    assert pinned(campaign) == "1.0"
    _pin(campaign, "1.6")
    _pin(campaign, "2.0")
    assert pinned(campaign) == "2.0"
    assert store.entries(campaign)[-1] == Pinned("2.0", campaign.last)
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=campaign.last,
        context=write_context(campaign),
    )
    assert pinned(campaign) == "1.6"


def test_only_an_organiser_pins_an_existing_faq(campaign: Campaign, bob: User) -> None:
    """Settled games don't change with it."""
    before = replayed(campaign).replay.state
    with pytest.raises(EntryRefused):
        _pin(campaign, "9.9")
    with pytest.raises(Forbidden):
        _pin(campaign, "1.6", a_member(campaign, bob))
    _pin(campaign, "1.6")

    assert replayed(campaign).replay.state.people == before.people


def test_the_setting_explains_its_effects(campaign: Campaign, client: Client) -> None:
    """Every page of the table links to the rules as of that FAQ."""
    client.force_login(organiser_of(campaign).user)  # type: ignore[arg-type]
    address = f"/campaigns/{campaign.pk}/settings/"
    page = client.get(address).content.decode()
    assert "always uses the newest FAQ" in page
    assert "?faq=" not in page
    sent = {"after": campaign.last, "key": "k", "do": "pin", "faq": "1.6"}

    assert client.post(address, {**sent, "faq": "9"}).status_code == 422
    assert client.post(address, sent).status_code == 303

    for path in ("", "log/", "settings/", "achievements/"):
        page = client.get(f"/campaigns/{campaign.pk}/{path}").content.decode()
        assert '<a href="/rules/?faq=1.6">Rules as of FAQ 1.6</a>' in page


def test_programs_pin_a_faq(campaign: Campaign, client: Client) -> None:
    """They also see by which one games are settled."""
    client.force_login(organiser_of(campaign).user)  # type: ignore[arg-type]
    address = f"/api/v1/campaigns/{campaign.pk}/faq"
    body = {"after": campaign.last, "faq": "1.6"}

    assert (
        client.post(address, body, content_type="application/json").status_code == 201
    )
    assert client.get(address).json() == {"faq": "1.6", "settled_by": NEWEST}
    terms = {"terms": {"faq": "9.9"}}
    answer = client.patch(
        f"/api/v1/campaigns/{campaign.pk}/", terms, content_type="application/json"
    )
    assert answer.status_code in (400, 422)


def test_a_finding_at_the_table_links_to_its_rule_as_of_the_pinned_faq(
    campaign: Campaign, client: Client
) -> None:
    _pin(campaign, "1.6")
    client.force_login(organiser_of(campaign).user)  # type: ignore[arg-type]
    address = f"/campaigns/{campaign.pk}/ultimatums/"
    elsewhere = next(each.id for each in ALL.values() if each.campaign == "eoe")
    sent = {"after": campaign.last, "key": "k", "ultimatum": elsewhere}
    answer = client.post(address, sent)

    assert answer.status_code == 422
    rule = entry_of(library(), "oath.place")
    assert rule is not None
    assert f'"/rules/{rule.slug}/?faq=1.6"' in answer.content.decode()
