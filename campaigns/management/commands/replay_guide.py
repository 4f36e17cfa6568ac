"""Replay recorded campaigns given as JSON lines, with guides in a folder."""

from __future__ import annotations

import gc
import os
import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from arkham.rules.campaign.policy import AS_THE_APP, BY_THE_RULES
from arkham.rules.campaign.reading.guides import read_library
from arkham.rules.campaign.state.lookup import printed_values
from arkham.rules.checking import Outcome
from arkham.rules.replaying import Reader
from arkham.rules.shell import lines_of
from arkham.rules.snapshot import embedded_pool
from campaigns.guides.files import UnusableGuides, guide_files


class Command(BaseCommand):
    """Print one state per line for each recorded run."""

    help = "Replay recorded campaigns: reads one per line, writes its state as a line."
    requires_system_checks: list[str] = []  # output is for programs, and at once

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare a file of lines, and the folder of the guides."""
        parser.add_argument(
            "file",
            nargs="?",
            default="-",
            metavar="FILE",
            help="a file of JSON lines, one run a line; - is standard input",
        )
        parser.add_argument(
            "--guides",
            required=True,
            type=Path,
            metavar="DIR",
            help="a folder with campaigns and return_campaigns",
        )
        parser.add_argument(
            "--by-the-rules",
            action="store_true",
            help="follow the rules where the app differs from them",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer every line; exit with 2 if any of them can't be read."""
        try:
            files = guide_files(options["guides"])
        except UnusableGuides as error:
            raise CommandError(str(error), returncode=2) from None
        reader = Reader(
            read_library(files).library,
            printed_values(embedded_pool()),
            policy=BY_THE_RULES if options["by_the_rules"] else AS_THE_APP,
        )
        # Guides are many small, permanent objects: the collector needn't walk them.
        gc.collect()
        gc.freeze()
        with ExitStack() as stack:
            try:
                worst = _answer_all(reader, _stream(stack, options["file"]))
            except BrokenPipeError:
                # No one reads the remaining output; the interpreter would complain.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                worst = Outcome.NOT_LEGAL
        sys.exit(worst)


def _stream(stack: ExitStack, name: str) -> BinaryIO:
    if name == "-":
        return sys.stdin.buffer
    try:
        return stack.enter_context(open(name, "rb"))
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}.", returncode=2) from None


def _answer_all(reader: Reader, stream: BinaryIO) -> Outcome:
    worst, number = Outcome.LEGAL, 0
    for lines in lines_of(stream):
        for line in lines:
            number += 1
            text, outcome = reader.answer(line, number)
            sys.stdout.write(text + "\n")
            worst = max(worst, outcome)
        sys.stdout.flush()
    return worst
