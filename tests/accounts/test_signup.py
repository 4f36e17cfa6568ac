"""Who may make an account, and how."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import authenticate
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from arkham.accounts import services
from arkham.accounts.models import ApiKey, Invitation, User
from arkham.accounts.views import SignupForm

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
PASSWORD = "seven-brown-owls"


def sign_up(client: Client, name: str = "wendy", **fields: str) -> int:
    """Send the form; the status of the answer."""
    data = {"username": name, "password1": PASSWORD, "password2": PASSWORD} | fields
    return client.post("/account/signup/", data).status_code


def test_anybody_may_sign_up_without_an_address(client: Client) -> None:
    """The form asks for none, and the account is signed in at once."""
    page = client.get("/account/signup/").content.decode()

    assert 'name="email"' not in page
    assert 'name="invitation"' not in page
    assert sign_up(client) == 302
    user = User.objects.get()
    assert (user.username, user.email) == ("wendy", "")
    assert client.session["_auth_user_id"] == str(user.pk)
    assert "You’re signed in as wendy." in client.get("/").content.decode()


def test_names_do_not_differ_by_case_alone(client: Client) -> None:
    """Two accounts nobody could tell apart are refused."""
    sign_up(client)

    assert sign_up(Client(), "WENDY") == 200
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["wendy", "WENDY"])
def test_a_name_taken_meanwhile_makes_no_second_account(
    client: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As where the form is sent twice: the page says so."""

    def checked(_form: SignupForm) -> str:
        User.objects.create_user("wendy", password=PASSWORD)
        return name

    monkeypatch.setattr(SignupForm, "clean_username", checked)
    data = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    page = client.post("/account/signup/", data, follow=True)

    assert page.redirect_chain == [("/account/signup/", 302)]
    assert "This name is already taken." in page.content.decode()
    assert User.objects.count() == 1
    assert "_auth_user_id" not in client.session


def test_an_account_made_elsewhere_signs_in_by_its_name(admin_client: Client) -> None:
    """The admin and the shell keep names as signing up does, in lower case."""
    made = {"username": "Zed", "password1": PASSWORD, "password2": PASSWORD}
    made["usable_password"] = "true"
    assert admin_client.post("/admin/accounts/user/add/", made).status_code == 302
    User.objects.create_superuser("Root", password=PASSWORD)
    for name in ("Zed", "Root"):
        guest = Client()
        told = {"login": name, "password": PASSWORD}
        assert guest.post("/account/login/", told).status_code == 302
        assert "_auth_user_id" in guest.session


def test_a_weak_password_is_refused(client: Client) -> None:
    """The page comes back and says why."""
    answer = client.post(
        "/account/signup/",
        {"username": "wendy", "password1": "12345678", "password2": "12345678"},
    )

    assert answer.status_code == 200
    assert "too common" in answer.content.decode()
    assert User.objects.count() == 0


def test_closed_sign_up_lets_nobody_in(client: Client, settings: Settings) -> None:
    """Neither shows the form nor takes it."""
    settings.ORNE_SIGNUP = "closed"

    page = client.get("/account/signup/").content.decode()

    assert "No new accounts here" in page
    assert 'name="password1"' not in page
    sign_up(client)
    assert User.objects.count() == 0


def test_an_invitation_lets_one_person_in(client: Client, settings: Settings) -> None:
    """The second to use its code is refused."""
    settings.ORNE_SIGNUP = "invitation"
    code = services.invite(now=datetime.now(UTC), note="for Wendy")

    first = sign_up(client, "wendy", invitation=code)
    second = sign_up(Client(), "agnes", invitation=code)

    assert (first, second) == (302, 200)
    assert [user.username for user in User.objects.all()] == ["wendy"]
    invitation = Invitation.objects.get()
    assert invitation.used_by is not None
    assert invitation.used_by.username == "wendy"
    assert invitation.used_at is not None


@pytest.mark.parametrize("code", ["", "guessed"])
def test_without_an_invitation_nobody_gets_in(
    client: Client, settings: Settings, code: str
) -> None:
    """An empty code and a guessed one."""
    settings.ORNE_SIGNUP = "invitation"

    assert sign_up(client, invitation=code) == 200
    assert User.objects.count() == 0


def test_a_refused_form_uses_up_no_invitation(
    client: Client, settings: Settings
) -> None:
    """A mistyped password must not cost the code."""
    settings.ORNE_SIGNUP = "invitation"
    code = services.invite(now=datetime.now(UTC))

    sign_up(client, invitation=code, password2="something-else")

    assert services.is_open(code=code, now=datetime.now(UTC))


def test_an_invitation_taken_meanwhile_makes_no_account(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two people send the same code at once: the form is checked, then loses."""
    settings.ORNE_SIGNUP = "invitation"
    monkeypatch.setattr(services, "is_open", lambda *, code, now: True)

    assert sign_up(client, invitation="taken-by-another") == 302
    assert User.objects.count() == 0
    assert (
        "Someone else has just used this code"
        in client.get("/account/signup/").content.decode()
    )


def test_an_invitation_expires() -> None:
    """After its lifetime, and not before."""
    code = services.invite(now=NOW, lifetime=timedelta(days=3))

    assert services.is_open(code=code, now=NOW + timedelta(days=2, hours=23))
    assert not services.is_open(code=code, now=NOW + timedelta(days=3))


def test_the_code_itself_is_not_kept() -> None:
    """A stolen database invites nobody."""
    code = services.invite(now=NOW)

    kept = Invitation.objects.values_list().get()

    assert code not in map(str, kept)


def test_the_command_prints_codes_that_work() -> None:
    """One a line, and nothing else."""
    out = StringIO()

    call_command("invite", count=2, stdout=out)

    codes = out.getvalue().split()
    assert len(set(codes)) == 2
    assert all(services.is_open(code=code, now=datetime.now(UTC)) for code in codes)


def test_the_command_refuses_nonsense() -> None:
    """It says which argument, and what was expected."""
    with pytest.raises(CommandError, match="--days is 0"):
        call_command("invite", days=0)


def test_where_mail_is_configured_an_address_is_asked_for(
    client: Client, settings: Settings
) -> None:
    """But need not be given."""
    settings.EMAIL_CONFIGURED = True
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]

    assert 'name="email"' in client.get("/account/signup/").content.decode()
    assert sign_up(client, email="") == 302


def test_a_password_is_reset_at_the_command_line(alice: User) -> None:
    """The new one is printed, works, and ends the sessions of the old."""
    browser = Client()
    browser.force_login(alice)
    out = StringIO()

    call_command("reset_password", "Alice", stdout=out)

    password = out.getvalue().strip()
    assert authenticate(username="alice", password=password) == alice
    assert authenticate(username="alice", password="alice-of-arkham") is None
    assert browser.get("/account/").status_code == 302


def test_resetting_a_password_names_the_keys_it_leaves(alice: User) -> None:
    """With --revoke-keys none is left; those of others are."""
    now = datetime(2026, 3, 1, tzinfo=UTC)
    scope = ApiKey.Scope.READ
    _key, text = services.make_key(owner=alice, name="bot", scope=scope, now=now)
    told = StringIO()

    call_command("reset_password", "alice", stdout=StringIO(), stderr=told)
    assert "API keys still valid: 1." in told.getvalue()
    assert services.key_behind(text=text, now=now) is not None

    out, told = StringIO(), StringIO()
    call_command("reset_password", "alice", "--revoke-keys", stdout=out, stderr=told)
    assert told.getvalue().strip() == "API keys revoked: 1."
    assert len(out.getvalue().split()) == 1
    assert services.key_behind(text=text, now=now) is None

    told = StringIO()
    call_command("reset_password", "alice", stdout=StringIO(), stderr=told)
    assert told.getvalue().strip() == "The account has no API keys."


def test_resetting_the_password_of_nobody_is_an_error() -> None:
    """It names the name."""
    with pytest.raises(CommandError, match="know the account “nobody”"):
        call_command("reset_password", "nobody")


def test_without_mail_the_reset_page_says_whom_to_ask(client: Client) -> None:
    """And asks for no address it could not write to."""
    page = client.get("/account/password/reset/").content.decode()

    assert "./run manage reset_password" in page
    assert 'name="email"' not in page


def test_with_mail_the_reset_page_sends_a_link(
    client: Client, alice: User, settings: Settings, mailoutbox: list[object]
) -> None:
    """To the address of the account."""
    settings.EMAIL_CONFIGURED = True
    alice.email = "alice@example.org"
    alice.save()

    client.post("/account/password/reset/", {"email": "alice@example.org"})

    assert len(mailoutbox) == 1
    assert "/account/password/reset/key/" in mailoutbox[0].body  # type: ignore[attr-defined]


@pytest.fixture
def with_mail(settings: Settings) -> None:
    """A server that sends e-mail, set up as ``EMAIL_URL`` does."""
    settings.EMAIL_CONFIGURED = True
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
    settings.ACCOUNT_LOGIN_METHODS = {"username", "email"}
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True


def _confirmed(user: User, email: str, *, primary: bool = True) -> None:
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=primary)
    if primary:
        user.email = email
        user.save()


@pytest.mark.usefixtures("with_mail")
def test_nobody_learns_whether_an_address_is_known(
    alice: User, bob: User, as_bob: Client, mailoutbox: list[EmailMessage]
) -> None:
    """Neither at sign-up nor beside an account; it stays whose it is."""
    _confirmed(alice, "alice@example.org")

    known = sign_up(Client(), email="alice@example.org")
    unknown = sign_up(Client(), "winifred", email="nobody@example.org")
    beside = [
        as_bob.post("/account/email/", {"action_add": "", "email": email})
        for email in ("alice@example.org", "somebody@example.org")
    ]

    assert known == unknown == 302
    assert [each.status_code for each in beside] == [302, 302]
    links = [
        re.search(r"/account/confirm-email/[^/]+/", str(each.body))
        for each in mailoutbox
        if each.to == ["alice@example.org"]
    ]
    assert links
    for link in links:
        assert link is not None
        assert Client().post(link[0]).status_code == 302
    address = EmailAddress.objects.get(email="alice@example.org", verified=True)
    assert address.user == alice
    mailoutbox.clear()
    Client().post("/account/password/reset/", {"email": "alice@example.org"})
    assert ["alice" in str(each.body) for each in mailoutbox] == [True]


@pytest.mark.usefixtures("with_mail")
def test_a_changed_address_is_announced_to_the_one_before(
    alice: User, as_alice: Client, mailoutbox: list[EmailMessage]
) -> None:
    """Somebody else may sit at the account; a new password is told as well."""
    _confirmed(alice, "alice@example.org")
    _confirmed(alice, "new@example.org", primary=False)

    new = {"action_primary": "", "email": "new@example.org"}
    as_alice.post("/account/email/", new)
    assert [each.to for each in mailoutbox] == [["alice@example.org"]]
    assert "to new@example.org" in mailoutbox[0].body
    mailoutbox.clear()
    passwords = {"password1": PASSWORD, "password2": PASSWORD}
    old = {"oldpassword": "alice-of-arkham"}
    as_alice.post("/account/password/change/", old | passwords)
    assert [each.to for each in mailoutbox] == [["new@example.org"]]


def test_a_link_asked_for_twice_is_not_sent_in_silence(
    as_alice: Client, settings: Settings, mailoutbox: list[EmailMessage]
) -> None:
    """An address is written to once in a few minutes; the page says so."""
    settings.EMAIL_CONFIGURED = True
    address = "alice@example.org"
    as_alice.post("/account/email/", {"action_add": "", "email": address})

    page = as_alice.post(
        "/account/email/", {"action_send": "", "email": address}, follow=True
    )

    assert [each.to for each in mailoutbox] == [[address]]
    assert "try again in a few minutes" in page.text


def test_signing_in_and_out(client: Client, alice: User) -> None:
    """By name, in any case of letters."""
    client.post("/account/login/", {"login": "Alice", "password": "alice-of-arkham"})

    assert client.session["_auth_user_id"] == str(alice.pk)
    assert "alice" in client.get("/account/").content.decode()
    client.post("/account/logout/")
    assert client.get("/account/").status_code == 302


def test_guessing_passwords_is_slowed_down(client: Client, alice: User) -> None:
    """allauth's rate limit is on, with the cache at hand."""
    for _guess in range(10):
        client.post("/account/login/", {"login": "alice", "password": "wrong"})

    answer = client.post(
        "/account/login/", {"login": "alice", "password": "alice-of-arkham"}
    )

    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session


def test_addresses_are_not_managed_where_no_mail_is_sent(as_alice: Client) -> None:
    """The page is not there, and the account page does not lead to it."""
    assert as_alice.get("/account/email/").status_code == 404
    assert "/account/email/" not in as_alice.get("/account/").content.decode()


@pytest.mark.usefixtures("with_mail")
def test_letters_say_what_happened_and_what_to_do(
    alice: User, as_alice: Client, mailoutbox: list[EmailMessage]
) -> None:
    """In our own words, each with its link, a way out, and where it is from."""
    _confirmed(alice, "alice@example.org")
    Client().post("/account/password/reset/", {"email": "alice@example.org"})
    Client().post("/account/password/reset/", {"email": "zoey@example.org"})
    sign_up(Client(), "winifred", email="winifred@example.org")
    new = {"password1": PASSWORD, "password2": PASSWORD}
    old = {"oldpassword": "alice-of-arkham"}
    as_alice.post("/account/password/change/", old | new)
    said = {each.subject.removeprefix("[Orne] "): str(each.body) for each in mailoutbox}
    assert [*said] == [
        "Choose a new password",
        "No account with this address",
        "Confirm your e-mail address",
        "Your password was changed",
    ]
    for subject, body in said.items():
        assert body.startswith(("Someone", "The account", "The password")), subject
        assert "If it wasn’t" in body or "If it isn’t" in body, subject
        assert body.strip().endswith("Orne at testserver"), subject
    assert all("http://testserver/" in body for body in [*said.values()][:3])


@pytest.mark.usefixtures("with_mail")
def test_pages_of_passwords_and_addresses_are_ours(
    alice: User, as_alice: Client
) -> None:
    """The framework has its own, in words we don't use."""
    _confirmed(alice, "alice@example.org")
    _confirmed(alice, "new@example.org", primary=False)
    for place, said in (
        ("email/", "alice@example.org confirmed in use"),
        ("email/", "Use this address Send link to confirm Remove"),
        ("password/change/", "Current password"),
        ("password/change/", "New password At least 8 characters, not all digits, and"),
        ("password/change/", "New password (again) Save password"),
        ("password/reset/", "We send you a link to choose a new password."),
        ("password/reset/done/", "look in the spam folder, or try again."),
        ("password/reset/key/1-no-such/", "expired, or it was used before."),
        ("password/reset/key/done/", "Your password was changed"),
        ("confirm-email/", "We sent you a link to confirm your address."),
        ("confirm-email/none/", "expired, or it was used before."),
        ("reauthenticate/", "Enter your password again to change your account."),
    ):
        page = as_alice.get(f"/account/{place}").content.decode()
        text = " ".join(re.sub(r"<[^>]*>", " ", page).split())
        assert said in text, place
