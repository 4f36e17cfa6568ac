"""Games and upgrades, for programs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from arkham.accounts.models import ApiKey, User
from decks.api import examples
from decks.models import Deck, Desk
from decks.services import ledger
from tests.decks.games_and_upgrades.helpers import (
    BEAT_COP,
    BEAT_COP_2,
    MACHETE,
    RUNIC_AXE,
)
from tests.decks.games_and_upgrades.requests import (
    COP_UPGRADED,
    DECKS,
    etag_of,
    opening,
    send,
    wished,
)
from tests.helpers import program_of

pytestmark = pytest.mark.usefixtures("rows")
GAME = examples.GAME | {"window": {"exiled": {MACHETE: 1}}}

# -- games --


def test_a_game_is_entered_once(alices: APIClient, deck: Deck) -> None:
    """With the source of every point; the deck says that it was played."""
    etag = etag_of(alices, deck)
    answer = send(alices, "POST", deck, "games", GAME, If_Match=etag)

    assert answer.status_code == 200
    told = answer.json()
    assert (told["is_played"], told["balance"], told["revision"]) == (True, 5, 1)
    assert told["played_at"] is not None
    assert answer["ETag"] == etag_of(alices, deck) != etag
    late = send(alices, "POST", deck, "games", GAME, If_Match=etag)
    assert late.status_code == 412
    assert late.json()["current"]["balance"] == 5
    assert late.json()["yours"] == GAME
    assert late.json()["base"]["number"] == 1
    unseen = send(alices, "POST", deck, "games", GAME, If_Match='"x"')
    assert (unseen.status_code, unseen.json()["base"]) == (412, None)
    again = send(alices, "POST", deck, "games", GAME)
    assert (again.status_code, again.json()["type"]) == (
        409, "urn:orne:problem:written-already"
    )  # fmt: skip
    assert ledger.balance_of(deck) == 5


def test_a_game_without_an_upgrade_before_it_needs_again(
    alices: APIClient, deck: Deck
) -> None:
    """``again``: the deck goes on as the last game left it."""
    game = {"earned": [{"kind": "victory", "amount": 2}], "again": True}
    assert send(alices, "POST", deck, "games", game).status_code == 409
    first = {"window": {"exiled": {MACHETE: 1}}, "tasks": ["02018"]}
    send(alices, "POST", deck, "games", first)
    answer = send(alices, "POST", deck, "games", game)

    assert answer.status_code == 200
    told = answer.json()
    assert (told["revision"], told["balance"]) == (2, 2)
    assert told["deck"]["slots"][MACHETE] == 1
    assert told["circumstances"]["tasks"] == ["02018"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ([], ""),
        ({"game": 1}, "/game"),
        ({"earned": {}}, "/earned"),
        ({"earned": [{"kind": "spent", "amount": 1}]}, "/earned/0/kind"),
        ({"earned": [{"kind": "victory", "amount": -1}]}, "/earned/0/amount"),
        ({"earned": [{"kind": "bonus", "amount": True}]}, "/earned/0/amount"),
        ({"earned": [{"kind": "bonus", "amount": 1, "by": 1}]}, "/earned/0/by"),
        (
            {"earned": [{"kind": "bonus", "amount": 1, "reason": "x" * 301}]},
            "/earned/0/reason",
        ),
        (
            {"earned": [{"kind": "bonus", "amount": 1, "reason": 0}]},
            "/earned/0/reason",
        ),
        ({"window": {"exiled": "01020"}}, "/window/exiled"),
        ({"window": {"granted": [""]}}, "/window/granted/0"),
        ({"window": {"available": 9}}, "/window/available"),
        ({"tasks": [5]}, "/tasks/0"),
        ({"again": "yes"}, "/again"),
        ({"window": {"exiled": {"\0": 1}}}, ""),
    ],
)
def test_an_invalid_game_is_refused_with_its_place(
    alices: APIClient, deck: Deck, body: Any, pointer: str
) -> None:
    """422; no game is entered."""
    answer = send(alices, "POST", deck, "games", body)
    assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)
    assert not deck.ledger.exists()


def test_exiled_copies_that_the_deck_lacks_are_refused_by_name(
    alices: APIClient, deck: Deck
) -> None:
    """Each such card has its place and what the deck has; no game is entered."""
    window = {"exiled": {MACHETE: 1, BEAT_COP: 3, "01022": 1}}
    answer = send(alices, "POST", deck, "games", {"window": window})
    cop, evidence = answer.json()["errors"]
    assert answer.status_code == 422
    assert (cop["pointer"], cop["expected"]) == (
        f"/window/exiled/{BEAT_COP}", "at most 2"
    )  # fmt: skip
    assert cop["detail"] == "The deck has too few copies to exile 3 × Beat Cop."
    assert (evidence["pointer"], evidence["expected"]) == (
        "/window/exiled/01022", "at most 0"
    )  # fmt: skip
    assert not deck.ledger.exists()


def test_a_card_is_exiled_once_and_in_the_game_it_came_with(
    alices: APIClient, deck: Deck
) -> None:
    """Another game goes on without the copies that the last one exiled."""
    came = {"exiled": {"01022": 1}, "granted": {"01022": 1}}
    copies = deck.revisions.get(number=1).list["slots"][MACHETE]
    for window, status in (
        (came, 200),
        ({"exiled": {MACHETE: copies}}, 200),
        ({"exiled": {MACHETE: 1}}, 422),
    ):
        body = {"window": window, "again": window is not came}
        assert send(alices, "POST", deck, "games", body).status_code == status


@pytest.mark.parametrize("kind", [{"kind": "vicory"}, {"kind": None}, {}])
def test_an_unknown_source_of_experience_is_answered_with_all(
    alices: APIClient, deck: Deck, kind: dict[str, Any]
) -> None:
    """Not with the victory display alone."""
    game = {"earned": [{"amount": 1, **kind}]}
    [error] = send(alices, "POST", deck, "games", game).json()["errors"]
    assert error["pointer"] == "/earned/0/kind"
    assert error["expected"] == "one of victory, bonus, card"


# -- upgrades --


def test_before_any_game_there_is_no_upgrade(alices: APIClient, deck: Deck) -> None:
    """409: the deck is edited."""
    for place in ("upgrade", "desk"):
        answer = alices.get(f"{DECKS}{deck.pk}/{place}")
        assert answer.status_code == 409
        assert answer.json()["type"] == "urn:orne:problem:not-played"
    for place in ("upgrade", "upgrade/preview"):
        answer = send(alices, "POST", deck, place, examples.WISHED)
        assert answer.status_code == 409


def test_changing_a_played_deck_is_refused_with_the_upgrades_address(
    alices: APIClient, played: Deck
) -> None:
    answer = send(alices, "PATCH", played, "", {"deck": {"slots": {MACHETE: 1}}})
    assert answer.status_code == 409
    assert answer.json()["upgrade"] == f"http://testserver{DECKS}{played.pk}/upgrade"


def test_an_upgrade_begins_with_the_deck_after_the_game(
    alices: APIClient, played: Deck
) -> None:
    """Without exiled cards, with what may be spent."""
    told = opening(alices, played)
    assert (told["base"], told["balance"], told["available"]) == (1, 6, 6)
    assert told["deck"]["slots"][MACHETE] == 1
    assert told["window"] == {"exiled": {MACHETE: 1}}
    assert told["circumstances"]["experience_earned"] == 6


def test_a_preview_shows_everything_and_writes_nothing(
    alice: User, alices: APIClient, played: Deck
) -> None:
    """Invoice, verdict, balance before and after; a key that reads may ask."""
    wish = wished(alices, played, COP_UPGRADED)
    reader = program_of(alice, ApiKey.Scope.READ)
    answer = send(reader, "POST", played, "upgrade/preview", wish, If_Match="")

    assert answer.status_code == 200
    told = answer.json()
    assert (told["balance"], told["available"], told["left"]) == (6, 6, 4)
    assert told["lawful"] is True
    assert told["verdict"]["status"] == "legal"
    lines = [(e["rule"], e["card"], e["paid"]) for e in told["invoice"]["lines"]]
    assert lines == [("price.refill", MACHETE, 0), ("price.upgrade", BEAT_COP_2, 2)]
    assert told["invoice"]["experience_spent"] == 2
    assert (told["exiled"], told["replaced"]) == ({MACHETE: 1}, {})
    pin = {"card": BEAT_COP_2, "way": "purchase", "from": None}
    assert {"pin": pin, "difference": 0} in told["otherwise"]
    played.refresh_from_db()
    assert (played.revision, ledger.balance_of(played)) == (1, 6)


def test_an_upgrade_with_too_many_copies_is_refused(
    alices: APIClient, played: Deck
) -> None:
    """A deck may have and keep them; but an invoice has a line for each."""
    wish = wished(alices, played, {MACHETE: 10_000})
    answer = send(alices, "POST", played, "upgrade/preview", wish)
    assert answer.status_code == 422
    assert [each["pointer"] for each in answer.json()["errors"]] == ["/deck/slots"]


def test_the_invoice_is_that_of_the_price_endpoint(
    alices: APIClient, played: Deck, api: APIClient
) -> None:
    """The same object for the same request."""
    wish = wished(alices, played, COP_UPGRADED)
    preview = send(alices, "POST", played, "upgrade/preview", wish).json()
    before = alices.get(f"{DECKS}{played.pk}/revisions/1/").json()["deck"]
    asked = {
        "id": played.pk, "prev": before, "next": wish["deck"],
        "window": {"exiled": {MACHETE: 1}, "available": 6},
        "circumstances": opening(alices, played)["circumstances"],
    }  # fmt: skip
    priced = api.generic(
        "POST", "/api/v1/upgrades/price", json.dumps(asked), "application/json"
    )
    assert priced.json() == preview["invoice"]


def test_an_upgrade_is_paid_for(alices: APIClient, played: Deck) -> None:
    """A revision with its cause, base and invoice; the ledger says what was spent."""
    wish = wished(alices, played, COP_UPGRADED)
    etag = etag_of(alices, played)
    answer = send(alices, "POST", played, "upgrade", wish, If_Match=etag)

    assert answer.status_code == 201
    told = answer.json()
    assert answer["Location"].endswith(f"{DECKS}{played.pk}/revisions/2/")
    assert alices.get(answer["Location"]).json() == told
    assert answer["ETag"] == etag_of(alices, played)
    assert (told["cause"], told["base"], told["made_by"]) == ("upgraded", 1, "alice")
    assert (told["experience_spent"], told["invoice"]["experience_spent"]) == (2, 2)
    assert told["deck"]["slots"][BEAT_COP_2] == 1
    entries = alices.get(f"{DECKS}{played.pk}/ledger/").json()["results"]
    assert [(e["kind"], e["amount"], e["balance"]) for e in entries] == [
        ("victory", 5, 5), ("bonus", 1, 6), ("spent", -2, 4)
    ]  # fmt: skip
    assert entries[1]["reason"] == "spared her"
    assert {each["author"] for each in entries} == {"alice"}
    assert opening(alices, played)["available"] == 6


def test_an_upgrade_sent_twice_is_made_once(alices: APIClient, played: Deck) -> None:
    """With one idempotency key, which is refused for another upgrade."""
    wish = wished(alices, played, COP_UPGRADED)
    etag = etag_of(alices, played)
    first, again = (
        send(
            alices, "POST", played, "upgrade", wish,
            If_Match=etag, Idempotency_Key="one",
        )
        for _time in range(2)
    )  # fmt: skip
    assert (first.status_code, first.content) == (201, again.content)
    assert again["Idempotent-Replayed"] == "true"
    other = wished(alices, played, {MACHETE: 2})
    refused = send(
        alices, "POST", played, "upgrade", other, If_Match=etag, Idempotency_Key="one"
    )
    assert refused.status_code == 422
    played.refresh_from_db()
    assert played.revision == 2


def test_an_upgrade_needs_if_match(alices: APIClient, played: Deck) -> None:
    """428 without it; 412 with both versions and their common base."""
    wish = wished(alices, played, COP_UPGRADED)
    etag = etag_of(alices, played)
    missing = send(alices, "POST", played, "upgrade", wish, If_Match="")
    assert missing.status_code == 428
    other = wished(alices, played, {MACHETE: 2})
    assert send(alices, "POST", played, "upgrade", other).status_code == 201
    late = send(alices, "POST", played, "upgrade", wish, If_Match=etag)

    assert late.status_code == 412
    told = late.json()
    assert (told["current"]["revision"], told["base"]["number"]) == (2, 1)
    assert told["yours"]["deck"]["slots"][BEAT_COP_2] == 1
    assert told["etag"] == etag_of(alices, played)


def test_findings_prevent_an_upgrade_unless_it_is_a_repair(
    alices: APIClient, played: Deck
) -> None:
    """422 with the findings and the invoice; with a reason it is made."""
    wish = wished(alices, played, {BEAT_COP_2: 2, BEAT_COP: 0, MACHETE: 3})
    answer = send(alices, "POST", played, "upgrade", wish)

    assert answer.status_code == 422
    told = answer.json()
    assert told["type"] == "urn:orne:problem:refused"
    assert "copies.title" in [each["rule"] for each in told["findings"]]
    assert told["invoice"]["experience_spent"] == 5
    wish["repair"] = "The table wanted it."
    made = send(alices, "POST", played, "upgrade", wish)
    assert made.status_code == 201
    told = made.json()
    assert (told["cause"], told["reason"]) == ("repaired", "The table wanted it.")


def test_overspending_is_a_finding(alices: APIClient, played: Deck) -> None:
    """With what there was."""
    body = {"amount": -5, "reason": "Counted wrongly."}
    send(alices, "POST", played, "ledger/", body)
    wish = wished(alices, played, COP_UPGRADED)
    told = send(alices, "POST", played, "upgrade/preview", wish).json()
    assert (told["available"], told["left"], told["lawful"]) == (1, -1, False)
    assert told["invoice"]["findings"][0]["rule"] == "upgrade.experience"


def test_boxes_pins_and_declined_discounts_are_read(
    alices: APIClient, played: Deck
) -> None:
    """Everything the page can do."""
    wish = wished(alices, played, {MACHETE: 2})
    wish["deck"]["meta"][f"cus_{RUNIC_AXE}"] = "1|1"
    told = send(alices, "POST", played, "upgrade/preview", wish).json()
    lines = [(e["rule"], e["paid"], e["boxes"]) for e in told["invoice"]["lines"]]
    assert ("price.boxes", 1, 1) in lines

    wish = wished(alices, played, COP_UPGRADED)
    pins = [{"card": BEAT_COP_2, "way": "upgrade", "from": BEAT_COP}]
    wish["window"] = {"pins": pins, "refused": ["04109"], "exiled": {}}
    told = send(alices, "POST", played, "upgrade/preview", wish).json()
    assert told["exiled"] == {}
    assert told["invoice"]["lines"][0]["upgraded_from"] == BEAT_COP


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"deck": None}, "/deck"),
        ({"deck": {"investigator_code": "01001", "slots": {"01020": "x"}}},
         "/deck/slots/01020"),
        ({"circumstances": {"mode": "x"}}, "/circumstances/mode"),
        ({"window": {"wealth": 1}}, "/window/wealth"),
        ({"window": {"available": 1}}, "/window/available"),
        ({"window": {"owed": {"deck": 1}}}, "/window/owed"),
        ({"window": {"earlier": {}}}, "/window/earlier"),
        ({"repair": 5}, "/repair"),
        ({"xp": 5}, "/xp"),
    ],
)  # fmt: skip
def test_an_invalid_upgrade_is_refused_with_its_place(
    alices: APIClient, played: Deck, change: dict[str, Any], pointer: str
) -> None:
    """422, by both endpoints."""
    wish = wished(alices, played, COP_UPGRADED) | change
    for place in ("upgrade", "upgrade/preview"):
        answer = send(alices, "POST", played, place, wish)
        assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)


def test_copies_may_be_listed_one_by_one(
    alices: APIClient, as_alice: Client, deck: Deck
) -> None:
    """A list names the code of every copy; every page reads it as an object."""
    window = {"exiled": [MACHETE], "granted": [BEAT_COP], "free_boxes": [RUNIC_AXE]}
    game = {"window": window | {"taken": [], "quills": []}}
    assert send(alices, "POST", deck, "games", game).status_code == 200
    wish = wished(alices, deck, {})
    assert send(alices, "PUT", deck, "desk", wish | game).status_code == 200

    page = f"/decks/{deck.pk}/"
    told = as_alice.get(f"{page}upgrade/told").content.decode()
    assert f"1 {BEAT_COP}" in told
    seen = alices.get(f"{DECKS}{deck.pk}/desk").json()
    assert seen["window"]["exiled"] == [MACHETE]
    mark = as_alice.get(f"{page}upgrade/").context["desk"].mark
    pressed = {"revision": mark, "do": f"exile={MACHETE}"}
    assert as_alice.post(f"{page}upgrade/", pressed).status_code == 303
    assert Desk.objects.get().window["exiled"] == {MACHETE: 2}
    wish = wished(alices, deck, {}) | {"repair": "Told otherwise."}
    assert send(alices, "POST", deck, "upgrade", wish).status_code == 201
    assert as_alice.get(f"{page}compare/").status_code == 200
    compared = alices.get(f"{DECKS}{deck.pk}/compare")
    assert compared.json()["exiled"] == {MACHETE: 1}
