"""Price upgrades given as JSON lines, with the current card pool."""

from __future__ import annotations

from arkham.rules.pricing import price_line
from arkham.rules.shell import PRICE_HELP
from decks.management.commands import check_decks


class Command(check_decks.Command):
    """Write one invoice per line for one pair of decks per line."""

    help = PRICE_HELP
    answer_line = staticmethod(price_line)
