"""Ultimatums of a campaign and their effects."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.reading.prepared import prepared
from arkham.rules.campaign.state.answers import UltimatumChosen
from campaigns import services
from campaigns.guides.opening import packed
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, Membership, Role
from campaigns.services import EntryRefused, Forbidden, WriteContext
from decks.models import Collection
from tests.rules.campaign.helpers.small import SECTIONS, WHO

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 19, tzinfo=UTC)


def a_campaign() -> Campaign:
    """A campaign that was just begun."""
    raw = {
        "id": "own",
        "name": "Our own",
        "version": 3,
        "position": 0,
        "campaign_type": "campaign",
        "campaign_log": SECTIONS,
        "scenarios": [],
        "setup": ["who"],
        "steps": [WHO],
    }
    found, _flaws = prepared({"campaigns/own/campaign.json": json.dumps(raw).encode()})
    guide = Guide.objects.create(
        digest=json.loads(found["own"])["digest"],
        guide_id="own",
        name="Our own",
        version=3,
        origin=Guide.Origin.FIELD,
        prepared=packed(found["own"]),
        brought_at=NOW,
    )
    organiser = User.objects.create(username="ashcan")
    return services.start_campaign(
        organiser=organiser, guide=guide, name="Friday", now=NOW
    )


def swear(
    campaign: Campaign, oath: UltimatumChosen, role: str = Role.ORGANISER
) -> None:
    """Add an ultimatum as a member with this role."""
    campaign.refresh_from_db()
    services.choose_ultimatum(
        campaign=campaign,
        member=campaign.memberships.get(role=role),
        chosen=oath,
        context=WriteContext(campaign.last, NOW),
    )
    campaign.refresh_from_db()


def retract(campaign: Campaign, target: int, reason: str = "") -> None:
    """Release it as the organiser."""
    services.retract(
        campaign=campaign,
        member=campaign.memberships.get(role=Role.ORGANISER),
        target=target,
        context=WriteContext(campaign.last, NOW),
        reason=reason,
    )
    campaign.refresh_from_db()


def in_force(campaign: Campaign) -> list[str]:
    """Return the ultimatums in force."""
    return list(replayed(campaign).replay.state.ultimatums)


def test_an_ultimatum_is_in_force_from_the_start() -> None:
    campaign = a_campaign()
    swear(campaign, UltimatumChosen(SETUP, "finality"))
    swear(campaign, UltimatumChosen(SETUP, "ours", "No singing"))

    assert in_force(campaign) == ["finality", "ours"]


def test_an_impossible_ultimatum_is_refused() -> None:
    """Twice the same, or one of another campaign; nothing is written."""
    campaign = a_campaign()
    swear(campaign, UltimatumChosen(SETUP, "finality"))
    for oath, rule in (
        (UltimatumChosen(SETUP, "finality"), "oath.once"),
        (UltimatumChosen(SETUP, "venom"), "oath.place"),
    ):
        with pytest.raises(EntryRefused) as refused:
            swear(campaign, oath)
        assert [each.rule for each in refused.value.findings] == [rule]
    assert campaign.last == 2


def test_a_release_needs_a_reason() -> None:
    campaign = a_campaign()
    swear(campaign, UltimatumChosen(SETUP, "finality"))
    with pytest.raises(EntryRefused) as refused:
        retract(campaign, 2)

    assert [each.rule for each in refused.value.findings] == ["oath.permanent"]
    services.preview_retraction(campaign=campaign, target=2, reason="A slip.")
    assert in_force(campaign) == ["finality"]
    retract(campaign, 2, "Nobody meant it.")
    assert in_force(campaign) == []


def test_a_return_to_the_start_keeps_ultimatums() -> None:
    campaign = a_campaign()
    swear(campaign, UltimatumChosen(SETUP, "finality"))
    services.return_to_start(
        campaign=campaign,
        member=campaign.memberships.get(role=Role.ORGANISER),
        scenario=SETUP,
        context=WriteContext(campaign.last, NOW),
    )
    campaign.refresh_from_db()

    assert in_force(campaign) == ["finality"]


def test_only_the_organiser_adds_ultimatums() -> None:
    campaign = a_campaign()
    guest = User.objects.create(username="zoey")
    Membership.objects.create(
        campaign=campaign, user=guest, role=Role.PLAYER, joined_at=NOW
    )
    with pytest.raises(Forbidden):
        swear(campaign, UltimatumChosen(SETUP, "finality"), Role.PLAYER)


def test_orthodoxy_and_play_without_taboos_exclude_each_other() -> None:
    """In either order."""
    campaign = a_campaign()
    member = campaign.memberships.get()
    for terms in ({"taboo": "none"}, {"taboos": {"01001": "none"}}):
        services.change_terms(campaign=campaign, member=member, terms=terms)
        with pytest.raises(EntryRefused) as refused:
            swear(campaign, UltimatumChosen(SETUP, "orthodoxy"))
        assert [each.rule for each in refused.value.findings] == ["terms.orthodoxy"]
    services.change_terms(campaign=campaign, member=member, terms={"taboo": "9"})
    swear(campaign, UltimatumChosen(SETUP, "orthodoxy"))
    assert in_force(campaign) == ["orthodoxy"]

    with pytest.raises(EntryRefused) as refused:
        services.change_terms(
            campaign=campaign,
            member=member,
            terms={"taboo": "9", "taboos": {"01001": "none"}},
        )
    assert refused.value.findings[0].cards == ("01001",)
    assert campaign.terms == {"taboo": "9"}


def test_a_table_draws_from_no_collection_of_others(alice: User) -> None:
    """Its own, or the one it chose before; a stranger's isn't found."""
    campaign = a_campaign()
    member = campaign.memberships.get()
    assert member.user is not None
    theirs, own = (
        Collection.objects.create(owner=each, name="Shelf", changed_at=NOW)
        for each in (alice, member.user)
    )
    services.change_terms(
        campaign=campaign, member=member, terms={"collection": own.pk}
    )
    for key in (theirs.pk, own.pk + 1_000):
        with pytest.raises(EntryRefused) as refused:
            services.change_terms(
                campaign=campaign, member=member, terms={"collection": key}
            )
        assert [each.rule for each in refused.value.findings] == ["terms.collection"]
    other = Membership.objects.create(
        campaign=campaign, user=alice, role=Role.ORGANISER, joined_at=NOW
    )
    services.change_terms(
        campaign=campaign, member=other, terms={"collection": own.pk, "taboo": "none"}
    )
    assert campaign.terms == {"collection": own.pk, "taboo": "none"}
