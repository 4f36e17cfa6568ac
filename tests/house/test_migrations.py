"""The old code goes on working while a server is updated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader

from tests.conftest import PROJECT
from tests.house import migrations


def a_migration(*done: operations.base.Operation, **more: Any) -> Migration:
    """A migration that does this."""
    found = Migration("0099_more", "decks")
    for name, value in {"operations": done, **more}.items():
        setattr(found, name, value)
    return found


def adding(field: models.Field[Any, Any]) -> operations.AddField:
    """A field comes into a table."""
    return operations.AddField("deck", "colour", field)


@pytest.mark.parametrize(
    "harmless",
    [
        adding(models.IntegerField(null=True)),
        adding(models.CharField(max_length=9, db_default="green")),
        adding(models.ManyToManyField("decks.Deck")),
        operations.AddIndex("deck", models.Index(fields=["name"], name="by_name")),
        operations.CreateModel("Colour", [("id", models.AutoField(primary_key=True))]),
        operations.RemoveIndex("deck", "by_name"),
    ],
    ids=lambda each: each.describe(),
)
def test_what_the_code_of_before_need_not_know_is_allowed(
    harmless: operations.base.Operation,
) -> None:
    assert list(migrations.faults_of(a_migration(harmless))) == []


@pytest.mark.parametrize(
    "harmful",
    [
        adding(models.IntegerField(default=3)),  # the database doesn't know it
        operations.RemoveField("deck", "name"),
        operations.RenameField("deck", "name", "title"),
        operations.AlterField("deck", "name", models.CharField(max_length=3)),
        operations.DeleteModel("Deck"),
        operations.RenameModel("Deck", "List"),
        operations.AddConstraint(
            "deck", models.UniqueConstraint(fields=["name"], name="one")
        ),
        operations.RunSQL("DROP TABLE decks_deck"),
        operations.RunPython(operations.RunPython.noop),
    ],
    ids=lambda each: each.describe(),
)
def test_what_it_may_need_is_refused_unless_a_reason_is_given(
    harmful: operations.base.Operation,
) -> None:
    assert len(list(migrations.faults_of(a_migration(harmful)))) == 1

    explained = a_migration(harmful, without_downtime="Nothing has used it since 1.2.")
    assert list(migrations.faults_of(explained)) == []


def test_every_new_migration_keeps_to_it() -> None:
    assert [
        fault
        for each in migrations.new_migrations()
        for fault in migrations.faults_of(each)
    ] == []


def test_new_migrations_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of ours after the first ones, and none of a library."""
    monkeypatch.setattr(migrations, "BEFORE", {"jobs": "0001"})
    found = {each.app_label for each in migrations.new_migrations()}

    assert found == {"accounts", "campaigns", "cardpool", "decks", "webhooks"}


def test_the_first_ones_are_there() -> None:
    """A number that has no file would hide a new migration."""
    names = MigrationLoader(None).disk_migrations
    known = {(app, name[:4]) for app, name in names}

    assert set(migrations.BEFORE.items()) <= known


def test_the_check_is_one_of_all() -> None:
    checks = (Path(PROJECT) / "run").read_text()
    assert "-m tests.house.migrations" in checks
