"""Judge decks given as JSON lines, with the current card pool."""

from __future__ import annotations

import gc
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from arkham.rules.checking import AnswerLine, check_line
from arkham.rules.shell import HELP, Unusable, add_arguments, answer_file
from cardpool.catalog import current_judge


class Command(BaseCommand):
    """Answers each line with one line; the exit code is that of the worst answer."""

    help = HELP
    requires_system_checks: list[str] = []  # the output is for programs, and immediate
    answer_line: AnswerLine = staticmethod(check_line)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of the commands in ``arkham.rules``."""
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer all lines, and exit 0 if all is well, else 1, or 2 if unreadable."""
        try:
            judge = current_judge()
        except DatabaseError as error:
            raise CommandError(
                _("We can’t read the card pool: %(fault)s.") % {"fault": error},
                returncode=2,
            ) from None
        gc.freeze()  # keep the pool shared with worker processes
        try:
            worst = answer_file(options, sys.stdout, judge, self.answer_line)
        except Unusable as error:
            raise CommandError(str(error), returncode=2) from None
        sys.exit(worst)
