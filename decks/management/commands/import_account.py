"""Takes a file of an account in."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.rules.notation.reading import Unreadable
from decks.interchange.account_import import take_in
from decks.interchange.account_reading import read_account
from decks.interchange.importing import placed


class Command(BaseCommand):
    """All decks of the file, or none if any of it cannot be read."""

    help = "Import a file of export_account into an account."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """To whom, from where."""
        parser.add_argument("name", help="the name of the account")
        parser.add_argument("file", help="the file; - is standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, then take in; a summary, or every fault and exit code 1."""
        owner = User.objects.filter(username=options["name"]).first()
        if owner is None:
            raise CommandError(
                _("We don’t know the account %(name)s.") % {"name": options["name"]}
            )
        try:
            account = read_account(_text(options["file"]))
        except Unreadable as error:
            raise CommandError(
                "\n".join(
                    f"{each.where}: {each.message} {each.expected}"
                    for each in placed(error.faults)
                )
            ) from None
        taken = take_in(owner=owner, account=account)
        self.stdout.write(taken.summary)
        if taken.shown:
            message = _("Imported as private: %(shown)d.")
            self.stdout.write(message % taken._asdict())


def _text(file: str) -> str:
    """The text of the file; refuses what is no file or no text."""
    try:
        if file == "-":
            return str(sys.stdin.buffer.read(), "utf-8-sig")
        return Path(file).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        message = _("We can’t read %(file)s: %(fault)s.")
        raise CommandError(message % {"file": file, "fault": error}) from None
