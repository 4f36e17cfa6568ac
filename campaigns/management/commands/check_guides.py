"""Report everything that is wrong with guides: those in a folder, or our own."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arkham.rules.campaign.reading.cursor import Flaw, flaw_line
from arkham.rules.campaign.reading.guides import SIDE, read_library
from arkham.rules.campaign.reading.lint import HARMLESS, lint, lint_own
from arkham.rules.campaign.reading.own import own_files, own_guides, read_own
from campaigns.guides.files import UnusableGuides, guide_files


class Command(BaseCommand):
    """Print one flaw per line; exit with 1 if any is serious."""

    help = "Check guides and list their flaws, each with its place."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the folder and the filter."""
        parser.add_argument(
            "folder",
            type=Path,
            nargs="?",
            metavar="DIR",
            help="a folder with campaigns and return_campaigns; without it, the guides "
            "that come with Orne",
        )
        parser.add_argument(
            "--serious", action="store_true", help="only flaws that matter at the table"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, check and report."""
        guides, flaws = _own() if options["folder"] is None else _in(options["folder"])
        serious = [flaw for flaw in flaws if flaw.rule not in HARMLESS]
        for flaw in serious if options["serious"] else flaws:
            self.stdout.write(flaw_line(flaw))
        harmless = len(flaws) - len(serious)
        self.stdout.write(
            f"{guides} guides, {len(serious)} flaws, {harmless} harmless."
        )
        if serious:
            sys.exit(1)


def _in(folder: Path) -> tuple[int, list[Flaw]]:
    """Return the number of guides in a folder, and their flaws."""
    try:
        files = guide_files(folder)
    except UnusableGuides as error:
        raise CommandError(str(error), returncode=2) from None
    reading = read_library(files)
    return len(reading.library.guides), [*reading.flaws, *lint(reading.library)]


def _own() -> tuple[int, list[Flaw]]:
    """Return the number of Orne's guides, and their flaws."""
    readings = [read_own(each, own_files(each)) for each in (*own_guides(), SIDE)]
    return len(readings), [flaw for each in readings for flaw in lint_own(each)]
