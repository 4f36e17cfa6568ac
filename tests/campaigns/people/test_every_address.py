"""Every address of a campaign, requested by people without access."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import URLPattern

from arkham.accounts.models import User
from campaigns import services
from campaigns.models import Campaign, Role
from campaigns.people.table import COOKIE
from campaigns.urls import api_urlpatterns, urlpatterns
from tests.campaigns.helpers.tables import NOW, a_member, a_seat, organiser_of
from tests.campaigns.helpers.visitors import all_of_it
from tests.rules.campaign.helpers.small import DAISY, ROLAND

METHODS = ("get", "post", "put", "patch", "delete")
SIGN_IN = "/account/login/"
REFUSED = frozenset({302, 401, 403, 404, 405})
# Requests that spectators may send: they change nothing that they see.
READING = frozenset({"preview", "branches/"})


def doors() -> list[str]:
    """The addresses of one campaign: of pages and of the API."""
    found = []
    for prefix, patterns in (
        ("/campaigns/", urlpatterns),
        ("/api/v1/", api_urlpatterns),
    ):
        for each in patterns:
            assert isinstance(each, URLPattern)
            route = prefix + str(each.pattern)
            if "<int:pk>" in route and "guides/<int:pk>" not in route:
                found.append(route)
    return found


@pytest.fixture
def table(played: Campaign, bob: User) -> Campaign:
    """Bob plays Daisy; there is an invitation."""
    member = a_member(played, bob)
    a_seat(played, ROLAND)
    a_seat(played, DAISY, member)
    services.invite(campaign=played, member=organiser_of(played), now=NOW)
    return played


def addresses(campaign: Campaign) -> dict[str, str]:
    """Return the routes of every address, with this campaign's things."""
    first_of = {
        "pk": campaign.pk,
        "other": campaign.memberships.first(),
        "member": campaign.memberships.first(),
        "seat": campaign.seats.first(),
        "made": campaign.invitations.first(),
        "invitation": campaign.invitations.first(),
        "entry": 1,
        "sequence": 1,
        "guide": campaign.guide_id,
    }

    def filled(found: re.Match[str]) -> str:
        value = first_of[found[1]]
        return str(getattr(value, "pk", value))

    return {route: re.sub(r"<int:(\w+)>", filled, route) for route in doors()}


def answers(client: Client, campaign: Campaign) -> Iterator[tuple[str, str, int]]:
    """Yield the status of every method at every address; 302 for the sign-in page."""
    for route, path in addresses(campaign).items():
        for method in METHODS:
            ask = getattr(client, method)
            body: dict[str, str] = {}
            if method != "get" and (method != "post" or route.startswith("/api/")):
                body = {"content_type": "application/json", "data": "{}"}
            answer = ask(path, **body)
            asked = answer.headers.get("Location", "").startswith(SIGN_IN)
            yield method, route, 302 if asked else answer.status_code


def test_the_addresses_are_found() -> None:
    """Else the other tests would be empty."""
    assert len(doors()) > 50


def test_a_stranger_gets_404_everywhere(table: Campaign, as_charlie: Client) -> None:
    """Whatever they send."""
    before = all_of_it(table)
    wrong = [each for each in answers(as_charlie, table) if each[2] not in (404, 405)]

    assert wrong == []
    assert all_of_it(table) == before


def test_a_former_member_gets_404_everywhere(
    table: Campaign, bob: User, as_bob: Client
) -> None:
    services.leave(member=table.memberships.get(user=bob), now=NOW)
    before = all_of_it(table)

    assert [e for e in answers(as_bob, table) if e[2] not in (404, 405)] == []
    assert all_of_it(table) == before


@pytest.mark.parametrize("cookie", ["", "nonsense", "nonsense:1:2"])
def test_access_needs_an_account_or_a_guests_cookie(
    table: Campaign, client: Client, cookie: str
) -> None:
    """Sign in first, or 401; an invented cookie is useless."""
    if cookie:
        client.cookies[COOKIE] = cookie
    before = all_of_it(table)

    assert [e for e in answers(client, table) if e[2] not in REFUSED] == []
    assert all_of_it(table) == before


def test_a_closed_invitation_is_refused(table: Campaign, client: Client) -> None:
    """By page and API; no guest is created."""
    from campaigns.people.table import token_of

    old = services.invite(
        campaign=table,
        member=organiser_of(table),
        now=NOW - timedelta(days=90),
        lifetime=timedelta(days=1),
    )
    token = token_of(old)
    before = all_of_it(table)
    client.post(f"/campaigns/join/{token}/", {"name": "Dora"})
    told = client.post(
        "/api/v1/campaigns/join",
        {"token": token, "name": "Dora"},
        content_type="application/json",
    )

    assert told.status_code in (404, 409, 410)
    assert all_of_it(table) == before
    assert [e for e in answers(client, table) if e[2] not in REFUSED] == []


@pytest.mark.parametrize("role", [Role.SPECTATOR, Role.PLAYER])
def test_a_spectator_changes_nothing(
    table: Campaign, as_charlie: Client, charlie: User, role: str
) -> None:
    """Nor does a player what is not theirs; no address fails with an error."""
    a_member(table, charlie, role)
    before = all_of_it(table)
    broken = []
    for route, path in addresses(table).items():
        found = {}
        for method in METHODS:
            if route.endswith(tuple(READING)) and method == "post":
                continue
            ask = getattr(as_charlie, method)
            body = {}
            if method != "get" and route.startswith("/api/"):
                body = {"content_type": "application/json", "data": "{}"}
            found[method] = ask(path, **body).status_code
        if max(found.values()) >= 500 or all_of_it(table) != before:
            broken.append((route, found))

    assert broken == []
