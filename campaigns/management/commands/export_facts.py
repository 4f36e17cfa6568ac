"""Writes the facts of every campaign, for tables that keep one by hand."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arkham.rules.campaign.by_hand.exported_cards import Cards
from arkham.rules.campaign.by_hand.exporting import facts_of
from arkham.rules.campaign.by_hand.facts import DATA, written
from arkham.rules.campaign.reading.fields import Fields
from arkham.rules.campaign.reading.guides import whole_campaigns
from campaigns.guides.files import UnusableGuides, guide_files


class Command(BaseCommand):
    """One file a campaign; the same bytes from the same guides and cards."""

    help = "Write the facts of every campaign from a folder of guides and card records."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where guides and card records are, and where the facts go."""
        parser.add_argument(
            "guides",
            type=Path,
            metavar="GUIDES",
            help="a folder with campaigns, return_campaigns and facts.json",
        )
        parser.add_argument(
            "cards", type=Path, metavar="CARDS", help="a folder with pack/*/*.json"
        )
        parser.add_argument("--to", type=Path, default=DATA, metavar="DIR")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write each file whole."""
        target: Path = options["to"]
        found = exported(options["guides"], options["cards"])
        for name, content in found.items():
            (target / name).write_bytes(content)
        size = sum(len(content) for content in found.values())
        self.stdout.write(f"{len(found)} campaigns, {size} bytes: {target}")


def exported(guides: Path, cards: Path) -> dict[str, bytes]:
    """The files of facts by their names. Raises :class:`CommandError`."""
    try:
        files = guide_files(guides)
        known = _json(guides / "facts.json")["campaigns"]
        named = {
            each["code"]: each["name"] for each in _json(guides / "encounter_sets.json")
        }
        records = [
            record
            for path in sorted((cards / "pack").glob("*/*.json"))
            for record in _json(path)
        ]
    except (UnusableGuides, OSError, ValueError) as error:
        raise CommandError(str(error)) from None
    stems = whole_campaigns(Fields(), files)
    found = facts_of(known, stems, Cards(records, named))
    return {f"{name}.json": written(facts) for name, facts in found.items()}


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
