"""Jobs on real brokers with real workers: killed, cut off, restarted, and complete."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection
from kombu.exceptions import OperationalError

from tests.jobs.helpers import file_of
from tests.prepared import prepared_copy

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).resolve().parents[2]
REDIS = os.environ.get("ORNE_REDIS") or "redis://127.0.0.1:6379/15"
RABBITMQ = os.environ.get("ORNE_RABBITMQ") or "amqp://guest:guest@127.0.0.1:5672//"
# Debian’s own command runs it as a user that may not write where a test does.
RABBITMQ_SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
DECKS = 3_000
A_CHUNK = 100
PATIENCE = 300  # seconds

# Chunks of a hundred decks, and a quiet job is sent again soon.
PREPARED = """
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from django.utils import timezone
from arkham.accounts.models import User
from arkham.jobs import services
from arkham.jobs.models import Job, kind_named
services.QUIET = timedelta(seconds=3)
kind = replace(kind_named("judge"), items_a_chunk={a_chunk})
"""
START = """
user, _ = User.objects.get_or_create(username="alice")
job = services.start_with_file(kind=kind, owner=user, terms={{}},
    read=open({file!r}, "rb").read, now=timezone.now())
print(job.pk)
"""
SEND_QUIET = """
import time
until = time.monotonic() + {patience}
while (job := Job.objects.get(pk={job})).state == "running":
    assert time.monotonic() < until, services.progress(job).done
    services.resend_stalled(now=timezone.now())
    time.sleep(0.5)
print(job.state)
"""


class Cluster:
    """Orne with a broker: a database, a queue and workers of its own."""

    def __init__(self, data: Path, broker: str) -> None:
        self.data = data
        self.queue = f"orne-test-{uuid.uuid4()}"
        kept = {name: os.environ[name] for name in ("PATH", "HOME")}
        self.environment = kept | {
            "ORNE_DATA": str(data),
            "CELERY_BROKER_URL": broker,
            "PYTHONPATH": str(PROJECT),
        }
        self.workers: list[subprocess.Popen[bytes]] = []

    def shell(self, code: str) -> str:
        """What a piece of code prints; its tasks go into this cluster's queue."""
        prepared = PREPARED.format(a_chunk=A_CHUNK)
        queue = (
            "from arkham.celery import app\n"
            f"app.conf.task_default_queue = {self.queue!r}\n"
        )
        done = subprocess.run(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c",
             queue + prepared + code],
            cwd=PROJECT, env=self.environment, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def start_worker(self) -> subprocess.Popen[bytes]:
        """One more worker with a process of its own for tasks."""
        worker = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "arkham", "worker",
             "--concurrency", "1", "--queues", self.queue, "--without-gossip",
             "--without-mingle", "--loglevel", "WARNING"],
            cwd=PROJECT, env=self.environment, stdout=subprocess.DEVNULL,
            stderr=(self.data / "worker.log").open("ab"), start_new_session=True,
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def start_job(self) -> int:
        """A job of three thousand decks; its number."""
        file = self.data / "decks.jsonl"
        file.write_bytes(file_of(DECKS))
        return int(self.shell(START.format(file=str(file))))

    def rows(self, query: str) -> int:
        """A number out of the database."""
        path = self.data / "orne.sqlite3"
        with closing(sqlite3.connect(path, timeout=20)) as database:
            return int(database.execute(query).fetchone()[0])

    def wait_for(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so."""
        until = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < until, (self.data / "worker.log").read_text()
            time.sleep(0.01)

    def chunks_done(self) -> int:
        """How many chunks are done."""
        return self.rows("SELECT COUNT(*) FROM jobs_chunk WHERE done_at IS NOT NULL")

    def kill_in_mid_chunk(self, worker: subprocess.Popen[bytes], job: int) -> None:
        """SIGKILL a worker with its process while the result of a chunk is written."""
        place = self.data / "jobs" / str(job)
        self.wait_for(lambda: self.chunks_done() > 2)
        self.wait_for(lambda: any(place.glob("*.part")))
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        assert self.chunks_done() < DECKS // A_CHUNK

    def complete(self, job: int) -> None:
        """The job ends, sent again while it is quiet, and each deck has one verdict."""
        code = SEND_QUIET.format(job=job, patience=PATIENCE)
        assert self.shell(code) == "done"
        place = self.data / "jobs" / str(job)
        assert not list(place.glob("*.part"))
        ids = [
            json.loads(line)["id"]
            for file in sorted(place.glob("*.gz"))
            for line in gzip.decompress(file.read_bytes()).splitlines()
        ]
        assert ids == list(range(1, DECKS + 1))
        assert self.chunks_done() == DECKS // A_CHUNK
        counted = "SELECT SUM(j.value) FROM jobs_job, json_each(counts) j"
        assert self.rows(counted) == DECKS

    def close(self) -> None:
        """Stop the workers, and leave no queue behind."""
        for worker in self.workers:
            if worker.poll() is None:
                os.killpg(worker.pid, signal.SIGKILL)
                worker.wait()
        with Connection(self.environment["CELERY_BROKER_URL"]) as connection:
            channel: Any = connection.default_channel
            channel.queue_delete(self.queue)


def _answers(address: str) -> bool:
    port = 5672 if address.startswith("amqp") else 6379
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


@contextmanager
def _cluster(data: Path, broker: str) -> Iterator[Cluster]:
    cluster = Cluster(prepared_copy(data), broker)
    try:
        yield cluster
    finally:
        cluster.close()


@pytest.mark.parametrize("broker", [REDIS, RABBITMQ], ids=["redis", "rabbitmq"])
def test_a_killed_worker_loses_and_doubles_nothing(broker: str, tmp_path: Path) -> None:
    """SIGKILL in the middle of a chunk; another worker does the rest."""
    if not _answers(broker):
        pytest.skip("no broker answers here; ORNE_REDIS, ORNE_RABBITMQ name others")
    with _cluster(tmp_path / "data", broker) as cluster:
        worker = cluster.start_worker()
        job = cluster.start_job()
        cluster.kill_in_mid_chunk(worker, job)
        cluster.start_worker()
        cluster.start_worker()
        cluster.complete(job)


class Broker:
    """A broker of the test's own, which may be killed: Redis or RabbitMQ.

    With ``keeps`` it writes its messages to the disk, and has them after a restart.
    """

    def __init__(self, name: str, place: Path, *, keeps: bool) -> None:
        self.name, self.place, self.keeps = name, place, keeps
        self.port, other = _free_ports()
        self.address = f"redis://127.0.0.1:{self.port}/0"
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(place)}
        if name == "rabbitmq":
            self.address = f"amqp://guest:guest@127.0.0.1:{self.port}//"
            self.environment |= {
                "RABBITMQ_NODENAME": f"orne-{self.port}@localhost",
                "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
                "RABBITMQ_NODE_PORT": str(self.port),
                "RABBITMQ_DIST_PORT": str(other),
                "RABBITMQ_MNESIA_BASE": str(place / "database"),
                "RABBITMQ_LOG_BASE": str(place / "log"),
                "RABBITMQ_CONFIG_FILE": str(place / "none"),
                "RABBITMQ_ADVANCED_CONFIG_FILE": str(place / "none"),
                "RABBITMQ_ENABLED_PLUGINS_FILE": str(place / "none"),
            }

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [str(RABBITMQ_SERVER)]
        if self.name == "redis":
            command = ["redis-server", "--port", str(self.port), "--save", "",
                       "--appendonly", "yes" if self.keeps else "no",
                       "--bind", "127.0.0.1", "--dir", str(self.place)]  # fmt: skip
        self.process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with Connection(self.address, connect_timeout=2) as connection:
                    connection.connect()
                return
            except (OSError, OperationalError):
                assert time.monotonic() < until
                time.sleep(0.1)

    def kill(self) -> None:
        """SIGKILL it, with everything it started."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def _free_ports() -> tuple[int, int]:
    with closing(socket.socket()) as one, closing(socket.socket()) as other:
        for each in (one, other):
            each.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


@contextmanager
def _own_broker(name: str, place: Path, *, keeps: bool) -> Iterator[Broker]:
    """A broker that runs; skip the test where it is not installed."""
    found = (
        RABBITMQ_SERVER.exists() if name == "rabbitmq" else shutil.which("redis-server")
    )
    if not found:
        pytest.skip(f"{name}-server is missing")
    place.mkdir()
    broker = Broker(name, place, keeps=keeps)
    try:
        broker.start()
        yield broker
    finally:
        broker.kill()


@pytest.mark.parametrize("name", ["redis", "rabbitmq"])
def test_a_broker_restarted_in_mid_job_goes_on_with_it(
    name: str, tmp_path: Path
) -> None:
    """From what it wrote to its disk; the clock sends again what was lost on the way.

    A broker that is killed may lose what it was sent a moment before.
    """
    with (
        _own_broker(name, tmp_path / "broker", keeps=True) as broker,
        _cluster(tmp_path / "data", broker.address) as cluster,
    ):
        cluster.start_worker()
        job = cluster.start_job()
        cluster.wait_for(lambda: cluster.chunks_done() > 2)
        broker.kill()
        assert cluster.chunks_done() < DECKS // A_CHUNK - 2
        broker.start()
        cluster.complete(job)
        # What the worker had when the broker died may come a second time.
        assert cluster.rows("SELECT SUM(attempts - 1) FROM jobs_chunk") <= 2


def test_a_broker_that_forgets_everything_stops_no_job(tmp_path: Path) -> None:
    """Connections are cut, and its queue is gone when it comes back."""
    with (
        _own_broker("redis", tmp_path / "broker", keeps=False) as broker,
        _cluster(tmp_path / "data", broker.address) as cluster,
    ):
        cluster.start_worker()
        job = cluster.start_job()
        cluster.wait_for(lambda: cluster.chunks_done() > 2)
        broker.kill()
        time.sleep(1)
        broker.start()
        cluster.complete(job)
