"""Decks are imported and exported over HTTP in every format, line by line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from rest_framework.test import APIClient

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import read_content
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services import ledger
from decks.services.ledger import Earned
from tests.decks.edits import apply

pytestmark = pytest.mark.usefixtures("rows")

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
DECKS = "/api/v1/decks/"
MACHETE, BEAT_COP, BEAT_COP_2 = "01020", "01018", "01028"


@pytest.fixture
def deck(alice: User) -> Deck:
    """Alice's first deck for Roland."""
    return services.create_deck(
        owner=alice,
        content=starter_deck(embedded_pool(), "01001"),
        name="Badge/gun",
        tags="solo theme",
        notes="Read me.",
        now=NOW,
    )


def _post(client: APIClient, path: str, body: Any, **headers: str) -> Any:
    return client.generic(
        "POST", path, json.dumps(body), "application/json", headers=headers
    )


# -- out --


def test_a_deck_lists_its_export_formats(alices: APIClient, deck: Deck) -> None:
    """Each with its address, and what it leaves out."""
    told = alices.get(f"{DECKS}{deck.pk}/exports/").json()
    assert [each["format"] for each in told] == [
        "json", "text", "plain", "markdown", "octgn"
    ]  # fmt: skip
    assert told[0]["leaves_out"] == []
    assert told[1]["leaves_out"] == ["notes", "tags"]
    assert told[4]["file_name"] == "Badge gun.o8d"
    for each in told:
        answer = alices.get(each["url"])
        assert answer.status_code == 200
        assert answer["Content-Type"] == f"{each['media_type']}; charset=utf-8"
        assert each["file_name"] in answer["Content-Disposition"]


@pytest.mark.parametrize("form", ["json", "text", "plain", "markdown", "octgn"])
def test_an_exported_file_is_imported_as_the_same_deck(
    alices: APIClient, deck: Deck, form: str
) -> None:
    """Line by line; equal to the page’s file."""
    text = alices.get(f"{DECKS}{deck.pk}/exports/{form}").content.decode()
    body = {"text": text, "file": "Badge gun.o8d"}
    answer = _post(alices, f"{DECKS}import", body)

    assert answer.status_code == 201
    told = answer.json()
    assert told["report"]["missed"] == 0
    slots = deck.revisions.get().list["slots"]
    assert told["deck"]["deck"]["slots"] == slots
    assert answer["Location"].endswith(f"{DECKS}{told['deck']['id']}/")


def test_json_is_a_deck_or_a_decklist(alices: APIClient, deck: Deck) -> None:
    """As ArkhamDB distinguishes them."""
    address = f"{DECKS}{deck.pk}/exports/json"
    own = alices.get(address + "?held=deck").json()
    published = alices.get(address + "?held=decklist").json()
    assert ("problem" in own, "problem" in published) == (True, False)
    assert (own["tags"], published["tags"]) == ("solo theme", "solo, theme")
    assert alices.get(address).json() == published
    assert alices.get(address + "?held=x").status_code == 400


def test_the_format_decides_the_content_type(
    alices: APIClient, deck: Deck, bob: User, api: APIClient
) -> None:
    """Whatever the client accepts; an unknown format is a 404."""
    address = f"{DECKS}{deck.pk}/exports/"
    answer = alices.get(address + "text", headers={"Accept": "text/plain"})
    assert answer.content.decode().startswith("Badge/gun\n\nRoland Banks")
    assert alices.get(address + "pdf").status_code == 404
    assert alices.get(address + "text?revision=2").status_code == 404
    assert api.get(address + "text").status_code == 401
    _key, text = accounts.make_key(
        owner=bob, name="p", scope=ApiKey.Scope.READ, now=NOW
    )
    for place in ("", "text"):
        answer = api.get(address + place, headers={"Authorization": f"Bearer {text}"})
        assert answer.status_code == 404
        assert answer["Content-Type"] == "application/problem+json"


# -- in --

LIST = "Roland Banks\n\n2x Machete\n1x Macheet\n"


def test_a_list_is_read_without_being_stored(api: APIClient) -> None:
    """By anyone; every line has its meaning, or what was expected."""
    answer = _post(api, "/api/v1/lists/read", {"text": LIST})

    assert answer.status_code == 200
    told = answer.json()
    assert told["read"]["deck"]["slots"] == {MACHETE: 2}
    assert (told["missed"], told["faults"]) == (1, [])
    read, missed = told["lines"][-2:]
    assert (read["line"], read["said"], read["meaning"]) == (
        3, "2x Machete", "2 × Machete"
    )  # fmt: skip
    assert (missed["line"], missed["understood"], missed["said"]) == (
        4, False, "1x Macheet"
    )  # fmt: skip
    assert not Deck.objects.exists()


def test_unreadable_lines_are_reported_with_the_deck(
    alices: APIClient, alice: User
) -> None:
    """The deck has the rest; a repeated request makes one deck."""
    for _time in range(2):
        answer = _post(
            alices, f"{DECKS}import", {"text": LIST}, **{"Idempotency-Key": "a"}
        )
        assert answer.status_code == 201
    assert answer.json()["report"]["missed"] == 1
    assert alice.decks.get().revisions.get().list["slots"] == {MACHETE: 2}


@pytest.mark.parametrize("text", ["", "\n", "{}", "<!DOCTYPE deck><deck/>", "..."])
def test_an_invalid_list_is_reported(
    alices: APIClient, api: APIClient, text: str
) -> None:
    """Read with faults; not imported."""
    read = _post(api, "/api/v1/lists/read", {"text": text})
    made = _post(alices, f"{DECKS}import", {"text": text})
    assert made.status_code == 422
    assert not Deck.objects.exists()
    if text:
        assert read.status_code == 200
        assert read.json()["read"] is None
        assert read.json()["faults"] == made.json()["report"]["faults"] != []


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ([], ""),
        ({}, "/text"),
        ({"text": 5}, "/text"),
        ({"text": "x" * 1_000_001}, "/text"),
        ({"text": "x", "file": 5}, "/file"),
        ({"text": "x", "file": {}}, "/file"),
        ({"text": "x", "format": "json"}, "/format"),
        ({"text": "https://example.org/deck/view/5"}, "/text"),
    ],
)
def test_unreadable_input_is_refused_with_its_place(
    alices: APIClient, api: APIClient, body: Any, pointer: str
) -> None:
    """422 by both endpoints; only configured sites are asked."""
    for client, path in ((api, "/api/v1/lists/read"), (alices, f"{DECKS}import")):
        answer = _post(client, path, body)
        assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)


# -- experience on the way --


def test_imported_experience_opens_the_ledger(alices: APIClient, alice: User) -> None:
    """The experience, as corrected, less what was spent; by both endpoints."""
    listed = {
        "investigator_code": "01001", "slots": {MACHETE: 2},
        "xp": 5, "xp_adjustment": 1, "xp_spent": 2,
    }  # fmt: skip
    _post(alices, f"{DECKS}import", {"text": json.dumps(listed)})
    _post(alices, DECKS, listed)
    for deck in alice.decks.all():
        entry = deck.ledger.get()
        assert (entry.kind, entry.amount, entry.revision) == ("correction", 4, 1)
        left = alices.get(f"{DECKS}{deck.pk}/exports/json").json()
        assert (left["xp"], left["xp_spent"], left["xp_adjustment"]) == (4, None, 0)


def test_a_listed_balance_survives_a_round_trip(alices: APIClient, alice: User) -> None:
    """Nothing was booked since; a total is no balance and opens no ledger."""
    for listed, balance in (
        ({"xp": 5, "xp_adjustment": -1}, 4),
        ({"meta": '{"orne_experience": "12 total"}'}, 0),
    ):
        body = {"investigator_code": "01001", "slots": {MACHETE: 2}, **listed}
        made = _post(alices, f"{DECKS}import", {"text": json.dumps(body)}).json()
        assert made["deck"]["balance"] == balance
        left = alices.get(f"{DECKS}{made['deck']['id']}/exports/json").json()
        assert left["xp"] == listed.get("xp")
        assert left["xp_adjustment"] == listed.get("xp_adjustment", 0)
        if "meta" in listed:
            assert json.loads(left["meta"])["orne_experience"] == "12 total"


def test_the_ledgers_balance_is_exported(
    alices: APIClient, alice: User, deck: Deck
) -> None:
    """``xp`` less ``xp_spent`` is the balance; exiles are of the game before."""
    ready = apply(
        deck.revisions.get().content,
        [("remove", "01000"), ("add", "01101")],
        embedded_pool(),
    )
    services.revise_deck(deck=deck, content=ready, expected_revision=1, now=NOW)
    game = services.PlayedGame((Earned("victory", 5),), {"exiled": {MACHETE: 2}})
    services.mark_played(deck=deck, game=game, expected_revision=2, now=NOW)
    played = alices.get(f"{DECKS}{deck.pk}/exports/json").json()
    assert (played["xp"], played["xp_spent"]) == (5, None)
    assert played["exile_string"] is None

    changes = [("remove", BEAT_COP), ("add", BEAT_COP_2), ("add", f"{MACHETE}:2")]
    content = apply(
        services.opened(deck.revisions.get(number=2)), changes, embedded_pool()
    )
    services.upgrade_deck(deck=deck, content=content, expected_revision=2, now=NOW)
    left = alices.get(f"{DECKS}{deck.pk}/exports/json").json()
    assert (left["xp"], left["xp_spent"]) == (5, 2)
    assert left["exile_string"] == f"{MACHETE},{MACHETE}"

    again = services.PlayedGame((Earned("victory", 4),))
    services.mark_played(deck=deck, game=again, expected_revision=3, now=NOW)
    left = alices.get(f"{DECKS}{deck.pk}/exports/json").json()
    assert (left["xp"], left["xp_spent"]) == (9, 2)
    made = _post(alices, f"{DECKS}import", {"text": json.dumps(left)}).json()
    assert made["deck"]["balance"] == ledger.balance_of(deck) == 7
    old = alices.get(f"{DECKS}{deck.pk}/exports/json?revision=2").json()
    assert (old["xp"], old["slots"][MACHETE]) == (None, 2)


def test_a_lists_notes_on_an_earlier_upgrade_end_with_a_game(alice: User) -> None:
    """Then the ledger has them."""
    listed = read_content(
        {"investigator_code": "01001", "slots": {MACHETE: 2}, "xp": 5}
    )
    deck = services.create_deck(owner=alice, content=listed, now=NOW, carried=5)
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=NOW
    )
    assert "xp" not in services.opened(deck.revisions.get()).deck
