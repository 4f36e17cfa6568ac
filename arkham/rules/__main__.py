"""``python -m arkham.rules check|price [FILE|-]``: the shell on the embedded pool."""

from __future__ import annotations

import argparse
import sys

from arkham.rules.checking import check_line
from arkham.rules.crew import AnswerLine
from arkham.rules.legality import judge_of
from arkham.rules.pricing import price_line
from arkham.rules.shell import (
    HELP,
    PRICE_HELP,
    Unusable,
    add_arguments,
    answer_file,
)
from arkham.rules.snapshot import embedded_pool

COMMANDS: dict[str, tuple[str, AnswerLine]] = {
    "check": (HELP, check_line),
    "price": (PRICE_HELP, price_line),
}


def main(arguments: list[str] | None = None) -> int:
    """Answer the lines of a file; the exit code is 0, 1 or 2 as the worst line."""
    parser = argparse.ArgumentParser(prog="python -m arkham.rules")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (explained, _) in COMMANDS.items():
        add_arguments(commands.add_parser(name, help=explained))
    options = vars(parser.parse_args(arguments))
    answer_line = COMMANDS[options["command"]][1]
    try:
        return answer_file(options, sys.stdout, judge_of(embedded_pool()), answer_line)
    except Unusable as error:
        commands.choices[options["command"]].error(str(error))


if __name__ == "__main__":
    sys.exit(main())
