"""Write the current card pool as a snapshot: facts only, the same bytes each time.

The source's records go next to it, for the public API, without any text.
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
    """Writes the imported pool to a file; by default the embedded one."""

    help = "Write the card pool in use as a snapshot of facts, without any text."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, and ``--dry-run``."""
        parser.add_argument("path", nargs="?", type=Path, default=DEFAULT)
        parser.add_argument(
            "--dry-run", action="store_true", help="say how large it would be"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write each file completely or not at all."""
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
    """Return the path of the records: the embedded one, or next to the snapshot."""
    return (
        records.EMBEDDED if path == DEFAULT else path.with_name(f"{path.name}.records")
    )


def _write(path: Path, data: bytes) -> None:
    draft = path.with_name(path.name + ".part")
    draft.write_bytes(data)
    draft.replace(path)
