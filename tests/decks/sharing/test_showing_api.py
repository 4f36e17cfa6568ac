"""Who sees a deck, for programs."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck, Showing
from tests.decks.helpers import NOW
from tests.decks.sharing.helpers import publish, share

pytestmark = pytest.mark.usefixtures("rows")


def put(client: APIClient, deck: Deck, body: Any, etag: str) -> Any:
    path = f"/api/v1/decks/{deck.pk}/visibility"
    return client.put(path, body, format="json", headers={"If-Match": etag})


def test_programs_read_and_set_who_sees_a_deck(alices: APIClient, deck: Deck) -> None:
    """Private, by a link, published, private again; each with another ETag."""
    read = alices.get(f"/api/v1/decks/{deck.pk}/")
    told = read.json()
    assert (told["visibility"], told["page"]) == ("private", None)
    assert (told["shown_revision"], told["source"]) == (None, None)

    shared = put(alices, deck, {"visibility": "link"}, read["ETag"])
    key = Showing.objects.get().key
    assert shared.status_code == 200
    assert shared.json()["visibility"] == "link"
    assert shared.json()["page"] == f"http://testserver/decks/shared/{key}/"
    stale = put(alices, deck, {"visibility": "private"}, read["ETag"])
    assert stale.status_code == 412
    assert stale.json()["current"]["visibility"] == "link"
    assert stale.json()["yours"] == {"visibility": "private"}

    published = put(alices, deck, {"visibility": "published"}, shared["ETag"])
    number = Showing.objects.get().pk
    assert published.json()["page"] == f"http://testserver/decks/published/{number}/"
    assert published.json()["shown_revision"] == 1
    listed = alices.get("/api/v1/decks/").json()
    assert [each["visibility"] for each in listed["results"]] == ["published"]

    gone = put(alices, deck, {"visibility": "private"}, published["ETag"])
    assert gone.json()["page"] is None
    assert not Showing.objects.exists()
    tags = {each["ETag"] for each in (read, shared, published)}
    assert len(tags) == 3
    assert gone["ETag"] == read["ETag"]


def test_of_two_concurrent_changes_of_visibility_one_succeeds(
    transactional_db: None,
) -> None:
    """Both saw a private deck; the other program is shown the new state."""
    ann = User.objects.create_user("ann")
    _key, text = accounts.make_key(
        owner=ann, name="p", scope=ApiKey.Scope.WRITE, now=NOW
    )
    for _time in range(3):
        content = starter_deck(embedded_pool(), "01001")
        deck = services.create_deck(owner=ann, content=content, now=NOW)
        api = APIClient(headers={"Authorization": f"Bearer {text}"})
        seen = api.get(f"/api/v1/decks/{deck.pk}/")["ETag"]
        all_at_once = threading.Barrier(4, timeout=20)

        def say(
            visibility: str, deck: Deck = deck, seen: str = seen,
            all_at_once: threading.Barrier = all_at_once,
        ) -> int:  # fmt: skip
            client = APIClient(headers={"Authorization": f"Bearer {text}"})
            try:
                all_at_once.wait()
                return int(
                    put(client, deck, {"visibility": visibility}, seen).status_code
                )
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as pool:
            done = sorted(pool.map(say, ("link", "published") * 2))
        assert done == [200, 412, 412, 412]


@pytest.mark.parametrize(
    "body",
    [{}, {"visibility": "all"}, {"visibility": 1}, [], {"visibility": "link", "x": 1}],
)
def test_unknown_values_are_refused(alices: APIClient, deck: Deck, body: Any) -> None:
    """422 that lists the valid ones."""
    answer = put(alices, deck, body, "*")
    assert answer.status_code == 422
    assert not Showing.objects.exists()


def test_if_match_is_required(alices: APIClient, deck: Deck) -> None:
    """428, as everywhere."""
    path = f"/api/v1/decks/{deck.pk}/visibility"
    answer = alices.put(path, {"visibility": "link"}, format="json")
    assert answer.status_code == 428


def test_programs_see_a_copys_source(
    as_alice: Client, as_bob: Client, bob: User, deck: Deck
) -> None:
    """Name, author, page, and whether it is still there."""
    place = publish(as_alice, deck)
    as_bob.post(f"{place}copy")
    copy = bob.decks.get()
    seen = as_bob.get(f"/api/v1/decks/{copy.pk}/")
    source = seen.json()["source"]
    assert source.pop("copied_at")
    assert source == {
        "name": "Badge and gun",
        "author": "alice",
        "page": f"http://testserver{place}",
        "withdrawn": False,
    }
    share(as_alice, deck, visibility="private")
    told = as_bob.get(
        f"/api/v1/decks/{copy.pk}/", headers={"If-None-Match": seen["ETag"]}
    )
    assert told.status_code == 200
    assert told.json()["source"]["withdrawn"] is True


def test_the_account_api_shows_no_decks_of_others(
    as_alice: Client, as_bob: Client, deck: Deck
) -> None:
    """Even if published: these are read by the public API."""
    publish(as_alice, deck)
    assert as_bob.get(f"/api/v1/decks/{deck.pk}/").status_code == 404
    assert as_bob.get(f"/api/v1/decks/{deck.pk}/revisions/").status_code == 404
    refused = as_bob.put(
        f"/api/v1/decks/{deck.pk}/visibility",
        {"visibility": "private"},
        content_type="application/json",
        headers={"If-Match": "*"},
    )
    assert refused.status_code == 404
    assert Showing.objects.get().kind == "published"
