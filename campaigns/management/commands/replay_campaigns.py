"""Fold every campaign again and compare it with its snapshot."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from campaigns.log.replays import check_campaigns, remember_campaigns


class Command(BaseCommand):
    """Print a line for each campaign that differs, and a total."""

    help = "Replay every campaign from its log, and save or check the result."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the option that only checks."""
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; exit with 1 if a result differs from the saved one",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Fold all campaigns; exit with 1 if anything was found."""
        fold = check_campaigns if options["check"] else remember_campaigns
        count = entries = found = 0
        for each in fold():
            count += 1
            entries += each.entries
            if each.found:
                found += 1
                self.stdout.write(f"campaign {each.campaign}: {each.found}")
        self.stdout.write(f"{count} campaigns, {entries} entries, {found} findings")
        sys.exit(1 if found else 0)
