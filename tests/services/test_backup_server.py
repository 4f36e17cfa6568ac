"""A server is backed up while it serves, and restored into either database."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.prepared import migrated_copy, prepared_copy

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).resolve().parents[2]
POSTGRESQL = os.environ.get("ORNE_POSTGRESQL") or "postgres://postgres@127.0.0.1:5432/"

# A player with a deck at a campaign with a log, signed in with a browser.
MADE = """
from datetime import timedelta
from django.test import Client
from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from decks import services as deck_services
from decks.lists.starter import starter_deck
from tests.campaigns.helpers.tables import (
    NOW, a_campaign, as_answers, organiser_of, report, who)
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND
now = NOW + timedelta(microseconds=123457)
alice = User.objects.create_user("alice", password="a long one: é ☂")
content = starter_deck(embedded_pool(), ROLAND)
deck = deck_services.create_deck(owner=alice, content=content, now=now)
campaign = a_campaign(alice, ROLAND)
services.link_deck(
    seat=campaign.seats.get(), member=organiser_of(campaign), deck=deck, now=now)
report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
Client().force_login(alice)
"""
USED = """
from arkham.accounts.models import User
from campaigns.log.replays import check_campaigns
assert [each.found for each in check_campaigns()] == [""]
alice = User.objects.get()
assert alice.check_password("a long one: é ☂")
before = max(User.objects.values_list("pk", flat=True))
assert User.objects.create_user("bob").pk > before
"""


class Server:
    """Orne with a data folder and a database of its own."""

    def __init__(self, data: Path, database: str = "") -> None:
        self.data = data
        kept = {name: os.environ[name] for name in ("PATH", "HOME")}
        self.environment = kept | {"ORNE_DATA": str(data), "PYTHONPATH": str(PROJECT)}
        if database:
            self.environment["DATABASE_URL"] = database
            self.manage("migrate", "--verbosity", "0")
        elif not data.exists():
            migrated_copy(data)

    def manage(self, *arguments: str, fails: bool = False) -> str:
        """What a command prints."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT, env=self.environment, capture_output=True, text=True,
        )  # fmt: skip
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    def shell(self, code: str) -> None:
        self.manage("shell", "--no-imports", "-c", code)

    def backed_up(self, file: Path) -> dict[str, list[list[object]]]:
        """The rows of a backup made now, by model."""
        self.manage("backup_server", str(file))
        return rows_of(file)


def rows_of(file: Path) -> dict[str, list[list[object]]]:
    """The rows of a backup, by model."""
    with zipfile.ZipFile(file) as packed:
        return {
            name.removeprefix("rows/"): [
                json.loads(line) for line in packed.read(name).splitlines()
            ]
            for name in packed.namelist()
            if name.startswith("rows/")
        }


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server on SQLite with something in it."""
    server = Server(prepared_copy(tmp_path_factory.mktemp("first")))
    (server.data / "jobs").mkdir()
    (server.data / "jobs" / "1").write_bytes(b"a result")
    server.shell(MADE)
    return server


@pytest.fixture(scope="module")
def whole(first: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of it."""
    file = tmp_path_factory.mktemp("whole") / "a.zip"
    first.manage("backup_server", str(file))
    return file


@pytest.fixture
def postgresql() -> Iterator[str]:
    """The address of an empty database."""
    name = f"orne_backup_{uuid.uuid4().hex[:12]}"
    base = POSTGRESQL.rpartition("/")[0]
    try:
        admin = psycopg.connect(f"{base}/postgres", autocommit=True)
    except psycopg.OperationalError:
        pytest.skip("PostgreSQL does not answer; ORNE_POSTGRESQL names it.")
    with closing(admin):
        admin.execute(f'CREATE DATABASE "{name}"')
        yield f"{base}/{name}"
        admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def test_a_backup_waits_for_no_writer_and_comes_back_whole(
    first: Server, tmp_path: Path
) -> None:
    """Another process holds the write lock; what it wrote is not in the backup."""
    file = tmp_path / "a.zip"
    with closing(sqlite3.connect(first.data / "orne.sqlite3")) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE decks_deck SET name = 'half written'")
        rows = first.backed_up(file)
        writer.rollback()
    assert len(rows["campaigns.LogEntry.jsonl"]) > 5
    assert len(rows["decks.Revision.jsonl"]) >= 1
    assert "half written" not in json.dumps(rows["decks.Deck.jsonl"])
    assert ".123457" in json.dumps(rows["decks.Deck.jsonl"])
    assert file.stat().st_mode & 0o077 == 0

    second = Server(tmp_path / "second")
    second.manage("restore_server", str(file))

    assert second.backed_up(tmp_path / "b.zip") == rows
    key = "secret-key"
    assert (second.data / key).read_text() == (first.data / key).read_text()
    assert (second.data / "jobs" / "1").read_bytes() == b"a result"
    second.shell(USED)
    assert "has accounts" in second.manage("restore_server", str(file), fails=True)
    assert "exists" in second.manage("backup_server", str(file), fails=True)


def test_it_fits_the_other_database_and_back(
    whole: Path, postgresql: str, tmp_path: Path
) -> None:
    """SQLite, PostgreSQL, SQLite: every row is as it was."""
    rows = rows_of(whole)
    second = Server(tmp_path / "second", postgresql)
    second.manage("restore_server", str(whole))
    assert second.backed_up(tmp_path / "b.zip") == rows
    second.shell(USED)

    third = Server(tmp_path / "third")
    third.manage("restore_server", str(tmp_path / "b.zip"))
    assert third.backed_up(tmp_path / "c.zip") == rows


def test_every_file_of_the_data_folder_is_in_it(first: Server, tmp_path: Path) -> None:
    """On another disk, of 1970, called like what is left out; itself it is not."""
    data = first.data
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / "metrics.png").write_bytes(b"a picture")
    (data / "pictures").symlink_to(tmp_path / "disk")
    (data / "pictures" / "back").symlink_to(data)
    (data / "jobs" / "static").mkdir()
    (data / "jobs" / "static" / "é ☂").write_bytes(b"another")
    os.utime(data / "jobs" / "static" / "é ☂", (0, 0))
    assert "data folder" in first.manage(
        "backup_server", str(data / "jobs" / "a.zip"), fails=True
    )
    file = tmp_path / "a.zip"
    first.manage("backup_server", str(file))
    second = Server(tmp_path / "second")
    second.manage("restore_server", str(file))
    assert (second.data / "pictures" / "metrics.png").read_bytes() == b"a picture"
    assert (second.data / "jobs" / "static" / "é ☂").read_bytes() == b"another"
    assert not (second.data / "pictures" / "back").exists()

    strange = Path(os.fsdecode(os.fsencode(data / "jobs") + b"/\xff"))
    strange.write_bytes(b"")
    said = first.manage("backup_server", str(tmp_path / "b.zip"), fails=True)
    strange.unlink()
    assert "can’t be read" in said
    assert "Traceback" not in said


def test_a_spoilt_file_leaves_the_database_empty(whole: Path, tmp_path: Path) -> None:
    """It can be restored again, from a whole one."""
    spoilt = tmp_path / "spoilt.zip"
    with zipfile.ZipFile(whole) as packed:
        places = [
            packed.getinfo(name).header_offset + 30 + len(name)
            for name in ("data/secret-key", "rows/decks.Revision.jsonl")
        ]
    second = Server(tmp_path / "second")
    for place in places:
        content = bytearray(whole.read_bytes())
        content[place : place + 40] = bytes(40)
        spoilt.write_bytes(content)
        said = second.manage("restore_server", str(spoilt), fails=True)
        assert "isn’t a whole backup" in said
        assert "Traceback" not in said
    second.manage("restore_server", str(whole))


def test_what_is_no_backup_changes_nothing(whole: Path, tmp_path: Path) -> None:
    """Cut off, of another version, or another file altogether."""
    cut = tmp_path / "cut.zip"
    cut.write_bytes(whole.read_bytes()[:-200])
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(whole) as packed, zipfile.ZipFile(other, "w") as changed:
        for name in packed.namelist():
            text = packed.read(name)
            if name == "manifest.json":
                manifest = json.loads(text)
                manifest["migrations"].append("decks.9999_later")
                text = json.dumps(manifest).encode()
            changed.writestr(name, text)
    second = Server(tmp_path / "second")
    before = second.backed_up(tmp_path / "b.zip")

    assert "isn’t a whole backup" in second.manage(
        "restore_server", str(cut), fails=True
    )
    said = second.manage("restore_server", str(other), fails=True)
    assert "decks.9999_later" in said
    missing = str(tmp_path / "missing.zip")
    assert "can’t be read" in second.manage("restore_server", missing, fails=True)
    assert second.backed_up(tmp_path / "c.zip") == before
