"""Writes everything of an account as one JSON file."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from decks.interchange.account_import import account_text


class Command(BaseCommand):
    """The file goes to standard output, and nothing else does."""

    help = (
        "Write everything of an account, with the life of its decks, as one JSON file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whose."""
        parser.add_argument("name", help="the name of the account")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write."""
        owner = User.objects.filter(username=options["name"]).first()
        if owner is None:
            raise CommandError(
                _("We don’t know the account %(name)s.") % {"name": options["name"]}
            )
        self.stdout.write(account_text(owner=owner, now=timezone.now()), ending="")
