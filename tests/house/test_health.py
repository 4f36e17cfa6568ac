"""The operator sees each part of the server apart; others see whether it answers."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from celery import current_app
from django.test import Client
from kombu import Connection
from pytest_django import Settings

from arkham import health
from arkham.accounts.models import User
from arkham.jobs.models import Job
from tests.decks.helpers import NOW

pytestmark = pytest.mark.django_db

TOKEN = {"Authorization": "Bearer operators-token"}


@pytest.fixture(autouse=True)
def _token(settings: Settings) -> None:
    settings.ORNE_OPERATOR_TOKEN = "operators-token"


def test_others_see_that_it_answers(client: Client, settings: Settings) -> None:
    """With a wrong token, too, and with an empty one where none is set."""
    for sent in ("", "Bearer wrong", "Basic operators-token"):
        answer = client.get("/healthz", headers={"Authorization": sent})
        assert answer.json() == {"status": "ok"}
        assert (
            client.get("/metrics", headers={"Authorization": sent}).status_code == 404
        )
    settings.ORNE_OPERATOR_TOKEN = ""
    empty = {"Authorization": "Bearer "}
    assert client.get("/healthz", headers=empty).json() == {"status": "ok"}
    assert client.get("/metrics", headers=empty).status_code == 404


def test_the_operator_sees_every_part(client: Client) -> None:
    """All are well: 200."""
    answer = client.get("/healthz", headers=TOKEN)

    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"
    assert list(answer.json()["parts"]) == [*health.PARTS]
    assert answer.json()["parts"]["migrations"] == {"ok": True, "state": "applied"}


@pytest.mark.parametrize("part", [*health.PARTS])
def test_a_part_that_fails_hides_no_other(client: Client, part: str) -> None:
    """503 names it, and the others stay as they are."""

    def fails() -> str:
        raise OSError("gone")

    with patch.dict(health.PARTS, {part: fails}):
        answer = client.get("/healthz", headers=TOKEN)
        figures = client.get("/metrics", headers=TOKEN).content.decode()

    assert answer.status_code == 503
    found = answer.json()["parts"]
    assert found.pop(part) == {"ok": False, "state": "gone"}
    assert all(each["ok"] for each in found.values())
    assert f'orne_part_ok{{part="{part}"}} 0\n' in figures


def test_a_full_disk_and_dead_workers_are_failures(settings: Settings) -> None:
    """Too little room, and no worker that answers a broker's ping."""
    with patch.object(health, "_free_bytes", lambda: 1):
        assert not health.parts()["disk"]["ok"]
    settings.CELERY_BROKER_URL = "memory://localhost"
    with patch.object(current_app.control, "ping", lambda timeout: []):
        assert health.parts()["workers"] == {"ok": False, "state": "none answers"}


def test_metrics_are_in_the_form_of_prometheus(client: Client, alice: User) -> None:
    """A type for each figure, labels quoted, one sample a line."""
    Job.objects.create(kind="judge", owner=alice, begun_at=NOW, seen_at=NOW)

    answer = client.get("/metrics", headers=TOKEN)

    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    lines = answer.content.decode().splitlines()
    assert "# TYPE orne_jobs gauge" in lines
    assert 'orne_jobs{kind="judge",state="running"} 1' in lines
    assert "orne_accounts 1" in lines
    assert "orne_job_chunks_waiting 0" in lines
    assert health._escaped('a"b\\c\nd') == r"a\"b\\c\nd"


def test_waiting_messages_are_counted_even_if_none_waits(
    client: Client, settings: Settings
) -> None:
    """A broker without the queue has none; one that is gone gives no figure."""

    def depth() -> list[str]:
        lines = client.get("/metrics", headers=TOKEN).content.decode().splitlines()
        return [each for each in lines if each.startswith("orne_queue_depth")]

    settings.CELERY_BROKER_URL = "memory://depth"
    broker = Connection("memory://depth")
    with patch.object(current_app, "connection_for_read", lambda **_options: broker):
        assert depth() == ["orne_queue_depth 0"]
        broker.SimpleQueue(health.QUEUE).put({})
        assert depth() == ["orne_queue_depth 1"]
    gone = Connection("redis://127.0.0.1:1/0")  # nothing listens there
    with patch.object(current_app, "connection_for_read", lambda **_options: gone):
        assert depth() == []


def test_a_redis_that_is_gone_is_a_failure(settings: Settings) -> None:
    """Limits go on being counted, but by each process for itself."""
    gone = "redis://127.0.0.1:1/0"  # nothing listens there
    settings.CACHES = {
        "default": {"BACKEND": "arkham.web.counters.Counters", "LOCATION": gone}
    }

    assert not health.parts()["cache"]["ok"]
