"""Two linked campaigns in one file: both are imported, or neither."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from campaigns import services
from campaigns.models import Campaign, Role
from campaigns.services import EntryRefused
from tests.campaigns.files.helpers import exported, faults_of, import_as
from tests.campaigns.helpers.tables import NOW, a_member, organiser_of


def test_both_are_imported_linked(two: tuple[Campaign, Campaign], bob: User) -> None:
    """From the file of either."""
    for campaign, other in (two, two[::-1]):
        data = exported(campaign)
        twin = import_as(bob, data).campaign
        assert twin.linked is not None
        assert twin.linked.linked == twin
        assert (twin.head, twin.linked.head) == (campaign.head, other.head)
        assert organiser_of(twin.linked).user == bob
    assert Campaign.objects.count() == 6


def test_an_existing_other_campaign_is_linked_again(
    two: tuple[Campaign, Campaign], alice: User
) -> None:
    """Rather than imported a second time."""
    campaign, other = two
    data = exported(campaign)
    services.delete_campaign(campaign=campaign, member=organiser_of(campaign), now=NOW)
    twin = import_as(alice, data).campaign
    other.refresh_from_db()
    assert (twin.linked, other.linked) == (other, twin)
    assert Campaign.objects.count() == 2


def test_a_campaign_of_others_is_not_linked(
    two: tuple[Campaign, Campaign], alice: User, bob: User
) -> None:
    """Nor one that is linked already, nor one that the user doesn't organise."""
    campaign, other = two
    data = exported(campaign)
    alone = data | {"linked": data["linked"] | {"campaign": None}}
    assert import_as(alice, alone).campaign.linked is None
    Campaign.objects.update(linked=None)
    a_member(other, bob, Role.SCRIBE)
    assert import_as(bob, alone).campaign.linked is None
    assert import_as(alice, alone).campaign.linked == other


def test_a_member_of_one_campaign_exports_it_alone(
    two: tuple[Campaign, Campaign], bob: User
) -> None:
    """The other table's entries aren't theirs."""
    campaign, other = two
    sitting = a_member(campaign, bob)
    data = services.export_campaign(member=sitting)
    assert data["linked"]["campaign"] is None
    gone = a_member(other, bob)
    gone.left_at = NOW
    gone.save()
    assert services.export_campaign(member=sitting)["linked"]["campaign"] is None
    gone.left_at = None
    gone.save()
    assert services.export_campaign(member=sitting)["linked"]["campaign"] is not None


def test_a_fault_of_the_other_is_reported_with_its_place(
    two: tuple[Campaign, Campaign], bob: User
) -> None:
    """Then neither is imported; nor is a third one."""
    data = exported(two[0])
    other = data["linked"]["campaign"]
    other["entries"][0]["kind"] = "spell"
    assert faults_of(bob, data) == ["/linked/campaign/entries/0/kind"]
    other["linked"] = {"id": "x", "campaign": None}
    assert faults_of(bob, data) == ["/linked/campaign/linked"]
    other["guide"]["id"], other["linked"] = "nowhere", None
    other["entries"] = []
    with pytest.raises(EntryRefused):
        import_as(bob, data)
    assert Campaign.objects.count() == 2
