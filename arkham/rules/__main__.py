"""``python -m arkham.rules check [FILE|-]``: judge decks on the embedded pool."""

from __future__ import annotations

import argparse
import sys

from arkham.rules.legality import judge_of
from arkham.rules.shell import HELP, Unusable, add_arguments, check_file
from arkham.rules.snapshot import embedded_pool


def main(arguments: list[str] | None = None) -> int:
    """Judge the decks of a file; the exit code is 0, 1 or 2 as the worst line."""
    parser = argparse.ArgumentParser(prog="python -m arkham.rules")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help=HELP)
    add_arguments(check)
    options = vars(parser.parse_args(arguments))
    try:
        return check_file(options, sys.stdout, judge_of(embedded_pool()))
    except Unusable as error:
        check.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
