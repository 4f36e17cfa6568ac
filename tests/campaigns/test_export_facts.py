"""``export_facts``: the facts of campaigns, from guides and card records."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from arkham.rules.campaign.by_hand.facts import DATA


def test_it_writes_what_comes_with_orne(shared_data: Path, tmp_path: Path) -> None:
    """One file a campaign, byte for byte, and says how many."""
    out = StringIO()
    guides, cards = shared_data / "data" / "guides", shared_data / "data" / "arkhamdb"
    call_command("export_facts", str(guides), str(cards), to=tmp_path, stdout=out)

    ours = {path.name: path.read_bytes() for path in DATA.glob("*.json")}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == ours
    assert out.getvalue().startswith("30 campaigns, ")


def test_a_folder_without_guides_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There are no guides"):
        call_command("export_facts", str(tmp_path), str(tmp_path), to=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_facts_is_told(tmp_path: Path) -> None:
    """Guides alone do not say what a bag holds."""
    below = tmp_path / "campaigns" / "own"
    below.mkdir(parents=True)
    (below / "campaign.json").write_text("{}")
    with pytest.raises(CommandError, match=r"facts\.json"):
        call_command("export_facts", str(tmp_path), str(tmp_path), to=tmp_path)
