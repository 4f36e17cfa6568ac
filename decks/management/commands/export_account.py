"""Write everything in an account as one JSON file."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from arkham.accounts.services import account_named
from decks.interchange.account_import import account_text


class Command(BaseCommand):
    """Writes the file, and nothing else, to standard output."""

    help = "Write an account’s decks, their history and all else into a JSON file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the name of the account."""
        parser.add_argument("name", help="the name of the account")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        owner = account_named(options["name"])
        self.stdout.write(account_text(owner=owner, now=timezone.now()), ending="")
