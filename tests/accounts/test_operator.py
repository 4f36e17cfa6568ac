"""The operator sees how the server is, blocks accounts, and breaks no history."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib import admin
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application

from arkham.accounts import services
from arkham.accounts.models import ApiKey, User
from arkham.jobs.models import Job
from arkham.web import request_limits
from decks.models import Correction, Deck, Draw, LedgerEntry, Notice, Revision
from tests.api.helpers import set_rates
from tests.helpers import NOW, program_of

pytestmark = pytest.mark.django_db

PAGES = ("/operator/", "/operator/accounts/")


@pytest.fixture
def operator(alice: User, as_alice: Client) -> Client:
    """Alice, who operates the server."""
    alice.is_staff = True
    alice.save()
    return as_alice


@pytest.fixture(autouse=True)
def _nothing_was_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    request_limits._unreported.clear()
    monkeypatch.setattr(request_limits, "_next_report", 0.0)


@pytest.mark.parametrize("page", PAGES)
def test_it_is_the_operators(client: Client, as_bob: Client, page: str) -> None:
    """Strangers are asked to sign in, and for others the page does not exist."""
    assert client.get(page).status_code == 302
    assert as_bob.get(page).status_code == 404
    assert as_bob.post(page, {"act": "block", "account": 1}).status_code == 404
    assert page not in as_bob.get("/account/").content.decode()


def test_every_part_is_shown(operator: Client, bob: User) -> None:
    """Health, jobs of all, the card pool, quotas; a failure hides nothing."""
    Job.objects.create(
        kind="judge", owner=bob, begun_at=NOW, seen_at=NOW, state=Job.State.STOPPED
    )
    assert 'href="/operator/"' in operator.get("/account/").content.decode()

    page = operator.get("/operator/").content.decode()

    for shown in ("Database", "Workers", "Judge decks", "bob", "0 running", "1 stopped",
                  "2 accounts", "Drafts", "0 of 2000", "No one hit"):  # fmt: skip
        assert shown in page
    for link in ("/operator/accounts/", "/cards/import/", "/admin/"):
        assert f'href="{link}"' in page


def test_who_is_refused_most_is_shown(
    operator: Client, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By key, account or address."""
    set_rates(monkeypatch, anon="1/min", user=None, key="1/min", webhooks=None)
    program, stranger = program_of(bob), Client()
    for _time in range(3):
        program.get("/api/v1/decks/")
        stranger.get("/api/v1/", REMOTE_ADDR="203.0.113.7")

    page = operator.get("/operator/").content.decode()

    prefix = ApiKey.objects.get(owner=bob).prefix
    assert f"orne_{prefix}_…" in page
    assert "203.0.113.7" in page
    assert page.count("2 requests") == 2


def test_processes_add_what_they_counted() -> None:
    """The most of the day are kept."""
    key = f"refused:{timezone.now():%F}"
    cache.set(key, {"other": 5})
    for number in range(request_limits.MOST_ASKERS + 5):
        request_limits.note_refusal(f"asker-{number}")
    request_limits.note_refusal("asker-1")

    found = request_limits.most_refused()

    assert found[:2] == [("other", 5), ("asker-1", 2)]
    assert len(found) == len(cache.get(key)) == request_limits.MOST_ASKERS


# -- accounts --


def test_accounts_are_found_by_name_and_address(operator: Client, bob: User) -> None:
    """A part is enough; what is no name finds none."""
    bob.email = "robert@arkham.example"
    bob.save()
    for sought, found in (
        ("BO", True),
        ("robert@", True),
        ("zz", False),
        ("\x00", True),
    ):
        page = operator.get("/operator/accounts/", {"q": sought}).content.decode()
        assert ("robert@arkham.example" in page) is found


def test_a_blocked_person_is_out_until_unblocked(
    operator: Client, bob: User, as_bob: Client
) -> None:
    """Session, password, key and app open nothing; all do again afterwards."""
    program = program_of(bob)
    app = Application.objects.create(
        user=bob, client_type="public", authorization_grant_type="authorization-code"
    )
    AccessToken.objects.create(
        user=bob,
        application=app,
        token="t" * 30,
        scope="read",
        expires=timezone.now() + timedelta(hours=1),
    )
    app_asks = "/api/oauth2/decks?access_token=" + "t" * 30
    password = {"login": "bob", "password": "bob-of-arkham"}

    def doors() -> list[int]:
        fresh = Client()
        fresh.post("/account/login/", password)
        return [
            as_bob.get("/account/").status_code,
            fresh.get("/account/").status_code,
            program.get("/api/v1/decks/").status_code,
            Client().get(app_asks).status_code,
        ]

    assert doors() == [200, 200, 200, 200]
    sent = {"act": "block", "account": bob.pk}
    answer = operator.post("/operator/accounts/?q=bo", sent, follow=True)
    assert "bob is blocked" in answer.content.decode()
    assert answer.redirect_chain[0][0] == "/operator/accounts/?q=bo"
    assert doors() == [302, 302, 401, 401]

    operator.post("/operator/accounts/", {**sent, "act": "unblock"})
    as_bob.force_login(bob)
    assert doors() == [200, 200, 200, 200]


def test_operators_are_not_blocked_here(operator: Client, alice: User) -> None:
    """Nor accounts that there are not."""
    sent = {"act": "block", "account": alice.pk}
    answer = operator.post("/operator/accounts/", sent, follow=True)

    assert "alice operates this server" in answer.content.decode()
    alice.refresh_from_db()
    assert alice.is_active
    for account in ("", "x", "9" * 30, "0"):
        sent = {"act": "block", "account": account}
        assert operator.post("/operator/accounts/", sent).status_code == 404
    with pytest.raises(services.IsOperator):
        services.block(account=alice)


# -- the admin --


@pytest.mark.parametrize(
    "model", [Deck, Revision, LedgerEntry, Draw, Correction, Notice]
)
def test_no_history_is_changed_in_the_admin(alice: User, model: type) -> None:
    """Not even by who may do everything."""
    alice.is_staff = alice.is_superuser = True
    request = RequestFactory().get("/admin/")
    request.user = alice
    page = admin.site._registry[model]

    assert not page.has_add_permission(request)
    assert not page.has_change_permission(request)
    assert not page.has_delete_permission(request)
    assert "delete_selected" not in page.get_actions(request)


def test_the_admin_has_no_logs_and_no_tokens() -> None:
    """What it has is listed here, so that a new model is thought about."""
    assert {each._meta.label for each in admin.site._registry} == {
        "account.EmailAddress", "accounts.ApiKey", "accounts.Invitation",
        "accounts.User", "auth.Group", "campaigns.Guide", "decks.Collection",
        "decks.Correction", "decks.Deck", "decks.Draw", "decks.LedgerEntry",
        "decks.Notice", "decks.Revision", "decks.SharedVerdict", "decks.Showing",
        "oauth2_provider.Application",
    }  # fmt: skip
