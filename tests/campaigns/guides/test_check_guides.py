"""The check_guides command: one flaw per line, with its path."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.rules.campaign.helpers.small import a_note, a_scenario, a_step


def folder_of(tmp_path: Path, *steps: dict[str, Any]) -> Path:
    """Make a folder with one guide of one scenario."""
    own = tmp_path / "campaigns" / "own"
    own.mkdir(parents=True)
    campaign = {
        "id": "own",
        "name": "Our own",
        "version": 1,
        "campaign_type": "campaign",
        "campaign_log": [{"id": "campaign_notes", "title": "Notes"}],
        "scenarios": ["one"],
        "setup": [],
        "steps": [],
    }
    (own / "campaign.json").write_text(json.dumps(campaign))
    (own / "one.json").write_text(json.dumps(a_scenario("one", *steps)))
    return tmp_path


def checked(*arguments: Path | str) -> tuple[list[str], int]:
    """Return the command's output and its exit code."""
    output = StringIO()
    try:
        call_command("check_guides", *map(str, arguments), stdout=output)
    except SystemExit as done:
        return output.getvalue().splitlines(), int(str(done.code))
    return output.getvalue().splitlines(), 0


def test_a_sound_guide_gets_only_the_summary(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, a_step(a_note("a")))

    assert checked(folder) == (["1 guides, 0 flaws, 0 harmless."], 0)


def test_each_flaw_has_a_line(tmp_path: Path) -> None:
    """Serious ones, and minor ones on request."""
    folder = folder_of(
        tmp_path, {"id": "a", "steps": ["missing"]}, a_step(a_note("x", "margins"))
    )

    assert checked(folder) == (
        [
            "guide.undeclared-section own/one · does: margins, not campaign_notes",
            "guide.unknown-step own/one · a: missing, not a step's id",
            "1 guides, 1 flaws, 1 harmless.",
        ],
        1,
    )
    assert checked(folder, "--serious")[0] == [
        "guide.unknown-step own/one · a: missing, not a step's id",
        "1 guides, 1 flaws, 1 harmless.",
    ]


def test_a_folder_without_guides_is_reported(tmp_path: Path) -> None:
    """It cannot be checked."""
    with pytest.raises(CommandError, match="no campaigns folder"):
        checked(tmp_path)


def test_our_own_guides_are_checked_by_default() -> None:
    """They have no flaws."""
    (told,), code = checked()

    assert told.endswith(" guides, 0 flaws, 0 harmless.")
    assert code == 0
