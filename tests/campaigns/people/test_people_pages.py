"""The pages for a campaign's members: seats, roles, links and guests."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guest, Invitation, Membership, Role, Seat
from campaigns.people.table import COOKIE, guest_behind, token_of
from decks.lists.starter import starter_deck
from decks.services import create_deck
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    as_answers,
    organiser_of,
    report,
    restrict,
    who,
)
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS, a_step


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """Alice's campaign; Roland is hers, Daisy has no player."""
    campaign = a_campaign(alice, ROLAND)
    a_seat(campaign, DAISY)
    return campaign


def _at(campaign: Campaign, rest: str = "people/") -> str:
    return f"/campaigns/{campaign.pk}/{rest}"


def _link(campaign: Campaign, **named: object) -> Invitation:
    return services.invite(
        campaign=campaign,
        member=organiser_of(campaign),
        now=timezone.now(),
        **named,  # type: ignore[arg-type]
    )


def _address(invitation: Invitation) -> str:
    return f"/campaigns/join/{token_of(invitation)}/"


def _guest(campaign: Campaign, name: str = "Dora", **named: object) -> Client:
    """A browser that followed a link and plays as a guest."""
    browser = Client()
    answer = browser.post(_address(_link(campaign, **named)), {"name": name})
    assert answer.status_code == 303
    return browser


def _seat(campaign: Campaign, code: str) -> Seat:
    return campaign.seats.get(investigator=code)


# --- who sees it, who changes it


def test_a_stranger_gets_404(
    campaign: Campaign, as_charlie: Client, client: Client
) -> None:
    """For any of its pages; what they send changes nothing."""
    link = _link(campaign)
    sender = organiser_of(campaign)
    for browser in (as_charlie, client):
        for path in ("", "people/", "people/sit/", f"people/links/{link.pk}/"):
            assert browser.get(_at(campaign, path)).status_code == 404, path
        for path in (
            "people/invite",
            "people/sit/",
            f"people/links/{link.pk}/revoke",
            f"people/members/{sender.pk}/role",
            f"people/members/{sender.pk}/go",
            f"people/seats/{_seat(campaign, ROLAND).pk}",
        ):
            sent = browser.post(_at(campaign, path), {"role": "spectator"})
            assert sent.status_code == 404, path
    link.refresh_from_db()
    sender.refresh_from_db()

    assert (link.revoked_at, sender.role, sender.left_at) == (None, "organiser", None)


@pytest.mark.parametrize("uses", [None, 1])
def test_a_button_pressed_twice_makes_one_guest(
    campaign: Campaign, client: Client, uses: int | None
) -> None:
    """The second press was before the browser had the cookie."""
    link = _link(campaign, most_uses=uses)
    path = _address(link)
    sealed = client.get(path).context["form"].initial["key"]
    for _press in range(3):
        client.cookies.clear()
        pressed = client.post(path, {"name": "Dora", "key": sealed})
        assert pressed["Location"].partition("?")[0] == _at(campaign, "")
    link.refresh_from_db()

    assert [guest.name for guest in Guest.objects.all()] == ["Dora"]
    assert link.uses == 1
    assert client.get(_at(campaign, "")).status_code == 200


def test_an_invented_guest_key_is_not_used(campaign: Campaign, client: Client) -> None:
    """The guest gets one that can't be guessed."""
    client.post(_address(_link(campaign)), {"name": "Dora", "key": "mine"})

    assert guest_behind("mine") is None
    assert Guest.objects.count() == 1


def test_a_player_without_a_deck_is_led_to_building_one(
    campaign: Campaign, as_alice: Client, alice: User
) -> None:
    """Only for the seat they play; a deck there is to choose comes first."""
    page = as_alice.get(_at(campaign)).content.decode()
    assert f"/decks/new/{ROLAND}/" in page
    assert f"/decks/new/{DAISY}/" not in page
    create_deck(owner=alice, content=starter_deck(embedded_pool(), ROLAND), now=NOW)

    page = as_alice.get(_at(campaign)).content.decode()
    assert page.index('name="deck"') < page.index(f"/decks/new/{ROLAND}/")


def test_a_former_member_is_a_stranger(
    campaign: Campaign, bob: User, as_bob: Client
) -> None:
    """From the next page on."""
    member = a_member(campaign, bob)
    assert as_bob.get(_at(campaign)).status_code == 200
    services.leave(member=member, now=NOW)

    assert as_bob.get(_at(campaign)).status_code == 404


@pytest.mark.parametrize("role", [Role.SPECTATOR, Role.PLAYER, Role.SCRIBE])
def test_only_an_organiser_sees_and_sends_an_organisers_forms(
    campaign: Campaign, bob: User, as_bob: Client, role: str
) -> None:
    """403 with the page for everyone else; nothing is changed."""
    member = a_member(campaign, bob, role)
    link = _link(campaign)
    organiser = organiser_of(campaign)
    page = as_bob.get(_at(campaign)).content.decode()
    for hidden in ("/invite", "/role", "/links/", "people/sit/"):
        assert hidden not in page
    assert f"members/{organiser.pk}/go" not in page
    assert f"members/{member.pk}/go" in page
    for path, data in (
        ("people/invite", {"role": "organiser", "hours": "24"}),
        (f"people/links/{link.pk}/revoke", {}),
        (f"people/members/{member.pk}/role", {"role": "organiser"}),
        (f"people/members/{organiser.pk}/go", {}),
        (f"people/seats/{_seat(campaign, DAISY).pk}", {"player": str(member.pk)}),
        (f"people/seats/{_seat(campaign, ROLAND).pk}", {"deck": "paper"}),
        ("people/sit/", {"seat": f"code:{SKIDS}"}),
    ):
        sent = as_bob.post(_at(campaign, path), data)
        assert sent.status_code == 403, path
        assert "Your role at this table doesn’t allow this." in sent.content.decode()
    assert as_bob.get(_at(campaign, f"people/links/{link.pk}/")).status_code == 403
    member.refresh_from_db()
    link.refresh_from_db()

    assert (member.role, link.revoked_at) == (role, None)
    assert campaign.invitations.count() == 1
    assert campaign.seats.count() == 2
    assert _seat(campaign, DAISY).member is None
    assert _seat(campaign, ROLAND).kind == "none"


def test_a_player_only_sets_how_their_own_seat_is_played(
    campaign: Campaign, bob: User, as_bob: Client
) -> None:
    """Only an organiser can free a seat."""
    seat = _seat(campaign, DAISY)
    Seat.objects.filter(pk=seat.pk).update(member=a_member(campaign, bob))
    page = as_bob.get(_at(campaign)).content.decode()
    assert f"people/seats/{seat.pk}" in page
    assert f"people/seats/{_seat(campaign, ROLAND).pk}" not in page
    sent = as_bob.post(_at(campaign, f"people/seats/{seat.pk}"), {"deck": "paper"})

    assert sent.status_code == 303
    assert _seat(campaign, DAISY).kind == "paper"


# --- members and seats


def test_an_organiser_changes_roles_and_removes_members(
    campaign: Campaign, bob: User, as_alice: Client
) -> None:
    """The last organiser stays one."""
    member = a_member(campaign, bob)
    path = _at(campaign, f"people/members/{member.pk}/")
    assert as_alice.post(f"{path}role", {"role": "scribe"}).status_code == 303
    assert as_alice.post(f"{path}role", {"role": "king"}).status_code == 400
    member.refresh_from_db()
    assert member.role == Role.SCRIBE
    own = _at(campaign, f"people/members/{organiser_of(campaign).pk}/")
    for sent in (
        as_alice.post(f"{own}role", {"role": "player"}),
        as_alice.post(f"{own}go"),
    ):
        assert sent.status_code == 422
        assert "The table needs an organiser." in sent.content.decode()
    assert as_alice.post(f"{path}go").status_code == 303
    member.refresh_from_db()

    assert member.left_at is not None
    assert as_alice.post(f"{path}role", {"role": "player"}).status_code == 404


def test_a_member_leaves_and_their_seat_stays(
    campaign: Campaign, bob: User, as_bob: Client
) -> None:
    """Without a player."""
    member = a_member(campaign, bob)
    Seat.objects.filter(investigator=DAISY).update(member=member)
    gone = as_bob.post(_at(campaign, f"people/members/{member.pk}/go"), follow=True)

    assert gone.redirect_chain == [("/campaigns/", 303)]
    assert "You have left Friday." in gone.content.decode()
    assert _seat(campaign, DAISY).member is None


def test_one_person_has_several_seats(campaign: Campaign, as_alice: Client) -> None:
    """A seat is given, and taken away again."""
    me = organiser_of(campaign)
    path = _at(campaign, f"people/seats/{_seat(campaign, DAISY).pk}")
    as_alice.post(path, {"player": str(me.pk), "deck": "keep"})
    assert {each.investigator for each in me.seats.all()} == {ROLAND, DAISY}
    assert "Plays Roland Banks, Daisy Walker." in (
        as_alice.get(_at(campaign)).content.decode()
    )
    as_alice.post(path, {"player": ""})

    assert _seat(campaign, DAISY).member is None


def test_a_seat_is_not_given_to_a_non_member(
    campaign: Campaign, as_alice: Client, charlie: User
) -> None:
    """404: a member of another campaign, a word, a number beyond all."""
    other = organiser_of(a_campaign(charlie, guide=campaign.guide))
    path = _at(campaign, f"people/seats/{_seat(campaign, DAISY).pk}")
    for player in (str(other.pk), "x", "9" * 30):
        assert as_alice.post(path, {"player": player}).status_code == 404
    assert as_alice.post(path, {"deck": "deck:" + "9" * 30}).status_code == 404

    assert _seat(campaign, DAISY).member is None


# --- links


def test_a_link_is_shown_with_a_qr_code_and_revoked(
    campaign: Campaign, as_alice: Client
) -> None:
    """The field can be selected without scripts; the code has a title."""
    made = as_alice.post(
        _at(campaign, "people/invite"),
        {"role": "player", "seat": str(_seat(campaign, DAISY).pk), "hours": "24"},
        follow=True,
    )
    invitation = campaign.invitations.get()
    page = made.content.decode()
    address = f"http://testserver{_address(invitation)}"

    assert f'<input class="link" id="link" readonly value="{address}">' in page
    assert re.search("<svg [^>]*><title>QR code of the link</title>", page)
    assert "style=" not in page
    assert (invitation.expires_at - invitation.made_at) == timedelta(hours=24)
    assert "Player, Daisy Walker" in as_alice.get(_at(campaign)).content.decode()

    as_alice.post(_at(campaign, f"people/links/{invitation.pk}/revoke"))
    assert "Player, Daisy Walker" not in as_alice.get(_at(campaign)).content.decode()
    closed = as_alice.get(_at(campaign, f"people/links/{invitation.pk}/"))
    assert "<svg viewBox" not in closed.content.decode()
    assert "This invitation is closed" in closed.content.decode()


@pytest.mark.parametrize(
    "data",
    [
        {"role": "king", "hours": "24"},
        {"role": "player", "hours": "25"},
        {"role": "player", "hours": "24", "seat": "999999"},
        {},
    ],
)
def test_an_invalid_form_for_a_link_is_refused(
    campaign: Campaign, as_alice: Client, data: dict[str, str]
) -> None:
    """422, and the form again."""
    sent = as_alice.post(_at(campaign, "people/invite"), data)

    assert sent.status_code == 422
    assert not campaign.invitations.exists()


def test_a_closed_link_says_so(campaign: Campaign, as_bob: Client) -> None:
    """410, and nothing about the campaign; 404 for an unknown link."""
    over = _link(campaign, lifetime=timedelta(0))
    revoked = _link(campaign)
    services.revoke_invitation(
        invitation=revoked, member=organiser_of(campaign), now=timezone.now()
    )
    for link in (over, revoked):
        for answer in (as_bob.get(_address(link)), as_bob.post(_address(link))):
            assert answer.status_code == 410
            assert "Friday" not in answer.content.decode()
            assert "Ask for a new link." in answer.content.decode()
    unknown = as_bob.get("/campaigns/join/nothing/")
    assert unknown.status_code == 404
    assert "This link doesn’t open a table." in unknown.content.decode()
    assert not Membership.objects.filter(user__username="bob").exists()


def test_a_link_admits_an_account_to_its_seat(
    campaign: Campaign, as_bob: Client, bob: User
) -> None:
    """It is shown first, then followed; viewing doesn't use it up."""
    link = _link(campaign, seat=_seat(campaign, DAISY))
    page = as_bob.get(_address(link)).content.decode()
    for said in ("alice invites you", "Friday", "Our own", "Daisy Walker", "as bob"):
        assert said in page
    link.refresh_from_db()
    assert link.uses == 0
    sent = as_bob.post(_address(link))
    seat = _seat(campaign, DAISY)

    assert (sent.status_code, sent["Location"]) == (303, _at(campaign, ""))
    assert seat.member is not None
    assert seat.member.user == bob
    again = as_bob.get(_address(link)).content.decode()
    assert "You are already at this table, as: Player." in again


def test_a_stranger_signs_in_and_returns(campaign: Campaign, client: Client) -> None:
    """Signing in and up both redirect back."""
    address = _address(_link(campaign))
    page = client.get(address).content.decode()

    for door in ("login", "signup"):
        assert f'href="/account/{door}/?next={address}"' in page


# --- guests


def test_a_guest_plays_at_once_and_keeps_everything(
    campaign: Campaign, as_bob: Client, bob: User
) -> None:
    """The same seat and role with the account; the guest is gone."""
    browser = _guest(campaign, seat=_seat(campaign, DAISY), role=Role.SCRIBE)
    first = browser.get(_at(campaign, "?welcome=1")).content.decode()
    assert "You play as Dora" in first
    member = campaign.memberships.get(guest__name="Dora")
    as_bob.cookies[COOKIE] = browser.cookies[COOKIE].value
    offered = as_bob.get(_at(campaign)).content
    assert b"On this device Dora plays as a guest. Is that you, bob?" in offered
    claimed = as_bob.post("/campaigns/claim", follow=True)
    member.refresh_from_db()
    assert claimed.redirect_chain == [(_at(campaign, ""), 303)]
    assert "Your seats now belong to your account." in claimed.content.decode()
    assert "a guest" not in as_bob.get(_at(campaign)).content.decode()
    assert (member.user, member.role) == (bob, Role.SCRIBE)
    assert _seat(campaign, DAISY).member == member
    assert not Guest.objects.exists()
    assert browser.get(_at(campaign, "")).status_code == 404


def test_a_guest_answers_for_their_own_seat_and_reads_the_words(alice: User) -> None:
    """At once, on the page of the table; not for another's investigator."""
    weakness = a_step(
        {"type": "add_weakness", "investigator": "$input_value", "weakness_traits": []},
        step_id="draw",
    )
    asks = {
        "id": "ask",
        "type": "input",
        "input": {
            "type": "investigator_choice",
            "source": "scenario",
            "investigator": "any",
            "choices": [{"id": "who", "text": "", "effects": weakness["effects"]}],
        },
    }
    campaign = a_campaign(alice, ROLAND, guide=a_row(a_game("one", asks)))
    a_seat(campaign, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    report(
        campaign,
        as_answers(
            {
                "type": "string_choices",
                "step": "ask",
                "scenario": "one",
                "choices": {DAISY: ["who"]},
            }
        ),
    )
    restrict(campaign)
    browser = _guest(campaign, seat=_seat(campaign, DAISY))
    other = _guest(campaign, "Erin")
    page = browser.get(_at(campaign, "")).content.decode()
    assert "Waiting for" not in page
    picked = {DAISY: "01096", "after": str(campaign.last)}
    refused = other.post(_at(campaign, ""), picked | {"key": "e"})
    assert refused.status_code == 403
    sent = browser.post(_at(campaign, ""), picked | {"key": "d"})
    campaign.refresh_from_db()

    assert sent.status_code == 303, sent.content.decode()
    assert campaign.entries.get(sequence=campaign.last).author_name == "Dora"
    pending = replayed(campaign).replay.pending
    assert pending is None or pending.prompt != "weakness"


def test_a_guest_needs_a_name(campaign: Campaign, client: Client) -> None:
    """422 for an empty or too long one."""
    link = _link(campaign)
    for name in ("", "  ", "x" * 81):
        sent = client.post(_address(link), {"name": name})
        assert sent.status_code == 422
    link.refresh_from_db()

    assert link.uses == 0
    assert COOKIE not in client.cookies


def test_a_guest_joins_a_second_campaign_as_the_same(
    campaign: Campaign, charlie: User
) -> None:
    """Without being asked for a name again; one claim takes both."""
    browser = _guest(campaign)
    other = a_campaign(charlie, guide=campaign.guide)
    link = _link(other)
    assert "as Dora, a guest" in browser.get(_address(link)).content.decode()
    browser.post(_address(link))
    (guest,) = Guest.objects.all()

    assert guest.memberships.count() == 2
    listed = browser.get("/campaigns/").content.decode()
    assert listed.count("Friday") == 2


@pytest.mark.parametrize("made", ["forged", "unsigned", "another salt", "empty"])
def test_a_forged_cookie_is_useless(
    campaign: Campaign, client: Client, made: str
) -> None:
    """Neither a changed one, nor the key itself, nor one signed for something else."""
    from django.core.signing import get_cookie_signer

    value = _guest(campaign).cookies[COOKIE].value
    key = value.split(":")[0]
    client.cookies[COOKIE] = {
        "forged": value[:-1] + ("a" if value[-1] != "a" else "b"),
        "unsigned": key,
        "another salt": get_cookie_signer(salt="x").sign(key),
        "empty": "",
    }[made]

    assert client.get(_at(campaign, "")).status_code == 404
    assert client.get(_at(campaign)).status_code == 404
    assert client.get(f"/api/v1/campaigns/{campaign.pk}/").status_code == 401


def test_a_guest_without_an_account_cannot_claim(campaign: Campaign) -> None:
    """They are asked to sign in."""
    sent = _guest(campaign).post("/campaigns/claim")

    assert sent.status_code == 303
    assert sent["Location"].startswith("/account/login/")
    assert Guest.objects.count() == 1


def test_a_claim_without_a_guest_does_nothing(as_bob: Client, db: None) -> None:
    """An account without a guest's cookie is redirected to its campaigns."""
    assert as_bob.post("/campaigns/claim")["Location"] == "/campaigns/"
