"""Import an account file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from arkham.accounts.services import account_named
from arkham.rules.notation.reading import Unreadable
from arkham.web.quotas import QuotaReached
from decks.interchange.account_import import import_account
from decks.interchange.account_reading import read_account
from decks.interchange.importing import placed


class Command(BaseCommand):
    """Imports all decks of the file, or none if any of it can't be read."""

    help = "Import into an account what export_account wrote to a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the name of the account and the file."""
        parser.add_argument("name", help="the name of the account")
        parser.add_argument("file", help="the file; - is standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the file; write a summary, or every fault with exit code 1."""
        owner = account_named(options["name"])
        try:
            account = read_account(_text(options["file"]))
        except Unreadable as error:
            raise CommandError(
                "\n".join(
                    f"{each.where}: {each.message} {each.expected}"
                    for each in placed(error.faults)
                )
            ) from None
        try:
            result = import_account(owner=owner, account=account)
        except QuotaReached as error:
            raise CommandError(str(error)) from None
        self.stdout.write(result.summary)
        if result.shown:
            message = _("Imported as private: %(shown)d.")
            self.stdout.write(message % result._asdict())


def _text(file: str) -> str:
    """Return the text of the file; raise CommandError if it can't be read."""
    try:
        if file == "-":
            return str(sys.stdin.buffer.read(), "utf-8-sig")
        return Path(file).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        message = _("We can’t read %(file)s: %(fault)s.")
        raise CommandError(message % {"file": file, "fault": error}) from None
