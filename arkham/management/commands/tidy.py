"""Deletes what is past its time."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.translation import ngettext

from arkham.housekeeping import forget_expired


class Command(BaseCommand):
    """Forget old sessions, answers, sign-up invitations, drafts and shared verdicts."""

    help = "Delete sessions, answers, invitations, drafts and verdicts past their time."

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete them, and say how many there were."""
        number = forget_expired(now=timezone.now())
        message = ngettext("Deleted %(number)d.", "Deleted %(number)d.", number)
        self.stdout.write(message % {"number": number})
