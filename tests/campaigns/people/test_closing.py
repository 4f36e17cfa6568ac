"""Closing an account: what is deleted, what stays, and who organises then."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from arkham.accounts.models import User
from arkham.accounts.services import make_key
from campaigns import services
from campaigns.api.account import AccountShape
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, LogEntry, Membership, Role, Seat
from campaigns.services.account import TableFate, closing_of
from decks.models import Collection, Deck
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    as_answers,
    experience,
    organiser_of,
    report,
    who,
)
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db
PAGE = "/account/close/"
API = "/api/v1/me/"
PASSWORD = "alice-of-arkham"


def _fates(user: User) -> dict[str, TableFate]:
    return {each.campaign.name: each.fate for each in closing_of(user).tables}


def _named(campaign: Campaign, name: str) -> Campaign:
    Campaign.objects.filter(pk=campaign.pk).update(name=name)
    return campaign


def _guest(campaign: Campaign, role: str = Role.PLAYER) -> Membership:
    link = services.invite(
        campaign=campaign, member=organiser_of(campaign), role=role, now=NOW
    )
    return services.join_as_guest(invitation=link, name="Dora", now=NOW)[0]


@pytest.fixture
def tables(alice: User, bob: User, charlie: User) -> dict[str, Campaign]:
    """Campaigns of every possible fate."""
    row = a_row()
    found = {
        name: _named(a_campaign(alice, ROLAND, guide=row), name)
        for name in ("shared", "passes", "guests", "alone")
    }
    for each in found.values():
        report(each, as_answers(who(ROLAND), *won("one")))
    a_member(found["shared"], bob, Role.ORGANISER)
    looks_on = a_member(found["passes"], charlie, Role.SPECTATOR)
    looks_on.joined_at -= timedelta(days=9)
    looks_on.save()
    _guest(found["passes"])
    a_member(found["passes"], bob)
    _guest(found["guests"])
    return found


def test_every_campaign_keeps_an_organiser_or_is_archived(
    tables: dict[str, Campaign], alice: User, bob: User
) -> None:
    """Players come before spectators, accounts before guests."""
    assert _fates(alice) == {
        "shared": TableFate.STAYS,
        "passes": TableFate.PASSES,
        "guests": TableFate.PUT_AWAY,
        "alone": TableFate.GOES,
    }
    before = experience(tables["passes"], ROLAND)
    services.close_account(user=alice, now=NOW)

    for each in ("passes", "shared"):
        there = tables[each].memberships.get(role=Role.ORGANISER, left_at=None)
        assert there.user == bob
    tables["guests"].refresh_from_db()
    assert tables["guests"].archived_at == NOW
    assert not Campaign.objects.filter(name="alone").exists()
    assert experience(tables["passes"], ROLAND) == before
    assert tables["passes"].seats.get().member is None


def test_entries_stay_under_their_authors_name(
    tables: dict[str, Campaign], alice: User, as_bob: Client
) -> None:
    """The timeline says that they left; no one has their rights."""
    campaign = tables["passes"]
    written = campaign.entries.count()
    services.close_account(user=alice, now=NOW)
    row = campaign.entries.first()
    assert row is not None
    assert row.author is not None

    assert campaign.entries.count() == written
    assert (row.author_name, row.author.name) == ("alice", "someone who left")
    assert row.author.left_at == NOW
    page = as_bob.get(f"/campaigns/{campaign.pk}/timeline/").content.decode()
    assert "alice · someone who left" in page
    assert not User.objects.filter(username="alice").exists()


def test_guests_read_an_archived_campaign(
    tables: dict[str, Campaign], alice: User, client: Client
) -> None:
    """They can read and save the log."""
    from campaigns.people.table import token_of

    campaign = tables["guests"]
    link = services.invite(campaign=campaign, member=organiser_of(campaign), now=NOW)
    link.expires_at += timedelta(days=3650)
    link.save()
    client.post(f"/campaigns/join/{token_of(link)}/", {"name": "Ed"})
    services.close_account(user=alice, now=NOW)

    assert client.get(f"/campaigns/{campaign.pk}/log/").status_code == 200
    assert client.get(f"/campaigns/{campaign.pk}/campaign.json").status_code == 200


def test_others_lose_nothing(alice: User, bob: User) -> None:
    """Seats, decks and guides stay; a deck of the account becomes a paper deck."""
    row = a_row(owner=alice, version=9)
    spare = a_row(owner=alice, version=10)
    campaign = a_campaign(bob, guide=row)
    mine = Deck.objects.create(owner=alice, name="Hers", made_at=NOW, changed_at=NOW)
    theirs = Deck.objects.create(owner=bob, name="His", made_at=NOW, changed_at=NOW)
    member = a_member(campaign, alice)
    seat = a_seat(campaign, ROLAND, member)
    other = a_seat(campaign, DAISY, organiser_of(campaign))
    Seat.objects.filter(pk=seat.pk).update(deck=mine, kind="here")
    Seat.objects.filter(pk=other.pk).update(deck=theirs, kind="here")
    Collection.objects.create(owner=alice, name="Shelf", changed_at=NOW)
    told_of = closing_of(alice)
    done = services.close_account(user=alice, now=NOW, seen=told_of.mark)
    seat.refresh_from_db()
    other.refresh_from_db()

    assert (done.decks, done.collections) == (1, 1)
    assert [each.pk for each in done.guides_left] == [row.pk]
    assert [each.pk for each in done.guides_gone] == [spare.pk]
    assert (seat.deck, seat.kind, seat.member) == (None, "paper", None)
    assert (other.deck, other.kind) == (theirs, "here")
    assert Guide.objects.get(pk=row.pk).origin == Guide.Origin.LEFT
    assert not Guide.objects.filter(pk=spare.pk).exists()
    assert not Membership.objects.filter(pk=member.pk).exists()  # wrote no entry
    assert replayed(Campaign.objects.get(pk=campaign.pk)).replay.problems == ()


def test_closing_is_all_or_nothing(
    tables: dict[str, Campaign], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If something fails nothing was closed."""
    before = closing_of(alice)

    def break_down(*_told: object, **_named: object) -> None:
        raise OSError("broken")

    monkeypatch.setattr(User, "delete", break_down)
    with pytest.raises(OSError, match="broken"):
        services.close_account(user=alice, now=NOW)

    assert closing_of(User.objects.get(username="alice")) == before


# --- the page


def test_the_page_lists_all_and_asks_for_the_password(
    tables: dict[str, Campaign], alice: User, as_alice: Client
) -> None:
    """The account page leads there; viewing it, or a wrong password, closes nothing."""
    assert PAGE in as_alice.get("/account/").content.decode()
    page = as_alice.get(PAGE).content.decode()
    for line in (
        "bob becomes its organiser.",
        "Only guests are left",
        f'href="/campaigns/{tables["alone"].pk}/campaign.json"',
        "You leave the table; the campaign continues.",
        'href="/decks/everything/file.json"',
    ):
        assert line in page, line
    sent: dict[str, Any] = {"seen": closing_of(alice).mark, "sure": "on"}

    assert as_alice.post(PAGE, sent).status_code == 422
    assert as_alice.post(PAGE, sent | {"password": "guess"}).status_code == 422
    unsure = {"seen": sent["seen"], "password": PASSWORD}
    assert (
        "Check the box to confirm that you’re sure."
        in as_alice.post(PAGE, unsure).content.decode()
    )
    assert User.objects.filter(username="alice").exists()

    answer = as_alice.post(PAGE, sent | {"password": PASSWORD}, follow=True)
    assert "Your account is closed." in answer.content.decode()
    assert not User.objects.filter(username="alice").exists()
    assert as_alice.get("/account/").status_code == 302


def test_changes_since_the_page_was_seen_are_shown_first(
    tables: dict[str, Campaign], alice: User, bob: User, as_alice: Client
) -> None:
    """Bob leaves: another member would organise his campaign."""
    sent = {"seen": closing_of(alice).mark, "sure": "on", "password": PASSWORD}
    services.leave(member=tables["passes"].memberships.get(user=bob), now=NOW)
    answer = as_alice.post(PAGE, sent)

    assert answer.status_code == 409
    assert "charlie becomes its organiser." in answer.content.decode()
    assert User.objects.filter(username="alice").exists()


def test_passwords_cannot_be_guessed_here(alice: User, as_alice: Client) -> None:
    """After ten attempts even the right one is refused."""
    sent = {"seen": closing_of(alice).mark, "sure": "on", "password": "guess"}
    found = [as_alice.post(PAGE, sent).status_code for _each in range(10)]
    found.append(as_alice.post(PAGE, sent | {"password": PASSWORD}).status_code)

    assert found == [422] * 10 + [429]
    assert User.objects.filter(username="alice").exists()


def test_a_stranger_signs_in_first(client: Client) -> None:
    assert client.get(PAGE).status_code == 302
    assert client.get(API).status_code == 401


# --- programs, and the shell


def test_a_program_closes_an_account_with_the_password(
    tables: dict[str, Campaign], alice: User, client: Client
) -> None:
    """Not without it; and the listed contents must still be current."""
    _key, text = make_key(owner=alice, name="p", scope="write", now=NOW)  # type: ignore[arg-type]
    head = {"Authorization": f"Bearer {text}"}
    seen = client.get(API, headers=head).json()
    kind = "application/json"
    fates = {each["name"]: (each["fate"], each["organiser"]) for each in seen["tables"]}

    assert fates["passes"] == ("passes", "bob")
    assert (seen["name"], seen["keys"]) == ("alice", 1)
    for body, status in (
        ({}, 422),
        ({"password": "guess"}, 422),
        ({"password": 7}, 422),
        ({"password": PASSWORD, "seen": "else"}, 409),
        ({"password": PASSWORD, "seen": seen["seen"]}, 204),
        ({"password": PASSWORD}, 401),
    ):
        answer = client.delete(API, body, content_type=kind, headers=head)
        assert answer.status_code == status, body
    assert not User.objects.filter(username="alice").exists()


def test_an_empty_account_is_described(as_alice: Client) -> None:
    """With zeros."""
    told = as_alice.get(API).json()
    described = AccountShape.describe(lambda _shape: {})["properties"]
    counts = {name for name, kind in described.items() if kind.get("type") == "integer"}

    assert {"decks", "backups"} < counts
    assert {told[name] for name in counts} == {0}
    assert not [name for name in counts if told[name] < described[name]["minimum"]]


def test_the_shell_reports_first_and_closes_with_yes(
    tables: dict[str, Campaign], alice: User
) -> None:
    told_first, done = io.StringIO(), io.StringIO()
    call_command("close_account", "alice", stdout=told_first)
    assert "passes → bob" in told_first.getvalue()
    assert User.objects.filter(username="alice").exists()
    written = LogEntry.objects.exclude(campaign=tables["alone"]).count()
    call_command("close_account", "Alice", "--yes", stdout=done)

    assert "alice is closed." in done.getvalue()
    assert not User.objects.filter(username="alice").exists()
    assert LogEntry.objects.count() == written
    with pytest.raises(CommandError):
        call_command("close_account", "alice", "--yes")
