"""Work sent to a real broker is done by a real worker."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import redis

from tests.prepared import migrated_copy

PROJECT = Path(__file__).resolve().parents[2]
SEND = """
from datetime import datetime, UTC
from django.contrib.sessions.models import Session
from arkham.housekeeping import tidy
Session.objects.create(session_key="old", expire_date=datetime(2020, 1, 1, tzinfo=UTC))
print(Session.objects.count())
tidy.apply_async(queue={queue!r})
"""


class Server:
    """Orne in processes of its own, with data and a queue of its own."""

    def __init__(self, data: Path, broker: str) -> None:
        kept = {name: os.environ[name] for name in ("PATH", "HOME")}
        self.database = migrated_copy(data)
        self.queue = f"orne-test-{uuid.uuid4()}"
        self.environment = kept | {"ORNE_DATA": str(data), "CELERY_BROKER_URL": broker}

    def manage(self, *arguments: str) -> str:
        """What a management command prints."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def send(self) -> str:
        """How many sessions there are, one of them expired, when the task is sent."""
        code = SEND.format(queue=self.queue)
        return self.manage("shell", "--no-imports", "-c", code)

    def left(self) -> int:
        """How many sessions the database holds now, seen without another process."""
        with closing(sqlite3.connect(self.database, timeout=20)) as database:
            (count,) = database.execute(
                "SELECT COUNT(*) FROM django_session"
            ).fetchone()
        return int(count)


@pytest.fixture
def server(tmp_path: Path, broker: str) -> Iterator[Server]:
    """A database, and a worker on its own queue."""
    server = Server(tmp_path, broker)
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "arkham", "worker", "--pool", "solo",
         "--queues", server.queue, "--without-gossip", "--without-mingle"],
        cwd=PROJECT,
        env=server.environment,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    yield server
    worker.terminate()
    worker.wait(timeout=20)
    redis.Redis.from_url(broker).delete(server.queue)


@pytest.mark.slow
def test_a_task_makes_the_round_trip(server: Server) -> None:
    """Sent from one process, done by another, seen in the database."""
    assert server.send() == "1"

    deadline = time.monotonic() + 30
    while server.left():
        assert time.monotonic() < deadline, "the worker did not do it in 30 seconds"
        time.sleep(0.2)
