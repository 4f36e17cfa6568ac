"""Judges decks given as JSON lines on the card pool in use."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from arkham.rules.shell import HELP, Unusable, add_arguments, check_file
from decks.judging import current_judge


class Command(BaseCommand):
    """One verdict a line for one deck a line; the exit code tells the worst."""

    help = HELP
    requires_system_checks: list[str] = []  # output is for programs, and at once

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The arguments of the shell's door."""
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Judge, and exit 0 if all are legal and complete, else 1, unreadable 2."""
        try:
            judge = current_judge()
        except DatabaseError as error:
            raise CommandError(
                _("The card pool cannot be read: %(fault)s.") % {"fault": error},
                returncode=2,
            ) from None
        try:
            worst = check_file(options, sys.stdout, judge)
        except Unusable as error:
            raise CommandError(str(error), returncode=2) from None
        sys.exit(worst)
