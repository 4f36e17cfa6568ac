"""Gives an account a new password, for servers that send no e-mail."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from arkham.accounts.models import User


class Command(BaseCommand):
    """Set a new password and print it."""

    help = "Give an account a new password and print it; its sessions end."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whose password."""
        parser.add_argument("name", help="the name the account signs in with")

    def handle(self, *args: Any, **options: Any) -> None:
        """Set the password; an unknown name is an error."""
        try:
            user = User.objects.get(username__iexact=options["name"])
        except User.DoesNotExist:
            raise CommandError(
                _("There is no account “%(name)s”.") % {"name": options["name"]}
            ) from None
        password = secrets.token_urlsafe(12)
        user.set_password(password)
        user.save(update_fields=["password"])
        self.stdout.write(password)
