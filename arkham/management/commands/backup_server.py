"""Write all data of a server into one file, while it keeps running.

The file is a zip: ``manifest.json`` (format, migrations, rows by model), a file in
``rows/`` for each model with one JSON list per line, and the data folder in ``data/``.
It doesn't depend on a database engine.
"""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

FORMAT = "orne-server/1"
MANIFEST, ROWS, DATA = "manifest.json", "rows/", "data/"
ROWS_AT_ONCE = 2_000
# Files that another process keeps writing, or that belong to one machine.
LEFT_OUT = ("orne.sqlite3", "metrics", "settings.env", "celerybeat", "static")


class Command(BaseCommand):
    """Back up all rows as of one moment, whatever is written meanwhile."""

    help = (
        "Write the database and the data folder into one file, while the server runs. "
        "restore_server restores it into any database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file."""
        parser.add_argument("file", type=Path, help="path of a new file")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write a temporary file, and rename it when it is complete."""
        file: Path = options["file"]
        if os.path.lexists(file):  # False if it can't be accessed
            raise CommandError(
                _("%(file)s exists; choose another name.") % {"file": file}
            )
        if file.resolve().is_relative_to(Path(settings.DATA_DIR).resolve()):
            message = _("%(file)s is in the data folder, which goes into the backup.")
            raise CommandError(message % {"file": file})
        partial = file.with_name(f".{file.name}.partial")
        try:
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as target:
                counts = _write(target)
            partial.replace(file)
        except OSError as error:
            raise CommandError(
                _("%(file)s can’t be written: %(why)s.")
                % {"file": file, "why": error.strerror}
            ) from error
        except UnicodeEncodeError as error:
            message = _(
                "The data folder has a file whose name can’t be read: %(file)s."
            )
            raise CommandError(message % {"file": ascii(error.object)}) from error
        finally:
            with suppress(OSError):  # missing, or not accessible
                partial.unlink()
        size = file.stat().st_size / 1e6
        message = _("%(rows)s rows, %(size)s MB: %(file)s")
        rows = f"{sum(counts.values()):,}"
        said = message % {"rows": rows, "size": f"{size:,.1f}", "file": file}
        self.stdout.write(said)


def kept_models() -> list[type[models.Model]]:
    """Return every model with rows of its own, in a fixed order."""
    found = apps.get_models(include_auto_created=True)
    return sorted(
        (each for each in found if each._meta.managed and not each._meta.proxy),
        key=lambda each: each._meta.label,
    )


def applied_migrations() -> list[str]:
    """Return the applied migrations, which define the format of the rows."""
    done = MigrationRecorder(connection).applied_migrations()
    ours = {each.label for each in apps.get_app_configs()}
    return sorted(f"{app}.{name}" for app, name in done if app in ours)


def _write(target: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    with ZipFile(target, "w", ZIP_DEFLATED, strict_timestamps=False) as packed:
        with _one_moment():
            migrations = applied_migrations()
            for model in kept_models():
                label = model._meta.label
                with packed.open(f"{ROWS}{label}.jsonl", "w", force_zip64=True) as file:
                    counts[label] = _write_rows(model, file)
        # After the rows: a row never refers to a file written later.
        for path, inside in _files_in(Path(settings.DATA_DIR)):
            with suppress(FileNotFoundError):  # just deleted
                packed.write(path, DATA + inside)
        manifest = {"format": FORMAT, "migrations": migrations, "rows": counts}
        packed.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return counts


def _files_in(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files to back up, with their names; linked folders included."""
    for place, folders, files in os.walk(folder, followlinks=True):
        if Path(place) == folder:
            folders[:] = [each for each in folders if each not in LEFT_OUT]
            files = [each for each in files if not each.startswith(LEFT_OUT)]
        here = Path(place)
        above = {here.resolve(), *map(Path.resolve, here.parents)}
        above.update(here.resolve().parents)
        # Skip links to parent folders, which never end.
        folders[:] = [e for e in sorted(folders) if (here / e).resolve() not in above]
        for path in (here / each for each in sorted(files)):
            if path.is_file():
                yield path, path.relative_to(folder).as_posix()


@contextmanager
def _one_moment() -> Iterator[None]:
    """Read the database as of now, while others may write."""
    isolation = (
        "BEGIN DEFERRED"
        if connection.vendor == "sqlite"
        else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    )
    with connection.cursor() as cursor:
        cursor.execute(isolation)
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _write_rows(model: type[models.Model], file: Any) -> int:
    names = [field.attname for field in model._meta.concrete_fields]
    rows = model._base_manager.order_by("pk").values_list(*names)
    count = 0
    for row in rows.iterator(chunk_size=ROWS_AT_ONCE):
        count += 1
        line = json.dumps(row, cls=_Exact, ensure_ascii=False)
        file.write(line.encode("utf-8", "surrogatepass") + b"\n")
    return count


class _Exact(DjangoJSONEncoder):
    """Encodes times to the microsecond, and bytes as hexadecimal digits."""

    def default(self, o: Any) -> Any:
        if isinstance(o, datetime | date):
            return o.isoformat()
        if isinstance(o, bytes | memoryview):
            return bytes(o).hex()
        return super().default(o)
