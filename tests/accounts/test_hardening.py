"""Signing in holds against guessing, without locking out whom a stranger names."""

from __future__ import annotations

import os
import threading
import time

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, get_hasher
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from arkham.accounts.authentication import BoundedArgon2Hasher
from arkham.accounts.models import User

LOGIN = "/account/login/"


def _sign_in(name: str, password: str, address: str) -> bool:
    client = Client(REMOTE_ADDR=address)
    client.post(LOGIN, {"login": name, "password": password})
    return "_auth_user_id" in client.session


# -- the admin --


def test_the_admin_sends_strangers_to_the_accounts_own_page(client: Client) -> None:
    """Its own form, which nothing limits, takes no password."""
    form = {"username": "alice", "password": "x", "next": "/admin/"}
    for answer in (client.get("/admin/login/"), client.post("/admin/login/", form)):
        assert answer.status_code == 302
        assert answer["Location"].startswith(LOGIN)


@pytest.mark.parametrize(("is_staff", "status"), [(True, 200), (False, 403)])
def test_only_staff_come_in(
    as_alice: Client, alice: User, is_staff: bool, status: int
) -> None:
    """Signed in as everybody is."""
    User.objects.filter(pk=alice.pk).update(is_staff=is_staff, is_superuser=is_staff)
    assert as_alice.get("/admin/", follow=True).status_code == status


@pytest.mark.parametrize("address", ["?kind=%00", "?%00=1", "?q=a&kind=x%00"])
def test_no_filter_of_the_admin_takes_a_nul(
    as_alice: Client, alice: User, address: str
) -> None:
    """Not every database would refuse it in an answer."""
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    path = "/admin/decks/ledgerentry/"

    assert as_alice.get(path).status_code == 200
    assert as_alice.get(path + address).status_code == 400


# -- guessing --


def test_a_stranger_locks_nobody_out(alice: User) -> None:
    """However often a known name is tried from elsewhere."""
    for number in range(40):
        assert not _sign_in("alice", "wrong", f"10.0.{number % 4}.1")
    assert _sign_in("alice", "alice-of-arkham", "10.9.9.9")


def test_one_address_guesses_a_few_times_only(alice: User) -> None:
    """Then the right password is refused there as well."""
    for _each in range(12):
        _sign_in("alice", "wrong", "10.1.1.1")
    assert not _sign_in("alice", "alice-of-arkham", "10.1.1.1")
    assert _sign_in("alice", "alice-of-arkham", "10.1.1.2")


def test_one_address_tries_few_names(alice: User, bob: User) -> None:
    """All names together are counted by address too."""
    for number in range(12):
        _sign_in(f"nobody-{number}", "wrong", "10.1.1.3")
    assert not _sign_in("bob", "bob-of-arkham", "10.1.1.3")


# -- hashing --


def test_hashing_takes_little_memory_and_few_at_once() -> None:
    """19 MiB each, no more at a time than there are cores, at least two."""
    hasher = BoundedArgon2Hasher()
    assert (hasher.memory_cost, hasher.time_cost, hasher.parallelism) == (19456, 2, 1)
    running, most = 0, 0
    lock = threading.Lock()

    class Counted(BoundedArgon2Hasher):
        def params(self):  # type: ignore[no-untyped-def]
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            time.sleep(0.02)
            with lock:
                running -= 1
            return super().params()

    threads = [
        threading.Thread(target=Counted().encode, args=("word", "saltsaltsalt"))
        for _each in range(12)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert most <= max(2, os.cpu_count() or 1)


def test_older_hashes_are_read_and_made_again(settings: Settings, alice: User) -> None:
    """With the parameters of today, when their owner signs in."""
    settings.PASSWORD_HASHERS = ["arkham.accounts.authentication.BoundedArgon2Hasher"]
    old = Argon2PasswordHasher().encode("alice-of-arkham", "saltsaltsalt")
    User.objects.filter(pk=alice.pk).update(password=old)
    cache.clear()

    assert get_hasher("argon2").must_update(old)
    assert _sign_in("alice", "alice-of-arkham", "10.2.2.2")
    alice.refresh_from_db()
    assert "m=19456,t=2,p=1" in alice.password
