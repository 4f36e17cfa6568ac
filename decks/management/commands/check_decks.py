"""Judges decks given as JSON lines on the card pool in use."""

from __future__ import annotations

from arkham.rules.shell import HELP
from decks.management.lines import LineCommand


class Command(LineCommand):
    """One verdict a line for one deck a line."""

    help = HELP
