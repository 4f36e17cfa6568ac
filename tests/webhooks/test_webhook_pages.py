"""People make webhooks on a page under their account, and see how they fare."""

from __future__ import annotations

import threading
import time
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from arkham.accounts.models import User
from arkham.webhooks import services, tasks
from arkham.webhooks.models import Delivery, Webhook
from tests.helpers import NOW
from tests.webhooks.helpers import Receiver, a_webhook

pytestmark = pytest.mark.django_db

PAGE = "/account/webhooks/"


def test_the_account_leads_there(as_alice: Client) -> None:
    assert f'href="{PAGE}"' in as_alice.get("/account/").content.decode()
    assert Client().get(PAGE).status_code == 302


def test_a_webhook_is_made_and_its_secret_shown_once(
    as_alice: Client, alice: User
) -> None:
    """On the page that answers the form, and on no other."""
    address = "https://bot.example/orne"
    wanted = {"address": address, "events": ["campaign", "notice"]}

    answer = as_alice.post(PAGE, wanted)

    webhook = alice.webhooks.get()
    assert webhook.address == address
    assert webhook.events == wanted["events"]
    assert webhook.secret in answer.content.decode()
    for page in (PAGE, f"{PAGE}{webhook.pk}/"):
        shown = as_alice.get(page).content.decode()
        assert address in shown
        assert webhook.secret not in shown


@pytest.mark.parametrize(
    "wanted",
    [
        {"address": "http://bot.example/", "events": ["deck"]},
        {"address": "https://localhost:80/", "events": ["deck"]},
        {"address": "https://bot.example/", "events": []},
        {"address": "https://bot.example/", "events": ["thunder"]},
    ],
)
def test_what_is_no_webhook_is_refused(
    as_alice: Client, alice: User, wanted: dict[str, object]
) -> None:
    assert as_alice.post(PAGE, wanted).status_code == 422
    assert not alice.webhooks.exists()


def test_a_test_shows_how_it_fared(
    as_alice: Client, alice: User, receiver: str
) -> None:
    """At once; a message that failed is sent again under its name."""
    webhook = a_webhook(alice, f"{receiver}/503")
    here = f"{PAGE}{webhook.pk}/"
    answer = as_alice.post(here, {"act": "test"}, follow=True)
    assert "Not delivered: answer 503." in answer.content.decode()
    assert "1 try" in answer.content.decode()

    Webhook.objects.update(address=receiver)
    delivery = webhook.deliveries.get()
    answer = as_alice.post(here, {"act": "again", "delivery": delivery.pk}, follow=True)
    assert "Delivered: answer 204." in answer.content.decode()
    first, second = (each.headers["webhook-id"] for each in Receiver.got)
    assert first == second


def test_a_webhook_that_was_switched_off_says_so(as_alice: Client, alice: User) -> None:
    """And is switched on there."""
    webhook = a_webhook(alice, "https://bot.example/")
    Webhook.objects.update(switched_off_at=NOW)
    here = f"{PAGE}{webhook.pk}/"
    for page in (PAGE, here):
        assert "it no longer takes messages" in as_alice.get(page).content.decode()

    as_alice.post(here, {"act": "switch-on"})

    webhook.refresh_from_db()
    assert webhook.switched_off_at is None


def test_a_secret_is_replaced_and_the_new_one_shown_once(
    as_alice: Client, alice: User
) -> None:
    """On the page that answers; later pages say how long the old one is used."""
    webhook = a_webhook(alice, "https://bot.example/")
    old, here = webhook.secret, f"{PAGE}{webhook.pk}/"

    answer = as_alice.post(here, {"act": "rotate"}).content.decode()

    webhook.refresh_from_db()
    assert webhook.secret != old
    assert webhook.secret in answer
    later = as_alice.get(here).content.decode()
    for page in (answer, later):
        assert "Also signs messages until" in page
        assert old not in page
    assert webhook.secret not in later


def test_it_is_deleted_after_a_question(as_alice: Client, alice: User) -> None:
    webhook = a_webhook(alice, "https://bot.example/")
    page = f"{PAGE}{webhook.pk}/delete/"

    assert as_alice.get(page).status_code == 200
    assert alice.webhooks.exists()
    as_alice.post(page)
    assert not alice.webhooks.exists()


def test_those_of_others_do_not_exist(as_bob: Client, alice: User) -> None:
    webhook = a_webhook(alice, "https://bot.example/")
    mine = a_webhook(User.objects.get(username="bob"), "https://bot.example/")
    delivery = services.queue_test(webhook=webhook, now=NOW)
    for page in (f"{PAGE}{webhook.pk}/", f"{PAGE}{webhook.pk}/delete/"):
        assert as_bob.get(page).status_code == 404
        assert as_bob.post(page).status_code == 404
    for number in (delivery.pk, "x", "9" * 30, ""):
        sent = {"act": "again", "delivery": number}
        assert as_bob.post(f"{PAGE}{mine.pk}/", sent).status_code == 404


# -- without workers --


def test_tidying_sends_what_is_due_and_forgets_what_is_old(
    alice: User, receiver: str
) -> None:
    """A month is kept of what is over."""
    webhook = a_webhook(alice, receiver)
    services.queue_test(webhook=webhook, now=NOW)
    call_command("tidy", stdout=StringIO())
    assert len(Receiver.got) == 1

    assert services.forget_old(now=NOW + services.LIFETIME) == 0
    assert services.forget_old(now=NOW + services.LIFETIME * 1.1) == 1
    assert not Delivery.objects.exists()


def test_a_look_that_fails_is_not_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the fault was: the answer after it brings the next one."""
    looks: list[float] = []
    faults: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda it: faults.append(it.exc_type))

    def failing() -> None:
        looks.append(time.monotonic())
        raise ValueError

    monkeypatch.setattr(tasks, "AFTER", 0.05)
    monkeypatch.setattr(tasks, "work_off_here", failing)
    seen = tasks._AfterAnswers()
    deadline = time.monotonic() + 5
    for number in (1, 2):
        seen.note()
        while len(faults) < number and time.monotonic() < deadline:
            time.sleep(0.01)
    assert (len(looks), faults) == (2, [ValueError, ValueError])


def test_after_answers_one_look_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """For all that come until then, and one more for those that came meanwhile."""
    looks: list[float] = []
    monkeypatch.setattr(tasks, "AFTER", 0.05)
    monkeypatch.setattr(tasks, "work_off_here", lambda: looks.append(time.monotonic()))
    seen = tasks._AfterAnswers()
    for _answer in range(20):
        seen.note()
    deadline = time.monotonic() + 5
    while len(looks) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.2)
    assert len(looks) == 2
