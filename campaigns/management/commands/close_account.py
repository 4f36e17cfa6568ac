"""Close an account, for the operator of a server."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.translation import gettext as _

from arkham.accounts.services import account_named
from campaigns import services
from campaigns.services.account import AccountClosing, closing_of


class Command(BaseCommand):
    """Print what happens to everything, one line each."""

    help = (
        "Close an account permanently; its tables pass to others. Without --yes it "
        "only prints what would happen to everything."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the name and the confirmation."""
        parser.add_argument("name", help="the name the account signs in with")
        parser.add_argument("--yes", action="store_true", help="close it")

    def handle(self, *args: Any, **options: Any) -> None:
        """Close it, or only report; an unknown name is an error."""
        user = account_named(options["name"])
        name = user.username
        if options["yes"]:
            self._report(services.close_account(user=user, now=timezone.now()))
            self.stdout.write(_("%(name)s is closed.") % {"name": name})
            return
        self._report(closing_of(user))
        self.stdout.write(_("Nothing was done. To close the account, add --yes."))

    def _report(self, closing: AccountClosing) -> None:
        counts = {
            "decks": closing.decks,
            "collections": closing.collections,
            "entries": closing.entries,
            "guides_left": len(closing.guides_left),
            "guides_gone": len(closing.guides_gone),
        }
        for name, count in counts.items():
            self.stdout.write(f"{name}: {count}")
        for each in closing.tables:
            heir = f" → {each.heir.name}" if each.heir is not None else ""
            number = f"{each.campaign.pk or ''} ".lstrip()  # none once it is deleted
            table = f"{number}“{each.campaign.name}”"
            self.stdout.write(f"table {table}: {each.fate.value}{heir}")
