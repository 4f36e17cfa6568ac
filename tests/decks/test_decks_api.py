"""The decks one has, over HTTP: the services of the pages, for programs."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.rules.legality import check_deck
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.api import examples
from decks.api.writing import merged
from decks.lists.content import empty_content, read_content
from decks.models import Deck

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
DECKS = "/api/v1/decks/"


def _program(owner: User, scope: ApiKey.Scope = ApiKey.Scope.WRITE) -> APIClient:
    """A program with a key of theirs."""
    _key, text = accounts.make_key(owner=owner, name="p", scope=scope, now=NOW)
    client = APIClient(headers={"Authorization": f"Bearer {text}"})
    return client


@pytest.fixture
def alices(alice: User) -> APIClient:
    """A program of Alice's that may write."""
    return _program(alice)


@pytest.fixture
def deck(alice: User) -> Deck:
    """A deck of Alice's."""
    content = read_content(examples.WRITTEN)
    return services.create_deck(
        owner=alice, content=content, name="Badge and gun", now=NOW
    )


def _send(client: APIClient, method: str, path: str, body: Any, **headers: str) -> Any:
    return client.generic(
        method,
        path,
        json.dumps(body),
        "application/json",
        headers={key.replace("_", "-"): value for key, value in headers.items()},
    )


def _lasting(document: dict[str, Any]) -> dict[str, Any]:
    """A deck without what depends on when it was made."""
    return {
        key: value
        for key, value in document.items()
        if key not in ("id", "made_at", "changed_at")
    }


# -- making and reading --


def test_a_deck_is_made_and_read(alices: APIClient, alice: User) -> None:
    """201, where it is, its ETag, and what is kept; reading says the same."""
    answer = _send(alices, "POST", DECKS, examples.WRITTEN)

    assert answer.status_code == 201
    made = alice.decks.get()
    assert answer["Location"] == f"http://testserver{DECKS}{made.pk}/"
    assert _lasting(answer.json()) == _lasting(examples.KEPT)
    read = alices.get(f"{DECKS}{made.pk}/")
    assert read.json() == answer.json()
    assert read["ETag"] == answer["ETag"]
    assert "private" in read["Cache-Control"]


def test_a_deck_by_itself_is_understood(alices: APIClient) -> None:
    """As ArkhamDB gives it; finished or legal it need not be."""
    body: Any = {
        "id": 9,
        "name": None,
        "investigator_code": "01001",
        "slots": [],
        "xp": 3,
    }
    body |= {"meta": '{"alternate_back": "90024"}', "sideSlots": {"01020": 3}}
    body |= {"description_md": "*Shoot.*", "tags": "solo, theme", "xp_spent": 2}

    answer = _send(alices, "POST", DECKS, body)

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
def test_what_is_no_deck_is_refused_with_its_place(
    alices: APIClient, alice: User, body: Any, pointer: str
) -> None:
    """422; nothing is made."""
    answer = _send(alices, "POST", DECKS, body)

    assert answer.status_code == 422
    assert answer.json()["pointer"] == pointer
    assert not alice.decks.exists()


def test_decks_are_listed_a_page_at_a_time(
    alices: APIClient, alice: User, django_assert_max_num_queries: Any
) -> None:
    """Asking the database the same however many they are."""
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


def test_a_request_sent_twice_makes_one_deck(alices: APIClient, alice: User) -> None:
    """Under one name; another deck under it is refused."""
    first, again = (
        _send(alices, "POST", DECKS, examples.WRITTEN, Idempotency_Key="one")
        for _time in range(2)
    )

    assert alice.decks.count() == 1
    assert first.content == again.content
    assert again["Idempotent-Replayed"] == "true"
    other = _send(alices, "POST", DECKS, examples.DECK, Idempotency_Key="one")
    assert other.status_code == 422


# -- who may --


def test_what_is_not_yours_does_not_exist(
    deck: Deck, bob: User, charlie: User, api: APIClient
) -> None:
    """404 to Bob and Charlie, to read and to write; 401 without a key."""
    draft = services.create_deck(owner=None, content=empty_content("01001"), now=NOW)
    places = ["", "legality", "compare", "revisions/", "revisions/1/"]
    for client, status in ((_program(bob), 404), (_program(charlie), 404), (api, 401)):
        for pk in (deck.pk, draft.pk, 10**30):
            for place in places:
                assert client.get(f"{DECKS}{pk}/{place}").status_code == status
            for method in ("PUT", "PATCH", "DELETE"):
                answer = _send(
                    client, method, f"{DECKS}{pk}/", examples.WRITTEN, If_Match="*"
                )
                assert answer.status_code == status
    assert api.get(DECKS).status_code == 401
    assert _program(bob).get(DECKS).json()["results"] == []
    deck.refresh_from_db()
    assert deck.revision == 1


def test_a_read_key_reads(deck: Deck, alice: User) -> None:
    """And is refused with 403 for anything else."""
    client = _program(alice, ApiKey.Scope.READ)
    address = f"{DECKS}{deck.pk}/"

    assert client.get(address).status_code == 200
    assert _send(client, "POST", DECKS, examples.WRITTEN).status_code == 403
    for method in ("PUT", "PATCH", "DELETE"):
        answer = _send(client, method, address, examples.WRITTEN, If_Match="*")
        assert answer.status_code == 403


def test_a_browser_needs_its_token(deck: Deck, alice: User) -> None:
    """A session alone changes nothing: any page could send with it."""
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(alice)

    assert client.get(f"{DECKS}{deck.pk}/").status_code == 200
    assert _send(client, "POST", DECKS, examples.WRITTEN).status_code == 403


@pytest.mark.parametrize("named", [{}, {"Idempotency_Key": "mine"}])
def test_a_browser_with_its_token_is_heard(alice: User, named: dict[str, str]) -> None:
    """Its body is still there to be read, after the token was looked for."""
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(alice)
    token = client.get("/account/keys/").cookies["csrftoken"].value

    made = _send(client, "POST", DECKS, examples.WRITTEN, X_CSRFToken=token, **named)
    assert made.status_code == 201


# -- changing --


def test_a_deck_is_revised_in_sight_of_what_it_was(
    alices: APIClient, deck: Deck
) -> None:
    """A new revision, a new ETag; the earlier revision stays."""
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)
    body = {key: seen.json()[key] for key in ("deck", "circumstances")}
    body["deck"]["slots"]["01020"] = 2

    answer = _send(alices, "PUT", address, body, If_Match=seen["ETag"])

    assert answer.status_code == 200
    assert answer.json()["revision"] == 2
    assert answer.json()["deck"] == body["deck"]
    assert answer["ETag"] != seen["ETag"]
    earlier = alices.get(f"{address}revisions/1/").json()
    assert earlier["deck"]["slots"] == {"01006": 1, "01007": 1, "01016": 2}


def test_no_change_is_no_revision(alices: APIClient, deck: Deck) -> None:
    """What was read can be written back."""
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)
    body = {key: seen.json()[key] for key in ("deck", "circumstances")}

    answer = _send(alices, "PUT", address, body, If_Match=seen["ETag"])

    assert answer.json() == seen.json()
    assert answer["ETag"] == seen["ETag"]


def test_a_part_is_changed(alices: APIClient, deck: Deck) -> None:
    """By a merge patch: null removes, what is not named stays."""
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


def test_a_part_is_changed_beside_a_card_that_is_gone(
    alices: APIClient, deck: Deck
) -> None:
    """What is kept stays as it is; what is told now names cards there are."""
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


def test_a_part_within_a_part_is_changed(alices: APIClient, deck: Deck) -> None:
    """Trauma is shared out card by card: null removes a kind of it, or a card."""
    address = f"{DECKS}{deck.pk}/"
    told = []
    for trauma in (
        {"01001": {"mental": 2, "physical": None}, "01002": {"mental": 1}},
        {"01001": {"physical": 1, "mental": None}, "01002": None},
        {"01001": {"nothing": None}},
    ):
        patch = {"circumstances": {"trauma": trauma}}
        answer = _send(alices, "PATCH", address, patch, If_Match="*")
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
def test_a_part_that_makes_no_deck_is_refused(
    alices: APIClient, deck: Deck, patch: Any, pointer: str
) -> None:
    """422 with the place in what would have come of it."""
    answer = _send(alices, "PATCH", f"{DECKS}{deck.pk}/", patch, If_Match="*")

    assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)


def test_no_body_is_no_deck_and_no_change(alices: APIClient, deck: Deck) -> None:
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
def test_merge_patches_are_as_their_standard_has_them(
    target: Any, patch: Any, result: Any
) -> None:
    """The examples of RFC 7396."""
    assert merged(target, patch) == result


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_a_change_must_say_what_it_saw(
    alices: APIClient, deck: Deck, method: str
) -> None:
    """428, with what there is to be seen."""
    answer = _send(alices, method, f"{DECKS}{deck.pk}/", examples.WRITTEN)

    assert answer.status_code == 428
    assert alices.get(f"{DECKS}{deck.pk}/")["ETag"] in answer.json()["detail"]


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_stale_change_shows_all_versions(
    alices: APIClient, deck: Deck, method: str
) -> None:
    """412: what is there, what was sent, what both grew from; nothing is lost."""
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)
    theirs = {"deck": {**examples.WRITTEN["deck"], "slots": {"01020": 2}}}
    current = _send(alices, "PUT", address, theirs, If_Match=seen["ETag"])
    mine = {"deck": {**examples.WRITTEN["deck"], "slots": {"01017": 1}, "name": "Me"}}

    answer = _send(alices, method, address, mine, If_Match=seen["ETag"])

    assert answer.status_code == 412
    problem = answer.json()
    assert problem["type"] == "urn:orne:problem:stale"
    assert problem["etag"] == current["ETag"]
    assert problem["current"] == current.json()
    assert problem["yours"]["deck"]["name"] == "Me"
    assert problem["yours"]["deck"]["slots"]["01017"] == 1
    assert problem["base"]["number"] == 1
    assert problem["base"]["deck"]["slots"] == {"01006": 1, "01007": 1, "01016": 2}
    again = _send(alices, method, address, mine, If_Match=problem["etag"])
    assert again.json()["revision"] == 3


def test_another_name_is_another_state(alices: APIClient, deck: Deck) -> None:
    """Two devices that both rename: the second is told."""
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)["ETag"]
    _send(alices, "PATCH", address, {"deck": {"name": "One"}}, If_Match=seen)

    answer = _send(alices, "PATCH", address, {"deck": {"name": "Two"}}, If_Match=seen)

    assert answer.status_code == 412
    assert answer.json()["current"]["deck"]["name"] == "One"
    assert answer.json()["current"]["revision"] == 1


def test_a_name_given_meanwhile_is_not_overwritten(
    alices: APIClient, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the deck itself stayed as it was seen."""
    revise = services.revise_deck

    def beaten(**arguments: Any) -> Any:
        Deck.objects.update(name="Theirs")
        return revise(**arguments)

    monkeypatch.setattr(services, "revise_deck", beaten)
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)["ETag"]
    answer = _send(alices, "PATCH", address, {"deck": {"name": "Mine"}}, If_Match=seen)
    assert answer.status_code == 412
    problem = answer.json()
    assert problem["current"]["deck"]["name"] == "Theirs"
    assert problem["yours"]["deck"]["name"] == "Mine"
    deck.refresh_from_db()
    assert deck.name == "Theirs"


def test_a_deck_deleted_meanwhile_is_not_there(
    alices: APIClient, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """404, whatever was to be done with it."""
    revise = services.revise_deck

    def beaten(**arguments: Any) -> Any:
        Deck.objects.all().delete()
        return revise(**arguments)

    monkeypatch.setattr(services, "revise_deck", beaten)
    address = f"{DECKS}{deck.pk}/"
    answer = _send(alices, "PUT", address, examples.DECK, If_Match="*")
    assert answer.status_code == 404


def test_somebody_quicker_is_noticed(
    alices: APIClient, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the check of If-Match and the change itself: the service says so."""
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)["ETag"]
    revise = services.revise_deck

    def after_another(**asked: Any) -> Any:
        monkeypatch.undo()
        other = Deck.objects.get(pk=deck.pk)
        quick = empty_content("01001")
        revise(deck=other, content=quick, expected_revision=1, now=NOW)
        return revise(**asked)

    monkeypatch.setattr(services, "revise_deck", after_another)

    answer = _send(alices, "PUT", address, examples.DECK, If_Match=seen)

    assert answer.status_code == 412
    assert answer.json()["current"]["revision"] == 2
    assert answer.json()["base"]["number"] == 1
    assert answer.json()["etag"] == alices.get(address)["ETag"]


@pytest.mark.parametrize("tag", ['"1-1"', 'W/"x"', '"0-9-0"', "x", '"', "*, x"])
def test_a_tag_that_was_never_given_is_stale(
    alices: APIClient, deck: Deck, tag: str
) -> None:
    """412, without a version that both grew from."""
    answer = _send(alices, "PUT", f"{DECKS}{deck.pk}/", examples.WRITTEN, If_Match=tag)

    assert answer.status_code == 412
    assert answer.json()["base"] is None


def test_a_deck_is_deleted_in_sight_of_what_it_is(
    alices: APIClient, deck: Deck
) -> None:
    """204 and gone; a stale wish shows what would have gone."""
    address = f"{DECKS}{deck.pk}/"
    seen = alices.get(address)["ETag"]
    changed = _send(alices, "PUT", address, examples.DECK, If_Match=seen)

    refused = alices.delete(address, headers={"If-Match": seen})
    assert refused.status_code == 412
    assert refused.json()["current"] == changed.json()
    for _time in range(2):
        gone = alices.delete(
            address, headers={"If-Match": changed["ETag"], "Idempotency-Key": "go"}
        )
        assert (gone.status_code, gone.content) == (204, b"")
    assert alices.get(address).status_code == 404


# -- its past, and what the judge says --


def test_the_past_of_a_deck_is_told(alices: APIClient, deck: Deck, alice: User) -> None:
    """Every revision, and on what any two of them differ."""
    address = f"{DECKS}{deck.pk}/"
    _send(alices, "PATCH", address, examples.CHANGES, If_Match="*")
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
def test_only_revisions_there_are_compared(
    alices: APIClient, deck: Deck, query: str, status: int
) -> None:
    """400 for what is no number, with the parameter; 404 for what there is not."""
    answer = alices.get(f"{DECKS}{deck.pk}/compare?{query}")

    assert answer.status_code == status
    if status == 400:
        assert answer.json()["parameter"] == query.split("=")[0]


def test_a_deck_that_was_just_made_has_not_changed(
    alices: APIClient, deck: Deck
) -> None:
    """Its one revision is compared with itself."""
    answer = alices.get(f"{DECKS}{deck.pk}/compare").json()

    nothing: dict[str, Any] = {"added": {}, "removed": {}, "exiled": {}, "paid": []}
    assert answer == {
        "before": 1, "after": 1, "differences": [], "experience_spent": 0, **nothing
    }  # fmt: skip


def test_the_verdict_is_the_judges(alices: APIClient, deck: Deck) -> None:
    """The deck as it is now, under its circumstances; named by its id."""
    verdict = alices.get(f"{DECKS}{deck.pk}/legality").json()

    asked = read_content(examples.WRITTEN).asked()
    expected = check_deck(asked.deck, embedded_pool(), asked.circumstances).as_data()
    assert verdict == {"id": deck.pk, **json.loads(json.dumps(expected))}


def test_reading_asks_little(
    alices: APIClient, deck: Deck, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """The key, the deck with its latest revision, its balance, the cards in use."""
    alices.get(DECKS)
    with django_assert_num_queries(4):
        alices.get(f"{DECKS}{deck.pk}/")
