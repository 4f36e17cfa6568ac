"""Prices upgrades given as JSON lines on the card pool in use."""

from __future__ import annotations

from arkham.rules.pricing import price_line
from arkham.rules.shell import PRICE_HELP
from decks.management.lines import LineCommand


class Command(LineCommand):
    """One invoice a line for one pair of decks a line."""

    help = PRICE_HELP
    answer_line = staticmethod(price_line)
