"""Data folders as Orne prepares them, made once for as long as they'd be the same.

To prepare one takes a dozen seconds: longer than what most tests are about.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
KEPT = PROJECT / "test-results" / "prepared"
DATABASE = "orne.sqlite3"
# What the data depend on: as in "./run", and what writes them.
SOURCES = (
    "requirements.txt",
    "*/migrations/*.py",
    "*/*/migrations/*.py",
    "arkham/rules/data/**/*",
    "arkham/rules/campaign/data/**/*",
    "arkham/settings.py",
    "arkham/management/commands/up.py",
    "arkham/rules/snapshot.py",
    "campaigns/guides/*.py",
    "cardpool/**/*.py",
)


def prepared_copy(to: Path) -> Path:
    """Copy a data folder with database, cards and guides, as ``up --prepare`` makes it.

    ``to`` may be a folder that is there already.
    """
    made = _made("full", "up", "--prepare")
    return Path(shutil.copytree(made, to, dirs_exist_ok=True))


def migrated() -> Path:
    """The file of a database that has its tables and nothing in them."""
    return _made("empty", "migrate", "--verbosity", "0") / DATABASE


def migrated_copy(to: Path) -> Path:
    """Copy it into a data folder, which may be there already; return its file."""
    to.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Path(shutil.copy(migrated(), to / DATABASE))


@cache
def _digest() -> str:
    files = {file for pattern in SOURCES for file in PROJECT.glob(pattern)}
    digest = hashlib.sha256()
    for file in sorted(each for each in files if each.is_file()):
        digest.update(f"{file.relative_to(PROJECT)}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _made(name: str, *command: str) -> Path:
    """The folder that a management command makes; one process makes it for all."""
    place = KEPT / _digest() / name
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if place.is_dir():
            return place
        for older in KEPT.iterdir():  # by now no run copies from it
            if older.is_dir() and older.stat().st_mtime < time.time() - 3_600:
                shutil.rmtree(older)
        place.parent.mkdir(exist_ok=True)
        new = Path(tempfile.mkdtemp(dir=place.parent))
        kept = {each: os.environ[each] for each in ("PATH", "HOME")}
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=PROJECT,
            env=kept | {"ORNE_DATA": str(new)},
            capture_output=True,
            text=True,
        )
        if done.returncode:
            shutil.rmtree(new)
        assert done.returncode == 0, done.stdout + done.stderr
        return new.rename(place)
