"""The changes of an account, in one list for programs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck, Notice
from decks.services.sharing import DeckLabels, write_beside

pytestmark = pytest.mark.usefixtures("rows")

CHANGES = "/api/v1/changes"
POOL = embedded_pool()


@pytest.fixture
def key(alice: User) -> dict[str, str]:
    """The header that a program of Alice's sends; it may only read."""
    _key, text = accounts.make_key(
        owner=alice, name="sync", scope=ApiKey.Scope.READ, now=timezone.now()
    )
    return {"Authorization": f"Bearer {text}"}


def made(owner: User, days: int = 0) -> Deck:
    """A deck, made so many days ago."""
    when = timezone.now() - timedelta(days)
    return services.create_deck(
        owner=owner, content=starter_deck(POOL, "01001"), now=when, name="Badge"
    )


def listed(key: dict[str, str], since: str = "") -> Any:
    """The answer."""
    asked = {"since": since} if since else {}
    answer = Client().get(CHANGES, asked, headers=key)
    assert answer.status_code == 200, answer.content
    return answer.json()


def kinds(found: Any) -> list[tuple[str, int]]:
    """Each change without its time."""
    return [(each["kind"], each["id"]) for each in found["changes"]]


def test_decks_are_listed_in_the_order_they_changed(
    key: dict[str, str], alice: User, bob: User
) -> None:
    """Those of others are not."""
    late, early = made(alice, 1), made(alice, 3)
    made(bob)
    found = listed(key)
    assert kinds(found) == [("deck", early.pk), ("deck", late.pk)]
    address = found["changes"][0]["address"]
    assert address == f"http://testserver/api/v1/decks/{early.pk}/"
    assert found["since"] == found["changes"][1]["changed_at"]


def test_what_changed_since_is_listed_and_nothing_is_304(
    key: dict[str, str], alice: User
) -> None:
    """A new name, a new visibility, the bin."""
    deck, other = made(alice, 2), made(alice, 1)
    since = listed(key)["since"]
    answer = Client().get(CHANGES, {"since": since}, headers=key)
    same = {**key, "If-None-Match": answer["ETag"]}
    again = Client().get(CHANGES, {"since": since}, headers=same)
    assert again.status_code == 304

    now = timezone.now()
    write_beside(deck, DeckLabels("Gun"), now)
    found = listed(key, since)
    assert kinds(found) == [("deck", other.pk), ("deck", deck.pk)]
    assert found["changes"][1]["name"] == "Gun"
    services.share_deck(deck=other, now=now + timedelta(hours=1))
    assert kinds(listed(key, since))[-1] == ("deck", other.pk)
    services.delete_deck(deck=deck, expected_revision=1, now=now + timedelta(hours=2))
    last = listed(key, since)["changes"][-1]
    assert (last["kind"], last["id"]) == ("deck-deleted", deck.pk)
    assert last["address"] is None


def test_a_notice_is_listed(key: dict[str, str], alice: User) -> None:
    """With the deck it is about."""
    deck = made(alice, 1)
    notice = Notice.objects.create(
        deck=deck,
        revision=1,
        status_before="legal",
        status_after="illegal",
        experience_before=0,
        experience_after=0,
        is_serious=True,
        made_at=timezone.now(),
    )
    found = listed(key)
    assert kinds(found) == [("deck", deck.pk), ("notice", notice.pk)]
    assert found["changes"][1]["address"].endswith(f"/decks/{deck.pk}/notices/")


@pytest.mark.parametrize(
    "since",
    [
        "x",
        "2026-13-40T00:00:00Z",
        "2026-01-01",
        "2026-01-01T00:00",
        "\x00",
        "",
        "0001-01-01T00:00:00+01:00",
    ],
)
def test_what_is_no_moment_is_refused(key: dict[str, str], since: str) -> None:
    """And a moment before all is the beginning."""
    answer = Client().get(CHANGES, {"since": since}, headers=key)
    assert answer.status_code == 400
    assert listed(key, "2000-01-01T00:00:00+01:00")["changes"] == []
    assert listed(key, "9999-12-31T23:59:59Z")["changes"] == []


def test_a_stranger_gets_nothing() -> None:
    """A key is asked for."""
    assert Client().get(CHANGES).status_code == 401
