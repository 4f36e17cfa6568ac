"""Things that are deleted while a request is handled lead to no error."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.db import IntegrityError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from arkham.web.errors import DeletedMeanwhileMiddleware
from campaigns import services
from campaigns.guides import keeping
from campaigns.models import Campaign, Guest, Guide, Invitation, Membership, Seat
from campaigns.people.table import token_of
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Deck
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    organiser_of,
)
from tests.rules.campaign.helpers.small import DAISY, ROLAND


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """A campaign that was begun."""
    return a_campaign(alice, ROLAND)


class Deleting:
    """Deletes a campaign after a number of queries, as another device would.

    It waits while a transaction of the request is open, which would undo it.
    """

    def __init__(self, campaign: Campaign, after: int) -> None:
        self.campaign, self.left, self.done = campaign, after, False
        self.depth = len(connection.savepoint_ids)

    def __call__(self, execute: Callable[..., Any], *asked: Any) -> Any:
        """Run the query, and delete the campaign when it is time."""
        answer = execute(*asked)
        sql, is_free = str(asked[0]), len(connection.savepoint_ids) == self.depth
        if sql.startswith("SELECT") and is_free and not self.done:
            self.left -= 1
            if self.left < 0:
                self.done = True
                Campaign.objects.get(pk=self.campaign.pk).delete()
        return answer


def _until_it_ends(campaign: Campaign, ask: Callable[[], int]) -> set[int]:
    """What is answered where it goes after one query, after two, and so on."""
    answers = set()
    for after in range(60):
        with transaction.atomic():
            deleting = Deleting(campaign, after)
            with connection.execute_wrapper(deleting):
                answers.add(ask())
            transaction.set_rollback(True)
        if not deleting.done:
            return answers
    raise AssertionError("no request asks so often")


SENT: dict[str, tuple[str, dict[str, Any]]] = {
    "rename": ("PATCH", {"name": "Another"}),
    "delete": ("DELETE", {}),
    "invitations/": ("POST", {"role": "player"}),
    "seats/": ("POST", {"investigator": DAISY}),
    "branches/": ("POST", {}),
    "faq": ("POST", {"after": 1, "faq": "2.0"}),
}


@pytest.mark.parametrize("door", SENT)
def test_an_api_endpoint_of_a_vanishing_campaign(
    as_alice: Client, campaign: Campaign, door: str
) -> None:
    """It succeeds, is refused, or responds with 404."""
    method, body = SENT[door]
    place = door if door.endswith("/") or door == "faq" else ""

    def ask() -> int:
        return as_alice.generic(
            method,
            f"/api/v1/campaigns/{campaign.pk}/{place}",
            json.dumps(body),
            content_type="application/json",
        ).status_code

    answers = _until_it_ends(campaign, ask)
    assert 404 in answers
    assert max(answers) < 500


PAGES = (
    "", "people/", "log/", "timeline/", "settings/", "achievements/", "ultimatums/",
    "between/", "fact/", "news", "campaign.json", "experience.csv",
)  # fmt: skip


@pytest.mark.parametrize("place", PAGES)
def test_a_page_of_a_vanishing_campaign(
    as_alice: Client, campaign: Campaign, place: str
) -> None:
    """It is as it was, or 404."""
    answers = _until_it_ends(
        campaign,
        lambda: as_alice.get(f"/campaigns/{campaign.pk}/{place}").status_code,
    )
    assert max(answers) < 500


FORMS: dict[str, dict[str, str]] = {
    "people/invite": {"role": "player"},
    "people/sit/": {"investigator": DAISY, "kind": "none"},
    "settings/": {"do": "name", "name": "Another"},
}


@pytest.mark.parametrize("place", FORMS)
def test_a_form_of_a_vanishing_campaign(
    as_alice: Client, campaign: Campaign, place: str
) -> None:
    """It succeeds, is refused, or responds with 404."""
    answers = _until_it_ends(
        campaign,
        lambda: (
            as_alice.post(f"/campaigns/{campaign.pk}/{place}", FORMS[place]).status_code
        ),
    )
    assert max(answers) < 500


def test_a_campaign_is_locked_before_anything_of_it_is_deleted(
    campaign: Campaign, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deleting waits for concurrent invitations and copies; so does removing people."""
    other = a_member(campaign, bob)
    services.invite(campaign=campaign, member=organiser_of(campaign), now=NOW)
    asked: list[str] = []

    def note(execute: Callable[..., Any], *query: Any) -> Any:
        asked.append(str(query[0]))
        return execute(*query)

    organiser = organiser_of(campaign)
    with connection.execute_wrapper(note):
        services.remove_member(member=other, actor=organiser, now=NOW)
    _holds_first(asked, Invitation._meta.db_table)
    asked.clear()
    with connection.execute_wrapper(note):
        services.delete_campaign(campaign=campaign, member=organiser, now=NOW)
    _holds_first(asked, Invitation._meta.db_table)


def _holds_first(asked: list[str], table: str) -> None:
    """Return whether the campaign's row is locked before the first of ``table``."""
    about = [query for query in asked if query.startswith(("SELECT", "UPDATE"))]
    first = next(place for place, query in enumerate(about) if f'"{table}"' in query)
    held = 'FROM "campaigns_campaign"'
    assert any(held in query for query in about[:first])


class Table(NamedTuple):
    """Alice's campaign, with a guest without entries, a link, and a deck of hers."""

    alice: User
    campaign: Campaign
    guest: Membership
    link: Invitation
    seat: Seat
    deck: Deck


def _a_table(guide: Guide) -> Table:
    """Make a new one, whatever happened to the last."""
    Campaign.objects.all().delete()
    User.objects.all().delete()
    Guest.objects.all().delete()
    alice = User.objects.create_user("alice")
    campaign = a_campaign(alice, ROLAND, guide=guide)
    link = services.invite(campaign=campaign, member=organiser_of(campaign), now=NOW)
    Invitation.objects.update(expires_at=NOW.replace(year=9000))
    guest, _key = services.join_as_guest(invitation=link, name="Dora", now=NOW)
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    return Table(alice, campaign, guest, link, campaign.seats.get(), deck)


def _close(table: Table) -> None:
    services.close_account(user=User.objects.get(pk=table.alice.pk), now=NOW)


def _leave(table: Table) -> None:
    services.leave(member=Membership.objects.get(pk=table.guest.pk), now=NOW)


def _delete(table: Table) -> None:
    Campaign.objects.get(pk=table.campaign.pk).delete()


def _revoke(table: Table) -> None:
    Invitation.objects.all().delete()


def _burn(table: Table) -> None:
    Deck.objects.get(pk=table.deck.pk).delete()


class Meanwhile:
    """Does something after a number of queries, outside transactions of the request."""

    def __init__(self, does: Callable[[Table], None], table: Table, after: int) -> None:
        self.does, self.table, self.left, self.done = does, table, after, False

    def __call__(self, execute: Callable[..., Any], *asked: Any) -> Any:
        """Run the query, and then the action when it is time."""
        answer = execute(*asked)
        is_free = not connection.in_atomic_block and not str(asked[0]).startswith(
            "BEGIN"
        )
        if is_free and not self.done:
            self.left -= 1
            if self.left < 0:
                self.done = True
                self.does(self.table)
        return answer


SIT = "/campaigns/{campaign}/people/seats/{seat}"
OTHER = "/campaigns/{campaign}/people/members/{guest}/"
OTHER_API = "/api/v1/campaigns/{campaign}/members/{guest}/"
DECK = {"deck": {"investigator_code": ROLAND, "slots": {"01020": 2}}}
MEANWHILE: list[tuple[str, str, dict[str, Any], Callable[[Table], None]]] = [
    ("POST", "/api/v1/decks/", DECK, _close),
    ("POST", "/api/v1/campaigns/join", {"token": "{token}"}, _close),
    ("POST", "/api/v1/campaigns/join", {"token": "{token}"}, _revoke),
    ("PATCH", OTHER_API, {"role": "scribe"}, _leave),
    ("DELETE", OTHER_API, {}, _leave),
    ("DELETE", "/api/v1/me/", {"password": "x"}, _close),
    ("FORM", "/decks/new/01001/", {"name": "x", "empty": "1"}, _close),
    ("FORM", "/decks/collections/new", {"name": "Mine", "packs": "core"}, _close),
    ("FORM", "/account/keys/", {"name": "Mine", "scope": "write"}, _close),
    ("FORM", "/campaigns/join/{token}/", {}, _delete),
    ("FORM", "/campaigns/join/{token}/", {}, _revoke),
    ("FORM", OTHER + "go", {}, _leave),
    ("FORM", OTHER + "role", {"role": "scribe"}, _leave),
    ("FORM", SIT, {"player": "{guest}", "deck": "keep"}, _leave),
    ("FORM", SIT, {"deck": "deck:{deck}"}, _burn),
    ("GET", "/api/v1/campaigns/statistics", {}, _delete),
    ("GET", "/campaigns/statistics/", {}, _delete),
]


def _sent(
    table: Table, client: Client, method: str, path: str, body: dict[str, Any]
) -> int:
    named = {
        "campaign": table.campaign.pk,
        "guest": table.guest.pk,
        "seat": table.seat.pk,
        "deck": table.deck.pk,
        "token": token_of(table.link),
    }
    path = path.format(**named)
    told = {
        key: each.format(**named) if isinstance(each, str) else each
        for key, each in body.items()
    }
    if method == "FORM":
        return client.post(path, told).status_code
    if method == "GET":
        return client.get(path).status_code
    kind = "application/json"
    return client.generic(method, path, json.dumps(told), kind).status_code


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "body", "does"), MEANWHILE)
def test_a_deletion_at_any_moment(
    transactional_db: None,
    method: str,
    path: str,
    body: dict[str, Any],
    does: Callable[[Table], None],
) -> None:
    """It succeeds, is refused, or is a 404; nothing of a closed account stays."""
    guide = a_row()
    answers = set()
    for after in range(60):
        table = _a_table(guide)
        client = Client()
        client.force_login(table.alice)
        meanwhile = Meanwhile(does, table, after)
        with connection.execute_wrapper(meanwhile):
            answers.add(_sent(table, client, method, path, body))
        if does is _close and meanwhile.done:
            assert not User.objects.exists()
            assert not Deck.objects.exclude(owner=None).exists()
            assert not Membership.objects.filter(user__isnull=False).exists()
        if not meanwhile.done:
            break
    assert max(answers) < 500
    assert method != "GET" or answers == {200}


def test_other_integrity_errors_are_raised() -> None:
    """A violated constraint that isn't about a missing row is a bug."""
    middleware = DeletedMeanwhileMiddleware(lambda _request: HttpResponse())

    assert middleware.process_exception(HttpRequest(), IntegrityError()) is None
    assert middleware.process_exception(HttpRequest(), KeyError()) is None


def test_a_guide_that_a_campaign_just_began_with_stays(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though it was unused when that was checked."""
    guide = a_row(owner=User.objects.create_user("ann"))

    def begun_then(*_args: object) -> None:
        raise IntegrityError

    monkeypatch.setattr(Guide, "delete", begun_then)
    with pytest.raises(keeping.GuideInUse):
        keeping.remove_guide(guide=guide)


def test_a_closed_account_is_not_restored(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new password saves the whole row, which no longer exists by then."""
    user = User.objects.create_user("ann", password="not-guessed-1926")
    client = Client()
    client.force_login(user)
    new, old = "guessed-by-none-1927", "not-guessed-1926"
    form = {"oldpassword": old, "password1": new, "password2": new}

    set_password = User.set_password

    def set_later(self: User, raw: str) -> None:
        set_password(self, raw)
        if raw == new:
            services.close_account(user=User.objects.get(pk=user.pk), now=NOW)

    monkeypatch.setattr(User, "set_password", set_later)
    answer = client.post("/account/password/change/", form)

    assert answer.status_code == 404
    assert "Your account was closed" in answer.text
    assert not User.objects.exists()
