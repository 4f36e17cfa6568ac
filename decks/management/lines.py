"""What the commands that answer JSON lines have in common."""

from __future__ import annotations

import gc
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from arkham.rules.checking import AnswerLine, check_line
from arkham.rules.shell import Unusable, add_arguments, answer_file
from cardpool.catalog import current_judge


class LineCommand(BaseCommand):
    """One answer a line for one request a line; the exit code is that of the worst."""

    requires_system_checks: list[str] = []  # output is for programs, and at once
    answer_line: AnswerLine = staticmethod(check_line)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The arguments of the shell's doors."""
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer, and exit 0 if all is as it should be, else 1, unreadable 2."""
        try:
            judge = current_judge()
        except DatabaseError as error:
            raise CommandError(
                _("We can’t read the card pool: %(fault)s.") % {"fault": error},
                returncode=2,
            ) from None
        gc.freeze()  # the pool stays, and processes that help share it
        try:
            worst = answer_file(options, sys.stdout, judge, self.answer_line)
        except Unusable as error:
            raise CommandError(str(error), returncode=2) from None
        sys.exit(worst)
