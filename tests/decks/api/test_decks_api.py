"""Programs create, read and check decks over HTTP, as the pages do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from arkham.accounts.models import ApiKey, User
from arkham.rules.legality import check_deck
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.api import examples
from decks.lists.content import empty_content, read_content
from decks.models import Deck
from tests.decks.api.requests import DECKS, NOW, send_body
from tests.helpers import program_of

pytestmark = pytest.mark.django_db


def lasting(document: dict[str, Any]) -> dict[str, Any]:
    """Return a deck without the fields that depend on its creation."""
    return {
        key: value
        for key, value in document.items()
        if key not in ("id", "made_at", "changed_at")
    }


# -- making and reading --


def test_a_deck_is_created_and_read(alices: APIClient, alice: User) -> None:
    """201 with Location, ETag and the deck; reading it returns the same."""
    answer = send_body(alices, "POST", DECKS, examples.WRITTEN)

    assert answer.status_code == 201
    made = alice.decks.get()
    assert answer["Location"] == f"http://testserver{DECKS}{made.pk}/"
    assert lasting(answer.json()) == lasting(examples.KEPT)
    read = alices.get(f"{DECKS}{made.pk}/")
    assert read.json() == answer.json()
    assert read["ETag"] == answer["ETag"]
    assert "private" in read["Cache-Control"]


def test_a_deck_alone_is_a_valid_body(alices: APIClient) -> None:
    """As ArkhamDB gives it; it need not be finished or legal."""
    body: Any = {
        "id": 9,
        "name": None,
        "investigator_code": "01001",
        "slots": [],
        "xp": 3,
    }
    body |= {"meta": '{"alternate_back": "90024"}', "sideSlots": {"01020": 3}}
    body |= {"description_md": "*Shoot.*", "tags": "solo, theme", "xp_spent": 2}

    answer = send_body(alices, "POST", DECKS, body)

    assert answer.status_code == 201
    deck = answer.json()["deck"]
    assert deck["meta"] == {"alternate_back": "90024"}
    assert (deck["name"], deck["slots"], deck["sideSlots"]) == ("", {}, {"01020": 3})
    assert (deck["description_md"], deck["tags"]) == ("*Shoot.*", "solo theme")
    assert (deck["xp"], "xp_spent" in deck) == (3, False)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ([], ""),
        ({}, "/investigator_code"),
        ({"deck": {"investigator_code": "01001"}}, "/deck/slots"),
        ({"deck": examples.WRITTEN["deck"], "decks": 1}, "/decks"),
        ({**examples.WRITTEN["deck"], "slots": {"01020": 1.5}}, "/slots/01020"),
        ({**examples.WRITTEN["deck"], "name": "x" * 121}, "/name"),
        ({"deck": {**examples.WRITTEN["deck"], "name": "x" * 121}}, "/deck/name"),
        ({**examples.WRITTEN["deck"], "tags": ["solo"]}, "/tags"),
        ({**examples.WRITTEN["deck"], "description_md": 3}, "/description_md"),
        ({**examples.WRITTEN["deck"], "xp": 12_000}, "/xp"),
        (
            {"deck": examples.WRITTEN["deck"], "circumstances": {"mode": "easy"}},
            "/circumstances/mode",
        ),
        (
            {"deck": examples.WRITTEN["deck"], "circumstances": {"lost_cards": ["x"]}},
            "/circumstances/lost_cards",
        ),
        (
            {**examples.WRITTEN["deck"], "slots": {str(n): 1 for n in range(401)}},
            "/slots",
        ),
    ],
)
def test_an_invalid_deck_is_refused_with_its_place(
    alices: APIClient, alice: User, body: Any, pointer: str
) -> None:
    """422; nothing is created."""
    answer = send_body(alices, "POST", DECKS, body)

    assert answer.status_code == 422
    assert answer.json()["pointer"] == pointer
    assert not alice.decks.exists()


def test_decks_are_listed_in_pages(
    alices: APIClient, alice: User, django_assert_max_num_queries: Any
) -> None:
    """With a constant number of queries."""
    for name in "abc":
        content = empty_content("01001")
        services.create_deck(owner=alice, content=content, name=name, now=NOW)

    alices.get(DECKS)
    with django_assert_max_num_queries(3):
        first = alices.get(DECKS + "?page_size=2").json()
    assert [each["name"] for each in first["results"]] == ["a", "b"]
    assert first["results"][0]["investigator_code"] == "01001"
    second = alices.get(first["next"]).json()
    assert [each["name"] for each in second["results"]] == ["c"]
    assert second["next"] is None


def test_a_request_sent_twice_creates_one_deck(alices: APIClient, alice: User) -> None:
    """With one idempotency key, which is refused for another deck."""
    first, again = (
        send_body(alices, "POST", DECKS, examples.WRITTEN, Idempotency_Key="one")
        for _time in range(2)
    )

    assert alice.decks.count() == 1
    assert first.content == again.content
    assert again["Idempotent-Replayed"] == "true"
    other = send_body(alices, "POST", DECKS, examples.DECK, Idempotency_Key="one")
    assert other.status_code == 422


# -- who may --


def test_decks_of_others_do_not_exist(
    deck: Deck, bob: User, charlie: User, api: APIClient
) -> None:
    """404 to Bob and Charlie, to read and to write; 401 without a key."""
    draft = services.create_deck(owner=None, content=empty_content("01001"), now=NOW)
    places = ["", "legality", "compare", "revisions/", "revisions/1/"]
    for client, status in (
        (program_of(bob), 404),
        (program_of(charlie), 404),
        (api, 401),
    ):
        for pk in (deck.pk, draft.pk, 10**30):
            for place in places:
                assert client.get(f"{DECKS}{pk}/{place}").status_code == status
            for method in ("PUT", "PATCH", "DELETE"):
                answer = send_body(
                    client, method, f"{DECKS}{pk}/", examples.WRITTEN, If_Match="*"
                )
                assert answer.status_code == status
    assert api.get(DECKS).status_code == 401
    assert program_of(bob).get(DECKS).json()["results"] == []
    deck.refresh_from_db()
    assert deck.revision == 1


def test_a_read_key_only_reads(deck: Deck, alice: User) -> None:
    """Anything else is refused with 403."""
    client = program_of(alice, ApiKey.Scope.READ)
    address = f"{DECKS}{deck.pk}/"

    assert client.get(address).status_code == 200
    assert send_body(client, "POST", DECKS, examples.WRITTEN).status_code == 403
    for method in ("PUT", "PATCH", "DELETE"):
        answer = send_body(client, method, address, examples.WRITTEN, If_Match="*")
        assert answer.status_code == 403


def test_a_session_needs_its_csrf_token(deck: Deck, alice: User) -> None:
    """A session alone changes nothing: other sites could send the request."""
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(alice)

    assert client.get(f"{DECKS}{deck.pk}/").status_code == 200
    assert send_body(client, "POST", DECKS, examples.WRITTEN).status_code == 403


@pytest.mark.parametrize("named", [{}, {"Idempotency_Key": "mine"}])
def test_a_session_with_its_csrf_token_may_write(
    alice: User, named: dict[str, str]
) -> None:
    """The body can still be read after the token was looked for."""
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(alice)
    token = client.get("/account/keys/").cookies["csrftoken"].value

    made = send_body(
        client, "POST", DECKS, examples.WRITTEN, X_CSRFToken=token, **named
    )
    assert made.status_code == 201


def test_a_patch_cannot_remove_the_deck(alices: APIClient, deck: Deck) -> None:
    """The fault is at the member itself, not inside it."""
    body = {"deck": None}
    answer = send_body(alices, "PATCH", f"{DECKS}{deck.pk}/", body, If_Match="*")
    assert (answer.status_code, answer.json()["pointer"]) == (422, "/deck")


# -- its past, and what the judge says --


def test_revisions_of_a_deck_are_listed(
    alices: APIClient, deck: Deck, alice: User
) -> None:
    """With the differences of any two of them."""
    address = f"{DECKS}{deck.pk}/"
    send_body(alices, "PATCH", address, examples.CHANGES, If_Match="*")
    deck.refresh_from_db()
    services.undo_revision(deck=deck, expected_revision=2, now=NOW)

    listed = alices.get(f"{address}revisions/").json()["results"]
    assert [(each["number"], each["restores"]) for each in listed] == [
        (1, None),
        (2, None),
        (3, 1),
    ]
    compared = f"{address}compare"
    assert alices.get(f"{compared}?before=1&after=2").json() == examples.COMPARISON
    assert alices.get(f"{compared}?after=2").json() == examples.COMPARISON
    assert alices.get(f"{compared}?before=1").json()["differences"] == []
    assert alices.get(compared).json()["before"] == 2


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("before=0", 400),
        ("after=x", 400),
        ("after=²", 400),
        ("after=9", 404),
        (f"before={'9' * 5000}", 400),
        ("before=", 400),
        ("before=-1", 400),
    ],
)
def test_only_existing_revisions_are_compared(
    alices: APIClient, deck: Deck, query: str, status: int
) -> None:
    """400 if it isn’t a number, with the parameter; 404 for an unknown one."""
    answer = alices.get(f"{DECKS}{deck.pk}/compare?{query}")

    assert answer.status_code == status
    if status == 400:
        assert answer.json()["parameter"] == query.split("=")[0]


def test_a_new_deck_has_no_differences(alices: APIClient, deck: Deck) -> None:
    """Its only revision is compared with itself."""
    answer = alices.get(f"{DECKS}{deck.pk}/compare").json()

    nothing: dict[str, Any] = {"added": {}, "removed": {}, "exiled": {}, "paid": []}
    assert answer == {
        "before": 1, "after": 1, "differences": [], "experience_spent": 0, **nothing
    }  # fmt: skip


def test_the_verdict_is_the_judges(alices: APIClient, deck: Deck) -> None:
    """On the current deck under its circumstances, with its id."""
    verdict = alices.get(f"{DECKS}{deck.pk}/legality").json()

    asked = read_content(examples.WRITTEN).asked()
    expected = check_deck(asked.deck, embedded_pool(), asked.circumstances).as_data()
    assert verdict == {"id": deck.pk, **json.loads(json.dumps(expected))}


def test_reading_takes_few_queries(
    alices: APIClient, deck: Deck, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """The key, the deck with its latest revision, its balance, the cards in use."""
    alices.get(DECKS)
    with django_assert_num_queries(4):
        alices.get(f"{DECKS}{deck.pk}/")
