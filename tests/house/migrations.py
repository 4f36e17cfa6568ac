"""Checks that the old code goes on working beside each new migration.

An update migrates while the old code still serves, and restarts it afterwards.
So a migration may only add what that code need not know. What it no longer uses is
removed by a later update. ``python -m tests.house.migrations`` names what breaks this;
a migration that is harmless all the same says why in ``without_downtime``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import django
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader
from django.db.models import NOT_PROVIDED, ManyToManyField

from tests.house.structure import APPS

# The last one of each app from before the policy. Nothing is added here.
BEFORE = {
    "accounts": "0004",
    "campaigns": "0019",
    "cardpool": "0006",
    "decks": "0015",
    "jobs": "0001",
    "webhooks": "0002",
}
HARMLESS = (
    operations.AddIndex,
    operations.AlterModelManagers,
    operations.AlterModelOptions,
    operations.CreateModel,
    operations.RemoveConstraint,
    operations.RemoveIndex,
)


def why_not(operation: operations.base.Operation) -> str:
    """What the old code can't do once this is done; "" if it can do all."""
    if isinstance(operation, operations.AddField):
        field = operation.field
        is_many = isinstance(field, ManyToManyField)
        has_value = field.null or field.db_default is not NOT_PROVIDED
        if is_many or has_value:
            return ""
        return "it writes rows without this column: give it null=True or db_default"
    return "" if isinstance(operation, HARMLESS) else "it may need what this changes"


def faults_of(migration: Migration) -> Iterator[str]:
    """Each operation that the old code may not survive."""
    if getattr(migration, "without_downtime", ""):
        return
    for each in migration.operations:
        if reason := why_not(each):
            yield f"{migration}: {each.describe()} – {reason}"


def new_migrations() -> Iterator[Migration]:
    """The project's own migrations since the policy."""
    found = MigrationLoader(None).disk_migrations
    for (app, name), migration in sorted(found.items()):
        is_ours = migration.__module__.startswith(tuple(f"{each}." for each in APPS))
        if is_ours and name[:4] > BEFORE.get(app, "0000"):
            yield migration


def main() -> int:
    """Name what would break; 1 if anything would."""
    django.setup()
    faults = [fault for each in new_migrations() for fault in faults_of(each)]
    print("\n".join(faults) or "Every migration leaves the old code its work.")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
