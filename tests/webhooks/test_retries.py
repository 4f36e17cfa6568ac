"""A message that isn't taken is tried again, each time later, by the tasks' clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.webhooks import services, tasks
from arkham.webhooks.models import Delivery, Webhook
from tests.decks.helpers import text_of
from tests.helpers import NOW, program_of
from tests.webhooks.helpers import Receiver, a_webhook

pytestmark = pytest.mark.django_db

MOMENT = timedelta(seconds=1)
QUARTER = timedelta(seconds=15)  # from one look of the worker's clock to the next
AFTER = [timedelta(minutes=each) for each in (0, 1, 7, 43, 259, 1555)]
# With a broker the clock's task hands messages on; without one the server works here.
LOOKS = [tasks.work_off, tasks.work_off_here]


class Clock:
    """What the time is, for all that asks Django."""

    now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that the test moves."""
    moved = Clock()
    monkeypatch.setattr(timezone, "now", moved)
    return moved


def listed(program: APIClient, webhook: Webhook) -> dict[str, Any]:
    """The one message as the list of deliveries shows it."""
    (found,) = program.get(f"/api/v1/webhooks/{webhook.pk}/deliveries/").json()[
        "results"
    ]
    return dict(found)


def written(moment: datetime) -> str:
    """A moment as the API writes it."""
    return moment.isoformat().replace("+00:00", "Z")


@pytest.mark.parametrize("look", LOOKS)
def test_each_retry_comes_at_its_time_and_the_last_is_the_last(
    receiver: str, alice: User, as_alice: Client, clock: Clock, look: Callable[[], None]
) -> None:
    """After 1 and 6 minutes, 36, 3 h 36 and 21 h 36 more; the list shows each."""
    program = program_of(alice)
    webhook = a_webhook(alice, f"{receiver}/503")
    services.queue_test(webhook=webhook, now=NOW)
    for number, wait in enumerate(AFTER, 1):
        clock.now = NOW + wait - MOMENT
        look()
        assert len(Receiver.got) == number - 1
        clock.now = NOW + wait
        look()
        look()
        assert len(Receiver.got) == number
        shown = listed(program, webhook)
        is_last = number == len(AFTER)
        following = None if is_last else written(NOW + AFTER[number])
        assert (shown["tries"], shown["answered"]) == (number, 503)
        assert shown["tried_at"] == written(clock.now)
        assert shown["next_try_at"] == following
        assert shown["state"] == ("failed" if is_last else "waiting")
        page = text_of(as_alice.get(f"/account/webhooks/{webhook.pk}/"))
        assert (f"{number} tries" if number > 1 else "1 try") in page
    for days in range(1, 29):
        clock.now = NOW + timedelta(days=days)
        look()
    assert len(Receiver.got) == len(AFTER)
    names = {each.headers["webhook-id"] for each in Receiver.got}
    moments = [int(each.headers["webhook-timestamp"]) for each in Receiver.got]
    assert len(names) == 1
    assert moments == [int((NOW + wait).timestamp()) for wait in AFTER]
    webhook.refresh_from_db()
    assert webhook.switched_off_at is None  # a day of failures is no end


@pytest.mark.parametrize("look", LOOKS)
def test_a_retry_that_is_taken_ends_it(
    receiver: str, alice: User, clock: Clock, look: Callable[[], None]
) -> None:
    """Looked at by the clock of a worker, each quarter of a minute."""
    webhook = a_webhook(alice, f"{receiver}/500")
    services.queue_test(webhook=webhook, now=NOW)
    while clock.now < NOW + timedelta(minutes=50):
        if len(Receiver.got) == 3:
            Webhook.objects.update(address=f"{receiver}/204")
        look()
        clock.now += QUARTER
    moments = [int(each.headers["webhook-timestamp"]) for each in Receiver.got]
    assert moments == [int((NOW + wait).timestamp()) for wait in AFTER[:4]]
    shown = listed(program_of(alice), webhook)
    assert (shown["state"], shown["tries"], shown["answered"]) == ("delivered", 4, 204)
    assert shown["next_try_at"] is None
    webhook.refresh_from_db()
    assert webhook.failing_since is None


def test_a_server_that_was_away_tries_once_and_goes_on(
    receiver: str, alice: User, clock: Clock
) -> None:
    """What came due meanwhile is one try; the next wait is counted from it."""
    services.queue_test(webhook=a_webhook(alice, f"{receiver}/500"), now=NOW)
    tasks.work_off()
    clock.now = back = NOW + timedelta(days=2)
    tasks.work_off()
    tasks.work_off()
    assert len(Receiver.got) == 2
    assert Delivery.objects.get().next_try_at == back + services.WAITS[1]
