"""An invitation admits people to a campaign, within its time and number of uses."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules import embedded_pool
from campaigns import services
from campaigns.models import Campaign, Invitation, Membership, Role
from campaigns.people.table import guest_behind, invitation_behind, token_of
from campaigns.services import EntryRefused, InvitationClosed
from decks.lists.starter import starter_deck
from decks.services import create_deck
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_seat,
    later,
    organiser_of,
    rules_of,
)
from tests.campaigns.people.helpers import link_of
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS


def test_a_link_admits_an_account_to_its_seat(campaign: Campaign, bob: User) -> None:
    """Followed again, it is not used up any further."""
    seat = a_seat(campaign, SKIDS)
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, seat=seat
    )
    found = invitation_behind(token_of(invitation))
    assert found == invitation
    member = services.join(invitation=found, user=bob, now=NOW)
    again = services.join(invitation=found, user=bob, now=NOW)
    seat.refresh_from_db()
    invitation.refresh_from_db()

    assert member == again
    assert (member.role, seat.member, invitation.uses) == (Role.PLAYER, member, 1)


def test_a_link_that_was_tampered_with_is_invalid(campaign: Campaign) -> None:
    """Nor is the key alone valid."""
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW
    )
    token = token_of(invitation)

    for other in (token[:-1], invitation.key.hex, "", "x.y", "é.." + token):
        assert invitation_behind(other) is None


def test_an_invitation_ends(campaign: Campaign, bob: User) -> None:
    """When it expires or is revoked."""
    organiser = organiser_of(campaign)
    old = services.invite(
        campaign=campaign, member=organiser, now=NOW, lifetime=timedelta(hours=1)
    )
    with pytest.raises(services.InvitationClosed):
        services.join(invitation=old, user=bob, now=NOW + timedelta(hours=1))
    revoked = services.invite(campaign=campaign, member=organiser, now=NOW)
    services.revoke_invitation(invitation=revoked, member=organiser, now=NOW)
    with pytest.raises(services.InvitationClosed):
        services.join_as_guest(invitation=revoked, name="Dora", now=NOW)


@pytest.mark.parametrize("comes_as", ["account", "guest", "new guest"])
def test_a_removed_member_does_not_return_by_an_old_link(
    campaign: Campaign, bob: User, comes_as: str
) -> None:
    """Neither with the same account nor as another person; a new link admits them."""
    old = link_of(campaign)
    guest = None
    if comes_as == "account":
        member = services.join(invitation=old, user=bob, now=NOW)
    else:
        member, key = services.join_as_guest(invitation=old, name="B", now=NOW)
        guest = guest_behind(key) if comes_as == "guest" else None
    services.remove_member(member=member, actor=organiser_of(campaign), now=later(1))

    def come(invitation: Invitation) -> Membership:
        if comes_as == "account":
            return services.join(invitation=invitation, user=bob, now=later(2))
        joined = services.join_as_guest(
            invitation=invitation, name="B", now=later(2), guest=guest
        )
        return joined[0]

    with pytest.raises(InvitationClosed):
        come(Invitation.objects.get(pk=old.pk))
    new = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=later(2)
    )
    assert come(new).left_at is None


@pytest.mark.parametrize(
    ("link_role", "is_open"),
    [
        (Role.ORGANISER, False),
        (Role.SCRIBE, False),
        (Role.PLAYER, True),
        (Role.SPECTATOR, True),
    ],
)
def test_a_demoted_member_does_not_regain_a_role_by_an_old_link(
    campaign: Campaign, bob: User, link_role: str, is_open: bool
) -> None:
    """By leaving and following a link they knew; a new link does it."""
    organiser = organiser_of(campaign)
    other = a_member(campaign, bob, Role.SCRIBE)
    link = link_of(campaign, role=link_role)
    services.change_role(member=other, actor=organiser, role=Role.PLAYER, now=later(1))
    services.leave(member=other, now=later(2))

    known = Invitation.objects.get(pk=link.pk)
    if is_open:
        services.join(invitation=known, user=bob, now=later(3))
    else:
        with pytest.raises(InvitationClosed):
            services.join(invitation=known, user=bob, now=later(3))
    new = services.invite(
        campaign=campaign, member=organiser, now=later(3), role=Role.SCRIBE
    )
    assert new.revoked_at is None


def test_a_promotion_closes_no_link(campaign: Campaign, bob: User) -> None:
    """Nor does setting the same role again."""
    other = a_member(campaign, bob, Role.PLAYER)
    link = link_of(campaign, role=Role.ORGANISER)
    for role in (Role.PLAYER, Role.SCRIBE):
        services.change_role(
            member=other, actor=organiser_of(campaign), role=role, now=later(1)
        )

    assert Invitation.objects.get(pk=link.pk).revoked_at is None


def test_links_of_other_campaigns_stay_open(
    campaign: Campaign, alice: User, bob: User, charlie: User
) -> None:
    """A removal only closes links of its own campaign."""
    other = a_campaign(alice, guide=campaign.guide)
    link = link_of(other)
    member = services.join(invitation=link_of(campaign), user=bob, now=NOW)
    services.remove_member(member=member, actor=organiser_of(campaign), now=NOW)

    assert services.join(invitation=link, user=charlie, now=NOW).campaign == other


def test_a_member_who_left_may_return(campaign: Campaign, bob: User) -> None:
    """By the link they had."""
    link = link_of(campaign)
    services.leave(
        member=services.join(invitation=link, user=bob, now=NOW), now=later(1)
    )
    assert services.join(invitation=link, user=bob, now=later(2)).left_at is None


def test_a_link_has_a_limited_number_of_uses(
    campaign: Campaign, bob: User, charlie: User
) -> None:
    """Members who follow it don't use it up."""
    link = link_of(campaign, most_uses=2)
    for _each in range(3):
        services.join(invitation=link, user=bob, now=NOW)
    _member, _key = services.join_as_guest(invitation=link, name="C", now=NOW)
    link.refresh_from_db()
    assert link.uses == 2
    with pytest.raises(InvitationClosed):
        services.join(invitation=link, user=charlie, now=NOW)
    with pytest.raises(InvitationClosed):
        services.join_as_guest(invitation=link, name="D", now=NOW)
    assert services.join(invitation=link, user=bob, now=NOW).user == bob


def test_former_members_do_not_fill_a_campaign(
    campaign: Campaign, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only current ones count; a guest without entries leaves nothing behind."""
    monkeypatch.setattr("campaigns.services.people.MOST_MEMBERS", 3)
    link = link_of(campaign)
    for number in range(5):
        member, _key = services.join_as_guest(
            invitation=link, name=str(number), now=NOW
        )
        services.leave(member=member, now=NOW)
    assert campaign.memberships.count() == 1
    for number in range(2):
        services.join_as_guest(invitation=link, name=str(number), now=NOW)
    with pytest.raises(EntryRefused) as refused:
        services.join(invitation=link, user=bob, now=NOW)
    assert rules_of(refused.value) == ["table.full"]


def test_a_deck_is_chosen_by_one_press(campaign: Campaign, alice: User) -> None:
    """Until it is known how the seat is played; then the table goes on."""
    content = starter_deck(embedded_pool(), ROLAND)
    deck = create_deck(owner=alice, content=content, now=NOW, name="Mine")
    seat = a_seat(campaign, ROLAND, organiser_of(campaign))
    browser = Client()
    browser.force_login(alice)
    people = f"/campaigns/{campaign.pk}/people/"
    page = browser.get(people).content.decode()
    assert "Choose the deck “Mine (Roland Banks)”" in page
    assert 'href="/decks/import/">Import decks' in page  # another one may be meant
    assert "Build a deck for Roland Banks" in page
    chosen = {"deck": f"deck:{deck.pk}", "then": "table"}
    sent = browser.post(f"{people}seats/{seat.pk}", chosen)
    seat.refresh_from_db()

    assert (sent.headers["Location"], seat.deck) == (f"/campaigns/{campaign.pk}/", deck)
    page = browser.get(people).content.decode()
    assert "Choose the deck" not in page
    assert "Build a deck for Roland Banks" not in page


def test_the_table_invites_until_everyone_has_joined(
    campaign: Campaign, alice: User, bob: User
) -> None:
    """The organiser alone is not everyone yet."""
    browser = Client()
    browser.force_login(alice)
    table = f"/campaigns/{campaign.pk}/"
    a_seat(campaign, ROLAND, organiser_of(campaign))
    assert "Invite the others" in browser.get(table).content.decode()
    seat = a_seat(campaign, DAISY)
    assert "Invite the others" in browser.get(table).content.decode()
    seat.member = a_member(campaign, bob)
    seat.save()

    assert "Invite the others" not in browser.get(table).content.decode()
