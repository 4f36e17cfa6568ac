"""Delete what has expired, and send waiting messages."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.translation import ngettext

from arkham.housekeeping import forget_expired
from arkham.webhooks.tasks import work_off_here


class Command(BaseCommand):
    """Delete old sessions, answers, sign-up invitations, drafts and shared verdicts."""

    help = "Delete what has expired, from sessions to drafts; send waiting messages."

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete them, print their number, and send."""
        number = forget_expired(now=timezone.now())
        message = ngettext("Deleted %(number)d.", "Deleted %(number)d.", number)
        self.stdout.write(message % {"number": number})
        work_off_here()
