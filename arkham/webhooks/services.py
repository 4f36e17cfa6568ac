"""The services of webhooks: create, gather, send, repeat, switch off.

Changes come from the account's list of changes, so pages, programs and webhooks agree.
A change is sent once its object hasn't changed for a while, so that an evening's many
entries become few messages. The database is the queue; a worker or the server takes
what is due, and only one of them makes each try. Messages are signed as in Standard
Webhooks.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from base64 import b64decode, b64encode
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from http.client import HTTPResponse
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.web.quotas import lock_owner, require_room
from arkham.web.reaching import (
    HostUnreachable,
    PrivateAddress,
    RemotePlace,
    Timeouts,
    any_place,
    ask,
    quoted_path,
)
from arkham.webhooks.models import (
    SECRET_MARK,
    Delivery,
    Webhook,
    new_message_id,
    new_secret,
)
from campaigns.services.account import (
    KINDS,
    OVERLAP,
    AccountChange,
    changes_of,
    may_have_changes,
)

ANSWER_PATIENCE = Timeouts(seconds=5.0, to_connect=3.0)
MOST_BYTES = 64 * 1024  # read of an answer; nothing of it is stored


class TryResult(NamedTuple):
    """The result of a try: the status of the answer, or why there was none."""

    answered: int | None
    problem: str = ""

    @property
    def is_good(self) -> bool:
        """Whether the message was accepted."""
        return self.answered is not None and 200 <= self.answered < 300


def place_at(address: str) -> RemotePlace | None:
    """Return the place of an address, if messages may be sent there."""
    try:
        parts = urlsplit(address)
        return any_place(parts, quoted_path(parts), settings.ORNE_OWN_WEBHOOK_SITES)
    except ValueError:
        return None


def message_of(delivery: Delivery) -> bytes:
    """Return the body of a message: what changed, its API address, and when."""
    origin, path = delivery.webhook.origin, delivery.path
    data = {"id": delivery.object_id, "address": origin + path if path else None}
    moment = _moment(delivery.changed_at)
    return json.dumps(
        {"type": delivery.kind, "timestamp": moment, "data": data}
    ).encode()


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message, version 1."""
    key = b64decode(secret.removeprefix(SECRET_MARK))
    signed = b"%s.%d.%s" % (message_id.encode(), timestamp, body)
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    return f"v1,{b64encode(digest).decode()}"


def send(delivery: Delivery, *, now: datetime) -> TryResult:
    """Send a message once; redirects are answers like others."""
    webhook: Webhook = delivery.webhook
    place = place_at(webhook.address)
    if place is None:
        return TryResult(None, Problem.REFUSED)
    body, timestamp = message_of(delivery), int(now.timestamp())
    living = [each["secret"] for each in webhook.living_secrets(now)]
    signed = [
        signature(secret, delivery.message_id, timestamp, body)
        for secret in (webhook.secret, *living)
    ]
    headers = {
        "Content-Type": "application/json",
        "webhook-id": delivery.message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signed),
    }
    try:
        answered = ask(place, "*/*", ANSWER_PATIENCE, _status, headers, body)
    except PrivateAddress:
        return TryResult(None, Problem.PRIVATE)
    except HostUnreachable:
        return TryResult(None, Problem.UNREACHABLE)
    return TryResult(answered)


def _status(response: HTTPResponse) -> int:
    response.read(MOST_BYTES)
    return response.status


logger = logging.getLogger(__name__)

State = Delivery.State
Problem = Delivery.Problem
REST = OVERLAP  # without a change, before an object's change is sent
MOST_AT_ONCE = 20  # messages; more changes at once are sent as one of this kind:
MANY, TEST = "many", "test"
EVENTS = KINDS
MINUTE = timedelta(minutes=1)
# The wait grows sixfold after each try: six tries in 26 hours.
WAITS = [MINUTE * 6**number for number in range(5)]
MOST_TRIES = len(WAITS) + 1
PATIENCE = timedelta(days=3)  # with only failures before a webhook is switched off,
ENOUGH = 4  # and tries of a message at least: short outages don't count
LEASE = timedelta(minutes=5)  # for a worker to start on a message
LIFETIME = timedelta(days=30)  # of a delivery
# How long old secrets still sign messages, and how many of them.
SECRET_LIFETIME = timedelta(hours=24)
MOST_OLD_SECRETS = 5
GONE = 410  # the status that asks for no more messages


class RefusedAddress(ValueError):
    """An address that nothing may be sent to."""


# -- webhooks --


@transaction.atomic
def make_webhook(
    *, owner: User, address: str, events: Iterable[str], origin: str, now: datetime
) -> Webhook:
    """Create a webhook; raises RefusedAddress and QuotaReached."""
    if place_at(address) is None:
        raise RefusedAddress(_("Expected: a public address that begins with https://."))
    lock_owner(owner)
    require_room("webhooks", owner.webhooks.all())
    chosen = [each for each in EVENTS if each in set(events)]
    return Webhook.objects.create(
        owner=owner,
        address=address,
        events=chosen,
        origin=origin,
        made_at=now,
        seen_until=now,
    )


@transaction.atomic
def rotate_secret(*, webhook: Webhook, now: datetime) -> Webhook:
    """Replace the secret; for a day messages are signed with the old one too."""
    locked = Webhook.objects.select_for_update().get(pk=webhook.pk)
    old = {
        "secret": locked.secret,
        "until": (now + SECRET_LIFETIME).isoformat(),
    }
    locked.old_secrets = [old, *locked.living_secrets(now)][:MOST_OLD_SECRETS]
    locked.secret = new_secret()
    locked.save(update_fields=["secret", "old_secrets"])
    return locked


def switch_on(*, webhook: Webhook, now: datetime) -> None:
    """Send changes from now on."""
    Webhook.objects.filter(pk=webhook.pk).exclude(switched_off_at=None).update(
        switched_off_at=None, failing_since=None, seen_until=now
    )


def _switch_off(webhook: Webhook, now: datetime) -> None:
    """Switch a webhook off, and notify its owner."""
    working = Webhook.objects.filter(pk=webhook.pk, switched_off_at=None)
    if not working.update(switched_off_at=now):
        return
    webhook.deliveries.filter(state=State.WAITING).update(
        state=State.FAILED, problem=Problem.SWITCHED_OFF
    )
    if webhook.owner.email:
        transaction.on_commit(lambda: _write_to_owner(webhook))


def _write_to_owner(webhook: Webhook) -> None:
    page = webhook.origin + reverse("webhooks:show", args=[webhook.pk])
    text = _(
        "Your webhook %(address)s no longer takes messages, so we switched it off. "
        "Once it works again, switch it on here: %(page)s"
    )
    send_mail(
        _("[Orne] Your webhook was switched off"),
        text % {"address": webhook.address, "page": page},
        None,
        [webhook.owner.email],
        fail_silently=True,  # the page shows it too
    )


# -- gathering --


def gather(*, now: datetime) -> int:
    """Create deliveries for changes that are old enough; return their number."""
    until = now - REST
    working = Webhook.objects.filter(
        may_have_changes("owner", "seen_until"),
        switched_off_at=None,
        owner__is_active=True,
        seen_until__lt=until,
    )
    return sum(
        _gather_for(each, until, now) for each in working.select_related("owner")
    )


def _gather_for(webhook: Webhook, until: datetime, now: datetime) -> int:
    found = changes_of(webhook.owner, webhook.seen_until)
    rested = [each for each in found if each.changed_at <= until]
    if not rested:
        return 0
    changes = [each for each in rested if each.kind in webhook.events]
    with transaction.atomic():
        unseen = Webhook.objects.filter(pk=webhook.pk, seen_until=webhook.seen_until)
        if not unseen.update(seen_until=until):
            return 0  # another worker was faster
        if len(changes) > MOST_AT_ONCE:
            changes = [_all_of(changes, webhook.seen_until)]
        for each in changes:
            _queue(webhook, each, now)
    return len(changes)


def _all_of(changes: list[AccountChange], since: datetime) -> AccountChange:
    """Combine many changes into one that leads to the list of them."""
    path = (
        f"{reverse('api:campaigns:changes')}?{urlencode({'since': since.isoformat()})}"
    )
    return AccountChange(changes[-1].changed_at, MANY, 0, "", path)


def _queue(webhook: Webhook, change: AccountChange, now: datetime) -> Delivery:
    """Create a delivery of a change, or merge it into a waiting one."""
    same = webhook.deliveries.select_for_update().filter(
        state=State.WAITING, kind=change.kind, object_id=change.id or None
    )
    if change.kind != TEST and (waiting := same.first()) is not None:
        waiting.changed_at, waiting.message_id = change.changed_at, new_message_id()
        waiting.tries, waiting.next_try_at = 0, now
        waiting.save()
        return waiting
    return Delivery.objects.create(
        webhook=webhook,
        kind=change.kind,
        object_id=change.id or None,
        path=change.path,
        changed_at=change.changed_at,
        next_try_at=now,
        made_at=now,
    )


def queue_test(*, webhook: Webhook, now: datetime) -> Delivery:
    """Create a test message."""
    return _queue(webhook, AccountChange(now, TEST, 0, ""), now)


def queue_again(*, delivery: Delivery, now: datetime) -> None:
    """Queue a finished message again, with the same id."""
    Delivery.objects.filter(pk=delivery.pk).exclude(state=State.WAITING).update(
        state=State.WAITING, tries=0, next_try_at=now, problem="", answered=None
    )


# -- sending --


def due(*, now: datetime) -> QuerySet[Delivery]:
    """Return the messages to try now, earliest first."""
    return Delivery.objects.filter(
        state=State.WAITING,
        next_try_at__lte=now,
        webhook__switched_off_at=None,
        webhook__owner__is_active=True,
    ).order_by("next_try_at", "pk")


def lease(delivery: Delivery, *, now: datetime) -> bool:
    """Reserve a due message for a worker; return whether that succeeded."""
    waiting = Delivery.objects.filter(pk=delivery.pk, next_try_at=delivery.next_try_at)
    return bool(waiting.update(next_try_at=now + LEASE))


def attempt(*, key: int, tries: int) -> None:
    """Try to send a message after ``tries`` tries, unless another worker has.

    The next try is scheduled first, so a killed worker loses nothing. The webhook may
    have been deleted, or its owner blocked, meanwhile.
    """
    now = timezone.now()
    known = Delivery.objects.filter(pk=key, webhook__owner__is_active=True)
    ours = known.filter(state=State.WAITING, tries=tries)
    wait = WAITS[min(tries, len(WAITS) - 1)]
    if not ours.update(tries=F("tries") + 1, tried_at=now, next_try_at=now + wait):
        return
    delivery = known.select_related("webhook__owner").first()
    if delivery is None:
        return
    outcome = send(delivery, now=now)
    logger.info(
        "webhook tried",
        extra={"delivery": key, "status": outcome.answered, "why": outcome.problem},
    )
    _note(delivery, outcome, timezone.now())


@transaction.atomic
def _note(delivery: Delivery, outcome: TryResult, now: datetime) -> None:
    """Record the result of a try, unless a later change replaced the message."""
    webhook = Webhook.objects.filter(pk=delivery.webhook_id)
    kept = Delivery.objects.filter(pk=delivery.pk, message_id=delivery.message_id)
    kept.update(answered=outcome.answered, problem=outcome.problem)
    if outcome.is_good:
        kept.update(state=State.DELIVERED)
        webhook.update(failing_since=None)
        return
    webhook.filter(failing_since=None).update(failing_since=now)
    if delivery.tries >= MOST_TRIES:
        kept.update(state=State.FAILED)
    is_long = webhook.filter(failing_since__lte=now - PATIENCE).exists()
    if (is_long and delivery.tries >= ENOUGH) or outcome.answered == GONE:
        _switch_off(delivery.webhook, now)


def forget_old(*, now: datetime) -> int:
    """Delete old secrets and old deliveries; return the number of deliveries."""
    _forget_secrets(now)
    old = Delivery.objects.filter(made_at__lt=now - LIFETIME)
    number, _each = old.exclude(state=State.WAITING).delete()
    return number


@transaction.atomic
def _forget_secrets(now: datetime) -> None:
    for each in Webhook.objects.select_for_update().exclude(old_secrets=[]):
        each.old_secrets = each.living_secrets(now)
        each.save(update_fields=["old_secrets"])
