"""Imports card data: a folder, a zip of it, or an API like ArkhamDB's.

Decks stand above cards and are judged again, so that this command is the project's.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from cardpool import importing, services
from cardpool.reading import SourceReading, to_pool
from cardpool.reading.problems import RecordProblem
from decks.tasks import judge_decks_again

NAMES_SHOWN = 20
ASKED = "?"


class Command(BaseCommand):
    """Make the card pool what a source says, with the full texts it has."""

    help = "Import ArkhamDB card data from a folder, a zip of it, or an API."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A path, or ``--api``."""
        parser.add_argument(
            "source",
            nargs="?",
            type=Path,
            help="a folder in json-data's layout, or a zip",
        )
        parser.add_argument(
            "--api",
            nargs="?",
            const=ASKED,
            metavar="BASE_URL",
            help="an ArkhamDB-compatible API; ORNE_CARD_API is the default",
        )
        parser.add_argument(
            "--keep-going",
            action="store_true",
            help="import what can be read although some records cannot",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="report, and change nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, report problems, load; exit code 1 where the source was refused."""
        began = time.monotonic()
        name, reading = self._read(options)
        bad = [problem for problem in reading.problems if problem.serious]
        for problem in reading.problems:
            self._write_problem(problem)
        if bad and not options["keep_going"]:
            raise CommandError(
                ngettext(
                    "%(count)d problem; nothing was imported. "
                    "--keep-going imports the rest.",
                    "%(count)d problems; nothing was imported. "
                    "--keep-going imports the rest.",
                    len(bad),
                )
                % {"count": len(bad)}
            )
        if not reading.cards:
            raise CommandError(_("There are no cards; nothing was imported."))
        self.stdout.write(
            _("%(cards)d cards read; writing …") % {"cards": len(reading.cards)}
        )
        contents = services.Contents(
            pool=to_pool(reading),
            source=name,
            texts=reading.texts,
            taboo_texts=reading.taboo_texts,
            records=reading.records,
        )
        load = services.preview_pool if options["dry_run"] else services.load_pool
        self._report(load(contents))
        if not options["dry_run"]:
            self.stdout.write(_("Stored decks are judged again …"))
            judge_decks_again.delay()
        self.stdout.write(
            (
                _("Nothing was kept (%(seconds).1f s).")
                if options["dry_run"]
                else _("Done (%(seconds).1f s).")
            )
            % {"seconds": time.monotonic() - began}
        )

    def _read(self, options: dict[str, Any]) -> tuple[str, SourceReading]:
        path, api = options["source"], options["api"]
        if (path is None) == (api is None):
            raise CommandError(_("Expected: a folder, a zip file, or --api."))
        try:
            if path is not None:
                self.stdout.write(_("Reading %(source)s …") % {"source": path})
                return path.name, importing.read_path(path)
            base = settings.CARD_SOURCE if api == ASKED else api
            self.stdout.write(_("Fetching %(source)s …") % {"source": base})
            return base, importing.read_api(base)
        except importing.UnreadableSource as error:
            raise CommandError(str(error)) from error

    def _write_problem(self, problem: RecordProblem) -> None:
        style = self.style.ERROR if problem.serious else self.style.WARNING
        self.stderr.write(style(str(problem)))

    def _report(self, report: services.LoadReport) -> None:
        for title, names in (
            (_("Added"), report.added),
            (_("Changed"), report.changed),
            (_("Dropped"), report.dropped),
        ):
            shown = ", ".join(names[:NAMES_SHOWN])
            more = len(names) - NAMES_SHOWN
            if more > 0:
                shown += _(" and %(count)d more") % {"count": more}
            listed = f": {shown}" if names else ""
            self.stdout.write(f"{title} {len(names)}{listed}")
        self.stdout.write(
            _("Card pool %(version)s (was %(previous)s), %(texts)d texts.")
            % {
                "version": report.version,
                "previous": report.previous or "–",
                "texts": report.texts,
            }
        )
