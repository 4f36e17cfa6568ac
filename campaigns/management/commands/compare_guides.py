"""Replay every campaign with the newest version of its guide, and compare."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from campaigns.models import Guide
from campaigns.services.previews import compared


class Command(BaseCommand):
    """Print a line for each campaign with a newer guide, and for each difference."""

    help = (
        "Replay every campaign with the newest version of its guide on this server, "
        "and print what would differ. Nothing changes: each table chooses for itself."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare all campaigns; exit with 1 if anything would differ."""
        count = differ = 0
        for each in compared():
            count += 1
            differ += bool(each.changes or each.refused)
            versions = f"{_named(each.now)} → {_named(each.newer)}"
            outcome = each.refused or f"{len(each.changes)} differences"
            self.stdout.write(f"campaign {each.campaign}: {versions}: {outcome}")
            for change in each.changes:
                self.stdout.write(f"  {change}")
        self.stdout.write(
            f"{count} campaigns with a newer guide, {differ} with differences"
        )
        sys.exit(1 if differ else 0)


def _named(guide: Guide) -> str:
    return f"{guide.guide_id} {guide.version} ({guide.digest[:8]})"
