"""Members of a campaign by API: roles, links, guests, seats and their decks."""

from __future__ import annotations

from typing import Any

from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns.models import Campaign, Role
from campaigns.people.table import COOKIE
from decks import services as deck_services
from decks.lists.starter import starter_deck
from tests.campaigns.api.helpers import API, JSON, post, problem_of
from tests.campaigns.helpers.tables import NOW, a_member, organiser_of
from tests.rules.campaign.helpers.small import ROLAND


def test_a_spectator_reads_and_a_player_does_not_organise(
    as_alice: Client, as_bob: Client, bob: User, played: Campaign
) -> None:
    """403 names the required role."""
    member = a_member(played, bob, Role.SPECTATOR)
    assert as_bob.get(f"{API}{played.pk}/").json()["role"] == "spectator"
    body = {"after": played.last, "target": 2}
    refused = post(as_bob, f"{played.pk}/retractions/", body)
    assert (refused.status_code, problem_of(refused)) == (403, "role")
    assert refused.json()["needs"] == "scribe"
    assert as_bob.get(f"{API}{played.pk}/invitations/").status_code == 403
    assert as_bob.delete(f"{API}{played.pk}/").status_code == 403
    change = {"name": "Mine"}
    answer = as_bob.patch(f"{API}{played.pk}/", change, content_type=JSON)
    assert answer.status_code == 403

    promoted = as_alice.patch(
        f"{API}{played.pk}/members/{member.pk}/",
        {"role": "scribe"},
        content_type=JSON,
    )
    assert promoted.json()["role"] == "scribe"
    assert post(as_bob, f"{played.pk}/retractions/", body).status_code == 201


def test_a_guest_joins_by_a_link_and_claims_the_seat_later(
    as_alice: Client, as_bob: Client, played: Campaign
) -> None:
    """The guest's browser has a cookie; an account takes over the seat."""
    seat = post(
        as_alice, f"{played.pk}/seats/", {"investigator": ROLAND, "mine": False}
    ).json()
    invitation = post(
        as_alice, f"{played.pk}/invitations/", {"seat": seat["id"]}
    ).json()
    guest = Client()
    joined = post(guest, "join", {"token": invitation["token"], "name": "Dora"})

    assert joined.status_code == 201
    cookie = guest.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert guest.get(f"{API}{played.pk}/").json()["role"] == "player"
    assert [each["id"] for each in guest.get(API).json()["results"]] == [played.pk]
    assert post(guest, "", {"guide": played.guide_id}).status_code == 401
    fact = {
        "kind": "asserted",
        "payload": {
            "scenario": "one",
            "what": "experience",
            "which": ROLAND,
            "value": 3,
        },
    }
    said = post(guest, f"{played.pk}/entries/", {"after": played.last, "entry": fact})
    assert said.status_code == 201
    assert said.json()["entries"][0]["author_name"] == "Dora"

    as_bob.cookies[COOKIE] = cookie.value
    claimed = as_bob.post(f"{API}claim")
    assert [each["name"] for each in claimed.json()] == ["bob"]
    assert guest.get(f"{API}{played.pk}/").status_code == 401
    assert as_bob.get(f"{API}{played.pk}/").json()["role"] == "player"


def test_a_closed_link_is_refused(
    as_alice: Client, as_bob: Client, campaign: Campaign
) -> None:
    """409 once it was revoked, 404 for an unknown one."""
    made = post(as_alice, f"{campaign.pk}/invitations/", {"role": "scribe"}).json()
    path = f"{API}{campaign.pk}/invitations/"
    assert as_alice.get(path).json()["results"] == [made]
    assert as_alice.delete(f"{path}{made['id']}/").status_code == 204
    closed = post(as_bob, "join", {"token": made["token"]})
    assert (closed.status_code, problem_of(closed)) == (409, "invitation-closed")
    assert post(as_bob, "join", {"token": "x"}).status_code == 404
    for wrong in ({"role": "king"}, {"hours": 0}, {"hours": 99_999}):
        answer = post(as_alice, f"{campaign.pk}/invitations/", wrong)
        assert answer.status_code == 422


def test_a_seat_is_given_and_a_deck_linked(
    as_alice: Client, as_bob: Client, bob: User, played: Campaign
) -> None:
    """Bob plays Roland with his deck, which gets what Roland has earned."""
    member = a_member(played, bob)
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=bob, content=content, now=NOW)
    seat = post(as_alice, f"{played.pk}/seats/", {"investigator": ROLAND}).json()
    path = f"{API}{played.pk}/seats/{seat['id']}/"

    def put(client: Client, **body: Any) -> Any:
        return client.put(path, body, content_type=JSON)

    assert put(as_bob, member=member.pk, kind="here", deck=deck.pk).status_code == 403
    assert put(as_alice, member=member.pk, kind="none", deck=None).status_code == 200
    linked = put(as_bob, member=member.pk, kind="here", deck=deck.pk)
    assert (linked.json()["deck"], linked.json()["balance"]) == (deck.pk, 3)
    for named in ({"member": member.pk, "deck": 10**9}, {"member": 10**9, "deck": 1}):
        absent = put(as_alice, kind="here", **named)
        pointer = "/deck" if named["deck"] > 1 else "/member"
        assert (absent.status_code, absent.json()["pointer"]) == (404, pointer)
    for wrong in (
        {"member": member.pk, "kind": "paper", "deck": deck.pk},
        {"member": member.pk, "kind": "here", "deck": None},
        {"member": member.pk, "kind": "chair", "deck": None},
    ):
        assert put(as_bob, **wrong).status_code == 422
    gone = put(as_bob, member=member.pk, kind="paper", deck=None)
    assert (gone.json()["kind"], gone.json()["deck"]) == ("paper", None)


def test_a_guest_cannot_send_an_idempotency_key(
    as_alice: Client, client: Client, played: Campaign
) -> None:
    """Nothing could be kept for it, so it is refused rather than ignored."""
    made = post(as_alice, f"{played.pk}/invitations/", {"role": "player"}).json()
    joined = post(client, "join", {"token": made["token"], "name": "Dora"})
    assert joined.status_code == 201
    path, once = f"{played.pk}/branches/", {"Idempotency-Key": "once"}
    answer = post(client, path, {"up_to": 3}, **once)
    assert (answer.status_code, problem_of(answer)) == (403, "account")


def test_members_leave_or_are_removed(
    as_alice: Client, as_bob: Client, bob: User, campaign: Campaign
) -> None:
    """The last organiser stays."""
    member = a_member(campaign, bob)
    path = f"{API}{campaign.pk}/members/"
    organiser = organiser_of(campaign).pk
    assert as_bob.delete(f"{path}{organiser}/").status_code == 403
    assert as_alice.delete(f"{path}{organiser}/").status_code == 422
    assert as_bob.delete(f"{path}{member.pk}/").status_code == 204
    assert as_bob.get(path).status_code == 404
    left = as_alice.get(path).json()["results"][1]["left_at"]
    assert left is not None
