"""Writes the card pool in use as a snapshot: facts only, the same bytes each time."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from arkham import rules
from arkham.rules.snapshot import EMBEDDED, write_snapshot
from cardpool.catalog import current_pool

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
        """Write the file whole or not at all."""
        pool = current_pool()
        data = write_snapshot(pool)
        path: Path = options["path"]
        if not options["dry_run"]:
            draft = path.with_name(path.name + ".part")
            draft.write_bytes(data)
            draft.replace(path)
        self.stdout.write(
            _("Card pool %(version)s: %(cards)d cards, %(size)d bytes: %(path)s")
            % {
                "version": pool.version,
                "cards": len(pool),
                "size": len(data),
                "path": path,
            }
        )
