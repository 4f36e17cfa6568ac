"""Polls without news are answered early, to those who still have access."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from arkham.accounts.models import User
from arkham.web import limits
from campaigns import queries, services
from campaigns.models import Campaign, Guest, Membership
from campaigns.people.table import token_of
from tests.campaigns.helpers.tables import as_answers, organiser_of, report, who
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db


def _news(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.pk}/news?after={campaign.last}"


@pytest.fixture
def phone(as_alice: Client, campaign: Campaign) -> Client:
    """Alice's phone, which has polled once."""
    assert as_alice.get(_news(campaign)).status_code == 204
    return as_alice


def test_a_poll_without_news_takes_one_query(
    phone: Client,
    campaign: Campaign,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """For the table and a scenario; browsers must not cache it."""
    mark = queries.mark_at(campaign)
    with django_assert_num_queries(2):
        table = phone.get(_news(campaign))
        scenario = phone.get(f"/campaigns/{campaign.pk}/scenario/news?mark={mark}")

    assert (table.status_code, scenario.status_code) == (204, 204)
    assert table["Cache-Control"] == "private, no-store"


def test_a_poll_shows_changes(phone: Client, campaign: Campaign) -> None:
    """An answer, and a seat."""
    before = _news(campaign)
    seated = queries.mark_at(campaign).seated
    campaign.seats.filter(investigator=DAISY).update(member=None)
    moved = phone.get(f"{before}&seated={seated}")
    report(campaign, as_answers(who(ROLAND, DAISY)))
    wrote = phone.get(before)

    assert "Someone took or left a seat, or finished a deck." in moved.content.decode()
    assert wrote.status_code == 200


def _sign_out(alice: User) -> None:
    Session.objects.all().delete()


def _run_out(alice: User) -> None:
    Session.objects.update(expire_date=timezone.now())


def _change_password(alice: User) -> None:
    alice.set_password("another one")
    alice.save()


def _block(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)


def _leave(alice: User) -> None:
    Membership.objects.filter(user=alice).update(left_at=timezone.now())


def _erase(alice: User) -> None:
    Campaign.objects.all().delete()


@pytest.mark.parametrize(
    "act", [_sign_out, _run_out, _change_password, _block, _leave, _erase]
)
def test_a_removed_member_gets_404(
    phone: Client, alice: User, campaign: Campaign, act: Callable[[User], None]
) -> None:
    """From the next poll on."""
    address = _news(campaign)
    act(alice)

    assert phone.get(address).status_code == 404


def test_another_browsers_cookie_gets_no_cached_access(
    phone: Client, campaign: Campaign
) -> None:
    """Access is cached for the exact cookies."""
    other = Client()
    other.handler = phone.handler

    assert other.get(_news(campaign)).status_code == 404


def test_a_guest_polls_too(client: Client, campaign: Campaign) -> None:
    """Until they leave."""
    link = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=timezone.now()
    )
    client.post(f"/campaigns/join/{token_of(link)}/", {"name": "Dora"})
    assert client.get(_news(campaign)).status_code == 204
    assert client.get(_news(campaign)).status_code == 204
    Membership.objects.filter(guest=Guest.objects.get()).update(left_at=timezone.now())

    assert client.get(_news(campaign)).status_code == 404


def test_too_many_polls_are_throttled(
    phone: Client, alice: User, campaign: Campaign, settings: Settings
) -> None:
    """They count as computing time."""
    settings.ORNE_WORK = 1
    limits.charge(f"account-{alice.pk}", 2)

    assert phone.get(_news(campaign)).status_code == 429


def test_a_page_asks_for_what_it_shows(
    phone: Client,
    campaign: Campaign,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """Session, account, member, seats, invitation and mark; the organiser undoes all.

    What only a player's rights or decks being upgraded depend on isn't asked for.
    """
    report(campaign, as_answers(who(ROLAND, DAISY)))
    address = f"/campaigns/{campaign.pk}/"
    phone.get(address)
    with django_assert_num_queries(6):
        page = phone.get(address)

    assert "Undo the last answer" in page.content.decode()
