"""Concurrent requests keep a campaign consistent."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection
from pytest_django import Settings

from arkham.accounts.models import ApiKey, User
from arkham.accounts.services import MOST_KEYS, TooManyKeys, make_key
from arkham.rules.snapshot import embedded_pool
from arkham.web.quotas import QuotaReached
from campaigns import services
from campaigns.guides.opening import usable_by
from campaigns.models import Campaign, Guest, Membership, Role, Seat, WaitingBackup
from campaigns.services import EntryRefused, Forbidden, WriteContext, backups
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services.collecting import own_products
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    as_answers,
    organiser_of,
    who,
)
from tests.rules.campaign.helpers.small import DAISY, ROLAND

REFUSALS = (EntryRefused, Forbidden, ObjectDoesNotExist, QuotaReached, TooManyKeys)
TIMES = 3  # rare races on one machine happen in one of a few runs


@pytest.fixture
def ann(transactional_db: None) -> User:
    """The organiser."""
    return User.objects.create_user("ann")


@pytest.fixture
def ben(transactional_db: None) -> User:
    """Another member."""
    return User.objects.create_user("ben")


def together(*jobs: Callable[[], object]) -> list[str]:
    """Run actions at the same moment; return "done" or the refusal for each."""
    all_at_once = threading.Barrier(len(jobs), timeout=20)

    def do(job: Callable[[], object]) -> str:
        try:
            all_at_once.wait()
            job()
        except REFUSALS as refusal:
            return type(refusal).__name__
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(len(jobs)) as pool:
        return sorted(pool.map(do, jobs))


def test_one_of_two_leaving_organisers_stays(ann: User, ben: User) -> None:
    """Both press “leave”."""
    campaign = a_campaign(ann)
    members = [organiser_of(campaign), a_member(campaign, ben, Role.ORGANISER)]

    def leaving(member: Membership) -> Callable[[], object]:
        return lambda: services.leave(
            member=Membership.objects.get(pk=member.pk), now=NOW
        )

    for _each in range(TIMES):
        assert together(*map(leaving, members)) == ["EntryRefused", "done"]
        assert campaign.memberships.filter(left_at=None).count() == 1
        campaign.memberships.update(left_at=None)


def test_an_investigator_joins_once(ann: User) -> None:
    """The other request is refused."""
    campaign = a_campaign(ann)

    def sit() -> None:
        own = Campaign.objects.get(pk=campaign.pk)
        services.add_seat(
            campaign=own,
            member=organiser_of(own),
            sitting=services.Sitting(ROLAND),
            now=NOW,
        )

    for _each in range(TIMES):
        assert together(sit, sit) == ["EntryRefused", "done"]
        campaign.seats.all().delete()


def test_a_deck_joins_one_of_two_campaigns(ann: User) -> None:
    """Whichever is first."""
    first = a_campaign(ann, ROLAND)
    second = a_campaign(ann, ROLAND, guide=first.guide)
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=ann, content=content, now=NOW)

    def linking(campaign: Campaign) -> Callable[[], object]:
        return lambda: services.link_deck(
            seat=campaign.seats.get(),
            member=organiser_of(campaign),
            deck=Deck.objects.get(pk=deck.pk),
            now=NOW,
        )

    for _each in range(TIMES):
        assert together(linking(first), linking(second)) == ["EntryRefused", "done"]
        assert Seat.objects.filter(deck=deck).count() == 1
        Seat.objects.update(deck=None, kind=Seat.Kind.NONE)


def test_a_guest_is_claimed_while_answering(ann: User, ben: User) -> None:
    """The answer is written before, or refused after; the log is sound either way."""
    guide = a_campaign(ann).guide
    (given,) = as_answers(who(ROLAND, DAISY))
    for _each in range(TIMES):
        campaign = a_campaign(ann, guide=guide)
        invitation = services.invite(
            campaign=campaign, member=organiser_of(campaign), role="scribe", now=NOW
        )
        guest = services.join_as_guest(invitation=invitation, name="B", now=NOW)[0]
        a_member(campaign, ben)
        done = together(
            lambda campaign=campaign, guest=guest: services.answer(  # type: ignore[misc]
                campaign=Campaign.objects.get(pk=campaign.pk),
                member=Membership.objects.select_related("guest").get(pk=guest.pk),
                given=given._replace(sequence=0),
                context=WriteContext(1, NOW),
            ),
            lambda guest=guest: services.claim(  # type: ignore[misc]
                guest=Guest.objects.get(pk=guest.guest_id), user=ben, now=NOW
            ),
        )
        campaign.refresh_from_db()

        assert "done" in done
        assert campaign.last == campaign.entries.count()


def test_concurrent_requests_respect_the_quota(ann: User, settings: Settings) -> None:
    content = starter_deck(embedded_pool(), ROLAND)
    campaign = a_campaign(ann)
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "decks": 1, "collections": 1}
    settings.ORNE_QUOTAS |= {"campaigns": 2}
    for number in range(MOST_KEYS - 1):
        make_key(owner=ann, name=f"{number}", scope=ApiKey.Scope.READ, now=NOW)

    def make_deck() -> None:
        deck_services.create_deck(owner=ann, content=content, now=NOW)

    def keep_cards() -> None:
        own_products(owner=ann, collection=None, copies={}, now=NOW)

    def begin() -> None:
        services.start_campaign(
            organiser=ann, guide=campaign.guide, name="Another", now=NOW
        )

    def ask_for_a_key() -> None:
        make_key(owner=ann, name="last", scope=ApiKey.Scope.READ, now=NOW)

    for job in (make_deck, keep_cards, begin, ask_for_a_key):
        assert together(*[job] * 4).count("done") == 1


@pytest.mark.parametrize("names", ["ab", "aa"])
def test_concurrent_imports_respect_the_quota_of_waiting_campaigns(
    ann: User, monkeypatch: pytest.MonkeyPatch, names: str
) -> None:
    """And one that is imported twice at once waits once."""
    monkeypatch.setattr(backups, "MOST_WAITING", 1 if names == "ab" else 9)
    start = {"type": "start_scenario", "scenario": "$campaign_setup"}

    def bringing(name: str) -> Callable[[], object]:
        run = {"campaign": "gone", "name": name, "inputs": [start]}
        return lambda: services.import_backup(
            organiser=ann, data=run, usable=usable_by(ann), now=NOW
        )

    for _each in range(TIMES):
        assert together(*map(bringing, names)) == ["done", "done"]
        assert WaitingBackup.objects.count() == 1
        WaitingBackup.objects.all().delete()
