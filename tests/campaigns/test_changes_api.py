"""The changes of an account, in one list for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import DateTimeField, Value
from django.test import Client
from django.utils import timezone

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.rules.snapshot import embedded_pool
from campaigns import services as tables
from campaigns.models import Guide, Role
from campaigns.services.account import changes_of, may_have_changes
from decks import services
from decks.interchange import account_import as account_importing
from decks.interchange.account_import import account_text, import_account
from decks.interchange.account_reading import read_account
from decks.interchange.many import ListPlace, import_places
from decks.lists.starter import starter_deck
from decks.models import Deck, Notice
from decks.services.sharing import DeckLabels, close_link, open_link, save_labels
from tests.campaigns.helpers.tables import a_campaign, organiser_of

pytestmark = pytest.mark.usefixtures("rows")

CHANGES = "/api/v1/changes"
POOL = embedded_pool()


@pytest.fixture
def key(alice: User) -> dict[str, str]:
    """Return the header of a program of Alice's that may only read."""
    _key, text = accounts.make_key(
        owner=alice, name="sync", scope=ApiKey.Scope.READ, now=timezone.now()
    )
    return {"Authorization": f"Bearer {text}"}


def made(owner: User, days: int = 0) -> Deck:
    """Make a deck so many days ago."""
    when = timezone.now() - timedelta(days)
    return services.create_deck(
        owner=owner, content=starter_deck(POOL, "01001"), now=when, name="Badge"
    )


def listed(key: dict[str, str], since: str = "") -> Any:
    """Return the response."""
    asked = {"since": since} if since else {}
    answer = Client().get(CHANGES, asked, headers=key)
    assert answer.status_code == 200, answer.content
    return answer.json()


def kinds(found: Any) -> list[tuple[str, int]]:
    """Return each change without its time."""
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


def test_changes_since_a_time_are_listed_and_none_is_304(
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
    save_labels(deck, DeckLabels("Gun"), now)
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
def test_an_invalid_since_is_refused(key: dict[str, str], since: str) -> None:
    """A time before all changes is the beginning."""
    answer = Client().get(CHANGES, {"since": since}, headers=key)
    assert answer.status_code == 400
    assert listed(key, "2000-01-01T00:00:00+01:00")["changes"] == []
    assert listed(key, "9999-12-31T23:59:59Z")["changes"] == []


def test_lower_case_letters_of_a_time_are_read(key: dict[str, str]) -> None:
    assert listed(key, "2000-01-01t00:00:00z") == listed(key, "2000-01-01T00:00:00Z")


def test_a_stranger_is_refused() -> None:
    """A key is required."""
    assert Client().get(CHANGES).status_code == 401


def changed(owner: User, change: Callable[[], object]) -> list[tuple[str, int]]:
    """Return what is listed for an account after an action."""
    before = timezone.now()
    change()
    found = changes_of(owner, before)
    asked = User.objects.annotate(since=Value(before, DateTimeField()))
    may = asked.filter(may_have_changes("pk", "since"), pk=owner.pk).exists()
    assert may == bool(found)
    return [(each.kind, each.id) for each in found]


def test_changes_beside_the_list_are_changes_of_the_deck(alice: User) -> None:
    """Its ledger, its link, that it is private again, that it is out of the bin."""
    deck, now = made(alice, 1), timezone.now()
    services.publish_deck(deck=deck, number=1, pool=POOL, now=now)
    for change in (
        lambda: services.correct_ledger(deck=deck, amount=2, reason="x", now=now),
        lambda: open_link(deck=deck, now=now),
        lambda: close_link(deck=deck),
        lambda: services.withdraw_deck(deck=deck),
    ):
        assert changed(alice, change) == [("deck", deck.pk)]
    assert changed(alice, lambda: services.withdraw_deck(deck=deck)) == []
    deck.refresh_from_db()
    services.delete_deck(deck=deck, expected_revision=deck.revision, now=now)
    back = changed(alice, lambda: services.restore_deck(deck=deck))
    assert back == [("deck", deck.pk)]


def test_imported_decks_are_listed(alice: User, bob: User) -> None:
    """From a file, with times of their own, none in the future; drafts too."""
    when = made(alice, 30).made_at
    file = json.loads(account_text(owner=alice, now=when))
    to_come = "9998-12-31T00:00:00+00:00"
    file["decks"][0]["changed_at"] = to_come
    file["decks"].insert(0, {**file["decks"][0], "deleted_at": to_come})
    account = read_account(json.dumps(file))
    found = changed(bob, lambda: import_account(owner=bob, account=account))
    kept = bob.decks.get()
    assert kept.made_at == when
    binned = Deck.binned.get(owner=bob)
    assert found == [("deck-deleted", binned.pk), ("deck", kept.pk)]
    assert max(kept.changed_at, binned.deleted_at or kept.made_at) <= timezone.now()

    draft = services.create_deck(
        owner=None, content=starter_deck(POOL, "01001"), now=when
    )
    found = changed(bob, lambda: services.keep_deck(deck=draft, owner=bob))
    assert found == [("deck", draft.pk)]


def test_a_campaign_changes_with_its_name_and_members(alice: User, bob: User) -> None:
    """A new member finds it listed, even if nothing else has changed for long."""
    campaign = a_campaign(alice)
    organiser, now = organiser_of(campaign), timezone.now()
    link = tables.invite(campaign=campaign, member=organiser, now=now)
    at_table: dict[str, Any] = {"campaign": campaign, "member": organiser}
    listed_once = [("campaign", campaign.pk)]
    for change in (
        lambda: tables.rename_campaign(**at_table, name="Fridays"),
        lambda: tables.change_terms(**at_table, terms={"taboo": "none"}),
        lambda: tables.archive(**at_table, now=now),
        lambda: tables.archive(**at_table, now=None),
    ):
        assert changed(alice, change) == listed_once
    come = changed(
        bob, lambda: tables.join(invitation=link, user=bob, now=timezone.now())
    )
    assert come == listed_once
    member = campaign.memberships.get(user=bob)
    act: dict[str, Any] = {"actor": organiser, "role": Role.SCRIBE}
    found = changed(
        bob, lambda: tables.change_role(member=member, **act, now=timezone.now())
    )
    assert found == listed_once
    leave = changed(alice, lambda: tables.leave(member=member, now=timezone.now()))
    assert leave == listed_once
    assert changes_of(bob, campaign.made_at) == []


def test_a_campaign_changes_with_its_seats(alice: User) -> None:
    """Who has one, with which deck, and that it lost it."""
    campaign, deck = a_campaign(alice), made(alice, 1)
    member, now = organiser_of(campaign), timezone.now()
    roland: dict[str, Any] = {"sitting": tables.Sitting("01001", is_mine=False)}
    sit: dict[str, Any] = {"campaign": campaign, "member": member, "now": now}
    listed_once = [("campaign", campaign.pk)]
    assert changed(alice, lambda: tables.add_seat(**sit, **roland)) == listed_once
    seat = campaign.seats.get()
    given: dict[str, Any] = {"seat": seat, "member": member}
    for change in (
        lambda: tables.give_seat(**given, actor=member),
        lambda: tables.link_deck(**given, deck=deck, now=now),
        lambda: tables.unlink_deck(**given),
    ):
        assert changed(alice, change)[-1:] == listed_once
    tables.link_deck(**given, deck=deck, now=now)
    gone: dict[str, Any] = {"deck": deck, "expected_revision": deck.revision}
    away = changed(alice, lambda: services.delete_deck(**gone, now=timezone.now()))
    assert {*away} == {("deck-deleted", deck.pk), *listed_once}


class SlowClock:
    """A clock that began a minute ago and goes on ten seconds at each look."""

    def __init__(self) -> None:
        self.moment = timezone.now() - timedelta(minutes=1)

    def now(self) -> datetime:
        self.moment += timedelta(seconds=10)
        return self.moment


def test_what_a_long_import_made_is_listed_when_it_ends(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not when it began, before others could see it."""
    made(alice)
    file = account_text(owner=alice, now=timezone.now())
    clock = SlowClock()
    monkeypatch.setattr(account_importing, "timezone", clock)
    import_account(owner=bob, account=read_account(file))
    assert bob.decks.get().noted_at == clock.moment

    began = timezone.now() - timedelta(minutes=1)
    place = ListPlace("1", json.dumps(starter_deck(POOL, "01002").deck))
    act: dict[str, Any] = {"owner": bob, "here": "", "pool": POOL, "now": began}
    found = changed(bob, lambda: import_places(places=[place], **act))
    assert [kind for kind, _key in found] == ["deck"]

    exported = tables.export_campaign(member=organiser_of(a_campaign(alice)))
    usable = Guide.objects.all()
    act = {"organiser": bob, "data": exported, "usable": usable, "now": began}
    found = changed(bob, lambda: tables.import_campaign(**act))
    assert [kind for kind, _key in found] == ["campaign"]
