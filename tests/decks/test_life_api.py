"""The life of a deck, for programs: games, upgrades, the desk, the ledger."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.api import examples
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck, Desk
from decks.services import ledger
from tests.decks.edits import apply

pytestmark = pytest.mark.usefixtures("rows")

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
DECKS = "/api/v1/decks/"
MACHETE, BEAT_COP, BEAT_COP_2, RUNIC_AXE = "01020", "01018", "01028", "09022"
PLACES = {
    "games": "POST",
    "ledger/": "POST",
    "upgrade": "POST",
    "upgrade/preview": "POST",
    "desk": "PUT",
}


def _program(owner: User, scope: ApiKey.Scope = ApiKey.Scope.WRITE) -> APIClient:
    _key, text = accounts.make_key(owner=owner, name="p", scope=scope, now=NOW)
    return APIClient(headers={"Authorization": f"Bearer {text}"})


def _content() -> Content:
    """A legal deck with a weakness drawn and a customizable card."""
    changes = [
        ("remove", "01000"),
        ("add", "01101"),
        ("remove", "01022:2"),
        ("add", f"{RUNIC_AXE}:2"),
    ]
    return apply(starter_deck(embedded_pool(), "01001"), changes, embedded_pool())


@pytest.fixture
def alices(alice: User) -> APIClient:
    """A program of Alice's that may write."""
    return _program(alice)


@pytest.fixture
def deck(alice: User) -> Deck:
    """Alice's deck before its first game."""
    return services.create_deck(owner=alice, content=_content(), now=NOW, name="Axes")


@pytest.fixture
def played(alices: APIClient, deck: Deck) -> Deck:
    """The same after a game that brought 6 and took a Machete."""
    earned = [
        {"kind": "victory", "amount": 5},
        {"kind": "bonus", "amount": 1, "reason": "spared her"},
    ]
    game = {"earned": earned, "window": {"exiled": {MACHETE: 1}}}
    assert _send(alices, "POST", deck, "games", game).status_code == 200
    return deck


def _etag(client: APIClient, deck: Deck, place: str = "") -> str:
    return str(client.get(f"{DECKS}{deck.pk}/{place}")["ETag"])


def _send(
    client: APIClient, method: str, deck: Deck, place: str, body: Any, **headers: str
) -> Any:
    """A request in sight of what is there now, unless told otherwise."""
    headers.setdefault("If_Match", "*")
    return client.generic(
        method,
        f"{DECKS}{deck.pk}/{place}",
        json.dumps(body),
        "application/json",
        headers={k.replace("_", "-"): v for k, v in headers.items() if v},
    )


def _opening(client: APIClient, deck: Deck) -> dict[str, Any]:
    answer: dict[str, Any] = client.get(f"{DECKS}{deck.pk}/upgrade").json()
    return answer


def _wish(
    client: APIClient, deck: Deck, slots: dict[str, int], **more: Any
) -> dict[str, Any]:
    """The deck as the game left it, with other copies of these cards."""
    wanted = _opening(client, deck)["deck"]
    wanted["slots"] = {k: n for k, n in (wanted["slots"] | slots).items() if n}
    return {"deck": wanted, **more}


COP_UPGRADED = {BEAT_COP: 1, BEAT_COP_2: 1, MACHETE: 2}


# -- games --


def test_a_game_is_written_down_once(alices: APIClient, deck: Deck) -> None:
    """With every point's source; the deck says that it was played."""
    etag = _etag(alices, deck)
    answer = _send(alices, "POST", deck, "games", examples.GAME, If_Match=etag)

    assert answer.status_code == 200
    told = answer.json()
    assert (told["is_played"], told["balance"], told["revision"]) == (True, 5, 1)
    assert told["played_at"] is not None
    assert answer["ETag"] == _etag(alices, deck) != etag
    late = _send(alices, "POST", deck, "games", examples.GAME, If_Match=etag)
    assert late.status_code == 412
    assert late.json()["current"]["balance"] == 5
    assert late.json()["yours"] == examples.GAME
    assert late.json()["base"]["number"] == 1
    unseen = _send(alices, "POST", deck, "games", examples.GAME, If_Match='"x"')
    assert (unseen.status_code, unseen.json()["base"]) == (412, None)
    again = _send(alices, "POST", deck, "games", examples.GAME)
    assert (again.status_code, again.json()["type"]) == (
        409, "urn:orne:problem:written-already"
    )  # fmt: skip
    assert ledger.balance_of(deck) == 5


def test_another_game_without_an_upgrade_says_so(alices: APIClient, deck: Deck) -> None:
    """``again``: the deck goes on as the last one left it."""
    game = {"earned": [{"kind": "victory", "amount": 2}], "again": True}
    assert _send(alices, "POST", deck, "games", game).status_code == 409
    first = {"window": {"exiled": {MACHETE: 1}}, "tasks": ["02018"]}
    _send(alices, "POST", deck, "games", first)
    answer = _send(alices, "POST", deck, "games", game)

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
def test_what_is_no_game_is_refused_with_its_place(
    alices: APIClient, deck: Deck, body: Any, pointer: str
) -> None:
    """422; nothing is written down."""
    answer = _send(alices, "POST", deck, "games", body)
    assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)
    assert not deck.ledger.exists()


# -- upgrades --


def test_before_any_game_there_is_no_upgrade(alices: APIClient, deck: Deck) -> None:
    """409: the deck is edited."""
    for place in ("upgrade", "desk"):
        answer = alices.get(f"{DECKS}{deck.pk}/{place}")
        assert answer.status_code == 409
        assert answer.json()["type"] == "urn:orne:problem:not-played"
    for place in ("upgrade", "upgrade/preview"):
        answer = _send(alices, "POST", deck, place, examples.WISHED)
        assert answer.status_code == 409


def test_a_played_deck_leads_to_the_upgrade(alices: APIClient, played: Deck) -> None:
    """Written to as if it were new, it says where it is changed."""
    answer = _send(alices, "PATCH", played, "", {"deck": {"slots": {MACHETE: 1}}})
    assert answer.status_code == 409
    assert answer.json()["upgrade"] == f"http://testserver{DECKS}{played.pk}/upgrade"


def test_an_upgrade_begins_as_the_game_left_the_deck(
    alices: APIClient, played: Deck
) -> None:
    """Without what was exiled, with what may be spent."""
    told = _opening(alices, played)
    assert (told["base"], told["balance"], told["available"]) == (1, 6, 6)
    assert told["deck"]["slots"][MACHETE] == 1
    assert told["window"] == {"exiled": {MACHETE: 1}}
    assert told["circumstances"]["experience_earned"] == 6


def test_a_preview_tells_everything_and_does_nothing(
    alice: User, alices: APIClient, played: Deck
) -> None:
    """Invoice, verdict, balance before and after; a key that reads may ask."""
    wish = _wish(alices, played, COP_UPGRADED)
    reader = _program(alice, ApiKey.Scope.READ)
    answer = _send(reader, "POST", played, "upgrade/preview", wish, If_Match="")

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


def test_more_copies_than_an_invoice_lists_are_refused(
    alices: APIClient, played: Deck
) -> None:
    """They may be kept in a deck, and judged; a price has a line for each."""
    wish = _wish(alices, played, {MACHETE: 10_000})
    answer = _send(alices, "POST", played, "upgrade/preview", wish)
    assert answer.status_code == 422
    assert [each["pointer"] for each in answer.json()["errors"]] == ["/deck/slots"]


def test_the_invoice_is_that_of_the_price_endpoint(
    alices: APIClient, played: Deck, api: APIClient
) -> None:
    """The same object for the same question."""
    wish = _wish(alices, played, COP_UPGRADED)
    preview = _send(alices, "POST", played, "upgrade/preview", wish).json()
    before = alices.get(f"{DECKS}{played.pk}/revisions/1/").json()["deck"]
    asked = {
        "id": played.pk, "prev": before, "next": wish["deck"],
        "window": {"exiled": {MACHETE: 1}, "available": 6},
        "circumstances": _opening(alices, played)["circumstances"],
    }  # fmt: skip
    priced = api.generic(
        "POST", "/api/v1/upgrades/price", json.dumps(asked), "application/json"
    )
    assert priced.json() == preview["invoice"]


def test_an_upgrade_is_paid_for(alices: APIClient, played: Deck) -> None:
    """A revision with its cause, base and invoice; the ledger says what was spent."""
    wish = _wish(alices, played, COP_UPGRADED)
    etag = _etag(alices, played)
    answer = _send(alices, "POST", played, "upgrade", wish, If_Match=etag)

    assert answer.status_code == 201
    told = answer.json()
    assert answer["Location"].endswith(f"{DECKS}{played.pk}/revisions/2/")
    assert alices.get(answer["Location"]).json() == told
    assert answer["ETag"] == _etag(alices, played)
    assert (told["cause"], told["base"], told["made_by"]) == ("upgraded", 1, "alice")
    assert (told["experience_spent"], told["invoice"]["experience_spent"]) == (2, 2)
    assert told["deck"]["slots"][BEAT_COP_2] == 1
    entries = alices.get(f"{DECKS}{played.pk}/ledger/").json()["results"]
    assert [(e["kind"], e["amount"], e["balance"]) for e in entries] == [
        ("victory", 5, 5), ("bonus", 1, 6), ("spent", -2, 4)
    ]  # fmt: skip
    assert entries[1]["reason"] == "spared her"
    assert {each["author"] for each in entries} == {"alice"}
    assert _opening(alices, played)["available"] == 6


def test_an_upgrade_sent_twice_is_made_once(alices: APIClient, played: Deck) -> None:
    """Under one name; another under it is refused."""
    wish = _wish(alices, played, COP_UPGRADED)
    etag = _etag(alices, played)
    first, again = (
        _send(
            alices, "POST", played, "upgrade", wish,
            If_Match=etag, Idempotency_Key="one",
        )
        for _time in range(2)
    )  # fmt: skip
    assert (first.status_code, first.content) == (201, again.content)
    assert again["Idempotent-Replayed"] == "true"
    other = _wish(alices, played, {MACHETE: 2})
    refused = _send(
        alices, "POST", played, "upgrade", other, If_Match=etag, Idempotency_Key="one"
    )
    assert refused.status_code == 422
    played.refresh_from_db()
    assert played.revision == 2


def test_an_upgrade_needs_to_have_seen_the_deck(
    alices: APIClient, played: Deck
) -> None:
    """428 without If-Match; 412 with both versions and what both grew from."""
    wish = _wish(alices, played, COP_UPGRADED)
    etag = _etag(alices, played)
    missing = _send(alices, "POST", played, "upgrade", wish, If_Match="")
    assert missing.status_code == 428
    other = _wish(alices, played, {MACHETE: 2})
    assert _send(alices, "POST", played, "upgrade", other).status_code == 201
    late = _send(alices, "POST", played, "upgrade", wish, If_Match=etag)

    assert late.status_code == 412
    told = late.json()
    assert (told["current"]["revision"], told["base"]["number"]) == (2, 1)
    assert told["yours"]["deck"]["slots"][BEAT_COP_2] == 1
    assert told["etag"] == _etag(alices, played)


def test_what_the_rules_find_is_refused_unless_it_is_a_repair(
    alices: APIClient, played: Deck
) -> None:
    """422 with the findings and the invoice; with a reason it is made."""
    wish = _wish(alices, played, {BEAT_COP_2: 2, BEAT_COP: 0, MACHETE: 3})
    answer = _send(alices, "POST", played, "upgrade", wish)

    assert answer.status_code == 422
    told = answer.json()
    assert told["type"] == "urn:orne:problem:refused"
    assert "copies.title" in [each["rule"] for each in told["findings"]]
    assert told["invoice"]["experience_spent"] == 5
    wish["repair"] = "The table wanted it."
    made = _send(alices, "POST", played, "upgrade", wish)
    assert made.status_code == 201
    told = made.json()
    assert (told["cause"], told["reason"]) == ("repaired", "The table wanted it.")


def test_overspending_is_a_finding(alices: APIClient, played: Deck) -> None:
    """Told with what there was."""
    body = {"amount": -5, "reason": "Counted wrongly."}
    _send(alices, "POST", played, "ledger/", body)
    wish = _wish(alices, played, COP_UPGRADED)
    told = _send(alices, "POST", played, "upgrade/preview", wish).json()
    assert (told["available"], told["left"], told["lawful"]) == (1, -1, False)
    assert told["invoice"]["findings"][0]["rule"] == "upgrade.experience"


def test_boxes_pins_and_refusals_are_told(alices: APIClient, played: Deck) -> None:
    """Everything the page can do."""
    wish = _wish(alices, played, {MACHETE: 2})
    wish["deck"]["meta"][f"cus_{RUNIC_AXE}"] = "1|1"
    told = _send(alices, "POST", played, "upgrade/preview", wish).json()
    lines = [(e["rule"], e["paid"], e["boxes"]) for e in told["invoice"]["lines"]]
    assert ("price.boxes", 1, 1) in lines

    wish = _wish(alices, played, COP_UPGRADED)
    pins = [{"card": BEAT_COP_2, "way": "upgrade", "from": BEAT_COP}]
    wish["window"] = {"pins": pins, "refused": ["04109"], "exiled": {}}
    told = _send(alices, "POST", played, "upgrade/preview", wish).json()
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
        ({"repair": 5}, "/repair"),
        ({"xp": 5}, "/xp"),
    ],
)  # fmt: skip
def test_what_is_no_upgrade_is_refused_with_its_place(
    alices: APIClient, played: Deck, change: dict[str, Any], pointer: str
) -> None:
    """422, by both doors alike."""
    wish = _wish(alices, played, COP_UPGRADED) | change
    for place in ("upgrade", "upgrade/preview"):
        answer = _send(alices, "POST", played, place, wish)
        assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)


def test_copies_may_be_told_one_by_one(
    alices: APIClient, as_alice: Client, deck: Deck
) -> None:
    """A list names the code of every copy; every page reads it as an object."""
    window = {"exiled": [MACHETE], "granted": [BEAT_COP], "free_boxes": [RUNIC_AXE]}
    game = {"window": window | {"taken": [], "quills": []}}
    assert _send(alices, "POST", deck, "games", game).status_code == 200
    wish = _wish(alices, deck, {})
    assert _send(alices, "PUT", deck, "desk", wish | game).status_code == 200

    page = f"/decks/{deck.pk}/"
    told = as_alice.get(f"{page}upgrade/told").content.decode()
    assert f"1 {BEAT_COP}" in told
    seen = alices.get(f"{DECKS}{deck.pk}/desk").json()
    assert seen["window"]["exiled"] == [MACHETE]
    mark = as_alice.get(f"{page}upgrade/").context["desk"].mark
    pressed = {"revision": mark, "do": f"exile={MACHETE}"}
    assert as_alice.post(f"{page}upgrade/", pressed).status_code == 303
    assert Desk.objects.get().window["exiled"] == {MACHETE: 2}
    wish = _wish(alices, deck, {}) | {"repair": "Told otherwise."}
    assert _send(alices, "POST", deck, "upgrade", wish).status_code == 201
    assert as_alice.get(f"{page}compare/").status_code == 200
    compared = alices.get(f"{DECKS}{deck.pk}/compare")
    assert compared.json()["exiled"] == {MACHETE: 1}


# -- the desk --


def test_what_a_program_lays_out_lies_on_the_players_desk(
    alices: APIClient, alice: User, played: Deck
) -> None:
    """Kept with a version of its own; cleared, nothing was bought."""
    etag = _etag(alices, played, "desk")
    wish = _wish(alices, played, COP_UPGRADED)
    laid = _send(alices, "PUT", played, "desk", wish, If_Match=etag)

    assert laid.status_code == 200
    told = laid.json()
    assert (told["seen"], told["version"]) == (1, 1)
    assert told["deck"]["slots"][BEAT_COP_2] == 1
    assert laid["ETag"] == _etag(alices, played, "desk") != etag
    late = _send(alices, "PUT", played, "desk", wish, If_Match=etag)
    assert late.status_code == 412
    assert late.json()["current"]["version"] == 1
    missing = _send(alices, "DELETE", played, "desk", None, If_Match="")
    assert missing.status_code == 428
    gone = _send(alices, "DELETE", played, "desk", None, If_Match=laid["ETag"])
    assert gone.status_code == 204
    assert alices.get(f"{DECKS}{played.pk}/desk").json()["version"] == 0
    anew = _send(alices, "PUT", played, "desk", wish)
    assert anew.json()["version"] == 1
    assert anew["ETag"] != laid["ETag"]


# -- revisions, comparing, the ledger --


def test_revisions_are_told_with_their_causes(alices: APIClient, played: Deck) -> None:
    """And two of them compared, with what was paid between."""
    wish = _wish(alices, played, COP_UPGRADED)
    _send(alices, "POST", played, "upgrade", wish)
    first, second = alices.get(f"{DECKS}{played.pk}/revisions/").json()["results"]

    assert (first["cause"], first["base"], first["experience_spent"]) == (
        "built", None, None
    )  # fmt: skip
    assert first["played_at"] is not None
    assert (second["cause"], second["base"], second["experience_spent"]) == (
        "upgraded", 1, 2
    )  # fmt: skip
    one = alices.get(f"{DECKS}{played.pk}/revisions/1/").json()
    assert one["aftermath"] == {"exiled": {MACHETE: 1}}
    for query in ("before=1&after=2", "before=2&after=1", "after=2"):
        told = alices.get(f"{DECKS}{played.pk}/compare?{query}").json()
        assert (told["before"], told["after"]) == (1, 2)
        assert told["added"] == {BEAT_COP_2: 1}
        assert (told["removed"], told["exiled"]) == ({BEAT_COP: 1}, {MACHETE: 1})
        assert told["paid"] == [{"revision": 2, "experience_spent": 2}]
        assert told["experience_spent"] == 2


def test_the_balance_runs_over_the_pages_of_a_ledger(
    alices: APIClient, played: Deck
) -> None:
    """Every page goes on where the last one ended; a correction has its reason."""
    body = {"amount": -2, "reason": " Counted twice. "}
    made = _send(alices, "POST", played, "ledger/", body, If_Match="")
    assert made.status_code == 201
    told = made.json()
    assert (told["kind"], told["reason"], told["balance"]) == (
        "correction", "Counted twice.", 4
    )  # fmt: skip
    page = alices.get(f"{DECKS}{played.pk}/ledger/?page_size=2").json()
    assert [each["balance"] for each in page["results"]] == [5, 6]
    rest = alices.get(page["next"]).json()["results"]
    assert rest == [told]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"amount": 1}, "/reason"),
        ({"amount": 1, "reason": "  "}, "/reason"),
        ({"amount": 0, "reason": "x"}, "/amount"),
        ({"amount": 1000, "reason": "x"}, "/amount"),
        ({"reason": "x"}, "/amount"),
        ({"amount": 1, "reason": "x", "kind": "bonus"}, "/kind"),
    ],
)
def test_a_correction_has_an_amount_and_a_reason(
    alices: APIClient, deck: Deck, body: Any, pointer: str
) -> None:
    """422 otherwise."""
    answer = _send(alices, "POST", deck, "ledger/", body)
    assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)


def test_a_deck_that_changed_meanwhile_is_not_deleted(
    alices: APIClient, played: Deck
) -> None:
    """A point of experience more is a change too."""
    etag = _etag(alices, played)
    body = {"amount": 1, "reason": "Forgotten."}
    _send(alices, "POST", played, "ledger/", body)
    answer = _send(alices, "DELETE", played, "", None, If_Match=etag)
    assert answer.status_code == 412
    assert answer.json()["current"]["balance"] == 7
    etag = _etag(alices, played)
    gone = _send(alices, "DELETE", played, "", None, If_Match=etag)
    assert gone.status_code == 204


def test_the_life_of_a_deck_is_its_owners(
    alice: User, bob: User, charlie: User, played: Deck, api: APIClient
) -> None:
    """404 to others, 401 without a key, 403 to a key that reads."""
    reader = _program(alice, ApiKey.Scope.READ)
    for place, method in PLACES.items():
        for other in (bob, charlie):
            assert _send(_program(other), method, played, place, {}).status_code == 404
        assert _send(api, method, played, place, {}).status_code == 401
        expected = 422 if place == "upgrade/preview" else 403
        assert _send(reader, method, played, place, {}).status_code == expected
    for place in ("upgrade", "desk", "ledger/"):
        assert _program(bob).get(f"{DECKS}{played.pk}/{place}").status_code == 404
        assert reader.get(f"{DECKS}{played.pk}/{place}").status_code == 200


def test_a_game_names_its_scenario_and_its_price(alices: APIClient, deck: Deck) -> None:
    """As the page does; what is told of the price outranks what is printed."""
    game = {
        "scenario": "Curse of the Rougarou",
        "earned": [{"kind": "bonus", "amount": 2, "reason": "spared it"}],
    }
    assert _send(alices, "POST", deck, "games", game).status_code == 200
    booked = alices.get(f"{DECKS}{deck.pk}/ledger/").json()["results"]
    assert [(each["kind"], each["amount"], each["reason"]) for each in booked] == [
        ("cost", -1, "Curse of the Rougarou"),
        ("bonus", 2, "Curse of the Rougarou: spared it"),
    ]
    told = alices.get(f"{DECKS}{deck.pk}/revisions/1/").json()
    assert told["scenario"] == "Curse of the Rougarou"
    again = {"scenario": "Curse of the Rougarou", "cost": 0, "again": True}
    assert _send(alices, "POST", deck, "games", again).status_code == 200
    assert ledger.balance_of(deck) == 1


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"scenario": 1}, "/scenario"),
        ({"scenario": "x" * 121}, "/scenario"),
        ({"cost": -1}, "/cost"),
        ({"cost": True}, "/cost"),
        ({"cost": 100}, "/cost"),
    ],
)
def test_a_misread_scenario_is_refused(
    alices: APIClient, deck: Deck, body: Any, pointer: str
) -> None:
    """With its pointer; nothing is written down."""
    refused = _send(alices, "POST", deck, "games", body)
    assert refused.status_code == 422
    assert [each["pointer"] for each in refused.json()["errors"]] == [pointer]
    deck.refresh_from_db()
    assert deck.revisions.get().played_at is None


def test_a_game_is_taken_back_by_programs(alices: APIClient, played: Deck) -> None:
    """In sight of what is there; refused where something stands on the game."""
    blind = _send(alices, "DELETE", played, "games", None, If_Match="")
    assert blind.status_code == 428
    stale = _send(alices, "DELETE", played, "games", None, If_Match='"1-1"')
    assert stale.status_code == 412
    assert ledger.balance_of(played) == 6

    back = _send(alices, "DELETE", played, "games", None)

    assert back.status_code == 200
    assert (back.json()["balance"], back.json()["played_at"]) == (0, None)
    again = _send(alices, "DELETE", played, "games", None)
    assert again.status_code == 409
    assert again.json()["type"].endswith("not-played")


def test_odd_codes_between_two_games_disturb_nothing(
    alices: APIClient, deck: Deck
) -> None:
    """Neither one that is empty nor one with a colon, also once they are kept."""
    window = {"granted": {"": 505, "a:b": 2}, "exiled": {"c:d": 1}}
    assert _send(alices, "POST", deck, "games", {"window": window}).status_code == 200
    again = {"window": {}, "again": True}
    assert _send(alices, "POST", deck, "games", again).status_code == 200


@pytest.mark.parametrize(("after_the_game", "at_the_desk"), [(0, 1), (1, 0), (1, 2)])
def test_a_comparison_knows_what_was_exiled_as_it_was_told_last(
    alices: APIClient, deck: Deck, after_the_game: int, at_the_desk: int
) -> None:
    """At the desk a game may be told otherwise than after it."""
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(aftermath={"exiled": {MACHETE: after_the_game}}),
        expected_revision=1,
        now=NOW,
    )
    left = [("remove", f"{MACHETE}:{at_the_desk}")] if at_the_desk else []
    services.upgrade_deck(
        deck=deck,
        content=apply(_content(), left, embedded_pool()),
        window={"exiled": {MACHETE: at_the_desk}},
        expected_revision=1,
        now=NOW,
        repair="Nothing fits",
    )

    told = alices.get(f"{DECKS}{deck.pk}/compare?before=1&after=2").json()

    assert told["exiled"] == ({MACHETE: at_the_desk} if at_the_desk else {})
    assert told["removed"] == {}
