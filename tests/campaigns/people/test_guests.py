"""Guests play at once, claim their seat with an account later, and are forgotten."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from arkham.housekeeping import forget_expired
from arkham.rules.campaign.state.answers import Asserted
from campaigns import services
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guest, Role
from campaigns.people.table import COOKIE, Visitor, digest_of, guest_behind, token_of
from campaigns.queries import member_of, memberships_of
from campaigns.services import Forbidden
from campaigns.words.reasons import written_of
from tests.campaigns.helpers.tables import (
    NOW,
    a_member,
    a_seat,
    as_answers,
    later,
    organiser_of,
    report,
    write_context,
)
from tests.campaigns.people.helpers import PEOPLE
from tests.decks.building import a_draft
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import ROLAND


def test_a_guest_plays_at_once_and_claims_the_seat_later(
    campaign: Campaign, bob: User
) -> None:
    """What they wrote stays theirs."""
    seat = a_seat(campaign, ROLAND)
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, seat=seat
    )
    member, key = services.join_as_guest(invitation=invitation, name="Dora", now=NOW)
    guest = guest_behind(key)
    assert guest is not None
    assert guest_behind("") is None
    report(campaign, as_answers(PEOPLE, *won("one")))
    services.state_fact(
        campaign=campaign,
        member=member,
        fact=Asserted("one", "experience", ROLAND, 3),
        context=write_context(campaign),
    )
    services.claim(guest=guest, user=bob, now=NOW)
    member.refresh_from_db()
    seat.refresh_from_db()
    row = campaign.entries.get(sequence=campaign.last)

    assert (member.user, member.guest, seat.member) == (bob, None, member)
    assert (row.author, row.author_name) == (member, "Dora")
    assert not Guest.objects.exists()


@pytest.mark.parametrize(
    "forget",
    [lambda now: services.forget_guests(now=now), lambda now: forget_expired(now=now)],
)
def test_a_guest_who_left_every_table_is_forgotten(
    campaign: Campaign, forget: Callable[[datetime], int]
) -> None:
    """A day later; those who wrote or sit somewhere are not."""
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, role=Role.SCRIBE
    )
    gone, wrote, _sits = (
        services.join_as_guest(invitation=invitation, name=name, now=NOW)[0]
        for name in ("Gone", "Wrote", "Sits")
    )
    report(campaign, as_answers(PEOPLE), wrote)
    for member in (gone, wrote):
        services.leave(member=member, now=NOW)

    forget(later(60))
    assert Guest.objects.count() == 3
    forget(later(25 * 60))
    assert {guest.name for guest in Guest.objects.all()} == {"Wrote", "Sits"}


def test_a_guest_may_be_somebody_who_sits_there(campaign: Campaign, bob: User) -> None:
    """The account takes the seat over."""
    seat = a_seat(campaign, ROLAND)
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, seat=seat
    )
    own = a_member(campaign, bob)
    _member, key = services.join_as_guest(invitation=invitation, name="Bob", now=NOW)
    guest = guest_behind(key)
    assert guest is not None
    claimed = services.claim(guest=guest, user=bob, now=NOW)
    seat.refresh_from_db()

    assert claimed == [own]
    assert seat.member == own


@pytest.mark.parametrize("is_guest_first", [True, False])
def test_who_sits_there_twice_is_there_with_the_account(
    campaign: Campaign, bob: User, is_guest_first: bool
) -> None:
    """Whichever sat down first."""
    own = None if is_guest_first else a_member(campaign, bob)
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW
    )
    _member, key = services.join_as_guest(invitation=invitation, name="Bob", now=NOW)
    own = own or a_member(campaign, bob)
    both = Visitor(bob, digest_of(key))

    assert member_of(campaign.pk, both) == own
    assert memberships_of(both).first() == own


def test_what_a_guest_wrote_keeps_its_author(campaign: Campaign, bob: User) -> None:
    """Also where the account sits already: the guest is one who has left."""
    own = a_member(campaign, bob)
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, role=Role.SCRIBE
    )
    member, key = services.join_as_guest(invitation=invitation, name="Dora", now=NOW)
    report(campaign, as_answers(PEOPLE), member)
    guest = guest_behind(key)
    assert guest is not None
    services.claim(guest=guest, user=bob, now=NOW)
    row = campaign.entries.get(sequence=campaign.last)
    member.refresh_from_db()
    own.refresh_from_db()

    assert (row.author, row.author_name) == (member, "Dora")
    assert (member.left_at, own.role) == (NOW, Role.SCRIBE)
    assert guest_behind(key) is None
    assert guest_behind(f"claimed-{guest.pk}") is None


def test_what_a_guest_wrote_is_the_accounts_to_take_back(
    campaign: Campaign, bob: User
) -> None:
    """A player takes it back after the claim; nobody else's, and it names the guest."""
    own = a_member(campaign, bob)
    invitation = services.invite(
        campaign=campaign,
        member=organiser_of(campaign),
        now=NOW,
        seat=a_seat(campaign, ROLAND),
    )
    member, key = services.join_as_guest(invitation=invitation, name="Dora", now=NOW)
    guest = guest_behind(key)
    assert guest is not None
    report(campaign, as_answers(PEOPLE, *won("one")))
    fact = Asserted("one", "experience", ROLAND, 3)
    services.state_fact(
        campaign=campaign,
        member=member,
        fact=fact,
        context=write_context(campaign, "mine"),
    )
    services.claim(guest=guest, user=bob, now=NOW)
    last, others = campaign.last, campaign.last - 1
    services.state_fact(
        campaign=campaign,
        member=own,
        fact=fact,
        context=write_context(campaign, "mine"),
    )
    known = replayed(campaign)

    assert campaign.last == last  # sent again after the claim, written once
    assert store.is_written(own, "mine")
    assert written_of(campaign)[last].author == "Dora"
    assert written_of(campaign)[last].now == "now bob"
    assert written_of(campaign)[others].now == ""
    with pytest.raises(Forbidden):
        services.retract(
            campaign=campaign,
            member=own,
            target=others,
            context=write_context(campaign),
        )
    services.retract(
        campaign=campaign, member=own, target=last, context=write_context(campaign)
    )
    assert len(replayed(campaign).entries) == len(known.entries) + 1


def test_the_better_of_two_roles_is_kept(campaign: Campaign, bob: User) -> None:
    """A guest organises alone; the account they claim only looked on."""
    organiser = organiser_of(campaign)
    invitation = services.invite(
        campaign=campaign, member=organiser, now=NOW, role=Role.ORGANISER
    )
    own = a_member(campaign, bob, Role.SPECTATOR)
    _member, key = services.join_as_guest(invitation=invitation, name="Bob", now=NOW)
    services.leave(member=organiser, now=NOW)
    guest = guest_behind(key)
    assert guest is not None
    services.claim(guest=guest, user=bob, now=NOW)
    own.refresh_from_db()

    assert own.role == Role.ORGANISER


def test_an_account_keeps_the_better_role(campaign: Campaign, bob: User) -> None:
    """Who looks on as a guest loses nothing by it; nor by having left as one."""
    own = a_member(campaign, bob)
    for role, has_left in ((Role.SPECTATOR, False), (Role.SCRIBE, True)):
        invitation = services.invite(
            campaign=campaign, member=organiser_of(campaign), now=NOW, role=role
        )
        guest, key = services.join_as_guest(invitation=invitation, name="B", now=NOW)
        if has_left:
            services.leave(member=guest, now=NOW)
        claimed = guest_behind(key)
        assert claimed is not None
        services.claim(guest=claimed, user=bob, now=NOW)
        own.refresh_from_db()

        assert own.role == Role.PLAYER


def test_a_guest_is_led_to_a_deck_and_reads_what_it_takes_to_choose_it(
    campaign: Campaign, as_bob: Client
) -> None:
    """From the table to the seat; with an account, the seat must be moved to it."""
    seat = a_seat(campaign, ROLAND)
    link = services.invite(
        campaign=campaign,
        member=organiser_of(campaign),
        seat=seat,
        now=timezone.now(),
    )
    guest = Client()
    guest.post(f"/campaigns/join/{token_of(link)}/", {"name": "Dora"})
    table, people = f"/campaigns/{campaign.pk}/", f"/campaigns/{campaign.pk}/people/"
    assert f'href="{people}#seat-{seat.pk}"' in guest.get(table).content.decode()
    page = guest.get(people).content.decode()
    assert f"/decks/new/{ROLAND}/" in page
    assert "When you save it in an account" in page
    assert "then choose it here" not in page
    assert "Your deck gets what" not in page
    as_bob.cookies[COOKIE] = guest.cookies[COOKIE].value
    page = as_bob.get(people).content.decode()
    assert "first move your seat to your account" in page
    as_bob.post("/campaigns/claim")
    assert "then choose it here" in as_bob.get(people).content.decode()


@pytest.mark.parametrize("way", ["save", "claim"])
def test_a_deck_built_as_a_guest_comes_to_the_table_with_its_account(
    campaign: Campaign, client: Client, way: str
) -> None:
    """The seat becomes the account's, the deck is played there, and is shown next."""
    seat = a_seat(campaign, ROLAND)
    link = services.invite(
        campaign=campaign,
        member=organiser_of(campaign),
        now=timezone.now(),
        seat=seat,
    )
    client.post(f"/campaigns/join/{token_of(link)}/", {"name": "Dora"})
    deck = a_draft(client)
    table = f"/campaigns/{campaign.pk}/"
    sign_up = {"username": "dora", "password1": "k1ngsport!7"}
    sign_up |= {"password2": sign_up["password1"]}
    if way == "save":
        asked = client.post(f"/decks/{deck.pk}/keep")
        sign_up["next"] = asked["Location"].partition("next=")[2].replace("%2F", "/")
        answer = client.post("/account/signup/", sign_up, follow=True)
    else:
        client.post("/account/signup/", sign_up)
        answer = client.post("/campaigns/claim", follow=True)
    assert answer.request["PATH_INFO"] == table
    deck.refresh_from_db()
    seat.refresh_from_db()
    assert deck.owner is not None
    assert deck.owner.username == "dora"
    assert seat.deck == deck
    assert seat.member is not None
    assert seat.member.user == deck.owner


def test_a_draft_saved_by_an_account_claims_no_seat_of_a_guest(
    campaign: Campaign, client: Client, bob: User
) -> None:
    """On a shared phone the guest may be another person: that is asked."""
    seat = a_seat(campaign, ROLAND)
    link = services.invite(
        campaign=campaign,
        member=organiser_of(campaign),
        now=timezone.now(),
        seat=seat,
    )
    client.post(f"/campaigns/join/{token_of(link)}/", {"name": "Dora"})
    deck = a_draft(client)
    login = {"login": "bob", "password": "bob-of-arkham"}
    client.post("/account/login/", login)
    client.post(f"/decks/{deck.pk}/keep")
    deck.refresh_from_db()
    seat.refresh_from_db()
    assert deck.owner == bob
    assert seat.deck is None
    assert seat.member is not None
    assert seat.member.user is None
