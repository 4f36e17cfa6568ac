"""All limits mean the same by the address of a visitor."""

from __future__ import annotations

import pytest
from django.conf import settings as project_settings
from django.core.cache import cache
from django.test import Client, RequestFactory
from pytest_django import Settings
from rest_framework.throttling import SimpleRateThrottle

from arkham.accounts.models import User
from arkham.web.request_limits import NOWHERE, address_of

LOGIN = "/account/login/"
LEGALITY = "/api/v1/legality"
DECK = '{"investigator_code": "01001", "slots": {}}'


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::1", "::"),
        ("", NOWHERE),
        ("x" * 3_000, NOWHERE),
    ],
)
def test_what_counts_as_one_visitor(told: str, address: str) -> None:
    """A network of IPv6; an IPv4 address however it is written; all the rest."""
    assert address_of(RequestFactory().get("/", REMOTE_ADDR=told)) == address


def _judged(address: str) -> int:
    answer = Client(REMOTE_ADDR=address).post(
        LEGALITY, DECK, content_type="application/json"
    )
    return answer.status_code


@pytest.mark.django_db
def test_the_api_counts_networks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has a network has more addresses than any limit; IPv4 is told apart."""
    cache.clear()
    rates = {"legality": "2/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)

    of_one_network = [_judged(f"2001:db8::{number}") for number in range(3)]
    of_two_in_ipv6 = [_judged(f"::ffff:192.0.2.{number}") for number in range(3)]

    assert of_one_network == [200, 200, 429]
    assert of_two_in_ipv6 == [200, 200, 200]


def _sign_in(address: str, password: str) -> bool:
    client = Client(REMOTE_ADDR=address)
    client.post(LOGIN, {"login": "alice", "password": password})
    return "_auth_user_id" in client.session


def test_guessing_elsewhere_in_ipv4_hinders_nobody(alice: User) -> None:
    """Where the server listens on IPv6 all addresses come written alike."""
    cache.clear()
    for _each in range(12):
        _sign_in("::ffff:192.0.2.1", "wrong")

    assert not _sign_in("::ffff:192.0.2.1", "alice-of-arkham")
    assert _sign_in("::ffff:192.0.2.2", "alice-of-arkham")


def test_signing_in_behind_a_socket(alice: User) -> None:
    """No address is known there."""
    cache.clear()
    assert _sign_in("", "alice-of-arkham")


def test_many_visitors_wipe_out_no_counter(settings: Settings, alice: User) -> None:
    """Django's own cache would forget a third of all counters at the 300th."""
    cache.clear()
    for _each in range(12):
        _sign_in("192.0.2.1", "wrong")
    for number in range(1_000):
        cache.set(f"throttle_anon_10.0.{number // 250}.{number % 250}", [1.0])

    assert not _sign_in("192.0.2.1", "alice-of-arkham")
    assert project_settings.CACHES["default"]["OPTIONS"]["MAX_ENTRIES"] >= 10_000
