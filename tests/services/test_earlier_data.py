"""Data of earlier versions come up to date, and nothing people wrote is changed.

The files in ``earlier`` are databases as versions of that day made them for the demo
account, without cards, verdicts, sessions, and guides that no campaign uses. Each of
them stays; one is added before a release that changes what is stored.
"""

from __future__ import annotations

import gzip
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).resolve().parents[2]
FILES = sorted((Path(__file__).parent / "earlier").glob("*.sql.gz"))
WRITTEN = (
    "accounts_user", "decks_deck", "decks_revision", "decks_ledgerentry",
    "campaigns_campaign", "campaigns_logentry", "campaigns_seat",
    "campaigns_membership", "campaigns_settlement",
)  # fmt: skip
# Seeds were shown, so each campaign has a new secret instead; entries of the ledger
# know their settlement themselves.
MOVED = {("campaigns_campaign", "seed"), ("campaigns_settlement", "ledger")}
READ = """
from django.test import Client
from arkham.accounts.models import User
from campaigns.log.replays import check_campaigns
from campaigns.models import Campaign
from decks.models import Deck
user, client = User.objects.get(), Client(headers={"host": "localhost"})
client.force_login(user)
paths = ["/decks/", "/campaigns/"]
for deck in Deck.objects.all():
    paths += [f"/decks/{deck.pk}/{each}" for each in ("", "edit", "compare/")]
    paths += [f"/api/v1/decks/{deck.pk}/{each}/" for each in ("revisions", "ledger")]
for table in Campaign.objects.all():
    paths += [f"/campaigns/{table.pk}/{each}" for each in ("", "log/", "people/")]
    paths += [f"/api/v1/campaigns/{table.pk}/entries/"]
answers = {path: client.get(path, follow=True).status_code for path in paths}
assert set(answers.values()) == {200}, answers
assert {each.found for each in check_campaigns()} == {""}
print(len(paths))
"""


def rows(file: Path) -> dict[tuple[str, str], list[object]]:
    """What people wrote: each column of each table, in the order of its rows."""
    found = {}
    with closing(sqlite3.connect(file)) as database:
        for table in WRITTEN:
            columns = database.execute(f"PRAGMA table_info({table})").fetchall()
            for _at, name, *_rest in columns:
                values = database.execute(f'SELECT "{name}" FROM {table} ORDER BY id')  # noqa: S608
                found[table, name] = [each for (each,) in values]
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda each: each.name[:10])
def test_earlier_data_come_up_to_date(file: Path, tmp_path: Path) -> None:
    """Every row stays as it is, and every deck, revision and log can be read."""
    tmp_path.chmod(0o700)
    stored = tmp_path / "orne.sqlite3"
    with closing(sqlite3.connect(stored)) as database:
        database.executescript(gzip.decompress(file.read_bytes()).decode())
    stored.chmod(0o600)
    before = rows(stored)
    kept = {name: os.environ[name] for name in ("PATH", "HOME")}
    environment = kept | {"ORNE_DATA": str(tmp_path), "ORNE_LOCAL": "true"}

    def manage(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT, env=environment, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    manage("up", "--prepare")

    after = rows(stored)
    assert before.keys() - after.keys() <= MOVED
    changed = [each for each in before if after.get(each, before[each]) != before[each]]
    assert changed == []
    assert len(before["decks_revision", "id"]) >= 8
    assert len(before["campaigns_logentry", "id"]) >= 14
    assert int(manage("shell", "--no-imports", "-c", READ)) > 20


def test_earlier_data_are_kept() -> None:
    """The first of them, with the data that most has happened to."""
    assert [each.name[:10] for each in FILES][:3] == [
        "2026-11-22", "2026-11-26", "2026-11-28",
    ]  # fmt: skip
