"""Create invitations to sign up."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _

from arkham.accounts import services


class Command(BaseCommand):
    """Print invitation codes, each valid for one sign-up."""

    help = "Print invitation codes, one per line; each lets one person sign up."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the number, the lifetime, and a note."""
        parser.add_argument("--count", type=int, default=1, help="how many codes")
        parser.add_argument(
            "--days",
            type=int,
            default=services.LIFETIME.days,
            help="days until they expire (default: %(default)s)",
        )
        parser.add_argument("--note", default="", help="who they’re for")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the codes and print them: they can't be shown again."""
        for name in ("count", "days"):
            if options[name] < 1:
                raise CommandError(
                    _("--%(name)s is %(found)d. Expected: 1 or more.")
                    % {"name": name, "found": options[name]}
                )
        for _number in range(options["count"]):
            code = services.invite(
                now=timezone.now(),
                note=options["note"],
                lifetime=timedelta(days=options["days"]),
            )
            self.stdout.write(code)
