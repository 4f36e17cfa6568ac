"""Restore a file of ``backup_server`` into an empty server with any database."""

from __future__ import annotations

import json
import zipfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.management.color import no_style
from django.db import DatabaseError, connection, models, transaction
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.management.commands.backup_server import (
    DATA,
    FORMAT,
    MANIFEST,
    ROWS,
    ROWS_AT_ONCE,
    applied_migrations,
    kept_models,
)
from arkham.web.bodies import ZIP_FAULTS

_ODD = (ValidationError, ArithmeticError, LookupError, TypeError)  # values


class Spoilt(Exception):
    """The file is damaged, or not a backup."""


@contextmanager
def _reading() -> Iterator[None]:
    """Turn the errors of reading the file into Spoilt."""
    try:
        yield
    except OSError:
        raise
    except (*ZIP_FAULTS, *_ODD) as error:
        raise Spoilt(error) from error


class Command(BaseCommand):
    """Restore all or nothing: on an error the database doesn't change."""

    help = "Fill an empty server with a file that backup_server wrote."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file."""
        parser.add_argument("file", type=Path, help="what backup_server wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check first, then fill the database and the data folder."""
        file: Path = options["file"]
        try:
            with _reading():
                packed = zipfile.ZipFile(file)
                manifest = _manifest(packed, file)
            with packed:
                _require_same(manifest)
                if User.objects.exists():
                    raise CommandError(
                        _(
                            "This server has accounts. Restore into an empty one: a "
                            "new database and a new ORNE_DATA, after “migrate”."
                        )
                    )
                with transaction.atomic():
                    _fill(packed, manifest["rows"])
                    _unpack(packed, Path(settings.DATA_DIR))
        except OSError as error:
            message = _("%(file)s can’t be read: %(why)s.")
            values = {"file": file, "why": error.strerror}
            raise CommandError(message % values) from error
        except Spoilt as error:
            message = _("%(file)s isn’t a whole backup: %(why)s")
            raise CommandError(message % {"file": file, "why": error}) from error
        except DatabaseError as error:
            message = _("%(file)s does not fit this database: %(why)s")
            raise CommandError(message % {"file": file, "why": error}) from error
        count = sum(manifest["rows"].values())
        message = _("%(rows)s rows restored. Start the server (again).")
        self.stdout.write(message % {"rows": f"{count:,}"})


def _manifest(packed: zipfile.ZipFile, file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(packed.read(MANIFEST))
    if found["format"] != FORMAT:
        message = _("%(file)s was not written by backup_server of this version.")
        raise CommandError(message % {"file": file})
    rows = {label: int(count) for label, count in dict(found["rows"]).items()}
    return {"migrations": [*found["migrations"]], "rows": rows}


def _require_same(manifest: dict[str, Any]) -> None:
    """Require the same migrations: rows only fit those they were written under."""
    then, now = {*map(str, manifest["migrations"])}, {*applied_migrations()}
    if then == now:
        return
    message = _(
        "The backup is of another version of Orne. Restore it with that version, then "
        "update. Migrations only in the backup: %(missing)s; only here: %(extra)s."
    )
    missing = ", ".join(sorted(then - now)[:5]) or "-"
    extra = ", ".join(sorted(now - then)[:5]) or "-"
    raise CommandError(message % {"missing": missing, "extra": extra})


def _fill(packed: zipfile.ZipFile, counts: dict[str, int]) -> None:
    for model in kept_models():  # rows from migrations are in the backup, too
        model._base_manager.all()._raw_delete(connection.alias)
    for model in kept_models():
        label = model._meta.label
        found = _insert(model, packed)
        if found != counts.get(label):
            message = _("%(found)s rows of %(model)s, not %(count)s.")
            values = {"found": found, "model": label, "count": counts.get(label)}
            raise CommandError(message % values)
    connection.check_constraints()
    statements = connection.ops.sequence_reset_sql(no_style(), kept_models())
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    apps.clear_cache()


def _insert(model: type[models.Model], packed: zipfile.ZipFile) -> int:
    """Insert the rows unchanged: no field sets itself to now."""
    fields = model._meta.concrete_fields
    names = [field.attname for field in fields]
    for field in fields:
        for name in {"auto_now", "auto_now_add"} & set(vars(field)):
            setattr(field, name, False)
    count = 0
    for rows in _parts(model, packed):
        made = [model(**dict(zip(names, row, strict=True))) for row in rows]
        model._base_manager.bulk_create(made)
        count += len(made)
    return count


def _reader(field: models.Field[Any, Any]) -> Callable[[Any], Any]:
    if isinstance(field, models.JSONField):
        return lambda value: value
    if isinstance(field, models.BinaryField):
        return lambda value: None if value is None else bytes.fromhex(value)
    return getattr(field, "target_field", field).to_python


def _parts(
    model: type[models.Model], packed: zipfile.ZipFile
) -> Iterator[list[list[Any]]]:
    """Yield the rows of a model, some at a time."""
    readers = [_reader(field) for field in model._meta.concrete_fields]
    with _reading(), packed.open(f"{ROWS}{model._meta.label}.jsonl") as lines:
        while some := [*map(json.loads, islice(lines, ROWS_AT_ONCE))]:
            yield [
                [read(v) for read, v in zip(readers, row, strict=True)] for row in some
            ]


def _unpack(packed: zipfile.ZipFile, folder: Path) -> None:
    """Unpack the data folder; only files inside it are accepted."""
    for each in packed.infolist():
        if each.filename.startswith(DATA) and not each.is_dir():
            path = folder / each.filename.removeprefix(DATA)
            if not path.resolve().is_relative_to(folder.resolve()):
                message = _("%(file)s is outside the data folder.")
                raise CommandError(message % {"file": each.filename})
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _reading():
                content = packed.read(each)
            path.write_bytes(content)
            path.chmod(0o600)
