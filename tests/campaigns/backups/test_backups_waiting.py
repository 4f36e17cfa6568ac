"""A backup whose guide is missing waits for it; two halves return together."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.by_hand.facts import campaign_facts
from campaigns import services
from campaigns.files.campaign_file import MOST_BYTES
from campaigns.log.replays import replayed
from campaigns.models import Campaign, WaitingBackup
from campaigns.pages.statistics import campaigns_of
from campaigns.people.table import Visitor
from campaigns.queries import usable_guides
from tests.campaigns.backups.helpers import ELSEWHERE, backup_of, restore, sent
from tests.campaigns.helpers.tables import NOW, a_row, have_our_guides, who
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import ROLAND, Raw, receive

pytestmark = pytest.mark.django_db


def test_a_campaign_without_its_guide_waits(
    as_alice: Client,
) -> None:
    """The page names the missing guide, and offers what can be done."""
    have_our_guides(without=ELSEWHERE)
    page = sent(as_alice, backup_of()).content.decode()

    assert not Campaign.objects.exists()
    name = campaign_facts(ELSEWHERE).name
    assert f"This campaign needs a guide that isn’t here: {name}" in page
    assert "Keep it by hand" in page
    assert "matches the app" not in page
    assert WaitingBackup.objects.get().missing == ELSEWHERE


def test_a_backup_waits_only_once(alice: User) -> None:
    """However often it is imported."""
    have_our_guides(without=ELSEWHERE)
    restore(alice, backup_of())
    restore(alice, backup_of())

    assert WaitingBackup.objects.count() == 1


def test_a_waiting_backup_is_imported_once_its_guide_exists(
    alice: User, as_alice: Client
) -> None:
    """From the page where it waits; then none waits any more."""
    restore(alice, backup_of("own"))
    waiting = WaitingBackup.objects.get()
    page = as_alice.get("/campaigns/bring/").content.decode()
    assert "the guide of own is missing" in page
    assert '<button class="button" name="act" value="import">Try again</button>' in page
    as_alice.post(f"/campaigns/bring/{waiting.pk}/", {"act": "import"})
    assert not Campaign.objects.exists()

    a_row()
    assert "its guide is here now" in as_alice.get("/campaigns/bring/").content.decode()
    as_alice.post(f"/campaigns/bring/{waiting.pk}/", {"act": "import"})
    campaign = Campaign.objects.get()

    assert replayed(campaign).replay.state.people[ROLAND].experience == 3
    assert not WaitingBackup.objects.exists()


def test_waiting_campaigns_of_others_are_inaccessible(
    alice: User, as_bob: Client
) -> None:
    """Neither to import nor to delete."""
    restore(alice, backup_of())
    waiting = WaitingBackup.objects.get()

    for act in ("import", "by_hand", "delete"):
        answer = as_bob.post(f"/campaigns/bring/{waiting.pk}/", {"act": act})
        assert answer.status_code == 404
    assert "Ours" not in as_bob.get("/campaigns/bring/").content.decode()


def test_a_waiting_campaign_can_be_deleted(alice: User, as_alice: Client) -> None:
    """By the user who imported it."""
    restore(alice, backup_of())
    waiting = WaitingBackup.objects.get()
    as_alice.post(f"/campaigns/bring/{waiting.pk}/", {"act": "delete"})

    assert not WaitingBackup.objects.exists()


@pytest.mark.parametrize(
    ("played", "waits"), [("legions_of_fire", True), ("curse_of_the_rougarou", False)]
)
def test_side_scenarios_without_a_guide_wait_too(
    alice: User, played: str, waits: bool
) -> None:
    """Kept by hand they would ask other questions than the app; ours ask the same."""
    have_our_guides(without=ELSEWHERE)
    found = restore(alice, _with_side(played))

    assert len(found.restored) == (not waits)
    assert [each.missing for each in WaitingBackup.objects.all()] == ["side"] * waits


def _with_side(played: str = "legions_of_fire") -> dict[str, Any]:
    data = backup_of("core")
    data["guides"][0]["inputs"].append(
        {
            "type": "start_side_scenario",
            "scenario": played,
            "previousScenarioId": "torch",
            "sideScenarioType": "official",
        }
    )
    return data


def test_the_side_scenario_without_a_guide_is_named(as_alice: Client) -> None:
    """Where it was imported, and where it waits."""
    have_our_guides()
    named = "Side Scenarios (Legions of Fire)"
    page = sent(as_alice, _with_side()).content.decode()
    assert f"This campaign needs a guide that isn’t here: {named}" in page
    page = as_alice.get("/campaigns/bring/").content.decode()
    assert f"the guide of {named} is missing" in page


def test_guides_of_another_account_are_not_here(
    as_alice: Client, alice: User, bob: User
) -> None:
    """Nor is an imported package of side scenarios that our guide doesn't use."""
    have_our_guides()
    sent(as_alice, _with_side())
    for owner in (bob, alice):
        a_row(id="side", owner=owner, version=owner.pk)
        page = as_alice.get("/campaigns/bring/").content.decode()
        assert "its guide is here now" not in page
    (kept,) = as_alice.get(API).json()
    assert kept["missing"] == ["Side Scenarios (Legions of Fire)"]


def test_ignored_parts_are_listed(as_alice: Client) -> None:
    """Campaigns that were played without a guide, by name, and decks."""
    a_row()
    data = backup_of("own")
    data["campaigns"].append({"uuid": "h", "name": "On paper", "cycleCode": "custom"})
    data["decks"] = [{"id": 1}, {"id": 2}]
    page = sent(as_alice, data).content.decode()

    assert "On paper: played without a guide" in page
    assert 'href="/campaigns/new/">Begin it here and enter its log' in page
    assert "2 decks: choose this file again to import them." in page
    assert 'href="/decks/import/"' in page


def test_an_imported_campaign_is_continued_by_one_press(as_alice: Client) -> None:
    """Its table has the next question; the log has what is wrong with it."""
    a_row()
    page = sent(as_alice, backup_of("own")).content.decode()
    (main,) = re.findall(r'<a class="button main" href="([^"]+)"', page)

    assert main == f"/campaigns/{Campaign.objects.get().pk}/"


@pytest.mark.parametrize("version", [-1, 0])
def test_the_oldest_campaigns_survive_a_round_trip(alice: User, version: int) -> None:
    """They began before versions were counted."""
    a_row()
    restore(alice, backup_of("own", guideVersion=version))
    campaign = Campaign.objects.get()
    data = json.loads(
        json.dumps(services.export_campaign(member=campaign.memberships.get()))
    )
    again = services.import_campaign(
        organiser=alice, data=data, usable=usable_guides(Visitor(alice)), now=NOW
    )

    assert campaign.version == again.campaign.version == version


# --- two halves


@pytest.mark.parametrize(
    "linked", ["by the halves", "by the whole", "by what they told"]
)
def test_two_halves_are_linked_as_they_were(alice: User, linked: str) -> None:
    """Nothing is asked that the other half has answered."""
    told = {
        "id": "send",
        "type": "input",
        "input": {"type": "send_campaign_link", "id": "cat", "decision": "yes"},
    }
    for guide, step in (("tdea", told), ("tdeb", {**receive(), "id": "hear"})):
        a_row(id=guide, setup=["who", step["id"]], steps=[_who(), step])
    inputs = [{"type": "start_scenario"}, who(ROLAND)]
    link = {"type": "campaign_link", "step": "cat", "decision": "yes"}
    data: dict[str, Any] = {
        "campaigns": [
            {"uuid": "w", "name": "Both", "cycleCode": "tde"},
            {"uuid": "a", "name": "A", "cycleCode": "tdea"},
            {"uuid": "b", "name": "B", "cycleCode": "tdeb"},
        ],
        "guides": [
            {"uuid": "a", "inputs": _of_setup(*inputs, link)},
            {"uuid": "b", "inputs": _of_setup(*inputs, {**link, "step": "dog"})},
        ],
    }
    if linked == "by the halves":
        for half in data["campaigns"][1:]:
            half["linkedCampaignUuid"] = "w"
    if linked != "by what they told":
        data["campaigns"][0]["linkUuid"] = {"campaignIdA": "a", "campaignIdB": "b"}
    outcome = restore(alice, data)
    one, other = (each.campaign for each in outcome.restored)

    assert one.linked == other
    assert other.linked == one


def _who() -> Raw:
    return {"id": "who", "type": "input", "input": {"type": "scenario_investigators"}}


def _of_setup(*raws: Raw) -> list[Raw]:
    return [{"scenario": "$campaign_setup", **raw} for raw in raws]


# -- for programs --

API = "/api/v1/campaigns/backups/"


def _sent(client: Client, address: str, data: object = None) -> Any:
    body = json.dumps(data) if data is not None else ""
    return client.post(address, body, content_type="application/json")


def test_a_program_imports_a_backup_and_lists_waiting_campaigns(
    alice: User, as_alice: Client, as_bob: Client
) -> None:
    answer = _sent(as_alice, API, backup_of("own"))
    assert answer.status_code == 200, answer.content
    (left,) = answer.json()["left"]
    assert answer.json()["restored"] == []
    assert "guide" in left["reason"]
    (kept,) = as_alice.get(API).json()
    assert (kept["id"], kept["name"]) == (left["waiting"], "Ours")
    assert kept["missing"] == ["own"]
    assert kept["kept_by_hand"] is False
    one = f"{API}{kept['id']}/"
    assert as_alice.get(one).json() == kept
    assert as_bob.get(API).json() == []
    assert as_bob.get(one).status_code == 404
    assert as_bob.delete(one).status_code == 404
    assert _sent(as_bob, f"{one}import").status_code == 404

    still = _sent(as_alice, f"{one}import").json()
    assert still["left"][0]["waiting"] == kept["id"]
    a_row(owner=alice)
    assert as_alice.get(one).json()["missing"] == []
    restored = _sent(as_alice, f"{one}import").json()["restored"]
    assert [each["name"] for each in restored] == ["Ours"]
    assert Campaign.objects.get().pk == restored[0]["campaign"]
    assert not WaitingBackup.objects.exists()


def test_a_program_keeps_a_waiting_campaign_by_hand_or_deletes_it(
    alice: User, as_alice: Client
) -> None:
    have_our_guides(without=ELSEWHERE)
    restore(alice, backup_of())
    one = f"{API}{WaitingBackup.objects.get().pk}/"
    begun = _sent(as_alice, f"{one}by-hand")
    assert begun.status_code == 201, begun.content
    assert begun.json() == {"campaigns": [Campaign.objects.get().pk]}
    assert as_alice.get(one).json()["kept_by_hand"] is True
    again = _sent(as_alice, f"{one}by-hand")
    assert (again.status_code, Campaign.objects.count()) == (422, 1)
    assert again.json()["findings"][0]["rule"] == "backup.kept"
    assert as_alice.delete(one).status_code == 204
    assert as_alice.get(API).json() == []


def test_an_invalid_file_is_refused(as_alice: Client, client: Client) -> None:
    assert _sent(as_alice, API, {"campaigns": []}).status_code == 422
    assert _sent(as_alice, API, [1]).status_code == 422
    assert client.get(API).status_code in (401, 403)


def test_a_backup_may_be_larger_than_other_bodies(
    as_alice: Client, settings: Any
) -> None:
    """As large as on the page; above that it is refused by its length."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    assert _sent(as_alice, API, backup_of("own")).status_code == 200
    large = _sent(as_alice, API, {"decks": " " * MOST_BYTES})
    assert large.status_code == 413
    assert large.json()["type"] == "urn:orne:problem:too-large"


def test_closing_the_account_lists_waiting_campaigns(
    alice: User, as_alice: Client
) -> None:
    """By page and API; they go with the account, and the page links to them."""
    before = as_alice.get("/api/v1/me/").json()
    assert before["backups"] == 0
    restore(alice, backup_of("own"))
    after = as_alice.get("/api/v1/me/").json()
    assert after["backups"] == 1
    assert after["seen"] != before["seen"]
    page = as_alice.get("/account/close/").content.decode()
    assert "1 campaign from a backup, waiting for its guide" in page
    assert 'href="/campaigns/bring/"' in page
    services.close_account(user=alice, now=NOW, seen=None)
    assert not WaitingBackup.objects.exists()


def test_a_campaign_imported_again_is_counted_once(alice: User) -> None:
    """Kept by hand meanwhile, then whole; and again from a later backup."""
    have_our_guides(without=ELSEWHERE)
    restore(alice, backup_of())
    waiting = WaitingBackup.objects.get()
    usable = usable_guides(Visitor(alice))
    services.keep_by_hand(waiting=waiting, usable=usable, now=NOW)
    a_row(id=ELSEWHERE, owner=alice)
    later = backup_of(name="Ours, later")
    data = [backup_of(), later, backup_of(uuid="b", name="Another")]
    data[2]["guides"][0]["uuid"] = "b"
    services.import_waiting(waiting=waiting, usable=usable, now=NOW)
    for each in data:
        restore(alice, each)

    assert Campaign.objects.count() == 5
    assert len(campaigns_of(alice).campaigns) == 2


def _alone() -> dict[str, Any]:
    """A side scenario played on its own, as the app stores it."""
    data = backup_of()
    alone = {"campaignId": "side", "scenarioId": "one"}
    data["campaigns"] = [{"uuid": "a", "name": "Ours", "standaloneId": alone}]
    data["guides"][0]["inputs"] = won("one")[:1]
    return data


def test_a_side_scenario_played_alone_survives_a_round_trip(as_alice: Client) -> None:
    """Its package is no campaign, in the exported file either."""
    a_row(id="side")
    page = sent(as_alice, _alone()).content.decode()
    campaign = Campaign.objects.get()
    assert "Everything matches the app" in page
    assert (campaign.guide.guide_id, campaign.standalone) == ("side", "one")

    exported = as_alice.get(f"/campaigns/{campaign.pk}/campaign.json").json()
    assert sent(as_alice, exported).status_code == 303
    assert [each.standalone for each in Campaign.objects.all()] == ["one", "one"]


def test_there_is_no_campaign_of_side_scenarios(as_alice: Client) -> None:
    a_row(id="side")
    sent(as_alice, backup_of("side"))
    assert not Campaign.objects.exists()


def test_a_scenario_played_alone_cannot_be_kept_by_hand(as_alice: Client) -> None:
    have_our_guides(without=ELSEWHERE)
    sent(as_alice, _alone())
    waiting = WaitingBackup.objects.get()
    kept = as_alice.post(f"/campaigns/bring/{waiting.pk}/", {"act": "by_hand"})
    assert kept.status_code == 422
    assert "A standalone scenario needs its guide." in kept.content.decode()
    assert not Campaign.objects.exists()


def test_one_of_our_side_scenarios_played_alone_is_imported(as_alice: Client) -> None:
    """It needs no other guide; those we haven't written wait."""
    have_our_guides(without=ELSEWHERE)
    data = _alone()
    data["campaigns"][0]["standaloneId"]["scenarioId"] = "curse_of_the_rougarou"
    data["guides"][0]["inputs"] = [
        {**each, "scenario": "curse_of_the_rougarou"}
        for each in data["guides"][0]["inputs"]
    ]
    sent(as_alice, data)

    guide = Campaign.objects.get().guide
    assert (guide.guide_id, guide.origin) == ("side", "ours")
    assert not WaitingBackup.objects.exists()
