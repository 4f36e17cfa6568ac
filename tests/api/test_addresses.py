"""All limits count visitors by their address in the same way."""

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
    ("sent", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::1", "::"),
        ("", NOWHERE),
        ("x" * 3_000, NOWHERE),
    ],
)
def test_a_visitor_is_an_ipv4_address_or_an_ipv6_network(
    sent: str, address: str
) -> None:
    """An IPv4 address counts as one in every notation."""
    assert address_of(RequestFactory().get("/", REMOTE_ADDR=sent)) == address


def _judged(address: str) -> int:
    answer = Client(REMOTE_ADDR=address).post(
        LEGALITY, DECK, content_type="application/json"
    )
    return answer.status_code


@pytest.mark.django_db
def test_the_api_counts_ipv6_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network counts as one address; each IPv4 address counts by itself."""
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


def test_guesses_from_one_ipv4_address_do_not_lock_out_another(alice: User) -> None:
    """On a server that listens on IPv6 all IPv4 addresses have the same prefix."""
    cache.clear()
    for _each in range(12):
        _sign_in("::ffff:192.0.2.1", "wrong")

    assert not _sign_in("::ffff:192.0.2.1", "alice-of-arkham")
    assert _sign_in("::ffff:192.0.2.2", "alice-of-arkham")


def test_signing_in_works_behind_a_socket(alice: User) -> None:
    """Which knows no address."""
    cache.clear()
    assert _sign_in("", "alice-of-arkham")


def test_many_visitors_evict_no_counter(settings: Settings, alice: User) -> None:
    """Django's own cache would drop a third of all counters at the 300th."""
    cache.clear()
    for _each in range(12):
        _sign_in("192.0.2.1", "wrong")
    for number in range(1_000):
        cache.set(f"throttle_anon_10.0.{number // 250}.{number % 250}", [1.0])

    assert not _sign_in("192.0.2.1", "alice-of-arkham")
    assert project_settings.CACHES["default"]["OPTIONS"]["MAX_ENTRIES"] >= 10_000
