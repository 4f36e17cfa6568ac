"""Takes in the guides of a folder or a zip, for everybody here or for one account."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.rules.campaign.reading.cursor import flaw_line
from arkham.rules.campaign.reading.lint import HARMLESS
from arkham.rules.campaign.reading.prepared import Bringing, bring
from campaigns.guides.files import (
    UnusableGuides,
    guide_files,
    zipped_guide_files,
)
from campaigns.guides.keeping import (
    GuideChange,
    ImportReport,
    NoGuideFound,
    TooMuchKept,
    take_in_guides,
)


class Command(BaseCommand):
    """All guides that can be read, or none; each with what is wrong with it."""

    help = "Import the guides of a folder or a zip, for everyone on this server."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """From where, for whom, and what of it."""
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
            help="store what the guides do without their words",
        )
        parser.add_argument(
            "--serious",
            action="store_true",
            help="report only flaws that lose something or stop a campaign",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="report what is wrong, keep nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, keep and report; 1 if a guide could not be kept, 2 if none could."""
        owner = _owner(options["name"])
        try:
            bringing = bring(_files(options["source"]))
        except UnusableGuides as error:
            raise CommandError(str(error), returncode=2) from None
        if options["without_words"]:
            bringing = bringing.without_words()
        self._write_flaws(bringing, only_serious=options["serious"])
        if not options["dry_run"]:
            self._write_report(_kept(bringing, owner))
        if bringing.flaws:
            sys.exit(1)

    def _write_flaws(self, bringing: Bringing, *, only_serious: bool) -> None:
        flaws = [*bringing.flaws]
        for guide in bringing.guides:
            flaws += guide.flaws
        for flaw in flaws:
            if not only_serious or flaw.rule not in HARMLESS:
                self.stdout.write(flaw_line(flaw))

    def _write_report(self, report: ImportReport) -> None:
        for guide, change in report.taken:
            if change is not GuideChange.UNCHANGED:
                self.stdout.write(f"{change.value} {guide.guide_id}: {guide.name}")
        counts = [f"{report.count(each)} {each.value}" for each in GuideChange]
        self.stdout.write(f"{len(report.taken)} guides: {', '.join(counts)}.")


def _owner(name: str | None) -> User | None:
    if name is None:
        return None
    owner = User.objects.filter(username=name).first()
    if owner is None:
        message = _("We don’t know the account %(name)s.") % {"name": name}
        raise CommandError(message, returncode=2)
    return owner


def _files(source: Path) -> dict[str, bytes]:
    if source.is_dir():
        return guide_files(source)
    try:
        with source.open("rb") as stream:
            return zipped_guide_files(stream)
    except OSError as error:
        raise UnusableGuides(f"{source}: {error.strerror}.") from None


def _kept(bringing: Bringing, owner: User | None) -> ImportReport:
    try:
        return take_in_guides(bringing=bringing, owner=owner, now=timezone.now())
    except (NoGuideFound, TooMuchKept) as refusal:
        raise CommandError(str(refusal), returncode=2) from None
