"""Two campaigns played side by side, by the pages of their tables."""

from __future__ import annotations

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.interpreter import may_be_linked
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.replaying import reported
from campaigns import services
from campaigns.log.entries import folded
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Role
from campaigns.services.account import close_account
from tests.campaigns.helpers.side_by_side import ASKS, REALLY, half
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    as_answers,
    later,
    organiser_of,
    report,
    who,
)
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.small import (
    DAISY,
    ROLAND,
    WHO,
    receiving,
    sending,
    unreached,
)


@pytest.fixture
def in_play(alice: User) -> Campaign:
    """A game of it waits; the bag is another if the other one so decides."""
    waits = receiving("cats", "came")
    effects = waits["input"]["choices"][0]["effects"]
    effects.append({"type": "add_chaos_token", "tokens": ["skull"]})
    steps = [WHO, ASKS]
    setup = [each["id"] for each in steps]
    guide = a_row(a_game("one", waits), id="dream", setup=setup, steps=steps)
    made = a_campaign(alice, guide=guide)
    report(made, as_answers(who(ROLAND), *begun("one", ROLAND)[:2]))
    return made


@pytest.fixture
def dream(alice: User) -> Campaign:
    """A campaign that waits for the other one's decision."""
    return half(alice, "dream", receiving("cats", "came", "stayed"))


@pytest.fixture
def waking(alice: User) -> Campaign:
    """The campaign whose decision the other waits for."""
    return half(alice, "waking", sending("cats", "came"))


def link(browser: Client, one: Campaign, other: Campaign) -> int:
    """Send the form; return its status."""
    data = {"do": "link", "other": other.pk}
    return browser.post(f"/campaigns/{one.pk}/settings/", data).status_code


def test_of_two_linked_campaigns_one_waits_for_the_other(
    as_alice: Client, dream: Campaign, waking: Campaign
) -> None:
    report(dream, as_answers(who(ROLAND)))
    settings = f"/campaigns/{dream.pk}/settings/"
    assert "Waking" in as_alice.get(settings).content.decode()
    assert link(as_alice, dream, waking) == 303
    assert waking.name in as_alice.get(settings).content.decode()

    dream.refresh_from_db()
    pending = replayed(dream).replay.pending
    assert pending is not None
    assert pending.kind == "campaign_link"
    page = as_alice.get(f"/campaigns/{dream.pk}/").content.decode()
    assert "waits for a decision in the other campaign" in page
    assert f"/campaigns/{waking.pk}/" in page
    assert "data-answer" not in page
    assert 'hx-trigger="every 4s" hx-target="#table"' in page  # until it is told there
    sent = as_alice.post(
        f"/api/v1/campaigns/{dream.pk}/entries/",
        {
            "after": dream.last,
            "entry": {
                "kind": "campaign_link",
                "payload": {"scenario": SETUP, "step": pending.step, "value": "came"},
            },
        },
        content_type="application/json",
    )
    assert sent.status_code == 422
    assert sent.json()["findings"][0]["rule"] == "answer.not-asked"

    waking.refresh_from_db()
    report(waking, as_answers(who(DAISY)))
    dream.refresh_from_db()
    pending = replayed(dream).replay.pending
    assert pending is not None
    assert pending.kind == "start_scenario"


@pytest.fixture
def hearing(alice: User) -> Campaign:
    """A campaign that asks something once it knows the other one's decision."""
    return half(alice, "hearing", receiving("cats", "came", "stayed"), REALLY)


@pytest.fixture
def heard(as_alice: Client, hearing: Campaign, waking: Campaign) -> Campaign:
    """Both, after Waking sent its decision and Hearing went on."""
    assert link(as_alice, hearing, waking) == 303
    for each, code in ((waking, DAISY), (hearing, ROLAND)):
        each.refresh_from_db()
        report(each, as_answers(who(code)))
    hearing.refresh_from_db()
    report(
        hearing, as_answers({"type": "decision", "step": "really", "decision": True})
    )
    waking.refresh_from_db()
    return waking


def test_a_preview_shows_changes_in_the_other_campaign(
    as_alice: Client, heard: Campaign, hearing: Campaign
) -> None:
    """The other one used what is undone here: on the page, and by API."""
    page = as_alice.post(
        f"/campaigns/{heard.pk}/timeline/2/",
        {"do": "take-back", "after": heard.last, "key": "k"},
    ).content.decode()
    assert f"In the linked campaign “{hearing.name}”" in page
    assert "Removed: Heard came" in page
    assert "answer there will be dropped" in page

    shown = as_alice.post(
        f"/api/v1/campaigns/{heard.pk}/preview",
        {"target": 2},
        content_type="application/json",
    ).json()["linked"]
    (notes,) = shown["settlement"]["log"]
    assert [each["id"] for each in notes["gone"]] == ["heard came"]
    assert shown["unreached"] == [3]


def test_a_non_member_only_learns_that_the_other_changes(
    as_bob: Client, bob: User, heard: Campaign, hearing: Campaign
) -> None:
    """No details of it are shown."""
    a_member(heard, bob, Role.SCRIBE)
    page = as_bob.get(
        f"/campaigns/{heard.pk}/begin-again", {"scenario": SETUP}
    ).content.decode()
    assert "The linked campaign, at another table, would change too." in page
    assert f"In “{hearing.name}”" not in page
    shown = as_bob.post(
        f"/api/v1/campaigns/{heard.pk}/preview",
        {"target": 2},
        content_type="application/json",
    ).json()
    assert shown["linked"] is None


def test_only_matching_campaigns_are_offered(
    as_alice: Client, as_bob: Client, bob: User, dream: Campaign, waking: Campaign
) -> None:
    """None of others or of another kind; and only organisers link."""
    alone = a_campaign(bob)
    theirs = half(bob, "elsewhere")
    page = as_alice.get(f"/campaigns/{dream.pk}/settings/").content.decode()
    assert "Waking" in page
    assert "Elsewhere" not in page
    assert link(as_alice, dream, theirs) == 422
    assert (
        "Linked campaigns"
        not in as_bob.get(f"/campaigns/{alone.pk}/settings/").content.decode()
    )

    a_member(dream, bob, Role.PLAYER)
    assert link(as_bob, dream, theirs) == 403
    dream.refresh_from_db()
    assert dream.linked is None


def test_only_the_dream_eaters_are_played_side_by_side() -> None:
    found = [
        name for name, each in shared_library().guides.items() if may_be_linked(each)
    ]
    assert found == ["tdea", "tdeb"]


def goes_on_alone(campaign: Campaign) -> None:
    """Check that it is unchanged, with all it knew about the other."""
    campaign = Campaign.objects.get(pk=campaign.pk)
    known = replayed(campaign)
    replay = known.replay
    assert campaign.linked is None
    assert replay.pending is not None
    assert replay.pending.kind == "start_scenario"
    assert not unreached(replay, folded(known.entries))


def test_one_is_unchanged_when_the_other_is_deleted(
    as_alice: Client, heard: Campaign, hearing: Campaign
) -> None:
    before = replayed(Campaign.objects.get(pk=hearing.pk)).replay

    assert as_alice.delete(f"/api/v1/campaigns/{heard.pk}/").status_code == 204

    goes_on_alone(hearing)
    after = replayed(Campaign.objects.get(pk=hearing.pk)).replay
    assert reported(after) == reported(before)


def test_one_is_unchanged_when_the_others_account_is_closed(
    alice: User, heard: Campaign, hearing: Campaign
) -> None:
    a_member(hearing, User.objects.create_user("ben"), Role.ORGANISER)

    close_account(user=alice, now=NOW)

    assert not Campaign.objects.filter(pk=heard.pk).exists()
    goes_on_alone(hearing)


def test_both_go_with_the_account_that_organised_them(
    alice: User, heard: Campaign, hearing: Campaign
) -> None:
    close_account(user=alice, now=NOW)

    assert not Campaign.objects.filter(pk__in=(heard.pk, hearing.pk)).exists()


def test_a_copy_of_one_has_its_state(
    as_alice: Client, heard: Campaign, hearing: Campaign
) -> None:
    copies = f"/api/v1/campaigns/{hearing.pk}/branches/"
    sent = as_alice.post(copies, {}, content_type="application/json")

    assert sent.status_code == 201
    goes_on_alone(Campaign.objects.get(pk=sent.json()["id"]))


def test_an_earlier_copy_ignores_later_decisions(
    as_alice: Client, hearing: Campaign, waking: Campaign
) -> None:
    """So does a copy of a copy; one of today knows them."""
    assert link(as_alice, hearing, waking) == 303
    hearing.refresh_from_db()
    report(hearing, as_answers(who(ROLAND)))
    early = hearing.last
    waking.refresh_from_db()
    services.answer(
        campaign=waking,
        member=organiser_of(waking),
        given=as_answers(who(DAISY))[0],
        context=services.WriteContext(waking.last, later(30)),
    )
    hearing.refresh_from_db()
    (really,) = as_answers({"type": "decision", "step": "really", "decision": True})
    services.answer(
        campaign=hearing,
        member=organiser_of(hearing),
        given=really,
        context=services.WriteContext(hearing.last, later(40)),
    )

    def copied(campaign: Campaign, up_to: int | None = None) -> Campaign:
        return services.branch(
            campaign=campaign,
            member=organiser_of(campaign),
            now=later(50),
            up_to=up_to,
        )

    now = copied(hearing)
    assert now.heard == {"cats": "came"}
    for twin in (copied(hearing, early), copied(now, early)):
        assert twin.heard == {}
        asked = replayed(twin).replay.pending
        assert asked is not None
        assert (asked.step, asked.kind) == ("hear_cats", "choice")


def test_a_file_without_the_other_has_its_decisions(
    as_alice: Client, alice: User, heard: Campaign, hearing: Campaign
) -> None:
    heard.memberships.all().delete()  # alice is no longer a member
    saved = as_alice.get(f"/api/v1/campaigns/{hearing.pk}/export").json()
    assert saved["linked"]["campaign"] is None

    sent = as_alice.post(
        "/api/v1/campaigns/import", saved, content_type="application/json"
    )

    assert sent.status_code == 201
    goes_on_alone(Campaign.objects.get(pk=sent.json()["id"]))


def test_without_the_other_the_table_is_asked_for_its_decision(
    as_alice: Client, hearing: Campaign, waking: Campaign
) -> None:
    assert link(as_alice, hearing, waking) == 303
    hearing.refresh_from_db()
    report(hearing, as_answers(who(ROLAND)))

    assert as_alice.delete(f"/api/v1/campaigns/{waking.pk}/").status_code == 204

    hearing.refresh_from_db()
    pending = replayed(hearing).replay.pending
    assert pending is not None
    assert (pending.kind, [each.id for each in pending.offers]) == (
        "choice",
        ["came", "stayed"],
    )


def test_a_program_sees_a_bag_changed_by_the_other(
    as_alice: Client, in_play: Campaign, waking: Campaign
) -> None:
    """Nothing was written here; but the ETag changes."""
    assert link(as_alice, in_play, waking) == 303
    address = f"/api/v1/campaigns/{in_play.pk}/play"
    before = as_alice.get(address)
    assert (before.json()["scenario"], before.json()["start"]) == ("one", {})

    waking.refresh_from_db()
    report(waking, as_answers(who(DAISY)))
    after = as_alice.get(address, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert after.json()["start"] == {"skull": 1}
    same = as_alice.get(address, headers={"If-None-Match": after["ETag"]})
    assert (same.status_code, same.headers.get("Content-Type")) == (304, None)
