"""Judges stored decks again whose verdict is of earlier rules or cards."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.translation import gettext as _

from decks import services
from decks.services.judgements import JudgedAgain


class Command(BaseCommand):
    """Judge what was judged by other rules or cards, and notify the owners."""

    help = (
        "Judge stored decks again by today's rules and cards, and notify their owners."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """A line for every batch, and one in the end."""
        so_far = JudgedAgain()
        for so_far in services.judge_again(now=timezone.now()):
            self.stdout.write(_("%(judged)d decks judged …") % so_far._asdict())
        self.stdout.write(
            _(
                "Judged again: %(judged)d. Different now: %(changed)d. Not readable: "
                "%(unreadable)d."
            )
            % so_far._asdict()
        )
