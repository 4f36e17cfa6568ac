"""Programs make webhooks, see their deliveries, and repeat them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient

from arkham.accounts.models import ApiKey, User
from arkham.webhooks import services, tasks
from arkham.webhooks.models import Delivery, Webhook
from tests.api.helpers import set_rates
from tests.helpers import NOW, program_of
from tests.webhooks.helpers import Receiver, a_webhook

pytestmark = pytest.mark.django_db

WEBHOOKS = "/api/v1/webhooks/"
WANTED = {"address": "https://bot.example/orne", "events": ["job", "campaign"]}


@pytest.fixture
def program(alice: User) -> APIClient:
    """A program of Alice's that may write."""
    return program_of(alice)


@pytest.fixture
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent at once is sent in this thread."""
    monkeypatch.setattr(tasks._after_answers, "do_now", lambda work: work())


def test_a_webhook_is_made_and_its_secret_shown_once(
    program: APIClient, alice: User
) -> None:
    """Its events are in the order of the list."""
    answer = program.post(WEBHOOKS, WANTED, format="json")

    assert answer.status_code == 201, answer.content
    made = answer.json()
    webhook = alice.webhooks.get()
    assert made["secret"] == webhook.secret
    assert made["secret"].startswith("whsec_")
    assert made["events"] == ["campaign", "job"]
    assert answer["Location"] == f"http://testserver{WEBHOOKS}{webhook.pk}/"
    assert webhook.origin == "http://testserver"
    (listed,) = program.get(WEBHOOKS).json()["results"]
    assert listed == {key: made[key] for key in made if key != "secret"}
    assert program.get(answer["Location"]).json() == listed


def test_it_is_made_once_under_one_key(program: APIClient, alice: User) -> None:
    """The answer comes again, its secret with it."""
    sent = [
        program.post(
            WEBHOOKS, WANTED, format="json", headers={"Idempotency-Key": "one"}
        )
        for _time in range(2)
    ]

    assert sent[0].content == sent[1].content
    assert alice.webhooks.count() == 1


@pytest.mark.parametrize(
    ("wanted", "pointer"),
    [
        ({**WANTED, "address": "http://bot.example/"}, "/address"),
        ({**WANTED, "address": "https://192.168.1.1/"}, "/address"),
        ({**WANTED, "address": ""}, "/address"),
        ({**WANTED, "events": []}, "/events"),
        ({**WANTED, "events": ["deck", "thunder"]}, "/events/1"),
        ({**WANTED, "secret": "mine"}, "/secret"),
    ],
)
def test_what_is_no_webhook_is_refused(
    program: APIClient, wanted: Any, pointer: str
) -> None:
    """422 with the place of the fault."""
    answer = program.post(WEBHOOKS, wanted, format="json")

    assert answer.status_code == 422
    problem = answer.json()
    places = [each["pointer"] for each in problem["errors"]]
    assert pointer in places


def test_webhooks_have_a_quota(
    program: APIClient, alice: User, settings: Settings
) -> None:
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "webhooks": 1}
    a_webhook(alice, "https://bot.example/")

    answer = program.post(WEBHOOKS, WANTED, format="json")

    assert answer.status_code == 409
    assert answer.json()["type"] == "urn:orne:problem:quota"


@pytest.mark.usefixtures("_here")
def test_a_test_is_sent_and_sent_again(
    program: APIClient,
    alice: User,
    receiver: str,
    django_capture_on_commit_callbacks: Any,
) -> None:
    """Under one name; the list of deliveries says how it fared."""
    webhook = a_webhook(alice, receiver)
    here = f"{WEBHOOKS}{webhook.pk}/"
    with django_capture_on_commit_callbacks(execute=True):
        answer = program.post(f"{here}test")
    assert answer.status_code == 202
    assert (answer.json()["kind"], answer.json()["state"]) == ("test", "waiting")

    (listed,) = program.get(f"{here}deliveries/").json()["results"]
    assert (listed["state"], listed["tries"], listed["answered"]) == (
        "delivered", 1, 204,
    )  # fmt: skip
    assert listed["next_try_at"] is None

    again = f"{here}deliveries/{listed['id']}/send-again"
    with django_capture_on_commit_callbacks(execute=True):
        assert program.post(again).status_code == 202
    names = [each.headers["webhook-id"] for each in Receiver.got]
    assert names == [listed["message_id"]] * 2


def test_lists_begin_with_the_latest(program: APIClient, alice: User) -> None:
    """A page at a time, too."""
    made = [a_webhook(alice, "https://bot.example/").pk for _each in range(3)]
    for _each in range(3):
        services.queue_test(webhook=Webhook.objects.get(pk=made[0]), now=NOW)
    deliveries = f"{WEBHOOKS}{made[0]}/deliveries/"
    sent = list(Delivery.objects.order_by("pk").values_list("pk", flat=True))

    for address, known in ((WEBHOOKS, made), (deliveries, sent)):
        found, page = [], f"{address}?page_size=2"
        while page:
            answer = program.get(page).json()
            found += [each["id"] for each in answer["results"]]
            page = answer["next"]
        assert found == known[::-1]


def test_what_is_sent_by_hand_is_counted(
    program: APIClient, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server is not made to knock elsewhere all day."""
    set_rates(monkeypatch, anon=None, user=None, key=None, webhooks="1/hour")
    webhook = a_webhook(alice, "https://bot.example/")

    answers = [program.post(f"{WEBHOOKS}{webhook.pk}/test") for _time in range(2)]

    assert [each.status_code for each in answers] == [202, 429]


def test_a_secret_is_replaced(program: APIClient, alice: User) -> None:
    """The new one is shown once, with the end of the old one's time."""
    webhook = a_webhook(alice, "https://bot.example/")
    here = f"{WEBHOOKS}{webhook.pk}/"
    assert program.get(here).json()["old_secret_until"] is None

    answers = [
        program.post(f"{here}rotate-secret", headers={"Idempotency-Key": "one"})
        for _time in range(2)
    ]

    assert answers[0].status_code == 200
    assert answers[0].content == answers[1].content
    made = answers[0].json()
    old, webhook = webhook.secret, Webhook.objects.get()
    assert made["secret"] == webhook.secret != old
    assert [each["secret"] for each in webhook.old_secrets] == [old]
    until = datetime.fromisoformat(made["old_secret_until"])
    assert abs(until - timezone.now() - services.SECRET_LIFETIME) < timedelta(minutes=1)
    assert program.get(here).json() == {
        key: made[key] for key in made if key != "secret"
    }
    Webhook.objects.update(old_secrets=[{"secret": old, "until": NOW.isoformat()}])
    assert program.get(here).json()["old_secret_until"] is None


@pytest.mark.usefixtures("_here")
def test_a_test_goes_out_though_it_is_switched_off(
    program: APIClient,
    alice: User,
    receiver: str,
    django_capture_on_commit_callbacks: Any,
) -> None:
    """Whether it works again is seen before it is switched on, as on its page."""
    webhook = a_webhook(alice, receiver)
    Webhook.objects.update(switched_off_at=NOW)

    with django_capture_on_commit_callbacks(execute=True):
        program.post(f"{WEBHOOKS}{webhook.pk}/test")

    assert len(Receiver.got) == 1


def test_it_is_switched_on_again_and_deleted(program: APIClient, alice: User) -> None:
    webhook = a_webhook(alice, "https://bot.example/")
    Webhook.objects.update(switched_off_at=NOW, failing_since=NOW)

    answer = program.post(f"{WEBHOOKS}{webhook.pk}/switch-on")
    assert answer.json()["switched_off_at"] is None
    assert answer.json()["failing_since"] is None

    assert program.delete(f"{WEBHOOKS}{webhook.pk}/").status_code == 204
    assert not alice.webhooks.exists()


def test_those_of_others_do_not_exist(alice: User, bob: User) -> None:
    """404, at every door; a key that only reads makes none."""
    webhook = a_webhook(alice, "https://bot.example/")
    delivery = services.queue_test(webhook=webhook, now=NOW)
    program, here = program_of(bob), f"{WEBHOOKS}{webhook.pk}/"
    again = f"{here}deliveries/{delivery.pk}/send-again"

    assert program.get(WEBHOOKS).json()["results"] == []
    for address in (here, f"{here}deliveries/"):
        assert program.get(address).status_code == 404
    doors = (f"{here}{each}" for each in ("test", "switch-on", "rotate-secret"))
    for address in (*doors, again):
        assert program.post(address).status_code == 404
    assert program.delete(here).status_code == 404
    assert APIClient().get(WEBHOOKS).status_code == 401
    reader = program_of(bob, ApiKey.Scope.READ)
    assert reader.post(WEBHOOKS, WANTED, format="json").status_code == 403


def test_another_webhooks_delivery_is_not_sent(program: APIClient, alice: User) -> None:
    """404, though both are Alice's."""
    one, other = (a_webhook(alice, "https://bot.example/") for _each in range(2))
    delivery = services.queue_test(webhook=other, now=NOW)
    Delivery.objects.update(state="failed")

    again = f"{WEBHOOKS}{one.pk}/deliveries/{delivery.pk}/send-again"

    assert program.post(again).status_code == 404
