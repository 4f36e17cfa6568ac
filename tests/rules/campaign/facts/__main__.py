"""Write the facts of every campaign, for campaigns kept by hand.

``python -m tests.rules.campaign.facts GUIDES CARDS [--to DIR]`` writes one file per
campaign: the same bytes from the same guides and cards.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import django

from arkham.rules.campaign.by_hand.facts import DATA, written
from arkham.rules.campaign.reading.cursor import FlawsFound
from arkham.rules.campaign.reading.files import whole_campaigns
from tests.rules.campaign.facts.cards import Cards
from tests.rules.campaign.facts.exporting import facts_of


def main(arguments: Sequence[str]) -> None:
    """Write all files. Exit with a message if guides or cards are missing."""
    parser = ArgumentParser(prog="python -m tests.rules.campaign.facts")
    parser.add_argument(
        "guides",
        type=Path,
        metavar="GUIDES",
        help="a folder with campaigns, facts.json and encounter_sets.json",
    )
    parser.add_argument(
        "cards", type=Path, metavar="CARDS", help="a folder with pack/*/*.json"
    )
    parser.add_argument("--to", type=Path, default=DATA, metavar="DIR")
    options = parser.parse_args(arguments)
    try:
        found = exported(options.guides, options.cards)
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    for name, content in found.items():
        (options.to / name).write_bytes(content)
    size = sum(len(content) for content in found.values())
    print(f"{len(found)} campaigns, {size} bytes: {options.to}")


def exported(guides: Path, cards: Path) -> dict[str, bytes]:
    """Return the files of facts by name. Raise OSError or ValueError."""
    from campaigns.guides.files import guide_files  # its models need the settings

    files = guide_files(guides)
    known = _json(guides / "facts.json")["campaigns"]
    sets = _json(guides / "encounter_sets.json")
    named = {each["code"]: each["name"] for each in sets}
    paths = sorted((cards / "pack").glob("*/*.json"))
    records = [record for path in paths for record in _json(path)]
    stems = whole_campaigns(FlawsFound(), files)
    found = facts_of(known, stems, Cards(records, named))
    return {f"{name}.json": written(facts) for name, facts in found.items()}


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    main(sys.argv[1:])
