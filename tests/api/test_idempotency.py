"""A request repeated with the same idempotency key is carried out once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from arkham.accounts import services
from arkham.accounts.models import KeptAnswer, User
from tests.api.urls import Counted
from tests.conftest import PROJECT

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.urls")]

PATH = "/api/v1/counted"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _from_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counted, "times", 0)


def _program(owner: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(owner)
    return client


def _send(
    client: APIClient, key: str | None, body: Any = None, path: str = PATH, **also: str
) -> Any:
    headers = also if key is None else {"Idempotency-Key": key, **also}
    return client.post(path, body or {}, format="json", headers=headers)


def test_a_repeated_request_gets_the_same_response(alice: User) -> None:
    """The same status, bytes and headers, marked as a replay."""
    program = _program(alice)

    first, again = _send(program, "one"), _send(program, "one")

    assert Counted.times == 1
    assert first.status_code == again.status_code == 201
    assert first.content == again.content == '{"b":1,"a":"é"}'.encode()
    for name in ("ETag", "Location", "Content-Type"):
        assert first[name] == again[name]
    assert "Idempotent-Replayed" not in first
    assert again["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize(
    ("how", "status", "body"), [("nothing", 204, b""), ("plain", 200, b"plainly")]
)
def test_every_successful_response_is_kept(
    alice: User, how: str, status: int, body: bytes
) -> None:
    """Also one without a body, and one that is no JSON."""
    program = _program(alice)

    for _time in range(2):
        answer = _send(program, "one", {"how": how})
        assert (answer.status_code, answer.content) == (status, body)

    assert Counted.times == 1


def test_a_replayed_empty_response_has_no_content_type(alice: User) -> None:
    """As the first had none: clients that go by the type would try to read JSON."""
    program = _program(alice)

    first, again = (_send(program, "one", {"how": "nothing"}) for _time in range(2))

    assert (first.status_code, again["Idempotent-Replayed"]) == (204, "true")
    assert "Content-Type" not in first.headers
    assert "Content-Type" not in again.headers


def test_requests_without_a_key_are_independent(alice: User) -> None:
    """Nothing is kept."""
    program = _program(alice)

    assert [_send(program, None).json()["b"] for _time in range(2)] == [1, 2]
    assert not KeptAnswer.objects.exists()


def test_a_different_request_with_the_same_key_is_refused(alice: User) -> None:
    """422: another body, address, revision or method; nothing is carried out."""
    program = _program(alice)
    _send(program, "one", {"a": 1})

    for answer in (
        _send(program, "one", {"a": 2}),
        _send(program, "one", {"a": 1}, PATH + "/too"),
        _send(program, "one", {"a": 1}, PATH + "?b=1"),
        _send(program, "one", {"a": 1}, **{"If-Match": '"7-3"'}),
        program.delete(
            PATH, {"a": 1}, format="json", headers={"Idempotency-Key": "one"}
        ),
    ):
        assert answer.status_code == 422
        assert answer.json()["type"] == "urn:orne:problem:idempotency-key-reused"
    assert Counted.times == 1


def test_keys_belong_to_a_user(alice: User, bob: User) -> None:
    """Bob's “one” is not Alice's, and he never sees her response."""
    assert _send(_program(alice), "one").json()["b"] == 1
    assert _send(_program(bob), "one").json()["b"] == 2


@pytest.mark.parametrize(("how", "status"), [("raise", 409), ("refuse", 409)])
def test_a_refusal_is_not_kept(alice: User, how: str, status: int) -> None:
    """Nothing was done: a corrected request may be sent with the same key."""
    program = _program(alice)

    assert _send(program, "one", {"how": how}).status_code == status
    assert not KeptAnswer.objects.exists()
    assert _send(program, "one", {"how": "well"}).status_code == 201


def test_a_refused_request_is_rolled_back(alice: User) -> None:
    """The change and the kept response are one transaction."""
    _send(_program(alice), "one", {"how": "raise"})

    assert User.objects.get(pk=alice.pk).first_name == ""


@pytest.mark.parametrize("key", ["", "x" * 256, "é", "a\tb"])
def test_an_invalid_key_is_refused(alice: User, key: str) -> None:
    """400: keys are short and printable."""
    answer = _send(_program(alice), key)

    assert answer.status_code == 400
    assert answer.json()["type"] == "urn:orne:problem:idempotency-key"
    assert Counted.times == 0


def test_a_response_is_kept_for_a_day(alice: User) -> None:
    """Then the key is free again, whether or not housekeeping has run."""
    program = _program(alice)
    _send(program, "one")
    day_ago = timezone.now() - timedelta(hours=24)

    KeptAnswer.objects.update(made_at=day_ago + timedelta(minutes=1))
    assert _send(program, "one").json()["b"] == 1
    KeptAnswer.objects.update(made_at=day_ago)
    assert _send(program, "one", {"a": 2}).json()["b"] == 2


def test_an_account_has_a_limited_number_of_kept_responses(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The latest; those of others stay."""
    monkeypatch.setattr("arkham.rest.idempotency.MOST_KEPT", 2)
    program = _program(alice)
    _send(_program(bob), "one")

    for key in ("one", "two", "three"):
        _send(program, key)

    kept = KeptAnswer.objects.order_by("pk").values_list("owner__username", "key")
    assert [*kept] == [("bob", "one"), ("alice", "two"), ("alice", "three")]
    assert _send(program, "two")["Idempotent-Replayed"] == "true"


def test_housekeeping_deletes_only_old_responses(alice: User) -> None:
    _send(_program(alice), "old")
    _send(_program(alice), "new")
    KeptAnswer.objects.filter(key="old").update(made_at=NOW - timedelta(hours=24))
    KeptAnswer.objects.filter(key="new").update(made_at=NOW)

    assert services.forget_expired(now=NOW) == 1
    assert KeptAnswer.objects.get().key == "new"


def test_the_body_is_limited(alice: User, settings: Any) -> None:
    """413, as without a key."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10

    answer = _send(_program(alice), "one", {"a": "x" * 20})

    assert answer.status_code == 413
    assert json.loads(answer.content)["status"] == 413


TOGETHER = """
import os, threading
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
from concurrent.futures import ThreadPoolExecutor
import django
django.setup()
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from rest_framework.test import APIClient
from arkham.accounts.models import User
from tests.api.urls import Counted
settings.ROOT_URLCONF = "tests.api.urls"
settings.ALLOWED_HOSTS = ["testserver"]
call_command("migrate", verbosity=0)
alice = User.objects.create_user("alice")
all_at_once = threading.Barrier(4, timeout=20)

def send(_each):
    client = APIClient()
    client.force_authenticate(alice)
    all_at_once.wait()
    answer = client.post("/api/v1/counted", {}, format="json",
                         headers={"Idempotency-Key": "one"})
    connection.close()
    return answer.status_code, answer.content

with ThreadPoolExecutor(4) as pool:
    answers = list(pool.map(send, range(4)))
print(Counted.times, len(set(answers)), answers[0][0])
"""


@pytest.mark.slow
def test_of_many_concurrent_requests_one_is_carried_out(tmp_path: Path) -> None:
    """The others wait and get the same response; on a database in a file."""
    done = subprocess.run(
        [sys.executable, "-c", TOGETHER],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/together.sqlite3"},
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1", "1", "201"]
