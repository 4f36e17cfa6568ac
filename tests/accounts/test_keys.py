"""Programs sign in with keys: made and shown once, read or write, revoked for good."""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from arkham.accounts import services
from arkham.accounts.models import ApiKey, User

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.urls")]

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
READ, WRITE = ApiKey.Scope.READ, ApiKey.Scope.WRITE


def _key(owner: User, scope: ApiKey.Scope = WRITE) -> tuple[ApiKey, str]:
    return services.make_key(owner=owner, name="scribe", scope=scope, now=NOW)


def _with(text: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def _shown(page: bytes) -> str:
    """The key on a page."""
    found = re.search(r"orne_[0-9a-f]{12}_[\w-]{43}", page.decode())
    assert found
    return found[0]


# -- the key itself --


def test_a_key_opens_its_owners_account_alone(alice: User, bob: User) -> None:
    """Alice's opens hers, Bob's his."""
    _hers, text = _key(alice)
    _his, other = _key(bob)

    assert _with(text).get("/api/v1/who").json() == "alice"
    assert _with(other).get("/api/v1/who").json() == "bob"


def test_only_a_digest_is_kept(alice: User) -> None:
    """The secret stands in no column."""
    key, text = _key(alice)
    secret = text.split("_", 2)[2]

    row = ApiKey.objects.filter(pk=key.pk).values().get()

    assert key.prefix in text
    assert not any(secret in str(value) for value in row.values())


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: "",
        lambda text: "orne",
        lambda text: text[:-1],
        lambda text: text + "x",
        lambda text: text.replace("orne", "arne", 1),
        lambda text: text.upper(),
        lambda text: f"orne_{'0' * 12}_{text.split('_', 2)[2]}",
        lambda text: "\x00" * 60,
        lambda text: "orne_\x00_x",
        lambda text: "é" * 60,
    ],
)
def test_what_is_nearly_a_key_is_none(alice: User, spoilt: object) -> None:
    """401, with what is asked for, and the same words whatever is wrong."""
    assert callable(spoilt)
    _made, text = _key(alice)

    answer = _with(spoilt(text)).get("/api/v1/who")

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == 'Bearer realm="Orne", error="invalid_token"'
    assert answer["Content-Type"] == "application/problem+json"
    assert "We don’t know this API key" in answer.json()["detail"]


@pytest.mark.urls("arkham.urls")
def test_a_missing_key_is_no_invalid_one(client: Client) -> None:
    """RFC 6750: the challenge then has no error code."""
    answer = client.get("/api/v1/jobs/")

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == 'Bearer realm="Orne"'


def test_a_digest_is_always_compared_in_constant_time(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a prefix that is known and one that is not alike."""
    compared = []
    same = secrets.compare_digest

    def noting(a: str, b: str) -> bool:
        compared.append((len(a), len(b)))
        return same(a, b)

    monkeypatch.setattr(secrets, "compare_digest", noting)
    _made, text = _key(alice)

    for each in (text, text[:-1], "orne_none_secret", ""):
        services.key_behind(text=each, now=NOW)

    assert compared == [(64, 64)] * 4


def test_a_revoked_key_opens_nothing(alice: User) -> None:
    """Its sister still does."""
    key, text = _key(alice)
    _sister, other = _key(alice)

    services.revoke_key(key=key, now=NOW)

    assert _with(text).get("/api/v1/who").status_code == 401
    assert _with(other).get("/api/v1/who").status_code == 200


def test_a_closed_account_has_no_programs(alice: User) -> None:
    """As it has no sessions."""
    _made, text = _key(alice)
    User.objects.filter(pk=alice.pk).update(is_active=False)

    assert _with(text).get("/api/v1/who").status_code == 401


def test_a_read_key_writes_nothing(alice: User) -> None:
    """403 for what is unsafe, said as such; views that only read are open to it."""
    _made, text = _key(alice, READ)
    client = _with(text)

    assert client.get("/api/v1/who").status_code == 200
    assert client.post("/api/v1/who/asked", {}, format="json").status_code == 200
    for answer in (
        client.post("/api/v1/who", {}, format="json"),
        client.put("/api/v1/who", {}, format="json"),
        client.patch("/api/v1/who", {}, format="json"),
        client.delete("/api/v1/who"),
    ):
        assert answer.status_code == 403
        assert answer.json()["type"] == "urn:orne:problem:read-only-key"


def test_a_write_key_needs_no_form_token(alice: User) -> None:
    """A browser's session does: a page elsewhere could use it unseen."""
    _made, text = _key(alice)
    program = APIClient(enforce_csrf_checks=True)
    program.credentials(HTTP_AUTHORIZATION=f"bearer {text}")
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(alice)

    assert program.post("/api/v1/who", {}, format="json").status_code == 200
    assert browser.post("/api/v1/who", {}, format="json").status_code == 403


def test_the_last_use_is_noted_once_a_minute(alice: User) -> None:
    """Not at every request: reading would write."""
    key, text = _key(alice)

    def used_at(moment: datetime) -> datetime | None:
        services.key_behind(text=text, now=moment)
        key.refresh_from_db()
        return key.used_at

    assert key.used_at is None
    assert used_at(NOW) == NOW
    assert used_at(NOW + timedelta(seconds=59)) == NOW
    assert used_at(NOW + timedelta(seconds=60)) == NOW + timedelta(seconds=60)


def test_each_key_is_counted_by_itself(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program gone wild does not use up what another may ask."""
    monkeypatch.setattr(
        SimpleRateThrottle,
        "THROTTLE_RATES",
        {"key": "2/min", "user": "9/min", "anon": "9/min"},
    )
    _one, wild = _key(alice)
    _other, calm = _key(alice)

    answers = [_with(wild).get("/api/v1/who") for _request in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2]["Retry-After"]) > 0
    assert _with(calm).get("/api/v1/who").status_code == 200


# -- the pages --


def test_a_key_is_made_and_shown_once(as_alice: Client, alice: User) -> None:
    """On the page that made it; it works, and is never shown again."""
    page = as_alice.post("/account/keys/", {"name": "scribe", "scope": "read"})
    text = _shown(page.content)

    assert "no-store" in page["Cache-Control"]
    assert _with(text).get("/api/v1/who").json() == "alice"
    again = as_alice.get("/account/keys/").content.decode()
    assert "scribe" in again
    assert alice.api_keys.get().prefix in again
    assert text not in again
    assert "last used" in again


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"name": "scribe"},
        {"name": "s" * 81, "scope": "read"},
        {"name": " ", "scope": "read"},
        {"name": "scribe", "scope": "all"},
    ],
)
def test_a_key_needs_a_name_and_a_scope(
    as_alice: Client, alice: User, form: dict[str, str]
) -> None:
    """422, and nothing made."""
    assert as_alice.post("/account/keys/", form).status_code == 422
    assert not alice.api_keys.exists()


def test_keys_are_revoked_after_asking(as_alice: Client, alice: User) -> None:
    """Asking revokes nothing; revoked is revoked."""
    key, text = _key(alice)
    address = f"/account/keys/{key.pk}/revoke/"

    assert as_alice.get(address).status_code == 200
    assert _with(text).get("/api/v1/who").status_code == 200
    assert as_alice.post(address)["Location"] == "/account/keys/"
    assert _with(text).get("/api/v1/who").status_code == 401
    assert as_alice.post(address).status_code == 404
    assert "revoked" in as_alice.get("/account/keys/").content.decode()


def test_keys_are_their_owners_alone(
    client: Client, as_bob: Client, as_charlie: Client, alice: User
) -> None:
    """To everybody else they do not exist."""
    key, text = _key(alice)

    for stranger in (as_bob, as_charlie):
        assert key.prefix not in stranger.get("/account/keys/").content.decode()
        assert stranger.post(f"/account/keys/{key.pk}/revoke/").status_code == 404
    answer = client.post("/account/keys/", {"name": "scribe", "scope": "read"})
    assert answer.status_code == 303
    assert answer["Location"].startswith("/account/login/")
    assert _with(text).get("/api/v1/who").status_code == 200


def test_an_account_has_so_many_keys_and_no_more(as_alice: Client, alice: User) -> None:
    """Revoked ones are not counted."""
    keys = [_key(alice)[0] for _each in range(services.MOST_KEYS)]
    form = {"name": "one more", "scope": "read"}

    page = as_alice.post("/account/keys/", form)

    assert page.status_code == 422
    assert "You have 20 keys" in page.content.decode()
    services.revoke_key(key=keys[0], now=NOW)
    assert as_alice.post("/account/keys/", form).status_code == 200
