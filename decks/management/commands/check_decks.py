"""Judge decks given as JSON lines, with the current card pool."""

from __future__ import annotations

from arkham.rules.shell import HELP
from decks.management.lines import LineCommand


class Command(LineCommand):
    """Write one verdict per line for one deck per line."""

    help = HELP
