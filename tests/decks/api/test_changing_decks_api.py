"""Programs change and delete decks under If-Match."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from decks import services
from decks.api import examples
from decks.api.bodies import merged
from decks.models import Deck
from tests.decks.api.requests import DECKS, send_body

pytestmark = pytest.mark.django_db


def test_a_deck_is_revised_with_if_match(alices: APIClient, deck: Deck) -> None:
    """A new revision, a new ETag; the earlier revision stays."""
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)
    body = {key: seen.json()[key] for key in ("deck", "circumstances")}
    body["deck"]["slots"]["01020"] = 2

    answer = send_body(alices, "PUT", address, body, If_Match=seen["ETag"])

    assert answer.status_code == 200
    assert answer.json()["revision"] == 2
    assert answer.json()["deck"] == body["deck"]
    assert answer["ETag"] != seen["ETag"]
    earlier = alices.get(f"{address}revisions/1/").json()
    assert earlier["deck"]["slots"] == {"01006": 1, "01007": 1, "01016": 2}


def test_an_unchanged_deck_makes_no_revision(alices: APIClient, deck: Deck) -> None:
    """What was read can be written back."""
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)
    body = {key: seen.json()[key] for key in ("deck", "circumstances")}

    answer = send_body(alices, "PUT", address, body, If_Match=seen["ETag"])

    assert answer.json() == seen.json()
    assert answer["ETag"] == seen["ETag"]


def test_a_deck_is_changed_by_a_merge_patch(alices: APIClient, deck: Deck) -> None:
    """Null removes a member; those not named stay."""
    address = f"{DECKS}{deck.pk}/"
    patch = {
        "deck": {"slots": {"01017": 1, "01016": None}, "name": "Gun", "tags": "a,b"},
        "circumstances": {"taboo": None, "players": 2},
    }

    answer = alices.patch(
        address,
        json.dumps(patch),
        content_type="application/merge-patch+json",
        headers={"If-Match": alices.get(address)["ETag"]},
    )

    assert answer.status_code == 200
    changed = answer.json()
    assert changed["deck"]["slots"] == {"01006": 1, "01007": 1, "01017": 1}
    assert (changed["deck"]["name"], changed["revision"]) == ("Gun", 2)
    assert (changed["deck"]["tags"], changed["deck"]["description_md"]) == ("a b", "")
    assert changed["circumstances"] == {"mode": "start", "players": 2}


def test_a_patch_keeps_cards_that_are_no_longer_known(
    alices: APIClient, deck: Deck
) -> None:
    """Kept cards stay as they are; newly sent ones must exist."""
    latest = deck.revisions.get()
    latest.circumstances = {"banned_titles": ["No card any more"]}
    latest.save()
    address = f"{DECKS}{deck.pk}/"

    def patched(told: dict[str, Any]) -> Any:
        return alices.patch(
            address,
            json.dumps({"circumstances": told}),
            content_type="application/merge-patch+json",
            headers={"If-Match": alices.get(address)["ETag"]},
        )

    refused = patched({"lost_cards": ["99999"]})
    assert (refused.status_code, refused.json()["pointer"]) == (
        422,
        "/circumstances/lost_cards",
    )
    changed = patched({"players": 2})
    assert changed.status_code == 200
    assert changed.json()["circumstances"] == {
        "banned_titles": ["No card any more"],
        "players": 2,
    }


def test_a_nested_member_is_changed(alices: APIClient, deck: Deck) -> None:
    """Trauma is counted card by card: null removes a kind of it, or a card."""
    address = f"{DECKS}{deck.pk}/"
    told = []
    for trauma in (
        {"01001": {"mental": 2, "physical": None}, "01002": {"mental": 1}},
        {"01001": {"physical": 1, "mental": None}, "01002": None},
        {"01001": {"nothing": None}},
    ):
        patch = {"circumstances": {"trauma": trauma}}
        answer = send_body(alices, "PATCH", address, patch, If_Match="*")
        told.append(answer.json().get("circumstances", {}).get("trauma"))

    assert told == [
        {"01001": {"mental": 2}, "01002": {"mental": 1}},
        {"01001": {"physical": 1}},
        None,
    ]
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("patch", "pointer"),
    [
        ([], ""),
        ({"deck": {"investigator_code": None}}, "/deck/investigator_code"),
        ({"deck": {"slots": {"01016": "2"}}}, "/deck/slots/01016"),
        ({"moon": 1}, "/moon"),
    ],
)
def test_a_patch_that_makes_an_invalid_deck_is_refused(
    alices: APIClient, deck: Deck, patch: Any, pointer: str
) -> None:
    """422 with the place in the patched deck."""
    answer = send_body(alices, "PATCH", f"{DECKS}{deck.pk}/", patch, If_Match="*")

    assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)


def test_an_invalid_body_is_refused(alices: APIClient, deck: Deck) -> None:
    """400, as for any other text that is no JSON."""
    for method, path in (("POST", DECKS), ("PATCH", f"{DECKS}{deck.pk}/")):
        answer = alices.generic(method, path, "", headers={"If-Match": "*"})
        assert answer.status_code == 400
        assert answer.json()["type"] == "urn:orne:problem:not-json"


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_merge_patches_follow_their_standard(
    target: Any, patch: Any, result: Any
) -> None:
    """The examples of RFC 7396."""
    assert merged(target, patch) == result


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_a_change_needs_if_match(alices: APIClient, deck: Deck, method: str) -> None:
    """428, with the current deck."""
    answer = send_body(alices, method, f"{DECKS}{deck.pk}/", examples.WRITTEN)

    assert answer.status_code == 428
    assert alices.get(f"{DECKS}{deck.pk}/")["ETag"] in answer.json()["detail"]


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_stale_change_shows_all_versions(
    alices: APIClient, deck: Deck, method: str
) -> None:
    """412: the current one, the one that was sent, and their common base."""
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)
    theirs = {"deck": {**examples.WRITTEN["deck"], "slots": {"01020": 2}}}
    current = send_body(alices, "PUT", address, theirs, If_Match=seen["ETag"])
    mine = {"deck": {**examples.WRITTEN["deck"], "slots": {"01017": 1}, "name": "Me"}}

    answer = send_body(alices, method, address, mine, If_Match=seen["ETag"])

    assert answer.status_code == 412
    problem = answer.json()
    assert problem["type"] == "urn:orne:problem:stale"
    assert problem["etag"] == current["ETag"]
    assert problem["current"] == current.json()
    assert problem["yours"]["deck"]["name"] == "Me"
    assert problem["yours"]["deck"]["slots"]["01017"] == 1
    assert problem["base"]["number"] == 1
    assert problem["base"]["deck"]["slots"] == {"01006": 1, "01007": 1, "01016": 2}
    again = send_body(alices, method, address, mine, If_Match=problem["etag"])
    assert again.json()["revision"] == 3


def test_a_renamed_deck_has_another_etag(alices: APIClient, deck: Deck) -> None:
    """Of two devices that both rename it the second is refused."""
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)["ETag"]
    send_body(alices, "PATCH", address, {"deck": {"name": "One"}}, If_Match=seen)

    answer = send_body(
        alices, "PATCH", address, {"deck": {"name": "Two"}}, If_Match=seen
    )

    assert answer.status_code == 412
    assert answer.json()["current"]["deck"]["name"] == "One"
    assert answer.json()["current"]["revision"] == 1


def test_a_deck_deleted_meanwhile_is_404(
    alices: APIClient, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the request."""
    revise = services.revise_deck

    def beaten(**arguments: Any) -> Any:
        Deck.objects.all().delete()
        return revise(**arguments)

    monkeypatch.setattr(services, "revise_deck", beaten)
    address = f"{DECKS}{deck.pk}/"
    answer = send_body(alices, "PUT", address, examples.DECK, If_Match="*")
    assert answer.status_code == 404


@pytest.mark.parametrize("tag", ['"1-1"', 'W/"x"', '"0-9-0"', "x", '"', "*, x"])
def test_an_unknown_etag_is_stale(alices: APIClient, deck: Deck, tag: str) -> None:
    """412, without a common base."""
    answer = send_body(
        alices, "PUT", f"{DECKS}{deck.pk}/", examples.WRITTEN, If_Match=tag
    )

    assert answer.status_code == 412
    assert answer.json()["base"] is None


def test_a_deck_is_deleted_with_if_match(alices: APIClient, deck: Deck) -> None:
    """204 and gone; a stale request shows the current deck."""
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)["ETag"]
    changed = send_body(alices, "PUT", address, examples.DECK, If_Match=seen)

    refused = alices.delete(address, headers={"If-Match": seen})
    assert refused.status_code == 412
    assert refused.json()["current"] == changed.json()
    for _time in range(2):
        gone = alices.delete(
            address, headers={"If-Match": changed["ETag"], "Idempotency-Key": "go"}
        )
        assert (gone.status_code, gone.content) == (204, b"")
    assert alices.get(address).status_code == 404
