"""Folders, the archive and the bin, for programs."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from arkham.accounts.models import User
from decks import services
from decks.api import filing
from decks.api.decks import DeckView
from decks.lists.content import empty_content
from decks.models import Deck, Folder
from tests.decks.helpers import NOW

pytestmark = pytest.mark.usefixtures("rows")


@pytest.fixture
def deck(alice: User) -> Deck:
    """A deck of Alice's."""
    return services.create_deck(
        owner=alice, content=empty_content("01001"), now=NOW, name="Mine"
    )


def _listed(program: APIClient, query: str = "") -> list[str]:
    answer = program.get(f"/api/v1/decks/{query}")
    assert answer.status_code == 200, answer.content
    return [each["name"] for each in answer.json()["results"]]


def test_folders_are_created_renamed_and_deleted(alices: APIClient, deck: Deck) -> None:
    """Names are unique, and deleting a folder keeps its decks."""
    made = alices.post("/api/v1/folders/", {"name": "Solo"}, format="json")
    assert made.status_code == 201
    folder = made.json()
    assert alices.post(
        "/api/v1/folders/", {"name": "SOLO"}, format="json"
    ).status_code in (400, 422)
    where = f"/api/v1/folders/{folder['id']}/"
    assert alices.put(where, {"name": "Two"}, format="json").json()["name"] == "Two"
    filing = f"/api/v1/decks/{deck.pk}/filing"
    sent = {"folder": folder["id"], "archived": True}
    assert alices.put(filing, sent, format="json").json() == sent
    assert alices.get(filing).json() == sent
    assert alices.delete(where).status_code == 204
    assert alices.get(filing).json() == {"folder": None, "archived": True}
    assert alices.get("/api/v1/folders/").json()["results"] == []


def test_the_list_is_filtered(alices: APIClient, alice: User, deck: Deck) -> None:
    """By folder and archive; invalid filters are refused."""
    folder = services.make_folder(owner=alice, name="Solo", now=NOW)
    other = services.create_deck(
        owner=alice, content=empty_content("01001"), now=NOW, name="Other"
    )
    services.move_to_folder(decks=[other], folder=folder)
    services.archive_decks(decks=[deck], now=NOW)
    assert _listed(alices) == ["Mine", "Other"]
    assert _listed(alices, f"?folder={folder.pk}") == ["Other"]
    assert _listed(alices, "?folder=none") == ["Mine"]
    assert _listed(alices, "?archived=true") == ["Mine"]
    assert _listed(alices, "?archived=false&folder=none") == []
    for query in ("?folder=x", "?archived=2", "?folder=0"):
        assert alices.get(f"/api/v1/decks/{query}").status_code in (400, 422)


def test_a_deleted_deck_may_be_restored(alices: APIClient, deck: Deck) -> None:
    """204, then 404 at its address; it is in the bin until restored or removed."""
    where = f"/api/v1/decks/{deck.pk}/"

    def delete() -> None:
        etag = alices.get(where)["ETag"]
        answer = alices.delete(where, headers={"If-Match": etag})
        assert answer.status_code == 204

    delete()
    assert alices.get(where).status_code == 404
    binned = alices.get("/api/v1/decks/bin/").json()["results"]
    assert [each["id"] for each in binned] == [deck.pk]
    there = f"/api/v1/decks/bin/{deck.pk}/"
    assert alices.post(f"{there}restore").json()["id"] == deck.pk
    assert alices.get(where).status_code == 200
    assert alices.post(f"{there}restore").status_code == 404
    delete()
    assert alices.delete(there).status_code == 204
    assert not Deck.everything.exists()


def test_a_deck_restored_meanwhile_is_not_deleted_permanently(
    alices: APIClient, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """404, though it was in the bin when the request came."""
    services.delete_deck(deck=deck, expected_revision=1, now=NOW)

    def found_then_restored(view: DeckView, pk: int) -> Deck:
        found = Deck.binned.get(pk=pk)
        services.restore_deck(deck=found)
        return found

    monkeypatch.setattr(filing, "binned", found_then_restored)
    there = f"/api/v1/decks/bin/{deck.pk}/"
    assert alices.delete(there).status_code == 404
    assert Deck.objects.filter(pk=deck.pk).exists()


def test_folders_and_bins_of_others_do_not_exist(
    alices: APIClient, bob: User, deck: Deck
) -> None:
    his = services.create_deck(
        owner=bob, content=empty_content("01001"), now=NOW, name="His"
    )
    services.delete_deck(deck=his, expected_revision=1, now=NOW)
    folder = services.make_folder(owner=bob, name="His", now=NOW)
    sent = {"folder": folder.pk, "archived": False}
    answer = alices.put(f"/api/v1/decks/{deck.pk}/filing", sent, format="json")
    assert answer.status_code in (400, 422)
    for address in (f"decks/bin/{his.pk}/", f"folders/{folder.pk}/"):
        assert alices.delete(f"/api/v1/{address}").status_code == 404
    assert alices.post(f"/api/v1/decks/bin/{his.pk}/restore").status_code == 404
    assert Folder.objects.filter(owner=bob).exists()
