"""Apps that act for an account: registered, let in, refused, revoked."""

from __future__ import annotations

import base64
import hashlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, RefreshToken

from arkham.accounts import oauth, services
from arkham.accounts.models import User
from tests.decks.helpers import text_of

pytestmark = pytest.mark.django_db

BACK = "arkhamcards://auth/redirect"
VERIFIER = "v" * 50
CHALLENGE = (
    base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest())
    .decode()
    .rstrip("=")
)


@pytest.fixture
def app(bob: User) -> Application:
    """An app of Bob's on a phone, which keeps no secret."""
    made, secret = oauth.register_app(
        owner=bob, name="Sync <b>", redirects=BACK, has_secret=False
    )
    assert secret == ""
    return made


@pytest.fixture
def alices(alice: User) -> Client:
    """A browser in which Alice is signed in."""
    client = Client()
    client.force_login(alice)
    return client


def asked(app: Application, **more: str) -> dict[str, str]:
    """The request an app sends a person with."""
    return {
        "client_id": app.client_id,
        "redirect_uri": app.redirect_uris.split()[0],
        "response_type": "code",
        "state": "s1",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        **more,
    }


def consent(client: Client, app: Application, **more: str) -> Any:
    """Where the browser is sent once access is given."""
    sent = asked(app, scope="read write", allow="true", **more)
    return client.post("/oauth/v2/auth", sent)


def token_for(client: Client, app: Application, **more: str) -> dict[str, Any]:
    """The tokens an app gets for the code a browser brings it."""
    answer = consent(client, app, **more)
    assert answer.status_code == 302, text_of(answer)
    code = parse_qs(urlsplit(answer["Location"]).query)["code"][0]
    found: dict[str, Any] = exchange(app, code).json()
    return found


def exchange(app: Application, code: str, **more: str) -> Any:
    """The answer to an app that brings a code."""
    sent = {
        "grant_type": "authorization_code",
        "client_id": app.client_id,
        "redirect_uri": BACK,
        "code": code,
        "code_verifier": VERIFIER,
        **more,
    }
    return Client(enforce_csrf_checks=True).post("/oauth/v2/token", sent)


def test_the_page_says_in_plain_words_what_the_app_may_do(
    alices: Client, app: Application
) -> None:
    """And who registered it; its form may lead to the app alone."""
    answer = alices.get("/oauth/v2/auth", asked(app))
    page = text_of(answer)
    assert "Give Sync &lt;b&gt; access?" in page
    assert "Make, change, upgrade, publish and delete your decks" in page
    assert "Registered by bob" in page
    assert "form-action 'self' arkhamcards:" in answer["Content-Security-Policy"]
    assert answer["Cache-Control"] == "no-store"
    reads = text_of(alices.get("/oauth/v2/auth", asked(app, scope="read")))
    assert "Make, change" not in reads


def test_an_app_gets_tokens_that_are_kept_as_digests(
    alices: Client, alice: User, app: Application
) -> None:
    """The state comes back; the code works once."""
    answer = consent(alices, app)
    place = urlsplit(answer["Location"])
    query = parse_qs(place.query)
    assert (place.scheme, query["state"]) == ("arkhamcards", ["s1"])
    first = exchange(app, query["code"][0])
    found = first.json()
    assert found["token_type"] == "Bearer"
    assert AccessToken.objects.get().user == alice
    assert (AccessToken.objects.get().token, RefreshToken.objects.get().token) == (
        "",
        "",
    )
    assert exchange(app, query["code"][0]).status_code == 400


def refresh(app: Application, found: dict[str, Any]) -> Any:
    """The answer to an app that brings a refresh token."""
    sent = {
        "grant_type": "refresh_token",
        "client_id": app.client_id,
        "refresh_token": found["refresh_token"],
    }
    return Client(enforce_csrf_checks=True).post("/oauth/v2/token", sent)


def opens(found: dict[str, Any]) -> bool:
    """Whether an access token opens the account."""
    bearer = {"Authorization": f"Bearer {found['access_token']}"}
    return Client(headers=bearer).get("/api/oauth2/decks").status_code == 200


def test_a_code_that_comes_again_revokes_what_it_brought(
    alices: Client, app: Application, bob: User
) -> None:
    """Also what was refreshed since; other codes, and other apps, revoke nothing."""
    other = token_for(alices, app)
    code = parse_qs(urlsplit(consent(alices, app)["Location"]).query)["code"][0]
    first = exchange(app, code).json()
    again = refresh(app, first).json()
    foreign, _secret = oauth.register_app(
        owner=bob, name="x", redirects=BACK, has_secret=False
    )
    assert exchange(foreign, code).status_code == 400
    assert exchange(app, "unknown").status_code == 400
    assert opens(again)
    answer = exchange(app, code)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
    assert not opens(again)
    assert refresh(app, again).status_code == 400
    assert opens(other)
    assert refresh(app, other).status_code == 200


def test_a_refresh_token_works_once(alices: Client, app: Application) -> None:
    """Used again later, all that came of it is revoked: someone has stolen it."""
    found = token_for(alices, app)
    again = refresh(app, found)
    assert again.status_code == 200, again.content
    RefreshToken.objects.exclude(revoked=None).update(
        revoked=timezone.now() - 2 * oauth.A_MOMENT
    )
    assert refresh(app, found).status_code == 400
    assert not opens(again.json())


def test_two_threads_of_an_app_that_refresh_lose_nothing(
    alices: Client, app: Application
) -> None:
    """The second is refused; what the first was given goes on to work."""
    found = token_for(alices, app)
    first, second = refresh(app, found), refresh(app, found)
    assert (first.status_code, second.status_code) == (200, 400)
    assert opens(first.json())
    assert refresh(app, first.json()).status_code == 200


@pytest.mark.parametrize(
    "grant",
    [
        {"grant_type": "urn:ietf:params:oauth:grant-type:device_code"},
        {
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "device_code": "1",
        },
        {"grant_type": "client_credentials"},
        {"grant_type": "password", "username": "alice", "password": "x"},
    ],
)
def test_tokens_are_given_for_codes_and_refresh_tokens_alone(
    app: Application, grant: dict[str, str]
) -> None:
    """Other grants the library knows are unsupported."""
    answer = Client().post("/oauth/v2/token", {"client_id": app.client_id, **grant})
    assert answer.status_code == 400
    assert answer.json()["error"] == "unsupported_grant_type"


@pytest.mark.parametrize("grant", [{}, {"grant_type": ""}])
def test_a_missing_grant_is_an_invalid_request(
    app: Application, grant: dict[str, str]
) -> None:
    """RFC 6749, 5.2: a required parameter is missing."""
    answer = Client().post("/oauth/v2/token", {"client_id": app.client_id, **grant})

    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_request"


def test_an_empty_scope_names_none(alices: Client, app: Application) -> None:
    """Libraries for phones send one; it asks for all."""
    page = text_of(alices.get("/oauth/v2/auth", asked(app, scope="")))
    assert "Make, change, upgrade, publish and delete your decks" in page


def test_an_app_that_may_only_write_reads_nothing(
    alices: Client, app: Application
) -> None:
    """And is refused in words that fit."""
    code = parse_qs(
        urlsplit(
            alices.post("/oauth/v2/auth", asked(app, scope="write", allow="true"))[
                "Location"
            ]
        ).query
    )["code"][0]
    token = exchange(app, code).json()["access_token"]
    answer = Client(headers={"Authorization": f"Bearer {token}"}).get(
        "/api/oauth2/decks"
    )
    assert answer.status_code == 403
    assert answer.json()["msg"] == "This app doesn’t have permission to read."


def test_a_public_app_needs_pkce(alices: Client, app: Application) -> None:
    """Without a challenge it is refused, and with the wrong verifier."""
    bare = asked(app)
    del bare["code_challenge"], bare["code_challenge_method"]
    answer = alices.get("/oauth/v2/auth", bare)
    plain = alices.get("/oauth/v2/auth", asked(app, code_challenge_method="plain"))
    for each in (answer, plain):
        assert each.status_code == 400 or "error=" in each["Location"]
        assert "Give Sync" not in text_of(each)
    code = parse_qs(urlsplit(consent(alices, app)["Location"]).query)["code"][0]
    assert exchange(app, code, code_verifier="w" * 50).status_code == 400


def test_an_app_with_a_secret_may_do_without(alices: Client, bob: User) -> None:
    """As ArkhamDB's clients do; its secret is asked for instead."""
    made, secret = oauth.register_app(
        owner=bob, name="x", redirects="https://x.example/back", has_secret=True
    )
    sent = asked(made, scope="read", allow="true")
    del sent["code_challenge"], sent["code_challenge_method"]
    place = alices.post("/oauth/v2/auth", sent)["Location"]
    code = parse_qs(urlsplit(place).query)["code"][0]
    more = {"redirect_uri": "https://x.example/back", "code_verifier": ""}
    assert exchange(made, code, **more, client_secret="wrong").status_code == 401
    assert exchange(made, code, **more, client_secret=secret).status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"code": "\x00"},
        {"client_id": "\x00"},
        {"grant_type": "refresh_token", "refresh_token": "\x00"},
        {"client_secret": "\x00"},
        {"\x00": "x"},
    ],
)
def test_a_token_is_not_given_for_what_no_database_takes(
    app: Application, wrong: dict[str, str]
) -> None:
    """PostgreSQL takes no NUL; revoking neither."""
    sent = {"token": "\x00", "client_id": app.client_id}
    for answer in (
        exchange(app, **{"code": "x", **wrong}),
        Client().post("/oauth/v2/revoke", sent),
    ):
        assert answer.status_code == 400
        assert answer.json()["error"] in {"invalid_request", "invalid_grant"}


def test_cancelling_gives_nothing(alices: Client, app: Application) -> None:
    """The app is answered so."""
    sent = asked(app, scope="read write", deny="true")
    answer = alices.post("/oauth/v2/auth", sent)
    assert "error=access_denied" in answer["Location"]


def test_a_stranger_is_asked_to_sign_in_first(app: Application) -> None:
    """And goes on from there."""
    answer = Client().get("/oauth/v2/auth", asked(app))
    assert answer["Location"].startswith("/account/login/?next=/oauth/v2/auth")


@pytest.mark.parametrize(
    "wrong",
    [
        {"redirect_uri": "https://evil.example/"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": ""},
        {"client_id": "unknown"},
        {"client_id": "\x00"},
        {"scope": "all"},
        {"response_type": "token"},
        {"response_type": ""},
        {"state": "\x00"},
        {"resource": "x"},
    ],
)
def test_odd_requests_send_no_one_elsewhere(
    alices: Client, app: Application, wrong: dict[str, str]
) -> None:
    """Neither on the page nor by its form."""
    for answer in (
        alices.get("/oauth/v2/auth", asked(app, **wrong)),
        consent(alices, app)
        if not wrong
        else alices.post(
            "/oauth/v2/auth", asked(app, **{"scope": "read", "allow": "true", **wrong})
        ),
    ):
        assert answer.status_code in (200, 302, 400, 401), answer.status_code
        if answer.status_code == 302:
            assert answer["Location"].startswith(BACK)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "http://elsewhere.example/",
        "https://",
        "https://x.example/#part",
        "https://*.example/",
        "/back",
        "x",
        "http://[",
    ],
)
def test_an_address_that_is_none_for_apps_is_refused(
    alices: Client, address: str
) -> None:
    """The form says which."""
    sent = {"app_name": "x", "redirects": f"https://x.example/ {address}"}
    answer = alices.post("/account/apps/", sent)
    assert answer.status_code == 422
    assert not Application.objects.exists()


def test_an_app_is_registered_and_deleted_on_the_keys_page(
    alices: Client, bob: User
) -> None:
    """Its secret is shown once; others can't delete it."""
    sent = {
        "app_name": "Mine",
        "redirects": "http://localhost:9/x\nmine://x",
        "has_secret": "on",
    }
    page = text_of(alices.post("/account/apps/", sent))
    app = Application.objects.get()
    assert app.client_id in page
    assert app.client_secret not in page  # a digest
    assert "Secret: copy it now" in page
    other = Client()
    other.force_login(bob)
    path = f"/account/apps/{app.pk}/delete/"
    assert other.post(path).status_code == 404
    assert "Delete this app?" in text_of(alices.get(path))
    alices.post(path)
    assert not Application.objects.exists()


def test_an_account_registers_so_many_apps(
    alices: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next is refused on the page."""
    monkeypatch.setattr(oauth, "MOST_APPS", 1)
    sent = {"app_name": "Mine", "redirects": "mine://x"}
    assert alices.post("/account/apps/", sent).status_code == 200
    assert alices.post("/account/apps/", sent).status_code == 422


def test_access_is_listed_and_revoked(
    alices: Client, alice: User, bob: User, app: Application
) -> None:
    """From then on neither token opens anything; that of others stays."""
    bobs = Client()
    bobs.force_login(bob)
    token_for(bobs, app)
    found = token_for(alices, app)
    page = alices.get("/account/keys/").content.decode()
    assert f"/account/apps/{app.pk}/revoke/" in page
    alices.post(f"/account/apps/{app.pk}/revoke/")
    assert [each.user for each in AccessToken.objects.all()] == [bob]
    sent = {
        "grant_type": "refresh_token",
        "client_id": app.client_id,
        "refresh_token": found["refresh_token"],
    }
    assert Client().post("/oauth/v2/token", sent).status_code == 400
    assert alices.post(f"/account/apps/{app.pk}/revoke/").status_code == 404


@pytest.mark.parametrize("blocked", ["alice", "bob"])
def test_no_app_acts_for_a_blocked_account_nor_of_one(
    alices: Client, app: Application, blocked: str
) -> None:
    """Codes and refresh tokens bring nothing; Bob's app opens nothing of Alice's."""
    account = User.objects.get(username=blocked)
    code = parse_qs(urlsplit(consent(alices, app)["Location"]).query)["code"][0]
    found = token_for(alices, app)

    def asks() -> list[int]:
        headers = {"Authorization": f"Bearer {found['access_token']}"}
        refreshing = {
            "grant_type": "refresh_token",
            "client_id": app.client_id,
            "refresh_token": found["refresh_token"],
        }
        return [
            Client(headers=headers).get("/api/oauth2/decks").status_code,
            exchange(app, code).status_code,
            Client().post("/oauth/v2/token", refreshing).status_code,
        ]

    services.block(account=account)
    access, coded, refreshed = asks()
    assert access == 401
    assert {coded, refreshed} <= {400, 401}
    page = alices.get("/oauth/v2/auth", asked(app))
    assert page.status_code == (302 if blocked == "alice" else 400)
    if blocked == "bob":
        assert consent(alices, app).status_code == 400

    services.unblock(account=account)
    assert asks() == [200, 200, 200]


def test_an_app_revokes_its_own_token(alices: Client, app: Application) -> None:
    """As ArkhamDB's clients do when one signs out."""
    found = token_for(alices, app)
    sent = {"client_id": app.client_id, "token": found["access_token"]}
    assert Client().post("/oauth/v2/revoke", sent).status_code == 200
    asking = {"access_token": found["access_token"]}
    answer = Client().get("/api/oauth2/decks", asking)
    assert answer.status_code == 401


def test_a_token_opens_nothing_else(alices: Client, app: Application) -> None:
    """Keys alone are for our own API; pages know neither."""
    found = token_for(alices, app)
    headers = {"Authorization": f"Bearer {found['access_token']}"}
    assert Client().get("/api/v1/decks/", headers=headers).status_code == 401
    assert Client().get("/account/keys/", headers=headers).status_code == 302


@pytest.mark.parametrize("query", ["a=%", "%zz=1", "a=%2&b=1"])
def test_a_query_the_library_cant_read_is_refused(as_alice: Client, query: str) -> None:
    """400, at each of the three addresses."""
    query += "&c=1"
    assert as_alice.get(f"/oauth/v2/auth?{query}").status_code == 400
    for path in ("token", "revoke"):
        answer = as_alice.post(f"/oauth/v2/{path}?{query}")
        assert answer.status_code == 400
        assert answer.json() == {"error": "invalid_request"}
