"""Campaigns by API: created, renamed, changed, ended; hidden from strangers."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns.models import Campaign, Guide
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Collection
from tests.campaigns.api.helpers import API, JSON, WHO, append_who, post, problem_of
from tests.campaigns.helpers.tables import NOW, a_campaign, a_row, organiser_of
from tests.rules.campaign.helpers.games import a_game
from tests.rules.campaign.helpers.small import DAISY, ROLAND


def test_a_campaign_is_created_with_its_seats(as_alice: Client, alice: User) -> None:
    """The response has the first question, and the user's role."""
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    guide = a_row()
    answer = post(
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


def test_generated_guide_ids_are_named(as_alice: Client, alice: User) -> None:
    """Their numbers grow with every row that ever existed."""
    many = 3_000_000_000
    Guide.objects.filter(pk=a_row().pk).update(id=many)
    Collection.objects.create(pk=many, owner=alice, name="All of it", changed_at=NOW)
    body = {"guide": many, "terms": {"collection": many}}
    answer = post(as_alice, "", body | {"seats": [{"investigator": ROLAND}]})

    assert answer.status_code == 201, answer.json()
    assert answer.json()["guide"]["id"] == many
    assert answer.json()["terms"] == {"collection": many}
    seats = [{"investigator": ROLAND, "deck": many}]
    answer = post(as_alice, "", body | {"seats": seats})
    assert (answer.status_code, answer.json()["pointer"]) == (404, "/seats/0/deck")


def test_only_public_and_own_guides_can_be_used(
    as_alice: Client, as_bob: Client, alice: User
) -> None:
    """No campaign begins with another user's guide."""
    a_row()
    mine = a_row(a_game("one"), owner=alice)
    Guide.objects.create(
        digest="s", guide_id="side", name="Side", origin="field", brought_at=NOW
    )
    listed = as_alice.get("/api/v1/guides/").json()["results"]

    assert [each["private"] for each in listed] == [False, True]
    assert len(as_bob.get("/api/v1/guides/").json()["results"]) == 1
    answer = post(as_bob, "", {"guide": mine.pk})
    assert (answer.status_code, answer.json()["pointer"]) == (404, "/guide")


def test_a_stranger_gets_404(as_charlie: Client, api: Client, played: Campaign) -> None:
    """For every request; users without an account are asked to sign in."""
    pk = played.pk
    for path in ("", "entries/", "members/", "seats/", "invitations/"):
        assert as_charlie.get(f"{API}{pk}/{path}").status_code == 404
        assert api.get(f"{API}{pk}/{path}").status_code == 401
    assert append_who(as_charlie, played, played.last).status_code == 404
    for path, body in (
        ("corrections/", {"after": 1, "target": 2, "entry": WHO}),
        ("retractions/", {"after": 1, "target": 2}),
        ("preview", {"entry": WHO}),
        ("branches/", {}),
        ("linked", {"campaign": pk}),
    ):
        assert post(as_charlie, f"{pk}/{path}", body).status_code == 404
    assert as_charlie.delete(f"{API}{pk}/").status_code == 404
    assert as_charlie.get(f"{API}{10**40}/").status_code == 404
    assert as_charlie.get(API).json()["results"] == []


def test_a_campaign_has_an_etag(as_alice: Client, played: Campaign) -> None:
    """An unchanged campaign is a 304."""
    path = f"{API}{played.pk}/"
    first = as_alice.get(path)
    again = as_alice.get(path, headers={"If-None-Match": first["ETag"]})

    assert first.json()["state"]["investigators"][ROLAND]["availableXp"] == 3
    assert again.status_code == 304


def test_a_preview_of_a_branch_or_guide_changes_nothing(
    as_alice: Client, played: Campaign
) -> None:
    """Until the table agrees."""
    twin = post(as_alice, f"{played.pk}/branches/", {"up_to": 2}).json()
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


def test_a_guide_is_no_version_of_keeping_by_hand(
    as_alice: Client, played: Campaign
) -> None:
    """They ask different questions; neither replaces the other."""
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
def test_a_request_repeated_with_its_key_is_done_once(
    as_alice: Client, played: Campaign, path: str, body: Any, counted: str
) -> None:
    """Copies, links and seats; a different request with that key is refused."""

    def number() -> int:
        if counted == "copies":
            return Campaign.objects.count()
        return int(getattr(played, counted).count())

    before = number()
    first, second = (
        post(as_alice, f"{played.pk}/{path}", body, **{"Idempotency-Key": "once"})
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
    assert (answer.status_code, problem_of(answer)) == (422, "idempotency-key-reused")


@pytest.mark.parametrize(
    ("terms", "pointer"),
    [
        ({"taboo": "latest"}, "/terms/taboo"),
        ({"taboos": {ROLAND: "x"}}, f"/terms/taboos/{ROLAND}"),
        ({"collection": "x"}, "/terms/collection"),
        ({"environment": {"kind": "odd"}}, "/terms/environment/kind"),
        ({"rulings": {"odd": "x"}}, "/terms/rulings/odd"),
        ({"rulings": []}, "/terms/rulings"),
        ({"taboos": [[ROLAND, "none"]]}, "/terms/taboos"),
        ({"environment": []}, "/terms/environment"),
        ({"taboo": "424242"}, "/terms/taboo"),
        ({"taboos": {ROLAND: "424242"}}, f"/terms/taboos/{ROLAND}"),
        ({"tabu": "none"}, "/terms/tabu"),
    ],
)
def test_invalid_terms_are_refused_with_their_place(
    as_alice: Client, played: Campaign, terms: dict[str, Any], pointer: str
) -> None:
    """When a campaign is created and when it is changed."""
    path = f"{API}{played.pk}/"
    changed = as_alice.patch(path, {"terms": terms}, content_type=JSON)
    begun = post(as_alice, "", {"guide": played.guide_id, "terms": terms})
    for answer in (changed, begun):
        assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)


def test_an_unknown_term_is_answered_with_the_known_ones(
    as_alice: Client, played: Campaign
) -> None:
    body = {"terms": {"tabu": "none"}}
    answer = as_alice.patch(f"{API}{played.pk}/", body, content_type=JSON)
    (fault,) = answer.json()["errors"]
    assert fault["expected"] == (
        "taboo, taboos, environment, rulings, faq, collection, answers"
    )


@pytest.mark.parametrize("name", ["", " \t"])
def test_an_empty_name_is_refused(
    as_alice: Client, played: Campaign, name: str
) -> None:
    """The campaign keeps its name."""
    answer = as_alice.patch(f"{API}{played.pk}/", {"name": name}, content_type=JSON)
    assert (answer.status_code, answer.json()["pointer"]) == (422, "/name")


def test_a_change_with_an_old_etag_is_refused(
    as_alice: Client, played: Campaign
) -> None:
    """If-Match is optional; a stale change is refused, with both states."""
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


def test_a_campaign_is_archived_and_ended(as_alice: Client, played: Campaign) -> None:
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
    """The user organises both."""
    other = a_campaign(organiser_of(campaign).user, guide=campaign.guide)  # type: ignore[arg-type]
    linked = post(as_alice, f"{campaign.pk}/linked", {"campaign": other.pk})

    assert linked.json()["linked"] == other.pk
    again = post(as_alice, f"{campaign.pk}/linked", {"campaign": other.pk})
    assert again.status_code == 422
