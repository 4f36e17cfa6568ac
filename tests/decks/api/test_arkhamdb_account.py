"""ArkhamDB's OAuth 2 API: decks are listed, created, saved, upgraded and deleted."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, set_token_value
from pytest_django import Settings

from arkham.accounts import oauth
from arkham.accounts.models import User
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck, Showing
from tests.decks.helpers import NOW
from tests.decks.public_api.helpers import POOL

pytestmark = pytest.mark.usefixtures("rows")

API = "/api/oauth2/"
FORM = "application/x-www-form-urlencoded"


def token(user: User, scope: str = "read write", minutes: int = 60) -> str:
    """Return a token of an app for an account."""
    app, _secret = oauth.register_app(
        owner=user, name="Sync", redirects="sync://back", has_secret=False
    )
    text = f"token-{Application.objects.count()}"
    made = AccessToken(
        user=user,
        application=app,
        scope=scope,
        expires=timezone.now() + timedelta(minutes=minutes),
    )
    set_token_value(made, text)
    made.save()
    return text


class App:
    """An app that acts for an account."""

    def __init__(self, text: str) -> None:
        self.headers = {"Authorization": f"Bearer {text}"}

    def get(self, path: str) -> Any:
        return Client().get(API + path, headers=self.headers)

    def send(self, method: str, path: str, **sent: Any) -> Any:
        """Submit a form; return the response's JSON."""
        body = urlencode(
            {
                key: value if isinstance(value, str) else json.dumps(value)
                for key, value in sent.items()
            }
        )
        answer = Client().generic(
            method, API + path, body, content_type=FORM, headers=self.headers
        )
        return answer.json()

    def load(self, number: int) -> Any:
        return self.get(f"deck/load/{number}").json()


@pytest.fixture
def app(alice: User) -> App:
    """An app that Alice has authorized."""
    return App(token(alice))


@pytest.fixture
def deck(alice: User) -> Deck:
    """A legal first deck of hers."""
    content = starter_deck(POOL, "01001")
    return services.create_deck(owner=alice, content=content, now=NOW, name="Badge")


def test_decks_are_listed_in_arkhamdbs_format(
    app: App, deck: Deck, alice: User, bob: User
) -> None:
    """Only her own, with every key in its order."""
    services.create_deck(owner=bob, content=starter_deck(POOL, "01002"), now=NOW)
    answer = app.get("decks")
    [found] = answer.json()
    assert (found["id"], found["user_id"], found["name"]) == (
        deck.pk,
        alice.pk,
        "Badge",
    )
    assert list(found)[:3] == ["id", "name", "date_creation"]
    assert list(found)[-3:] == ["previous_deck", "next_deck", "problem"]
    assert found["problem"] is None
    assert app.load(deck.pk) == found
    again = Client().get(
        f"{API}decks", headers={**app.headers, "If-None-Match": answer["ETag"]}
    )
    assert again.status_code == 304


def test_a_new_deck_has_its_required_cards(app: App, alice: User) -> None:
    """And a weakness that is still to be drawn."""
    made = app.send("POST", "deck/new", investigator="01001", name="New", taboo="8")
    assert made["success"] is True
    found = app.load(made["msg"])
    assert found["slots"] == {"01000": 1, "01006": 1, "01007": 1}
    assert (found["name"], found["taboo_id"]) == ("New", 8)
    assert found["problem"] == "too_few_cards"


def test_a_deck_is_saved_with_all_its_fields(app: App, deck: Deck) -> None:
    """Fields that are not sent stay; a missing taboo list means none."""
    slots = {**app.load(deck.pk)["slots"], "01020": 1}
    saved = app.send(
        "PUT",
        f"deck/save/{deck.pk}",
        slots=slots,
        side={"01030": 1},
        description_md="Why",
        tags="solo",
        problem="",
    )
    assert saved == {"success": True, "msg": deck.pk}
    found = app.load(deck.pk)
    assert (found["slots"]["01020"], found["sideSlots"]) == (1, {"01030": 1})
    assert (found["name"], found["description_md"], found["tags"]) == (
        "Badge",
        "Why",
        "solo",
    )
    assert deck.revisions.count() == 2


def test_an_account_has_decks_and_not_decklists(app: App) -> None:
    """Each with a name, and its tags with blanks between, as in ``deck/``."""
    made = app.send("POST", "deck/new", investigator="01001")["msg"]
    slots = app.load(made)["slots"]
    app.send("PUT", f"deck/save/{made}", slots=slots, tags="solo, theme")
    found = app.load(made)
    assert (found["name"], found["tags"]) == ("Roland Banks", "solo theme")
    assert app.get("decks").json() == [found]


def test_choices_are_cleared_by_an_empty_object(app: App) -> None:
    """What is not sent, and what can't be read, stays."""
    meta = {"alternate_back": "90024"}
    made = app.send("POST", "deck/new", investigator="01001", meta=meta)["msg"]
    slots = app.load(made)["slots"]
    for sent in ({}, {"meta": ""}, {"meta": "x"}):
        app.send("PUT", f"deck/save/{made}", slots=slots, **sent)
        assert json.loads(app.load(made)["meta"]) == meta
    app.send("PUT", f"deck/save/{made}", slots=slots, meta={})
    assert app.load(made)["meta"] == "{}"


@pytest.mark.parametrize("xp", ["1000", "9999", "-1", "x", "1.5"])
def test_experience_that_is_not_booked_is_refused(
    app: App, deck: Deck, xp: str
) -> None:
    """Never cut to the most that there may be."""
    refused = app.send("PUT", f"deck/upgrade/{deck.pk}", xp=xp)
    assert refused == {"success": False, "msg": "xp must be an integer from 0 to 999."}


def test_an_upgrade_is_a_new_deck_with_its_price_paid(app: App, deck: Deck) -> None:
    """The previous deck is locked; too expensive an upgrade is refused in words."""
    slots = app.load(deck.pk)["slots"]
    gone = next(code for code in slots if slots[code] == 2)
    made = app.send("PUT", f"deck/upgrade/{deck.pk}", xp="3", exiles=gone)
    assert made["success"] is True, made
    first, second = app.get("decks").json()
    assert (first["next_deck"], second["previous_deck"]) == (made["msg"], deck.pk)
    assert second["id"] == made["msg"]
    assert (second["xp"], second["exile_string"]) == (3, gone)
    assert second["slots"][gone] == 1
    locked = app.send("PUT", f"deck/save/{deck.pk}", slots=slots)
    assert locked == {"success": False, "msg": "Deck is locked."}

    bought = {**second["slots"], gone: 2}
    saved = app.send("PUT", f"deck/save/{made['msg']}", slots=bought)
    assert saved["success"] is True, saved
    found = app.load(made["msg"])
    assert found["slots"][gone] == 2
    assert found["previous_deck"] == deck.pk
    dear = {**second["slots"], "03307": 1}
    refused = app.send("PUT", f"deck/save/{made['msg']}", slots=dear)
    assert refused["success"] is False
    assert "No Stone Unturned" in refused["msg"]
    last = app.send("PUT", f"deck/upgrade/{made['msg']}", xp="1")
    assert app.load(last["msg"])["previous_deck"] == made["msg"]
    assert len(app.get("decks").json()) == 3


def test_each_step_says_what_it_could_spend_and_what_it_spent(
    app: App, deck: Deck
) -> None:
    """As it did until its game; a game may follow one without a purchase between."""
    slots = app.load(deck.pk)["slots"]
    gone = next(code for code in slots if slots[code] == 2)
    numbers = [deck.pk]

    def play(**sent: Any) -> None:
        made = app.send("PUT", f"deck/upgrade/{numbers[-1]}", **sent)
        assert made["success"] is True, made
        numbers.append(made["msg"])

    def experience() -> list[tuple[Any, ...]]:
        steps = [app.load(number) for number in numbers]
        assert [each["previous_deck"] for each in steps] == [None, *numbers[:-1]]
        return [(each["xp"], each["xp_spent"], each["exile_string"]) for each in steps]

    play(xp="0", exiles=gone)
    saved = app.send("PUT", f"deck/save/{numbers[-1]}", slots=slots)  # a free place
    assert saved["success"] is True, saved
    assert experience() == [(None, None, None), (0, 0, gone)]
    play(xp="2")
    play(xp="3", exiles=gone)
    assert experience()[2:] == [(2, 0, None), (5, 0, gone)]
    assert app.load(numbers[-1])["slots"][gone] == 1
    now = timezone.now()
    services.correct_ledger(deck=deck, amount=-1, reason="miscounted", now=now)
    assert experience()[2:] == [(2, 0, None), (4, 0, gone)]
    play(xp="1")
    assert experience() == [
        (None, None, None), (0, 0, gone), (2, 0, None), (4, 0, gone), (5, 0, None),
    ]  # fmt: skip


def test_a_deck_is_published(app: App, deck: Deck) -> None:
    """If its description is long enough; the response is its number."""
    short = app.send("PUT", f"deck/publish/{deck.pk}", description_md="x")
    assert short == {"success": False, "msg": "Description too short"}
    made = app.send("PUT", f"deck/publish/{deck.pk}", description_md="x" * 50)
    assert made["msg"] == Showing.objects.get().pk


def test_a_deleted_deck_goes_to_the_bin(app: App, deck: Deck) -> None:
    """A played one only with all its games."""
    step = app.send("PUT", f"deck/upgrade/{deck.pk}", xp="1")["msg"]
    for number in (deck.pk, step):
        refused = app.send("DELETE", f"deck/delete/{number}")
        assert refused["success"] is False
    assert app.send("DELETE", f"deck/delete/{step}?all=1") == {"success": True}
    assert Deck.binned.get() == deck
    assert app.get("decks").json() == []


def test_no_one_reaches_the_deck_of_another(deck: Deck, bob: User) -> None:
    """Not even a shared one."""
    services.publish_deck(deck=deck, number=1, pool=POOL, now=NOW)
    app = App(token(bob))
    before = deck.revisions.count()
    assert app.get(f"deck/load/{deck.pk}").status_code == 404
    for method, word in (
        ("PUT", "save"),
        ("PUT", "upgrade"),
        ("PUT", "publish"),
        ("DELETE", "delete"),
    ):
        answer = app.send(
            method,
            f"deck/{word}/{deck.pk}",
            slots={"01020": 1},
            description_md="x" * 51,
        )
        assert answer["success"] is False
    assert deck.revisions.count() == before
    assert Deck.objects.filter(pk=deck.pk).exists()


def test_requests_without_a_valid_token_are_refused(alice: User, deck: Deck) -> None:
    """As the site refuses them."""
    bare = Client().get(f"{API}decks")
    assert bare.status_code == 401
    assert bare["WWW-Authenticate"].startswith("Bearer")
    assert bare.json() == {
        "error": "access_denied",
        "error_description": "OAuth2 authentication required",
    }
    for text in ("wrong", token(alice, minutes=-1), "\x7f", "x" * 9_000):
        answer = Client().get(f"{API}decks", {"access_token": text})
        assert (answer.status_code, answer.json()["error"]) == (401, "invalid_grant")
    assert (
        Client().get(f"{API}decks", {"access_token": token(alice)}).status_code == 200
    )
    alice.is_active = False
    alice.save()
    assert App(token(alice)).get("decks").status_code == 401


def test_an_app_with_read_scope_changes_nothing(alice: User, deck: Deck) -> None:
    """Neither by PUT nor by POST or DELETE."""
    app = App(token(alice, scope="read"))
    assert app.get("decks").status_code == 200
    for method, path in (
        ("POST", "deck/new"),
        ("PUT", f"deck/save/{deck.pk}"),
        ("DELETE", f"deck/delete/{deck.pk}"),
    ):
        assert app.send(method, path)["success"] is False
    assert Deck.objects.count() == 1


def test_requests_of_an_app_are_throttled(
    app: App, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those of a key; 429 says when to retry."""
    monkeypatch.setattr(oauth.AppThrottle, "rate", "1/min", raising=False)
    assert "RateLimit" in app.get("decks")
    refused = app.get("decks")
    assert refused.status_code == 429
    assert refused["Retry-After"]


def test_a_full_account_is_reported(app: App, settings: Settings) -> None:
    """In the form of the site."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "decks": 0}
    made = app.send("POST", "deck/new", investigator="01001")
    assert made["success"] is False
    assert "the most an account can have" in made["msg"]


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"slots": ""},
        {"slots": "x"},
        {"slots": "[1]"},
        {"slots": "3"},
        {"slots": "[" * 100_000},
        {"slots": {"01020": -1}},
        {"slots": {"01020": "x"}},
        {"slots": {"01020": 10**30}},
        {"slots": {"": 1, "\x00": 2}},
        {"slots": {"01020": 1}, "side": "3"},
        {"slots": {"01020": 1}, "ignored": "x"},
        {"slots": {"01020": 1}, "taboo": "x"},
        {"slots": {"01020": 1}, "taboo": "9" * 40},
        {"slots": {"01020": 1}, "meta": {"a": {"b": [1]}}},
        {"slots": {"01020": 1}, "name": "\x00" * 500, "tags": "x" * 5_000},
        {"investigator": "01001", "slots": {}, "meta": '{"\\ud800": 1}'},
        {"investigator": "01001", "slots": {}, "meta": '{"a": NaN}'},
        {"investigator": "01001", "slots": {}, "meta": '{"a": 1e999, "a": 2}'},
        {"slots": '{"\\ud800": 1}'},
        {"xp": "-1"},
        {"xp": "9" * 50},
        {"xp": "1", "exiles": "nothing,,99999"},
        {"investigator": "01020"},
        {"investigator": "\x00"},
        {"investigator": "01001", "meta": "[[["},
        {"investigator": "01001", "meta": {"faction_selected": 3}},
    ],
)
def test_odd_requests_are_refused_in_words(
    app: App, deck: Deck, sent: dict[str, Any]
) -> None:
    """Never with a server error."""
    for method, path in (
        ("POST", "deck/new"),
        ("PUT", f"deck/save/{deck.pk}"),
        ("PUT", f"deck/upgrade/{deck.pk}"),
        ("PUT", f"deck/publish/{deck.pk}"),
        ("PUT", f"deck/save/{10**15}"),
    ):
        answer = app.send(method, path, **sent)
        assert isinstance(answer["success"], bool)
    assert app.get("decks").status_code == 200


def test_json_is_refused_with_what_is_expected(app: App) -> None:
    """ArkhamDB reads forms; one in parts is read as well."""
    answer = Client().post(
        f"{API}deck/new",
        {"investigator": "01001"},
        content_type="application/json",
        headers=app.headers,
    )
    assert answer.status_code == 415
    assert answer.json() == {
        "success": False,
        "msg": f"Expected Content-Type: {FORM}, multipart/form-data.",
    }
    made = Client().post(
        f"{API}deck/new", {"investigator": "01001"}, headers=app.headers
    )
    assert made.json()["success"]
    assert (
        "authorization_code"
        in (
            Client()
            .post("/oauth/v2/token", {}, content_type="application/json")
            .json()["error_description"]
        )
    )
