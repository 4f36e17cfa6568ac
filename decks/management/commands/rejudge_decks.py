"""Judge stored decks again whose verdict is from earlier rules or cards."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _

from arkham.jobs import services as jobs
from decks import tasks
from decks.services.judgements import JudgedAgain


class Command(BaseCommand):
    """Judge decks with outdated verdicts again, and notify the owners."""

    help = (
        "Judge stored decks again by today's rules and cards, and notify their owners."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write a line for each part, and a summary at the end."""
        counts = JudgedAgain()
        job = tasks.start_judging_again(now=timezone.now())
        for so_far in jobs.work_here(job) if job else ():
            counts = JudgedAgain(**so_far.counts)
            self.stdout.write(_("%(judged)d decks judged …") % counts._asdict())
        self.stdout.write(
            _(
                "Judged again: %(judged)d. Different now: %(changed)d. Not readable: "
                "%(unreadable)d."
            )
            % counts._asdict()
        )
        if job is not None and job.reason:
            raise CommandError(job.reason)
