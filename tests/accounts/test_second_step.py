"""A code after the password, recovery codes, and the browsers that are signed in."""

from __future__ import annotations

import ipaddress
import time
from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from arkham.accounts import services
from arkham.accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "seven-brown-owls"


@pytest.fixture(autouse=True)
def alice() -> User:
    cache.clear()
    return User.objects.create_user("alice", password=PASSWORD)


def sign_in(client: Client) -> str:
    """Send name and password; where that leads."""
    data = {"login": "alice", "password": PASSWORD}
    answer = client.post("/account/login/", data)
    return str(answer.headers.get("Location"))


def code_of(secret: str, later: int = 0) -> str:
    """What the app shows; ``later`` is in periods, so that no code is used twice."""
    moment = int(time.time()) // 30 + later
    return str(format_hotp_value(hotp_value(secret, moment)))


@pytest.fixture
def secret(client: Client) -> str:
    """Alice has set up a second step."""
    sign_in(client)
    page = client.get("/account/second-step/totp/activate/")
    assert "/account/reauthenticate/" in page.headers["Location"]
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    page = client.get("/account/second-step/totp/activate/")
    secret: str = page.context["form"].secret
    html = page.content.decode()
    assert secret in html
    assert 'class="square"' in html
    answer = client.post("/account/second-step/totp/activate/", {"code": "000000"})
    assert "This code is wrong" in answer.content.decode()
    code = code_of(secret)
    answer = client.post("/account/second-step/totp/activate/", {"code": code})
    assert answer.status_code == 302
    return secret


def test_a_password_alone_does_not_open_it(secret: str) -> None:
    """Neither the pages nor the admin; the code of the app does."""
    visitor = Client()
    assert sign_in(visitor) == "/account/second-step/authenticate/"
    assert visitor.get("/account/").status_code == 302
    admin = visitor.get("/admin/login/")
    assert admin.headers["Location"].startswith("/account/login/")
    wrong = visitor.post("/account/second-step/authenticate/", {"code": "123456"})
    assert "This code is wrong" in wrong.content.decode()
    code = code_of(secret, later=1)
    right = visitor.post("/account/second-step/authenticate/", {"code": code})
    assert right.status_code == 302
    assert visitor.get("/account/").status_code == 200


def test_a_code_works_once(secret: str) -> None:
    """Read over a shoulder, it opens nothing."""
    code = code_of(secret, later=1)
    for expected in (302, 200):
        visitor = Client()
        sign_in(visitor)
        answer = visitor.post("/account/second-step/authenticate/", {"code": code})
        assert answer.status_code == expected


def test_guessing_is_slowed_down(secret: str) -> None:
    """Ten wrong codes, then not even a right one for a while."""
    visitor = Client()
    sign_in(visitor)
    for _each in range(10):
        visitor.post("/account/second-step/authenticate/", {"code": "123456"})
    code = code_of(secret, later=1)
    answer = visitor.post("/account/second-step/authenticate/", {"code": code})
    assert answer.status_code == 200
    assert "Too many tries" in answer.content.decode()


def test_a_recovery_code_works_once(client: Client, secret: str) -> None:
    """They are shown, saved as a file, and used up one by one."""
    page = client.get("/account/second-step/recovery-codes/")
    codes: list[str] = page.context["unused_codes"]
    assert len(codes) == 10
    assert all(code in page.content.decode() for code in codes)
    file = client.get("/account/second-step/recovery-codes/download/")
    assert file.content.decode().split() == codes
    for expected in (302, 200):
        visitor = Client()
        sign_in(visitor)
        given = {"code": codes[0]}
        answer = visitor.post("/account/second-step/authenticate/", given)
        assert answer.status_code == expected
    assert "9 codes left" in client.get("/account/second-step/").content.decode()


def test_it_is_turned_off(client: Client, secret: str) -> None:
    """By its owner; the recovery codes go with it."""
    assert client.post("/account/second-step/totp/deactivate/").status_code == 302
    assert not Authenticator.objects.exists()
    assert sign_in(Client()) == "/"


def test_the_operator_turns_it_off(secret: str) -> None:
    """Only if asked: otherwise a new password leaves it, and the command says so."""
    said = StringIO()
    call_command("reset_password", "alice", stdout=StringIO(), stderr=said)
    assert "--without-second-step" in said.getvalue()
    assert Authenticator.objects.count() == 2
    call_command(
        "reset_password",
        "alice",
        without_second_step=True,
        stdout=StringIO(),
        stderr=StringIO(),
    )
    assert not Authenticator.objects.exists()


def test_other_browsers_are_listed_and_signed_out(client: Client) -> None:
    """Those of other people are neither."""
    sign_in(client)
    agent = "Mozilla/5.0 (iPhone; like Mac OS X) AppleWebKit/605 Safari/604"
    phone = Client(headers={"user-agent": agent})
    sign_in(phone)
    User.objects.create_user("bob", password=PASSWORD)
    bob = Client(headers={"user-agent": "Of Bob"})
    bob.post("/account/login/", {"login": "bob", "password": PASSWORD})

    page = client.get("/account/sessions/").content.decode()
    assert "Safari on iPhone" in page
    assert "Of Bob" not in page
    assert page.count("this one") == 1
    assert client.post("/account/sessions/").status_code == 302
    assert client.get("/account/").status_code == 200
    assert phone.get("/account/").status_code == 302
    assert bob.get("/account/").status_code == 200


def test_a_browser_without_an_address_signs_in(client: Client) -> None:
    """As behind a socket: PostgreSQL keeps nothing but addresses."""
    client.defaults["REMOTE_ADDR"] = ""
    assert sign_in(client) == "/"
    ipaddress.ip_address(UserSession.objects.get().ip)
    page = client.get("/account/sessions/").content.decode()
    assert "from an unknown address" in page


@pytest.mark.parametrize("page", ["totp/activate/", "recovery-codes/"])
def test_no_browser_stores_a_secret(client: Client, secret: str, page: str) -> None:
    """Back after signing out shows neither the key nor the codes."""
    if page.startswith("totp"):
        Authenticator.objects.all().delete()
    shown = client.get(f"/account/second-step/{page}")
    assert shown.status_code == 200
    assert "no-store" in shown.headers["Cache-Control"]


def test_password_or_code_lead_to_the_same_page(client: Client, secret: str) -> None:
    """Whichever is asked for, the other leads on to what one wanted."""
    session = client.session
    session["account_authentication_methods"] = []
    session.save()
    wanted = "?next=%2Faccount%2Fsecond-step%2Frecovery-codes%2F"
    doors = "/account/reauthenticate/", "/account/second-step/reauthenticate/"
    for door, other in (doors, doors[::-1]):
        assert f'href="{other}{wanted}"' in client.get(door + wanted).content.decode()


def test_a_session_from_before_is_listed_as_it_comes_by(client: Client) -> None:
    client.force_login(User.objects.get())
    UserSession.objects.all().delete()
    assert "this one" in client.get("/account/sessions/").content.decode()


def test_what_is_over_is_forgotten(client: Client) -> None:
    """The list keeps no address of a session that has ended."""
    sign_in(client)
    assert UserSession.objects.count() == 1
    Session.objects.all().delete()
    services.forget_expired(now=timezone.now())
    assert not UserSession.objects.exists()
