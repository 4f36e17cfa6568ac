"""Guests play at once, claim their seat with an account later, and are forgotten."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from arkham.housekeeping import forget_expired
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import Asserted, Stated
from campaigns import services
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guest, Membership, Role, Seat
from campaigns.people.table import COOKIE, Visitor, digest_of, guest_behind, token_of
from campaigns.queries import member_of, memberships_of
from campaigns.services import Forbidden
from campaigns.words.reasons import written_of
from decks.lists.content import read_content
from decks.services import create_deck
from tests.campaigns.helpers.tables import (
    NOW,
    a_member,
    a_seat,
    as_answers,
    later,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.campaigns.people.helpers import PEOPLE
from tests.decks.building import a_draft
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND


def _joined(
    campaign: Campaign, name: str, seat: Seat | None = None, role: str = Role.PLAYER
) -> tuple[Membership, str, Guest]:
    """Return a guest who joined by a link, with a seat or a role, and their key."""
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, seat=seat, role=role
    )
    member, key = services.join_as_guest(invitation=invitation, name=name, now=NOW)
    guest = guest_behind(key)
    assert guest is not None
    return member, key, guest


def _sits_down(client: Client, campaign: Campaign, seat: Seat) -> None:
    """Join as the guest Dora by a link for this seat."""
    link = services.invite(
        campaign=campaign,
        member=organiser_of(campaign),
        now=timezone.now(),
        seat=seat,
    )
    client.post(f"/campaigns/join/{token_of(link)}/", {"name": "Dora"})


def test_a_guest_plays_at_once_and_claims_the_seat_later(
    campaign: Campaign, bob: User
) -> None:
    """They stay the author of their entries."""
    seat = a_seat(campaign, ROLAND)
    member, _key, guest = _joined(campaign, "Dora", seat)
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
def test_a_guest_who_left_every_campaign_is_deleted(
    campaign: Campaign, forget: Callable[[datetime], int]
) -> None:
    """A day later; those with entries or a seat are not."""
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


def test_a_guest_who_leaves_gets_their_list_of_campaigns(
    campaign: Campaign, client: Client
) -> None:
    """Even one without entries, whose membership is deleted."""
    organiser, now = organiser_of(campaign), timezone.now()
    link = services.invite(campaign=campaign, member=organiser, now=now)
    client.post(f"/campaigns/join/{token_of(link)}/", {"name": "Dora"})
    member = campaign.memberships.latest("pk")
    leave = f"/campaigns/{campaign.pk}/people/members/{member.pk}/go"
    gone = client.post(leave, follow=True)

    assert gone.redirect_chain == [("/campaigns/", 303)]
    assert "You have left Friday." in gone.content.decode()


def test_a_guest_may_claim_for_an_account_that_is_a_member(
    campaign: Campaign, bob: User
) -> None:
    """The account takes the seat over."""
    seat = a_seat(campaign, ROLAND)
    own = a_member(campaign, bob)
    _member, _key, guest = _joined(campaign, "Bob", seat)
    claimed = services.claim(guest=guest, user=bob, now=NOW)
    seat.refresh_from_db()

    assert claimed == [own]
    assert seat.member == own


@pytest.mark.parametrize("is_guest_first", [True, False])
def test_a_person_who_is_both_stays_as_the_account(
    campaign: Campaign, bob: User, is_guest_first: bool
) -> None:
    """Whichever joined first."""
    own = None if is_guest_first else a_member(campaign, bob)
    _member, key, _guest = _joined(campaign, "Bob")
    own = own or a_member(campaign, bob)
    both = Visitor(bob, digest_of(key))

    assert member_of(campaign.pk, both) == own
    assert memberships_of(both).first() == own


def test_entries_of_a_guest_keep_their_author(campaign: Campaign, bob: User) -> None:
    """Also if the account is a member already: the guest is a former member."""
    own = a_member(campaign, bob)
    member, key, guest = _joined(campaign, "Dora", role=Role.SCRIBE)
    report(campaign, as_answers(PEOPLE), member)
    services.claim(guest=guest, user=bob, now=NOW)
    row = campaign.entries.get(sequence=campaign.last)
    member.refresh_from_db()
    own.refresh_from_db()

    assert (row.author, row.author_name) == (member, "Dora")
    assert (member.left_at, own.role) == (NOW, Role.SCRIBE)
    assert guest_behind(key) is None
    assert guest_behind(f"claimed-{guest.pk}") is None


def test_the_account_may_undo_its_guests_entries(campaign: Campaign, bob: User) -> None:
    """A player does so after the claim; no one else's, and it names the guest."""
    own = a_member(campaign, bob)
    member, _key, guest = _joined(campaign, "Dora", a_seat(campaign, ROLAND))
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
    """A guest is the only organiser; the account they claim with was a spectator."""
    organiser = organiser_of(campaign)
    own = a_member(campaign, bob, Role.SPECTATOR)
    _member, _key, guest = _joined(campaign, "Bob", role=Role.ORGANISER)
    services.leave(member=organiser, now=NOW)
    services.claim(guest=guest, user=bob, now=NOW)
    own.refresh_from_db()

    assert own.role == Role.ORGANISER


def test_an_account_keeps_its_better_role(campaign: Campaign, bob: User) -> None:
    """Despite a guest who is a spectator, or who left as one."""
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


def test_a_guest_is_led_to_a_deck(campaign: Campaign, as_bob: Client) -> None:
    """From the table to the seat; with an account, the seat must be claimed."""
    seat = a_seat(campaign, ROLAND)
    guest = Client()
    _sits_down(guest, campaign, seat)
    table, people = f"/campaigns/{campaign.pk}/", f"/campaigns/{campaign.pk}/people/"
    assert f'href="{people}#seat-{seat.pk}"' in guest.get(table).content.decode()
    page = guest.get(people).content.decode()
    assert f"/decks/new/{ROLAND}/" in page
    assert "When you save it in an account" in page
    assert "Then choose it here" not in page
    assert "Your deck gets what" not in page
    as_bob.cookies[COOKIE] = guest.cookies[COOKIE].value
    page = as_bob.get(people).content.decode()
    assert "first move your seat to your account" in page
    as_bob.post("/campaigns/claim")
    assert "Then choose it here" in as_bob.get(people).content.decode()


@pytest.mark.parametrize("way", ["save", "claim"])
def test_a_deck_built_as_a_guest_joins_with_its_account(
    campaign: Campaign, client: Client, way: str
) -> None:
    """The seat becomes the account's, the deck is played there, and is shown next."""
    seat = a_seat(campaign, ROLAND)
    _sits_down(client, campaign, seat)
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


@pytest.mark.parametrize("way", ["claim", "keep-all"])
def test_a_friends_draft_is_not_taken_for_the_guests_own(
    campaign: Campaign, client: Client, as_bob: Client, way: str
) -> None:
    """Opened by its link it isn’t offered at the seat, nor saved with their own."""
    seat = a_seat(campaign, ROLAND)
    _sits_down(client, campaign, seat)
    friends, friend = a_draft(Client()), Client()
    people = f"/campaigns/{campaign.pk}/people/"
    for one in (client, as_bob, friend):
        opened = one.get(f"/decks/draft/{friends.key}/")
        assert opened["Location"] == f"/decks/{friends.pk}/edit"
    assert "/keep" not in client.get(people).content.decode()
    if way == "claim":
        as_bob.cookies[COOKIE] = client.cookies[COOKIE].value
        as_bob.post("/campaigns/claim")
    else:
        assert "drafts/keep" not in as_bob.get("/decks/").content.decode()
        as_bob.post("/decks/drafts/keep")
    friends.refresh_from_db()
    assert friends.owner is None
    assert friend.get(f"/decks/{friends.pk}/edit").status_code == 200


def test_saving_a_draft_does_not_claim_a_guests_seat(
    campaign: Campaign, client: Client, bob: User
) -> None:
    """On a shared phone the guest may be another person: the page asks."""
    seat = a_seat(campaign, ROLAND)
    _sits_down(client, campaign, seat)
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


def test_a_guest_is_led_to_save_the_deck_they_built(
    campaign: Campaign, client: Client
) -> None:
    """Where decks are upgraded, and at the seat; nothing of it once it is played."""
    seat = a_seat(campaign, ROLAND)
    _sits_down(client, campaign, seat)
    report(campaign, as_answers(who(ROLAND), *won("one"))[:-1])
    table = f"/campaigns/{campaign.pk}/"
    page = client.get(table).content.decode()
    assert "Upgrade your decks" in page
    assert "save your deck in an account" in page
    assert page.count("Choose a deck<") == 1
    deck = a_draft(client)
    for address in (table, f"{table}people/"):
        assert f'action="/decks/{deck.pk}/keep"' in client.get(address).content.decode()
    sign_up = {"username": "dora", "password1": "k1ngsport!7"}
    client.post("/account/signup/", sign_up | {"password2": sign_up["password1"]})
    client.post("/campaigns/claim")
    page = client.get(table).content.decode()
    assert "/keep" not in page
    assert "save your deck in an account" not in page
    assert f'href="/decks/{deck.pk}/upgrade/"' in page


def test_decks_of_an_account_are_no_drafts_of_its_guest(
    campaign: Campaign, client: Client, bob: User
) -> None:
    """A guest who signs in is led to claim the seat, not to save a deck again."""
    seat = a_seat(campaign, ROLAND)
    _sits_down(client, campaign, seat)
    content = read_content({"investigator_code": ROLAND, "slots": {"01020": 2}})
    create_deck(owner=bob, content=content, now=timezone.now())
    client.force_login(bob)
    page = client.get(f"/campaigns/{campaign.pk}/people/").content.decode()
    assert "/keep" not in page


def test_a_reprint_of_the_investigator_may_take_the_seat(
    campaign: Campaign, as_alice: Client, alice: User
) -> None:
    """The revised core set has Roland under another code."""
    seat = a_seat(campaign, ROLAND, organiser_of(campaign))
    content = read_content({"investigator_code": "01501", "slots": {"01020": 2}})
    deck = create_deck(owner=alice, content=content, now=timezone.now(), name="Again")
    page = as_alice.get(f"/campaigns/{campaign.pk}/people/").content.decode()
    assert "Choose the deck “Again" in page
    services.link_deck(
        seat=seat, member=organiser_of(campaign), deck=deck, now=timezone.now()
    )
    seat.refresh_from_db()
    assert seat.deck == deck


def test_a_link_says_which_investigators_are_lost(
    campaign: Campaign, client: Client
) -> None:
    """Who takes the seat of one plays another investigator instead."""
    seat = a_seat(campaign, ROLAND)
    a_seat(campaign, DAISY)
    report(campaign, as_answers(PEOPLE, *won("one")))
    killed = Stated("one", do.Trauma("input", killed=True), (ROLAND,), (), "So it is.")
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=killed,
        context=write_context(campaign),
    )
    organiser, now = organiser_of(campaign), timezone.now()
    link = services.invite(campaign=campaign, member=organiser, now=now)
    page = client.get(f"/campaigns/join/{token_of(link)}/").content.decode()
    assert ">Play another investigator instead of Roland Banks<" in page
    assert ">Play Daisy Walker<" in page

    own = services.invite(campaign=campaign, member=organiser, now=now, seat=seat)
    page = client.get(f"/campaigns/join/{token_of(own)}/").content.decode()
    assert "Roland Banks (you choose another instead)" in page
