"""Says everything that is wrong with the guides in a folder."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arkham.rules.campaign.reading.guides import read_library
from arkham.rules.campaign.reading.lint import HARMLESS, lint
from campaigns.guide_files import Unusable, guide_files, told


class Command(BaseCommand):
    """One flaw a line; exit code 1 if any of them matters at the table."""

    help = "Check the guides in a folder, and say what is wrong with them and where."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The folder, and how much is told."""
        parser.add_argument(
            "folder",
            type=Path,
            metavar="DIR",
            help="a folder with campaigns and return_campaigns",
        )
        parser.add_argument(
            "--serious",
            action="store_true",
            help="only what loses something or stops a campaign",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, check, tell."""
        try:
            files = guide_files(options["folder"])
        except Unusable as error:
            raise CommandError(str(error), returncode=2) from None
        reading = read_library(files)
        flaws = [*reading.flaws, *lint(reading.library)]
        serious = [flaw for flaw in flaws if flaw.rule not in HARMLESS]
        for flaw in serious if options["serious"] else flaws:
            self.stdout.write(told(flaw))
        guides, harmless = len(reading.library.guides), len(flaws) - len(serious)
        self.stdout.write(
            f"{guides} guides, {len(serious)} flaws, {harmless} harmless."
        )
        if serious:
            sys.exit(1)
