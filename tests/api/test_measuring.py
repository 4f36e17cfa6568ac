"""Requests and verdicts are measured in all processes, at little cost."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from arkham.web import measuring
from tests.api.helpers import DECK, set_rates
from tests.conftest import PROJECT
from tests.house.timing import processor_time

TOKEN = {"Authorization": "Bearer operators-token"}


@pytest.fixture(autouse=True)
def _fresh(settings: Settings, tmp_path: Path) -> Iterator[None]:
    settings.ORNE_OPERATOR_TOKEN = "operators-token"
    settings.DATA_DIR = tmp_path
    measuring.figures.cache_clear()
    yield
    measuring.figures.cache_clear()


def shown(pattern: str) -> list[str]:
    """Return the values of the metrics with this prefix."""
    return re.findall(rf"^{pattern} (\S+)$", measuring.exposition(), re.MULTILINE)


@pytest.mark.django_db
def test_requests_are_counted_by_view_and_status(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unknown addresses count as one view; refusals are counted too."""
    set_rates(monkeypatch, anon="1/min", user=None, key=None)
    for address in ("/api/v1/", "/api/v1/", "/nowhere/7", "/nowhere/8", "/healthz"):
        client.get(address)

    text = client.get("/metrics", headers=TOKEN).content.decode()

    count = "orne_request_duration_seconds_count"
    for labels, number in (
        ('status="2xx",view="api:root"', 1),
        ('status="4xx",view="api:root"', 1),
        ('status="4xx",view="none"', 2),
        ('status="2xx",view="healthz"', 1),
    ):
        assert f"{count}{{{labels}}} {number}.0\n" in text
    assert "orne_throttled_total 1.0\n" in text
    assert 'le="0.005"' in text
    assert "orne_webhook_messages_waiting 0\n" in text
    assert "# TYPE orne_request_duration_seconds histogram\n" in text


@pytest.mark.usefixtures("rows")
def test_verdicts_are_counted_by_status_and_rule(api: APIClient) -> None:
    """For a single deck, and for each of a batch."""
    api.post("/api/v1/legality", DECK, format="json")
    api.post("/api/v1/legality/batch", [DECK, DECK], format="json")

    assert shown(r'orne_verdicts_total\{status="incomplete"\}') == ["3.0"]
    assert shown(r'orne_findings_total\{rule="deck.size"\}') == ["3.0"]


def test_nothing_is_measured_without_a_token(
    settings: Settings, tmp_path: Path
) -> None:
    """No file is made, and requests aren't observed."""
    settings.ORNE_OPERATOR_TOKEN = ""

    Client().get("/manifest.webmanifest")
    measuring.note_verdict("legal", ())

    assert not (tmp_path / "metrics").exists()


def test_a_full_disk_only_stops_the_measuring(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """Pages still work, as do metrics that need no file."""

    def full(*_arguments: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)

    assert client.get("/manifest.webmanifest").status_code == 200
    measuring.note_verdict("legal", ("deck.size",))
    assert measuring.exposition() == ""


def test_measuring_costs_little() -> None:
    """At most a tenth of a millisecond per request."""

    def answer(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    middleware, request = measuring.MeasuringMiddleware(answer), HttpRequest()
    middleware(request)
    plain = processor_time(lambda: [answer(request) for _each in range(1_000)], 0.05)

    took = processor_time(lambda: [middleware(request) for _each in range(1_000)], 0.1)

    assert took - plain < 0.1


PROCESS = """
import django, sys
django.setup()
from django.conf import settings
from pathlib import Path
settings.DATA_DIR, settings.ORNE_OPERATOR_TOKEN = Path(sys.argv[1]), "x"
from arkham.web import measuring
for _each in range(10):
    measuring.note_verdict("legal", ["a.rule"])
print("counted", flush=True)
sys.stdin.read()
"""


def _process(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROCESS, str(folder)],
        cwd=PROJECT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _counted(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "counted\n"


def test_metrics_of_processes_are_summed_and_replaced(tmp_path: Path) -> None:
    """Two at once, one killed and replaced: no count is lost, no file added."""
    verdicts = r'orne_verdicts_total\{status="legal"\}'
    first, second = _process(tmp_path), _process(tmp_path)
    for each in (first, second):
        _counted(each)
    assert shown(verdicts) == ["20.0"]
    first.kill()
    first.communicate()
    assert shown(verdicts) == ["20.0"]

    third = _process(tmp_path)
    _counted(third)

    assert shown(verdicts) == ["30.0"]
    assert len([*(tmp_path / "metrics").glob("counter_*.db")]) == 3  # and this test's
    for each in (second, third):
        each.communicate()
