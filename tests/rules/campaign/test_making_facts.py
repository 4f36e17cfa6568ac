"""``python -m tests.rules.campaign.facts`` exports the facts of campaigns."""

from __future__ import annotations

from pathlib import Path

import pytest

from arkham.rules.campaign.by_hand.facts import DATA
from tests.rules.campaign.facts.__main__ import main


def test_it_writes_the_files_shipped_with_orne(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One file per campaign, byte for byte, and the number of campaigns."""
    guides, cards = shared_data / "data" / "guides", shared_data / "data" / "arkhamdb"
    main([str(guides), str(cards), "--to", str(tmp_path)])

    ours = {path.name: path.read_bytes() for path in DATA.glob("*.json")}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == ours
    assert capsys.readouterr().out.startswith("31 campaigns, ")


def test_a_folder_without_guides_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="There are no guides"):
        main([str(tmp_path), str(tmp_path), "--to", str(tmp_path)])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_facts_is_refused(tmp_path: Path) -> None:
    """Guides alone do not have all bags."""
    below = tmp_path / "campaigns" / "own"
    below.mkdir(parents=True)
    (below / "campaign.json").write_text("{}")
    with pytest.raises(SystemExit, match=r"facts\.json"):
        main([str(tmp_path), str(tmp_path), "--to", str(tmp_path)])
