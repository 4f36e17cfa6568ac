"""Import the guides of a folder or a zip, for everyone or for one account."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from arkham.accounts.models import User
from arkham.accounts.services import account_named
from arkham.rules.campaign.reading.cursor import flaw_line
from arkham.rules.campaign.reading.lint import HARMLESS
from arkham.rules.campaign.reading.prepared import GuideImport, import_guides
from campaigns.guides.files import UnusableGuides, guide_files, zipped_guide_files
from campaigns.guides.keeping import (
    GuideChange,
    ImportReport,
    NoGuideFound,
    TooMuchKept,
    store_guides,
)


class Command(BaseCommand):
    """Import all guides that can be read, or none; list the flaws of each."""

    help = "Import the guides of a folder or a zip, for everyone on this server."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the source, the account, and options."""
        parser.add_argument(
            "source",
            type=Path,
            metavar="DIR",
            help="a folder with campaigns and return_campaigns, or a zip of one",
        )
        parser.add_argument(
            "--for",
            dest="name",
            metavar="NAME",
            help="import them for this account alone; without it they are for everyone",
        )
        parser.add_argument(
            "--without-words",
            action="store_true",
            help="store the guides without their texts",
        )
        parser.add_argument(
            "--serious",
            action="store_true",
            help="report only flaws that matter at the table",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="report what is wrong, keep nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, store and report; exit with 1 if a guide was left out, 2 if all."""
        named = options["name"]
        owner = None if named is None else account_named(named)
        try:
            guide_import = import_guides(_files(options["source"]))
        except UnusableGuides as error:
            raise CommandError(str(error), returncode=2) from None
        if options["without_words"]:
            guide_import = guide_import.without_words()
        self._write_flaws(guide_import, only_serious=options["serious"])
        if not options["dry_run"]:
            self._write_report(_kept(guide_import, owner))
        if guide_import.flaws:
            sys.exit(1)

    def _write_flaws(self, guide_import: GuideImport, *, only_serious: bool) -> None:
        flaws = [*guide_import.flaws]
        for guide in guide_import.guides:
            flaws += guide.flaws
        for flaw in flaws:
            if not only_serious or flaw.rule not in HARMLESS:
                self.stdout.write(flaw_line(flaw))

    def _write_report(self, report: ImportReport) -> None:
        for guide, change in report.guides:
            if change is not GuideChange.UNCHANGED:
                self.stdout.write(f"{change.value} {guide.guide_id}: {guide.name}")
        counts = [f"{report.count(each)} {each.value}" for each in GuideChange]
        self.stdout.write(f"{len(report.guides)} guides: {', '.join(counts)}.")


def _files(source: Path) -> dict[str, bytes]:
    if source.is_dir():
        return guide_files(source)
    try:
        with source.open("rb") as stream:
            return zipped_guide_files(stream)
    except OSError as error:
        raise UnusableGuides(f"{source}: {error.strerror}.") from None


def _kept(guide_import: GuideImport, owner: User | None) -> ImportReport:
    try:
        return store_guides(guide_import=guide_import, owner=owner, now=timezone.now())
    except (NoGuideFound, TooMuchKept) as refusal:
        raise CommandError(str(refusal), returncode=2) from None
