"""``orne-rules check|price [FILE|-]``: the command line on the embedded pool.

It works without installation: ``python -m arkham.rules check|price [FILE|-]``.
"""

from __future__ import annotations

import argparse
import gc
import sys

from arkham.rules import __version__
from arkham.rules.checking import AnswerLine, check_line
from arkham.rules.legality import Judge, judge_of
from arkham.rules.shell import (
    HELP,
    PRICE_HELP,
    Unusable,
    add_arguments,
    answer_file,
)
from arkham.rules.snapshot import embedded_pool

COMMANDS = {"check": HELP, "price": PRICE_HELP}
EXIT_CODES = (
    "exit code: 0 if all is legal and complete (or every upgrade allowed), 1 if not, "
    "2 if a line can’t be read (its answer says where), the arguments can’t be used or "
    "an answer can’t be written"
)


def _answer_line(command: str) -> AnswerLine:
    """The function that answers a line of this command."""
    if command == "check":
        return check_line
    # Imported only if prices are asked for: it takes a sixth of the start-up time.
    from arkham.rules.pricing import price_line

    return price_line


def _judge() -> Judge:
    """The judge on the embedded pool, excluded from garbage collection."""
    gc.disable()
    judge = judge_of(embedded_pool())
    gc.freeze()
    gc.enable()
    return judge


def main(arguments: list[str] | None = None, prog: str = "orne-rules") -> int:
    """Answer the lines of a file; return exit code 0, 1 or 2 for the worst line."""
    parser = argparse.ArgumentParser(prog, epilog=EXIT_CODES)
    parser.add_argument("--version", action="version", version=f"{prog} {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, explained in COMMANDS.items():
        add_arguments(
            commands.add_parser(
                name, help=explained, description=explained, epilog=EXIT_CODES
            )
        )
    options = vars(parser.parse_args(arguments))
    answer_line = _answer_line(options["command"])
    try:
        return answer_file(options, sys.stdout, _judge(), answer_line)
    except Unusable as error:
        commands.choices[options["command"]].error(str(error))


if __name__ == "__main__":
    sys.exit(main(prog="python -m arkham.rules"))
