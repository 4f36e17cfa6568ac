"""A campaign by API: begun, reported, corrected, shared; strangers see nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.rules.snapshot import embedded_pool
from campaigns.log import replays
from campaigns.models import Campaign, Guide, LogEntry, Role
from campaigns.people.guests import COOKIE
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Collection
from tests.campaigns.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    organiser_of,
    report,
    sequence_of,
    told,
    who,
)
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.small import DAISY, ROLAND

API = "/api/v1/campaigns/"
JSON = "application/json"
WHO = {
    "kind": "string_choices",
    "payload": {
        "scenario": "$campaign_setup",
        "step": "who",
        "value": [[ROLAND, ["chosen"]], [DAISY, ["chosen"]]],
    },
}
COUNTED = {
    "kind": "count",
    "payload": {"scenario": "one", "step": "victory", "value": 5},
}


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """Alice's campaign."""
    return a_campaign(alice)


@pytest.fixture
def played(campaign: Campaign) -> Campaign:
    """The first scenario was won."""
    report(campaign, told(who(ROLAND, DAISY), *won("one")))
    return campaign


def _post(client: Client, path: str, body: Any, **headers: str) -> Any:
    return client.post(f"{API}{path}", body, content_type=JSON, headers=headers)


def _append(client: Client, campaign: Campaign, after: int, **headers: str) -> Any:
    body = {"after": after, "entry": WHO}
    return _post(client, f"{campaign.pk}/entries/", body, **headers)


def _kind(answer: Any) -> str:
    return str(answer.json()["type"]).removeprefix("urn:orne:problem:")


def test_a_campaign_is_begun_with_its_seats(as_alice: Client, alice: User) -> None:
    """And shown: what is asked first, and as what one sits there."""
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    guide = a_row()
    answer = _post(
        as_alice,
        "",
        {
            "guide": guide.pk,
            "name": "Friday",
            "terms": {"taboo": "none"},
            "seats": [
                {"investigator": ROLAND, "deck": deck.pk},
                {"investigator": DAISY, "name": "Dora", "kind": "paper", "mine": False},
            ],
        },
    )
    shown = answer.json()

    assert answer.status_code == 201
    assert answer["Location"] == f"http://testserver{API}{shown['id']}/"
    assert (shown["name"], shown["role"], shown["last"]) == ("Friday", "organiser", 1)
    assert shown["pending"]["step"] == "who"
    assert shown["terms"] == {"taboo": "none"}
    seats = as_alice.get(f"{API}{shown['id']}/seats/").json()["results"]
    assert [(each["investigator"], each["kind"], each["deck"]) for each in seats] == [
        (ROLAND, "here", deck.pk),
        (DAISY, "paper", None),
    ]
    assert as_alice.get(API).json()["results"][0]["id"] == shown["id"]


def test_rows_are_named_however_many_there_are(as_alice: Client, alice: User) -> None:
    """Their numbers grow with every row that there ever was."""
    many = 3_000_000_000
    Guide.objects.filter(pk=a_row().pk).update(id=many)
    Collection.objects.create(pk=many, owner=alice, name="All of it", changed_at=NOW)
    body = {"guide": many, "terms": {"collection": many}}
    answer = _post(as_alice, "", body | {"seats": [{"investigator": ROLAND}]})

    assert answer.status_code == 201, answer.json()
    assert answer.json()["guide"]["id"] == many
    assert answer.json()["terms"] == {"collection": many}
    seats = [{"investigator": ROLAND, "deck": many}]
    assert _post(as_alice, "", body | {"seats": seats}).status_code == 404


def test_guides_are_those_of_everybody_and_ones_own(
    as_alice: Client, as_bob: Client, alice: User
) -> None:
    """Nobody begins a campaign with another's."""
    a_row()
    mine = a_row(a_game("one"), owner=alice)
    Guide.objects.create(
        digest="s", guide_id="side", name="Side", origin="field", brought_at=NOW
    )
    listed = as_alice.get("/api/v1/guides/").json()["results"]

    assert [each["private"] for each in listed] == [False, True]
    assert len(as_bob.get("/api/v1/guides/").json()["results"]) == 1
    assert _post(as_bob, "", {"guide": mine.pk}).status_code == 404


def test_a_stranger_finds_nothing(
    as_charlie: Client, api: Client, played: Campaign
) -> None:
    """Whatever is asked, and whoever has no account is asked to sign in."""
    pk = played.pk
    for path in ("", "entries/", "members/", "seats/", "invitations/"):
        assert as_charlie.get(f"{API}{pk}/{path}").status_code == 404
        assert api.get(f"{API}{pk}/{path}").status_code == 401
    assert _append(as_charlie, played, played.last).status_code == 404
    for path, body in (
        ("corrections/", {"after": 1, "target": 2, "entry": WHO}),
        ("retractions/", {"after": 1, "target": 2}),
        ("preview", {"entry": WHO}),
        ("branches/", {}),
        ("linked", {"campaign": pk}),
    ):
        assert _post(as_charlie, f"{pk}/{path}", body).status_code == 404
    assert as_charlie.delete(f"{API}{pk}/").status_code == 404
    assert as_charlie.get(f"{API}{10**40}/").status_code == 404
    assert as_charlie.get(API).json()["results"] == []


def test_an_answer_is_written_and_the_next_question_told(
    as_alice: Client, campaign: Campaign
) -> None:
    """With the sequence the next entry comes after."""
    answer = _append(as_alice, campaign, 1)
    told = answer.json()

    assert answer.status_code == 201
    assert told["last"] == 2
    assert told["pending"]["kind"] == "start_scenario"
    assert told["entries"][0]["payload"]["value"] == WHO["payload"]["value"]  # type: ignore[index]
    assert told["entries"][0]["author_name"] == "alice"


def test_the_same_request_is_written_once(as_alice: Client, campaign: Campaign) -> None:
    """Under its key; another request may not have it."""
    key = {"Idempotency-Key": "phone-1"}
    first = _append(as_alice, campaign, 1, **key)
    again = _append(as_alice, campaign, 1, **key)
    other = _post(
        as_alice, f"{campaign.pk}/entries/", {"after": 2, "entry": COUNTED}, **key
    )

    assert (first.status_code, again.status_code) == (201, 200)
    assert again["Idempotent-Replayed"] == "true"
    assert again.json()["entries"] == first.json()["entries"]
    assert (other.status_code, _kind(other)) == (422, "idempotency-key-reused")
    assert LogEntry.objects.count() == 2
    assert _append(as_alice, campaign, 2, **{"Idempotency-Key": "é"}).status_code == 400


def test_who_is_late_is_told_what_was_written(
    as_alice: Client, as_bob: Client, bob: User, campaign: Campaign
) -> None:
    """409, and nothing is written."""
    a_member(campaign, bob, Role.SCRIBE)
    _append(as_alice, campaign, 1)
    late = _append(as_bob, campaign, 1)

    assert (late.status_code, _kind(late)) == (409, "log-moved")
    assert late.json()["last"] == 2
    assert [each["kind"] for each in late.json()["missed"]] == ["string_choices"]
    assert campaign.entries.count() == 2


def test_what_the_rules_forbid_is_refused_with_its_findings(
    as_alice: Client, campaign: Campaign
) -> None:
    """All of them."""
    body = {"after": 1, "entry": COUNTED}
    answer = _post(as_alice, f"{campaign.pk}/entries/", body)

    assert (answer.status_code, _kind(answer)) == (422, "refused")
    assert [each["rule"] for each in answer.json()["findings"]] == ["answer.not-asked"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ([], ""),
        ({"entry": WHO}, "/after"),
        ({"after": "1", "entry": WHO}, "/after"),
        ({"after": 1, "entry": {**WHO, "kind": "nothing"}}, "/entry/kind"),
        ({"after": 1, "entry": {"kind": "retracted", "payload": {"target": 1}}},
         "/entry/kind"),
        ({"after": 1, "entry": {"kind": "count", "payload": {}}},
         "/entry/payload/scenario"),
        ({"after": 1, "entry": {"kind": "count", "payload": {"scenario": "one",
         "value": "three"}}}, "/entry/payload/value"),
        ({"after": 1, "entry": {**WHO, "version": 2}}, "/entry/version"),
        ({"after": 1, "entry": WHO, "more": 1}, ""),
    ],
)  # fmt: skip
def test_a_body_of_another_shape_is_refused_with_its_place(
    as_alice: Client, campaign: Campaign, body: Any, pointer: str
) -> None:
    """422, before anything is looked at."""
    answer = _post(as_alice, f"{campaign.pk}/entries/", body)

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert campaign.entries.count() == 1


def test_an_unchanged_log_is_answered_by_one_query(
    as_alice: Client, played: Campaign
) -> None:
    """304 by its ETag, beside the two that say who asks; then what is new."""
    path = f"{API}{played.pk}/entries/"
    first = as_alice.get(path)
    assert len(first.json()["entries"]) == played.last
    with CaptureQueriesContext(
        connection,
    ) as asked:
        again = as_alice.get(path, headers={"If-None-Match": first["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert len([each for each in asked if "campaigns_" in each["sql"]]) == 1

    report(played, told({"type": "start_scenario", "scenario": "two"}))
    new = as_alice.get(f"{path}?since={played.last - 1}")
    assert [each["kind"] for each in new.json()["entries"]] == ["start_scenario"]
    assert as_alice.get(f"{path}?since=x").status_code == 400
    assert as_alice.get(f"{path}?since=99999").json()["entries"] == []


def test_the_campaign_has_an_etag(as_alice: Client, played: Campaign) -> None:
    """While nothing changes it is not sent again."""
    path = f"{API}{played.pk}/"
    first = as_alice.get(path)
    again = as_alice.get(path, headers={"If-None-Match": first["ETag"]})

    assert first.json()["state"]["investigators"][ROLAND]["availableXp"] == 3
    assert again.status_code == 304


def test_a_correction_is_shown_before_it_is_made(
    as_alice: Client, played: Campaign
) -> None:
    """Two more victory points, in the preview and then in the campaign."""
    target = sequence_of(played, "victory")
    question = {"target": target, "entry": COUNTED}
    shown = _post(as_alice, f"{played.pk}/preview", question).json()
    made = _post(
        as_alice,
        f"{played.pk}/corrections/",
        {"after": played.last, "reason": "Miscounted", **question},
    )

    assert [each["experience"] for each in shown["settlement"]["people"]] == [3, 3]
    assert shown["unreached"] == []
    assert made.status_code == 201
    assert [each["kind"] for each in made.json()["entries"]] == ["corrected", "count"]
    state = as_alice.get(f"{API}{played.pk}/").json()["state"]
    assert state["investigators"][ROLAND]["availableXp"] == 6


def test_taking_back_is_shown_before_it_is_done(
    as_alice: Client, played: Campaign
) -> None:
    """An entry, or a scenario; one of the two."""
    path = f"{played.pk}/retractions/"
    shown = _post(as_alice, f"{played.pk}/preview", {"scenario": "one"}).json()
    assert [each["experience"] for each in shown["settlement"]["people"]] == [-3, -3]
    target = sequence_of(played, "victory")
    shown = _post(as_alice, f"{played.pk}/preview", {"target": target}).json()
    assert shown["pending"]["step"] == "victory"
    done = _post(as_alice, path, {"after": played.last, "target": target})
    assert done.json()["pending"]["step"] == "victory"
    back = _post(as_alice, path, {"after": done.json()["last"], "scenario": "one"})
    assert back.json()["pending"]["prompt"] == "choose_investigators"
    for both in ({"after": 1}, {"after": 1, "target": 1, "scenario": "one"}):
        assert _post(as_alice, path, both).status_code == 422


def test_a_spectator_reads_and_a_player_does_not_organise(
    as_alice: Client, as_bob: Client, bob: User, played: Campaign
) -> None:
    """403 says what one would have to be."""
    member = a_member(played, bob, Role.SPECTATOR)
    assert as_bob.get(f"{API}{played.pk}/").json()["role"] == "spectator"
    body = {"after": played.last, "target": 2}
    refused = _post(as_bob, f"{played.pk}/retractions/", body)
    assert (refused.status_code, _kind(refused)) == (403, "role")
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
    assert _post(as_bob, f"{played.pk}/retractions/", body).status_code == 201


def test_a_link_brings_a_guest_who_claims_the_seat_later(
    as_alice: Client, as_bob: Client, played: Campaign
) -> None:
    """The guest's browser has a cookie; with an account it is theirs for good."""
    seat = _post(
        as_alice, f"{played.pk}/seats/", {"investigator": ROLAND, "mine": False}
    ).json()
    invitation = _post(
        as_alice, f"{played.pk}/invitations/", {"seat": seat["id"]}
    ).json()
    guest = Client()
    joined = _post(guest, "join", {"token": invitation["token"], "name": "Dora"})

    assert joined.status_code == 201
    cookie = guest.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert guest.get(f"{API}{played.pk}/").json()["role"] == "player"
    assert [each["id"] for each in guest.get(API).json()["results"]] == [played.pk]
    assert _post(guest, "", {"guide": played.guide_id}).status_code == 401
    fact = {
        "kind": "asserted",
        "payload": {
            "scenario": "one",
            "what": "experience",
            "which": ROLAND,
            "value": 3,
        },
    }
    said = _post(guest, f"{played.pk}/entries/", {"after": played.last, "entry": fact})
    assert said.status_code == 201
    assert said.json()["entries"][0]["author_name"] == "Dora"

    as_bob.cookies[COOKIE] = cookie.value
    claimed = as_bob.post(f"{API}claim")
    assert [each["name"] for each in claimed.json()] == ["bob"]
    assert guest.get(f"{API}{played.pk}/").status_code == 401
    assert as_bob.get(f"{API}{played.pk}/").json()["role"] == "player"


def test_a_link_that_is_closed_brings_nobody(
    as_alice: Client, as_bob: Client, campaign: Campaign
) -> None:
    """409 once it was revoked, 404 for what is no link."""
    made = _post(as_alice, f"{campaign.pk}/invitations/", {"role": "scribe"}).json()
    path = f"{API}{campaign.pk}/invitations/"
    assert as_alice.get(path).json()["results"] == [made]
    assert as_alice.delete(f"{path}{made['id']}/").status_code == 204
    closed = _post(as_bob, "join", {"token": made["token"]})
    assert (closed.status_code, _kind(closed)) == (409, "invitation-closed")
    assert _post(as_bob, "join", {"token": "x"}).status_code == 404
    for wrong in ({"role": "king"}, {"hours": 0}, {"hours": 99_999}):
        answer = _post(as_alice, f"{campaign.pk}/invitations/", wrong)
        assert answer.status_code == 422


def test_a_seat_is_given_and_a_deck_linked(
    as_alice: Client, as_bob: Client, bob: User, played: Campaign
) -> None:
    """Bob plays Roland with his deck, which gets what Roland has earned."""
    member = a_member(played, bob)
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=bob, content=content, now=NOW)
    seat = _post(as_alice, f"{played.pk}/seats/", {"investigator": ROLAND}).json()
    path = f"{API}{played.pk}/seats/{seat['id']}/"

    def put(client: Client, **body: Any) -> Any:
        return client.put(path, body, content_type=JSON)

    assert put(as_bob, member=member.pk, kind="here", deck=deck.pk).status_code == 403
    assert put(as_alice, member=member.pk, kind="none", deck=None).status_code == 200
    linked = put(as_bob, member=member.pk, kind="here", deck=deck.pk)
    assert (linked.json()["deck"], linked.json()["balance"]) == (deck.pk, 3)
    assert put(as_alice, member=member.pk, kind="here", deck=9).status_code == 404
    for wrong in (
        {"member": member.pk, "kind": "paper", "deck": deck.pk},
        {"member": member.pk, "kind": "here", "deck": None},
        {"member": member.pk, "kind": "chair", "deck": None},
    ):
        assert put(as_bob, **wrong).status_code == 422
    gone = put(as_bob, member=member.pk, kind="paper", deck=None)
    assert (gone.json()["kind"], gone.json()["deck"]) == ("paper", None)


def test_a_branch_and_another_guide_change_nothing_here(
    as_alice: Client, played: Campaign
) -> None:
    """Until the table agrees."""
    twin = _post(as_alice, f"{played.pk}/branches/", {"up_to": 2}).json()
    assert (twin["branched_from"], twin["branched_at"], twin["last"]) == (
        played.pk,
        2,
        2,
    )
    one = a_game("one")
    victory = next(step for step in one["steps"] if step["id"] == "victory")
    victory["input"]["effects"][0]["bonus"] = 3
    newer = a_row(one, a_game("two"), a_game("three"), version=4)
    path = f"{API}{played.pk}/guides/{newer.pk}/"
    shown = as_alice.get(path).json()
    assert [each["experience"] for each in shown["settlement"]["people"]] == [2, 2]
    adopted = as_alice.post(path, {"after": played.last}, content_type=JSON)
    assert adopted.json() == shown
    assert as_alice.get(f"{API}{played.pk}/").json()["guide"]["id"] == newer.pk


def test_a_guide_is_no_other_version_of_keeping_by_hand(
    as_alice: Client, played: Campaign
) -> None:
    """They ask other things; neither goes on with the other."""
    hand = a_row(version=5)
    path = f"{API}{played.pk}/guides/{hand.pk}/"
    assert as_alice.get(path).status_code == 200
    Guide.objects.filter(pk=hand.pk).update(origin=Guide.Origin.FACTS)
    assert as_alice.get(path).status_code == 404


@pytest.mark.parametrize(
    ("path", "body", "counted"),
    [
        ("branches/", {"up_to": 3}, "copies"),
        ("invitations/", {"role": "player"}, "invitations"),
        ("seats/", {"investigator": ROLAND, "mine": False}, "seats"),
    ],
)
def test_what_is_sent_twice_under_one_name_is_done_once(
    as_alice: Client, played: Campaign, path: str, body: Any, counted: str
) -> None:
    """Copies, links and seats; another request under that name is refused."""

    def number() -> int:
        if counted == "copies":
            return Campaign.objects.count()
        return int(getattr(played, counted).count())

    before = number()
    first, second = (
        _post(as_alice, f"{played.pk}/{path}", body, **{"Idempotency-Key": "once"})
        for _time in range(2)
    )
    assert (first.status_code, second.status_code) == (201, 201)
    assert (second.json(), number()) == (first.json(), before + 1)
    other = {"name": "Saturday"}
    answer = as_alice.patch(
        f"{API}{played.pk}/",
        other,
        content_type=JSON,
        headers={"Idempotency-Key": "once"},
    )
    assert (answer.status_code, _kind(answer)) == (422, "idempotency-key-reused")


def test_a_guest_cannot_name_a_request(
    as_alice: Client, client: Client, played: Campaign
) -> None:
    """A name nobody would remember is refused, not passed over."""
    made = _post(as_alice, f"{played.pk}/invitations/", {"role": "player"}).json()
    joined = _post(client, "join", {"token": made["token"], "name": "Dora"})
    assert joined.status_code == 201
    path, once = f"{played.pk}/branches/", {"Idempotency-Key": "once"}
    answer = _post(client, path, {"up_to": 3}, **once)
    assert (answer.status_code, _kind(answer)) == (403, "account")


@pytest.mark.parametrize(
    ("terms", "pointer"),
    [
        ({"taboo": "latest"}, "/terms/taboo"),
        ({"taboos": {ROLAND: "x"}}, f"/terms/taboos/{ROLAND}"),
        ({"collection": "x"}, "/terms/collection"),
        ({"environment": {"kind": "odd"}}, "/terms/environment/kind"),
        ({"rulings": {"odd": "x"}}, "/terms/rulings/odd"),
    ],
)
def test_terms_that_are_none_are_refused_with_their_place(
    as_alice: Client, played: Campaign, terms: dict[str, Any], pointer: str
) -> None:
    """In the body that was sent, of a campaign to begin and of one there is."""
    path = f"{API}{played.pk}/"
    changed = as_alice.patch(path, {"terms": terms}, content_type=JSON)
    begun = _post(as_alice, "", {"guide": played.guide_id, "terms": terms})
    for answer in (changed, begun):
        assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)


def test_a_change_names_the_state_it_was_made_in_sight_of(
    as_alice: Client, played: Campaign
) -> None:
    """It need not; another state than the one named is refused, with both shown."""
    path = f"{API}{played.pk}/"
    seen = as_alice.get(path)["ETag"]
    change = {"name": "Saturday"}

    first = as_alice.patch(
        path, change, content_type=JSON, headers={"If-Match": f"W/{seen}"}
    )
    assert first.status_code == 200
    late = {"name": "Sunday"}
    for sent in (seen, '"nonsense"'):
        headers = {"If-Match": sent}
        answer = as_alice.patch(path, late, content_type=JSON, headers=headers)
        assert answer.status_code == 412
        problem = answer.json()
        assert (problem["current"]["name"], problem["yours"]) == ("Saturday", late)
        assert problem["etag"] == first["ETag"]
        assert as_alice.delete(path, headers=headers).status_code == 412
    played.refresh_from_db()
    assert played.name == "Saturday"
    assert as_alice.delete(path, headers={"If-Match": first["ETag"]}).status_code == 204


def test_a_campaign_is_put_away_and_ended(as_alice: Client, played: Campaign) -> None:
    """By its organiser."""
    path = f"{API}{played.pk}/"
    change = {"name": "Saturday", "archived": True, "terms": {"faq": "2.5"}}
    changed = as_alice.patch(path, change, content_type=JSON).json()
    assert (changed["name"], changed["terms"]) == ("Saturday", {"faq": "2.5"})
    assert changed["archived_at"] is not None
    for taboo in (3, "9" * 5000, "٣"):
        wrong = as_alice.patch(path, {"terms": {"taboo": taboo}}, content_type=JSON)
        assert wrong.status_code == 422
    assert as_alice.delete(path).status_code == 204
    assert as_alice.get(path).status_code == 404


def test_two_campaigns_are_linked(as_alice: Client, campaign: Campaign) -> None:
    """Both are one's own to organise."""
    other = a_campaign(organiser_of(campaign).user, guide=campaign.guide)  # type: ignore[arg-type]
    linked = _post(as_alice, f"{campaign.pk}/linked", {"campaign": other.pk})

    assert linked.json()["linked"] == other.pk
    again = _post(as_alice, f"{campaign.pk}/linked", {"campaign": other.pk})
    assert again.status_code == 422


def test_members_leave(
    as_alice: Client, as_bob: Client, bob: User, campaign: Campaign
) -> None:
    """Somebody goes, or is sent; the last organiser stays."""
    member = a_member(campaign, bob)
    path = f"{API}{campaign.pk}/members/"
    organiser = organiser_of(campaign).pk
    assert as_bob.delete(f"{path}{organiser}/").status_code == 403
    assert as_alice.delete(f"{path}{organiser}/").status_code == 422
    assert as_bob.delete(f"{path}{member.pk}/").status_code == 204
    assert as_bob.get(path).status_code == 404
    left = as_alice.get(path).json()["results"][1]["left_at"]
    assert left is not None


def test_a_broken_log_is_a_problem(as_alice: Client, played: Campaign) -> None:
    """Never an error of ours."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM campaigns_logentry WHERE sequence = 3")
    replays._kept.clear()
    for path in ("", "entries/"):
        answer = as_alice.get(f"{API}{played.pk}/{path}")
        assert (answer.status_code, _kind(answer)) == (409, "log-broken")
        assert answer.json()["sequence"] == 3


def test_a_program_that_may_read_only_previews(
    api: Client, alice: User, played: Campaign
) -> None:
    """And writes nothing."""
    _key, text = accounts.make_key(
        owner=alice, name="x", scope=ApiKey.Scope.READ, now=NOW
    )
    headers = {"Authorization": f"Bearer {text}"}
    path = f"{API}{played.pk}/"
    body = {"scenario": "one"}
    shown = api.post(f"{path}preview", body, format="json", headers=headers)
    assert shown.status_code == 200
    back = {"after": played.last, "scenario": "one"}
    done = api.post(f"{path}retractions/", back, format="json", headers=headers)
    assert done.status_code == 403
