"""Limits of one visitor: computing time, changes, batches, kept verdicts."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from pytest_django import Settings

from arkham.accounts.models import User
from arkham.web import limits
from bench.bad_input import DECKS
from decks import services
from decks.models import SharedVerdict
from tests.api.helpers import CONTENT, DECK, LIST, set_rates
from tests.campaigns.helpers.shown_forms import forms_in

BATCH = "/api/v1/legality/batch"


def _posted(
    client: Client, path: str, sent: dict[str, Any], headers: dict[str, str]
) -> str:
    """Return the response to a form, as sent by a browser."""
    kind = "application/x-www-form-urlencoded"
    return client.post(path, urlencode(sent, doseq=True), kind, headers=headers).text


# -- work --


@pytest.mark.django_db
def test_computing_time_is_limited(settings: Settings) -> None:
    """By a page, and by a problem under /api/, with the time to wait; others go on."""
    settings.ORNE_WORK = 0.05
    client = Client()
    limits.charge("127.0.0.1", 1.0)

    page, problem = client.get("/"), client.post("/api/v1/legality", "{}", "a/b")

    assert (page.status_code, problem.status_code) == (429, 429)
    assert "Too many requests" in page.content.decode()
    assert json.loads(problem.content)["type"] == "urn:orne:problem:throttled"
    assert 1 <= int(page["Retry-After"]) <= 60
    assert client.get("/", REMOTE_ADDR="10.0.0.1").status_code == 200
    assert client.get("/healthz").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", MULTIPART_CONTENT]
)
@pytest.mark.parametrize(
    ("origin", "is_shown"),
    [("http://testserver", True), ("https://elsewhere.example", False), (None, False)],
)
def test_the_text_of_an_expired_form_can_be_copied(
    kind: str, origin: str | None, is_shown: bool
) -> None:
    """It can't be sent again from there; fields sent by another site aren't shown."""
    form = {"text": "1 Machete\n2 <b>Knife", "csrfmiddlewaretoken": "old"}
    body = form if kind == MULTIPART_CONTENT else urlencode(form)
    came_from = {"Origin": origin} if origin else {}

    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/", body, content_type=kind, headers=came_from)

    assert answer.status_code == 403
    page = answer.content.decode()
    assert "This form has expired" in page
    assert ("1 Machete<br>2 &lt;b&gt;Knife</blockquote>" in page) is is_shown
    assert '<form method="post"' not in page


@pytest.mark.django_db
def test_a_password_in_an_expired_form_is_not_shown() -> None:
    """Nor the form's other fields."""
    form = {
        "password": "an old phrase",
        "name": "Roland Banks",
        "csrfmiddlewaretoken": "x",
    }
    here = {"Origin": "http://testserver"}
    strict = Client(enforce_csrf_checks=True)
    page = strict.post("/account/login/", form, headers=here).content.decode()

    assert "This form has expired" in page
    assert "an old phrase" not in page
    assert "Roland Banks" not in page


@pytest.mark.django_db
def test_a_throttled_form_can_be_sent_again(settings: Settings) -> None:
    """Unchanged, from the page that refuses it, which links back to the form too."""
    settings.ORNE_WORK = 0.05
    client = Client(enforce_csrf_checks=True)
    client.get("/")
    token = client.cookies["csrftoken"].value
    sent = {"text": LIST, "csrfmiddlewaretoken": token, "take": ["1:a", "2:b"]}
    limits.charge("127.0.0.1", 1.0)
    came_from = {"Referer": "http://testserver/?from=here"}

    refused = _posted(client, "/?view=1", sent, came_from)
    limits._visitors.clear()

    (form,) = forms_in(refused, "/")
    assert form.action == "/?view=1"
    assert form.data == {"text": [LIST], "take": ["1:a", "2:b"]}
    assert f'name="csrfmiddlewaretoken" value="{token}"' in refused
    assert 'href="http://testserver/?from=here"' in refused
    assert "2x Machete</blockquote>" in refused


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "came_from"),
    [
        ({"login": "alice", "password": "alice-of-arkham"}, "http://testserver/a/"),
        ({"text": "a" * 300_000}, "http://elsewhere.example/"),
    ],
    ids=["a password", "too much"],
)
def test_passwords_and_long_texts_are_not_given_back(
    settings: Settings, sent: dict[str, str], came_from: str
) -> None:
    """And the page doesn't link to other sites."""
    settings.ORNE_WORK = 0.05
    limits.charge("127.0.0.1", 1.0)

    refused = _posted(Client(), "/", sent, {"Referer": came_from})

    assert forms_in(refused, "/") == []
    assert not any(value in refused for value in sent.values())
    assert ("Back to the form" in refused) == ("testserver" in came_from)


@pytest.mark.django_db
def test_too_many_password_attempts_get_a_page_of_ours(
    as_alice: Client,
) -> None:
    """With a link back to the form."""
    path = "/account/password/change/"
    answers = [as_alice.post(path, {"oldpassword": "wrong"}) for _try in range(6)]

    assert [each.status_code for each in answers] == [200] * 5 + [429]
    assert f'href="{path}">Back to the form</a>' in answers[-1].text
    assert 'id="content"' in answers[-1].text


@pytest.mark.django_db
def test_requests_are_charged_for_their_time(settings: Settings) -> None:
    """To a stranger's address."""
    settings.ORNE_WORK = 20.0

    Client().post("/", {"text": LIST}, REMOTE_ADDR="10.0.0.2")

    assert 0 < limits._visitors["10.0.0.2"].total < 5


@pytest.mark.django_db
def test_an_ipv6_network_is_one_visitor(settings: Settings) -> None:
    """The owner of one of its addresses has them all."""
    settings.ORNE_WORK = 1.0
    client = Client()
    limits.charge("2001:db8::", 2.0)

    assert client.get("/", REMOTE_ADDR="2001:db8::7").status_code == 429
    assert client.get("/", REMOTE_ADDR="2001:db8:0:1::7").status_code == 200


def test_an_account_is_counted_by_itself(
    settings: Settings, alice: User, as_alice: Client, as_bob: Client
) -> None:
    """Others at its address are not affected."""
    settings.ORNE_WORK = 1.0
    limits.charge(f"account-{alice.pk}", 2.0)

    assert as_alice.get("/decks/").status_code == 429
    assert as_bob.get("/decks/").status_code == 200
    assert Client().get("/").status_code == 200


def test_the_budget_is_renewed_every_minute(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What other processes spent counts too."""
    settings.ORNE_WORK = 1.0
    moment = [time.time() // 60 * 60 + 10]
    monkeypatch.setattr("arkham.web.limits.time.time", lambda: moment[0])
    limits.charge("somebody", 0.9)
    limits._visitors.clear()  # as another process would count
    assert limits.wait_for("somebody") == 0
    limits.charge("somebody", 0.2)
    assert limits.wait_for("somebody") == 50
    moment[0] += 50
    assert limits.wait_for("somebody") == 0


@pytest.mark.django_db
def test_the_phones_of_a_table_are_not_throttled(settings: Settings) -> None:
    """Six behind one address, each polling every three seconds for a minute."""
    settings.ORNE_WORK = 20.0

    answers = {Client().get("/table/").status_code for _poll in range(120)}

    assert answers == {200}


# -- changes --


@pytest.mark.django_db
def test_strangers_may_send_a_limited_number_of_forms(
    monkeypatch: pytest.MonkeyPatch, as_alice: Client
) -> None:
    """They get a page; reading still works, and so do accounts."""
    set_rates(monkeypatch, pages_anonymous="2/min", pages_account="3/min")
    client = Client()

    answers = [client.post("/", {"text": LIST}) for _form in range(3)]

    assert [each.status_code for each in answers] == [200, 200, 429]
    assert 1 <= int(answers[2]["Retry-After"]) <= 60
    assert client.get("/").status_code == 200
    signed_in = [as_alice.post("/", {"text": LIST}).status_code for _form in range(4)]
    assert signed_in == [200, 200, 200, 429]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/decks/bring/", "/decks/share/"])
def test_strangers_may_keep_a_limited_number_of_things(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Drafts and verdicts are counted together."""
    set_rates(monkeypatch, kept_anonymous="2/hour")
    client, data = Client(), {"content": CONTENT}

    statuses = [client.post(path, data).status_code for _thing in range(3)]

    assert statuses == [303, 303, 429]
    assert client.post("/", {"text": LIST}).status_code == 200


@pytest.mark.django_db
def test_an_account_shares_a_limited_number_of_verdicts(
    monkeypatch: pytest.MonkeyPatch, as_alice: Client
) -> None:
    """So that none uses up the quota that all have together; decks are not limited."""
    set_rates(monkeypatch, kept_anonymous="2/hour")
    shared = [
        as_alice.post("/decks/share/", {"content": CONTENT}).status_code for _n in "123"
    ]
    made = [
        as_alice.post("/decks/bring/", {"content": CONTENT}).status_code for _n in "123"
    ]

    assert shared == [303, 303, 429]
    assert made == [303, 303, 303]


@pytest.mark.django_db
def test_building_a_deck_stays_within_the_limits() -> None:
    """A hundred changes and a few drafts in a minute, by the usual settings."""
    client = Client()
    statuses = [
        client.post("/decks/bring/", {"content": CONTENT}).status_code for _n in "12345"
    ]
    statuses += [client.post("/", {"text": LIST}).status_code for _n in range(100)]

    assert set(statuses) == {303, 200}


def _shared(client: Client) -> SharedVerdict:
    client.post("/decks/share/", {"content": CONTENT})
    return SharedVerdict.objects.latest("pk")


# -- shared verdicts --


@pytest.mark.django_db
def test_an_unvisited_verdict_is_deleted(settings: Settings) -> None:
    """After a year without a visit; a visit restarts the year."""
    client, now = Client(), datetime.now(UTC)
    seen, unseen = _shared(client), _shared(client)
    long_ago = now - timedelta(days=settings.ORNE_VERDICT_DAYS - 1)
    SharedVerdict.objects.update(seen_at=long_ago)
    assert services.forget_verdicts(now=now) == 0

    assert client.get(f"/verdicts/{seen.key}/").status_code == 200
    assert services.forget_verdicts(now=now + timedelta(days=2)) == 1

    gone = client.get(f"/verdicts/{unseen.key}/")
    assert gone.status_code == 404
    page = gone.content.decode()
    assert "This verdict isn’t here any more" in page
    assert f"{settings.ORNE_VERDICT_DAYS} days" in page
    assert "sign in to see it" not in page
    assert client.get(f"/verdicts/{seen.key}/").status_code == 200


# -- batches --


def _batch(decks: list[Any]) -> tuple[list[Any], int]:
    answer = Client().post(BATCH, decks, content_type="application/json")
    assert answer.status_code == 200
    return json.loads(answer.content), len(answer.content)


def _is_left(answer: dict[str, Any]) -> bool:
    problem = answer.get("problem", {})
    return bool(problem.get("type") == "urn:orne:problem:too-much")


@pytest.mark.django_db
def test_a_batch_has_a_limited_size(settings: Settings) -> None:
    """The remaining decks get an error each, under their ids."""
    settings.ORNE_BATCH_BYTES = 10_000
    hostile = json.loads(DECKS["two of every card"].body)
    decks = [{**hostile, "id": n} for n in range(50)]

    answers, size = _batch(decks)

    left = [each for each in answers if _is_left(each)]
    assert len(answers) == 50
    assert 40 <= len(left) < 50
    assert left == answers[-len(left) :]
    assert [each["id"] for each in answers] == list(range(50))
    assert left[0]["problem"]["status"] == 429
    assert size < 600_000  # that of one such deck, and the responses for the others


@pytest.mark.django_db
@pytest.mark.parametrize("long", ["x" * 9_000, 10**4_000], ids=["text", "number"])
def test_the_ids_of_a_batch_are_limited(settings: Settings, long: object) -> None:
    """They are echoed even if no deck is checked; long ones are refused."""
    settings.ORNE_BATCH_BYTES = 10_000

    answers, size = _batch([DECK | {"id": long} for _deck in range(900)])

    assert answers[0]["problem"]["errors"][0]["pointer"] == "/0/id"
    assert all(each["id"] is None for each in answers)
    assert size < 600_000


@pytest.mark.django_db
def test_a_batch_has_limited_time(settings: Settings) -> None:
    """Counted as processor time, without waiting."""
    settings.ORNE_BATCH_SECONDS = 0.0

    answers, _size = _batch([DECK, "no deck", DECK])

    assert all(map(_is_left, answers))


@pytest.mark.django_db
def test_a_batch_of_ordinary_decks_is_checked(settings: Settings) -> None:
    """A thousand of them, far below the limit."""
    settings.ORNE_BATCH_SECONDS = 30.0  # the machine may be slow

    answers, _size = _batch([DECK | {"id": n} for n in range(1_000)])

    assert not any(map(_is_left, answers))
