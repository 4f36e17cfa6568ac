"""What a restored file holds is its own fault; what goes wrong in Orne is ours."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from arkham.accounts.models import User
from arkham.management.commands.backup_server import (
    FORMAT,
    applied_migrations,
    kept_models,
)

pytestmark = pytest.mark.django_db
USERS = "rows/accounts.User.jsonl"


@pytest.fixture
def file(tmp_path: Path, settings: Settings) -> Path:
    """Where a backup is; the data folder is empty."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    return tmp_path / "a.zip"


def _written(file: Path, manifest: Any = None, **rows: str) -> None:
    """A backup of a server with these rows and no others."""
    labels = [model._meta.label for model in kept_models()]
    lines = {label: rows.get(label.replace(".", "_"), "") for label in labels}
    counts = {label: text.count("\n") for label, text in lines.items()}
    head = {"format": FORMAT, "migrations": applied_migrations(), "rows": counts}
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("manifest.json", json.dumps(head | (manifest or {})))
        for label, text in lines.items():
            packed.writestr(f"rows/{label}.jsonl", text)


def _refused(file: Path) -> str:
    with pytest.raises(CommandError) as caught:
        call_command("restore_server", str(file))
    return str(caught.value)


@pytest.mark.parametrize(
    "row",
    ["{", "[]", "3", "null", '["x"]', "[" * 100_000, "[1e999]", "[{}, [], 1, 2]"],
)
def test_a_row_that_is_none_is_the_file_s_fault(file: Path, row: str) -> None:
    """Whatever is there instead of one."""
    _written(file, accounts_User=f"{row}\n")

    assert "isn’t a whole backup" in _refused(file)


@pytest.mark.parametrize(
    "manifest",
    [
        {"rows": 3},
        {"rows": None},
        {"rows": {"accounts.User": []}},
        {"migrations": None},
        {"migrations": 1},
    ],
)
def test_a_manifest_of_another_shape_is_refused(
    file: Path, manifest: dict[str, Any]
) -> None:
    """It is refused before anything changes."""
    _written(file, manifest)

    assert "isn’t a whole backup" in _refused(file)


@pytest.mark.parametrize("rows", [[], {}, {"accounts.User": "0"}])
def test_other_numbers_of_rows_are_refused(file: Path, rows: Any) -> None:
    """None for a model, or no number."""
    _written(file, {"rows": rows})

    assert "rows of" in _refused(file)


def test_a_file_of_rows_that_is_missing_is_refused(file: Path) -> None:
    """With its name."""
    _written(file)
    with zipfile.ZipFile(file) as packed:
        kept = {name: packed.read(name) for name in packed.namelist()}
    with zipfile.ZipFile(file, "w") as packed:
        for name, content in kept.items():
            if not name.endswith("LogEntry.jsonl"):
                packed.writestr(name, content)

    assert "LogEntry" in _refused(file)


@pytest.mark.parametrize("kind", [LookupError, TypeError, ValueError, RuntimeError])
def test_a_fault_of_ours_is_not_the_file_s(
    file: Path, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    """It comes out as it is, and its traceback with it."""

    def fails(*_given: object, **_named: object) -> None:
        raise kind("ours")

    monkeypatch.setattr("django.db.models.QuerySet.bulk_create", fails)
    user = User(username="alice")
    row = [
        str(value) if hasattr(value, "isoformat") else value
        for value in (getattr(user, f.attname) for f in User._meta.concrete_fields)
    ]
    _written(file, accounts_User=json.dumps(row) + "\n")

    with pytest.raises(kind, match="ours"):
        call_command("restore_server", str(file))


def test_a_backup_that_can_t_be_written_is_a_sentence(file: Path) -> None:
    """Also where one can't even look whether the file is there."""
    with pytest.raises(CommandError, match="can’t be written"):
        call_command("backup_server", str(file.with_name("x" * 300)))
