"""Give an account a new password, for servers that send no e-mail."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.translation import gettext as _

from arkham.accounts import services
from arkham.accounts.models import User
from arkham.accounts.services import account_named


class Command(BaseCommand):
    """Set a new password and print it."""

    help = "Give an account a new password and print it; its sessions end."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the account, and options for its keys and second step."""
        parser.add_argument("name", help="the name the account signs in with")
        parser.add_argument(
            "--revoke-keys",
            action="store_true",
            help="revoke the account's API keys too, which a new password leaves valid",
        )
        parser.add_argument(
            "--without-second-step",
            action="store_true",
            help="turn off two-step sign-in (lost phone and recovery codes)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Set the password; an unknown name is an error.

        Standard output is just the password; standard error reports on the keys.
        """
        user = account_named(options["name"])
        password = secrets.token_urlsafe(12)
        user.set_password(password)
        user.save(update_fields=["password"])
        self.stdout.write(password)
        steps = Authenticator.objects.filter(user=user)
        if options["without_second_step"]:
            steps.delete()
        elif steps.exists():
            self.stderr.write(
                _("Two-step sign-in is still on: --without-second-step turns it off.")
            )
        self.stderr.write(self._keys_report(user, revoke=options["revoke_keys"]))

    def _keys_report(self, user: User, *, revoke: bool) -> str:
        """Report on the keys, which give access without a password."""
        if revoke:
            count = services.revoke_keys(owner=user, now=timezone.now())
            return _("API keys revoked: %(count)d.") % {"count": count}
        count = user.api_keys.filter(revoked_at=None).count()
        if not count:
            return _("The account has no API keys.")
        return _(
            "API keys still valid: %(count)d. Anyone who knew the old password may "
            "have them: --revoke-keys revokes them."
        ) % {"count": count}
