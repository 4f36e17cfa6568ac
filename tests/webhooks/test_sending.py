"""Messages are signed, tried again, given up, and sent nowhere private."""

from __future__ import annotations

import base64
import hashlib
import hmac
import socket
import time
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db.models import QuerySet
from django.utils import timezone
from pytest_django import Settings

from arkham.accounts.models import User
from arkham.accounts.services import block, unblock
from arkham.web.reaching import Timeouts
from arkham.webhooks import services, tasks
from arkham.webhooks.models import Delivery, Webhook
from arkham.webhooks.services import place_at
from tests.helpers import NOW
from tests.webhooks.helpers import ORIGIN, Receiver, a_webhook

pytestmark = pytest.mark.django_db

State = Delivery.State


def tried(webhook: Webhook, tries: int = 0) -> Delivery:
    """A test message, tried once after so many tries."""
    delivery = services.queue_test(webhook=webhook, now=NOW)
    Delivery.objects.filter(pk=delivery.pk).update(tries=tries)
    services.attempt(key=delivery.pk, tries=tries)
    delivery.refresh_from_db()
    return delivery


def test_a_message_is_small_and_signed(receiver: str, alice: User) -> None:
    """As Standard Webhooks has it; it says what changed and where, no more."""
    webhook = a_webhook(alice, f"{receiver}/orne?a=b")
    Delivery.objects.create(
        webhook=webhook,
        kind="campaign",
        object_id=7,
        path="/api/v1/campaigns/7/",
        changed_at=NOW,
        next_try_at=NOW,
        made_at=NOW,
    )

    tasks.work_off_here()

    (message,) = Receiver.got
    assert message.path == "/orne?a=b"
    assert message.headers["content-type"] == "application/json"
    assert message.content == {
        "type": "campaign",
        "timestamp": "2026-11-21T19:30:00Z",
        "data": {"id": 7, "address": f"{ORIGIN}/api/v1/campaigns/7/"},
    }
    name, moment = (message.headers[f"webhook-{it}"] for it in ("id", "timestamp"))
    key = base64.b64decode(webhook.secret.removeprefix("whsec_"))
    signed = f"{name}.{moment}.".encode() + message.body
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    assert message.headers["webhook-signature"] == f"v1,{digest.decode()}"
    assert abs(time.time() - int(moment)) < 60
    kept = webhook.deliveries.get()
    assert (kept.message_id, kept.state) == (name, State.DELIVERED)
    assert (kept.answered, kept.tries, kept.problem) == (204, 1, "")


def test_a_signature_is_as_the_standard_has_it() -> None:
    """The example of its specification."""
    found = services.signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert found == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_replaced_secret_signs_for_a_day(receiver: str, alice: User) -> None:
    """Beside the new one, however often it is replaced meanwhile; then no more."""
    webhook = a_webhook(alice, receiver)
    secrets, now = [webhook.secret], timezone.now()
    for hours in (20, 1):
        then = now - timedelta(hours=hours)
        webhook = services.rotate_secret(webhook=webhook, now=then)
        secrets.insert(0, webhook.secret)
    assert len(set(secrets)) == 3
    tried(webhook)
    Webhook.objects.update(old_secrets=[{"secret": secrets[1], "until": str(now)}])
    tried(webhook)

    during, after = Receiver.got
    for message, signing in ((during, secrets), (after, secrets[:1])):
        name, moment = (message.headers[f"webhook-{it}"] for it in ("id", "timestamp"))
        assert message.headers["webhook-signature"].split(" ") == [
            services.signature(each, name, int(moment), message.body)
            for each in signing
        ]
    lifetime = services.SECRET_LIFETIME / timedelta(hours=1)
    assert lifetime == 24


def test_old_secrets_are_forgotten(alice: User) -> None:
    """With what else is past its time; and few are kept at once."""
    webhook = a_webhook(alice, "https://bot.example/")
    for number in range(services.MOST_OLD_SECRETS + 2):
        then = NOW + timedelta(minutes=number)
        services.rotate_secret(webhook=webhook, now=then)
    webhook.refresh_from_db()
    assert len(webhook.old_secrets) == services.MOST_OLD_SECRETS
    assert webhook.old_secret_until(then) == then + services.SECRET_LIFETIME

    services.forget_old(now=then + services.SECRET_LIFETIME - timedelta(seconds=30))
    webhook.refresh_from_db()
    assert len(webhook.old_secrets) == 1
    services.forget_old(now=then + services.SECRET_LIFETIME)
    webhook.refresh_from_db()
    assert webhook.old_secrets == []


@pytest.mark.parametrize("status", [302, 404, 500])
def test_a_refusal_is_tried_again(receiver: str, alice: User, status: int) -> None:
    """A redirect is not followed."""
    webhook = a_webhook(alice, f"{receiver}/{status}")
    before = timezone.now()

    delivery = tried(webhook)

    assert (delivery.state, delivery.answered) == (State.WAITING, status)
    assert delivery.next_try_at >= before + timedelta(minutes=1)
    assert [each.path for each in Receiver.got] == [f"/{status}"]
    webhook.refresh_from_db()
    assert webhook.failing_since is not None


def test_six_tries_take_about_a_day(receiver: str, alice: User) -> None:
    """Each wait is six times as long; then the message is given up."""
    hours = sum(services.WAITS, timedelta()) / timedelta(hours=1)
    assert (services.MOST_TRIES, round(hours)) == (6, 26)

    delivery = tried(a_webhook(alice, f"{receiver}/500"), tries=5)

    assert (delivery.state, delivery.tries) == (State.FAILED, 6)
    assert not services.due(now=NOW + timedelta(days=9)).exists()


def test_a_try_is_made_by_one(receiver: str, alice: User) -> None:
    """Workers that come together with the same message send it once."""
    delivery = tried(a_webhook(alice, receiver))

    services.attempt(key=delivery.pk, tries=0)

    assert len(Receiver.got) == 1


def test_a_worker_that_is_killed_loses_nothing(alice: User) -> None:
    """What it was about to send is due again a while later."""
    delivery = services.queue_test(
        webhook=a_webhook(alice, "https://bot.example/"), now=NOW
    )
    assert services.lease(delivery, now=NOW)
    assert not services.lease(delivery, now=NOW)

    assert not services.due(now=NOW + timedelta(minutes=4)).exists()
    assert services.due(now=NOW + timedelta(minutes=5)).get() == delivery


def test_a_worker_on_its_way_sends_nothing_for_a_blocked_owner(
    receiver: str, alice: User
) -> None:
    """Once unblocked it is sent."""
    delivery = services.queue_test(webhook=a_webhook(alice, receiver), now=NOW)
    block(account=alice)
    services.attempt(key=delivery.pk, tries=0)
    assert Receiver.got == []

    unblock(account=alice)
    services.attempt(key=delivery.pk, tries=0)
    assert len(Receiver.got) == 1


def test_a_webhook_that_is_deleted_while_it_is_tried_breaks_nothing(
    receiver: str, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker goes on to the messages of others."""
    delivery = services.queue_test(webhook=a_webhook(alice, receiver), now=NOW)
    select_related = QuerySet.select_related

    def deleting(found: QuerySet[Any], *names: str) -> QuerySet[Any]:
        Webhook.objects.all().delete()
        return select_related(found, *names)

    monkeypatch.setattr(QuerySet, "select_related", deleting)
    services.attempt(key=delivery.pk, tries=0)

    assert Receiver.got == []


def test_the_clock_hands_what_is_due_to_workers(
    receiver: str, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, although it looks again before a worker has begun."""
    services.queue_test(webhook=a_webhook(alice, receiver), now=NOW)
    handed: list[tuple[int, int]] = []
    monkeypatch.setattr(
        tasks.send_delivery, "delay", lambda *given: handed.append(given)
    )
    tasks.work_off()
    tasks.work_off()
    assert len(handed) == 1

    tasks.send_delivery(*handed[0])
    tasks.send_delivery(*handed[0])
    assert len(Receiver.got) == 1


def test_what_changed_while_it_was_sent_is_sent_as_well(
    receiver: str, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message has another name by then."""

    def changing(delivery: Delivery, **_now: Any) -> services.TryResult:
        changed = Delivery.objects.filter(pk=delivery.pk)
        changed.update(message_id="msg_later", tries=0, next_try_at=NOW)
        return services.TryResult(200)

    monkeypatch.setattr(services, "send", changing)
    delivery = tried(a_webhook(alice, receiver))

    assert delivery.state == State.WAITING
    assert services.due(now=NOW).get() == delivery


def test_a_webhook_that_fails_for_days_is_switched_off(
    receiver: str, alice: User
) -> None:
    """Its owner gets an e-mail; a success between ends the count."""
    alice.email = "alice@arkham.example"
    alice.save()
    webhook = a_webhook(alice, f"{receiver}/500")
    days = timezone.now() - timedelta(days=3)
    Webhook.objects.update(failing_since=days)
    other = services.queue_test(webhook=webhook, now=NOW)
    tried(webhook, tries=2)
    webhook.refresh_from_db()
    assert webhook.switched_off_at is None  # it may have been away for a moment

    tried(webhook, tries=3)

    webhook.refresh_from_db()
    other.refresh_from_db()
    assert webhook.switched_off_at is not None
    assert (other.state, other.problem) == (State.FAILED, "switched-off")


def test_its_owner_is_written_to(
    receiver: str, alice: User, django_capture_on_commit_callbacks: Any
) -> None:
    """With the page where it is switched on again."""
    alice.email = "alice@arkham.example"
    alice.save()
    webhook = a_webhook(alice, f"{receiver}/410")

    with django_capture_on_commit_callbacks(execute=True):
        tried(webhook)  # 410: gone

    (letter,) = mail.outbox
    assert letter.to == ["alice@arkham.example"]
    assert f"{ORIGIN}/account/webhooks/{webhook.pk}/" in letter.body
    assert "for days" not in letter.body


def test_a_success_ends_the_failing(receiver: str, alice: User) -> None:
    webhook = a_webhook(alice, receiver)
    Webhook.objects.update(failing_since=NOW)

    tried(webhook)

    webhook.refresh_from_db()
    assert webhook.failing_since is None


def test_who_does_not_answer_is_not_waited_for(
    receiver: str, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five seconds, here less; and a port where nothing listens."""
    assert services.ANSWER_PATIENCE.seconds == 5.0
    monkeypatch.setattr(services, "ANSWER_PATIENCE", Timeouts(0.3, 0.3))
    before = time.monotonic()

    delivery = tried(a_webhook(alice, f"{receiver}/slow"))

    assert time.monotonic() - before < 1.5
    assert (delivery.answered, delivery.problem) == (None, "unreachable")


# -- where --


@pytest.mark.parametrize(
    "address",
    [
        "http://bot.example/",
        "https://127.0.0.1/",
        "https://10.0.0.8/",
        "https://[::1]/",
        "https://[fe80::1%25eth0]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://169.254.169.254/latest/meta-data/",
        "https://me:secret@bot.example/",
        "https://bot.example:22/",
        "https://bot.example:0/",
        "https://bot.example:99999/",
        "ftp://bot.example/",
        "file:///etc/passwd",
        "//bot.example/",
        "https://",
        "https://[",
        "https://bot example/",
        "https://bot\x7f.example/",
        "https://[::ffff:0:127.0.0.1]/",
        "https://[5f00::1]/",
        "https://[3fff::1]/",
        "bot.example",
        "",
        "https://localhost:8443/",
        "https://bot.localhost/",
        "https://bot.local/",
        "https://bot.internal/",
        "https://bot.invalid/",
        "https://bot/",
        "https://bot..example/",
        "https://.bot.example/",
        "https://%s.example/" % ("b" * 64),
        "https://2130706433/",
        "https://0x7f000001/",
        "https://127.1/",
    ],
)
def test_an_address_that_is_not_public_is_refused(alice: User, address: str) -> None:
    with pytest.raises(services.RefusedAddress):
        a_webhook(alice, address)


@pytest.mark.parametrize(
    "address",
    ["https://bot.example/a?b=c", "https://bot.example:8443/", "HTTPS://Bot.example."],
)
def test_a_public_address_is_taken(address: str) -> None:
    place = place_at(address)
    assert place is not None
    assert (place.scheme, place.host, place.own) == ("https", "bot.example", False)


@pytest.mark.parametrize(
    "found",
    [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "::1",
        "fd00::1",
        "0.0.0.1",
        "::ffff:0:7f00:1",
        "64:ff9b:1:7f00:0:100::",
        "2002:7f00:1::",
    ],
)
def test_a_name_that_leads_somewhere_private_is_not_reached(
    receiver: str, alice: User, monkeypatch: pytest.MonkeyPatch, found: str
) -> None:
    """The address that is connected to is looked at, whatever the name was before."""
    port = int(receiver.rpartition(":")[2])
    webhook = a_webhook(alice, f"https://bot.example:{port}/")
    answers = [(0, 0, 0, "", (found, port)), (0, 0, 0, "", ("93.184.216.34", port))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: answers)

    delivery = tried(webhook)

    assert (delivery.answered, delivery.problem) == (None, "private-address")
    assert Receiver.got == []


@pytest.mark.parametrize("name", ["localhost", "2130706433", "0x7f000001", "127.1"])
def test_other_ways_to_write_a_private_address_lead_nowhere(
    receiver: str, alice: User, name: str
) -> None:
    """Not even where one was taken before such names were refused."""
    port = receiver.rpartition(":")[2]
    webhook = a_webhook(alice, "https://bot.example/")
    webhook.address = f"https://{name}:{port}/"
    webhook.save()

    delivery = tried(webhook)

    assert (delivery.answered, delivery.problem) == (None, "refused-address")
    assert Receiver.got == []


def test_what_the_operator_no_longer_allows_is_not_reached(
    receiver: str, alice: User, settings: Settings
) -> None:
    webhook = a_webhook(alice, receiver)
    settings.ORNE_OWN_WEBHOOK_SITES = []

    assert tried(webhook).problem == "refused-address"
    assert Receiver.got == []
