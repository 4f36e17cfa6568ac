"""Writes the card pool in use as a snapshot: facts only, the same bytes each time.

Beside it go the records it was read from, for the public API, without any text.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from arkham import rules
from arkham.rules.snapshot import EMBEDDED, write_snapshot
from cardpool.catalog import current_pool
from cardpool.public.answers import current_records
from cardpool.reading import records

DEFAULT = Path(rules.__file__).parent / "data" / EMBEDDED


class Command(BaseCommand):
    """Write the imported pool to a file; by default the one that comes with Orne."""

    help = "Write the card pool in use as a snapshot of facts, without any text."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and ``--dry-run``."""
        parser.add_argument("path", nargs="?", type=Path, default=DEFAULT)
        parser.add_argument(
            "--dry-run", action="store_true", help="say how large it would be"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write each file whole or not at all."""
        pool = current_pool()
        data = write_snapshot(pool)
        path: Path = options["path"]
        beside = records.write_records(current_records(), pool.version)
        if not options["dry_run"]:
            _write(path, data)
            _write(_records_path(path), beside)
        self.stdout.write(
            _("Card pool %(version)s: %(cards)d cards, %(size)d bytes: %(path)s")
            % {
                "version": pool.version,
                "cards": len(pool),
                "size": len(data) + len(beside),
                "path": path,
            }
        )


def _records_path(path: Path) -> Path:
    """Where the records go: to their own place, or beside a snapshot elsewhere."""
    return (
        records.EMBEDDED if path == DEFAULT else path.with_name(f"{path.name}.records")
    )


def _write(path: Path, data: bytes) -> None:
    draft = path.with_name(path.name + ".part")
    draft.write_bytes(data)
    draft.replace(path)
