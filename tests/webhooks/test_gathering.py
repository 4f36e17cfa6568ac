"""What changed becomes messages, once it has rested, and few of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from arkham.accounts.models import User
from arkham.jobs.models import Job
from arkham.rules.snapshot import embedded_pool
from arkham.webhooks import services
from arkham.webhooks.models import Delivery
from campaigns.models import Campaign
from decks import services as decks
from decks.lists.starter import starter_deck
from decks.models import Deck, Notice
from decks.services.sharing import DeckLabels, save_labels
from tests.campaigns.helpers.tables import a_campaign, a_row
from tests.helpers import NOW
from tests.webhooks.helpers import a_webhook

pytestmark = pytest.mark.usefixtures("rows")

ADDRESS = "https://bot.example/orne"
SECOND = timedelta(seconds=1)


def made(owner: User, seconds: float) -> Deck:
    """A deck, made so long after the webhook."""
    content = starter_deck(embedded_pool(), "01001")
    now = NOW + seconds * SECOND
    return decks.create_deck(owner=owner, content=content, now=now, name="Badge")


def gathered(seconds: float) -> list[tuple[str, int | None]]:
    """What new messages are about after so many seconds."""
    before = set(Delivery.objects.values_list("pk", flat=True))
    services.gather(now=NOW + seconds * SECOND)
    new = Delivery.objects.exclude(pk__in=before).order_by("pk")
    return [(each.kind, each.object_id) for each in new]


def test_a_change_is_sent_once_it_has_rested(alice: User, bob: User) -> None:
    """Ten seconds; those of others are not sent, nor what was before."""
    made(alice, -60)
    webhook = a_webhook(alice, ADDRESS)
    deck = made(alice, 5)
    made(bob, 5)

    assert gathered(14) == []
    assert gathered(15) == [("deck", deck.pk)]
    assert gathered(30) == []
    delivery = webhook.deliveries.get()
    assert delivery.path == f"/api/v1/decks/{deck.pk}/"
    assert delivery.changed_at == NOW + 5 * SECOND


def test_many_entries_within_seconds_are_one_message(alice: User) -> None:
    """Fifty answers of an evening are sent when the table pauses."""
    a_webhook(alice, ADDRESS)
    campaign = a_campaign(alice, guide=a_row())
    found = []
    for second in range(50):
        Campaign.objects.filter(pk=campaign.pk).update(changed_at=NOW + second * SECOND)
        found += gathered(second)
    found += gathered(70)

    assert found == [("campaign", campaign.pk)]


def test_many_things_at_once_are_one_message(alice: User) -> None:
    """It leads to the list of changes, as the API has it."""
    webhook = a_webhook(alice, ADDRESS)
    for number in range(services.MOST_AT_ONCE + 1):
        made(alice, (number + 1) / 10)

    assert gathered(60) == [("many", None)]
    path = webhook.deliveries.get().path
    assert path == "/api/v1/changes?since=2026-11-21T19%3A30%3A00%2B00%3A00"


def _named(deck: Deck) -> None:
    save_labels(deck, DeckLabels("Gun"), NOW + 20 * SECOND)


def _shared(deck: Deck) -> None:
    decks.share_deck(deck=deck, now=NOW + 20 * SECOND)


def _deleted(deck: Deck) -> None:
    decks.delete_deck(deck=deck, expected_revision=1, now=NOW + 20 * SECOND)


def _noticed(deck: Deck) -> None:
    Notice.objects.create(
        deck=deck,
        revision=1,
        status_before="legal",
        status_after="illegal",
        experience_before=0,
        experience_after=0,
        is_serious=True,
        made_at=NOW + 20 * SECOND,
    )


@pytest.mark.parametrize(
    ("happens", "kind"),
    [
        (_named, "deck"),
        (_shared, "deck"),
        (_deleted, "deck-deleted"),
        (_noticed, "notice"),
    ],
)
def test_whatever_happens_to_a_deck_is_found(
    alice: User, happens: Callable[[Deck], None], kind: str
) -> None:
    """Of a deck that was there before; campaigns and jobs are found by other tests."""
    deck = made(alice, -60)
    a_webhook(alice, ADDRESS)

    happens(deck)

    assert [each for each, _id in gathered(60)] == [kind]


def test_accounts_where_nothing_happens_cost_nothing(
    alice: User, bob: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """One query for all of them."""
    for owner in (alice, bob):
        made(owner, -60)
        a_webhook(owner, ADDRESS)

    with django_assert_num_queries(1):
        services.gather(now=NOW + 60 * SECOND)


def test_only_chosen_events_are_sent(alice: User) -> None:
    """And what was passed over is not looked at again."""
    webhook = a_webhook(alice, ADDRESS, "job")
    made(alice, 5)
    job = Job.objects.create(
        kind="judge", owner=alice, begun_at=NOW, seen_at=NOW, state="done"
    )
    assert gathered(60) == []
    webhook.refresh_from_db()
    assert webhook.seen_until == NOW + 50 * SECOND

    Job.objects.filter(pk=job.pk).update(ended_at=NOW + 65 * SECOND)
    assert gathered(80) == [("job", job.pk)]
    assert webhook.deliveries.get().path == f"/api/v1/jobs/{job.pk}/"


def test_a_later_change_becomes_part_of_what_waits(alice: User) -> None:
    """Under another name, tried at once: programs leave out what they had under one."""
    webhook = a_webhook(alice, ADDRESS)
    deck = made(alice, 5)
    gathered(20)
    webhook.deliveries.update(tries=4, next_try_at=NOW + timedelta(hours=4))
    before = webhook.deliveries.get()
    Deck.objects.filter(pk=deck.pk).update(changed_at=NOW + 40 * SECOND)

    assert gathered(60) == []
    after = webhook.deliveries.get()
    assert after.changed_at == NOW + 40 * SECOND
    assert after.message_id != before.message_id
    assert (after.tries, after.next_try_at) == (0, NOW + 60 * SECOND)


def test_what_was_delivered_is_followed_by_a_new_message(alice: User) -> None:
    """Each change that rested has its own."""
    webhook = a_webhook(alice, ADDRESS)
    deck = made(alice, 5)
    gathered(20)
    webhook.deliveries.update(state=Delivery.State.DELIVERED)
    Deck.objects.filter(pk=deck.pk).update(changed_at=NOW + 40 * SECOND)

    assert gathered(60) == [("deck", deck.pk)]


def test_nothing_is_gathered_for_who_may_not_have_it(alice: User) -> None:
    """Switched off, or blocked; switched on again it begins at that moment."""
    webhook = a_webhook(alice, ADDRESS)
    made(alice, 5)
    alice.is_active = False
    alice.save()
    assert gathered(60) == []

    alice.is_active = True
    alice.save()
    services._switch_off(webhook, NOW + 60 * SECOND)
    assert gathered(70) == []

    services.switch_on(webhook=webhook, now=NOW + 70 * SECOND)
    assert gathered(90) == []
    late = made(alice, 100)
    assert gathered(120) == [("deck", late.pk)]
