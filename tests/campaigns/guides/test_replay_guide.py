"""The replay_guide command: one state for each recorded run, in order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from campaigns.guides.files import MOST_FILES, UnusableGuides, guide_files
from tests.rules.campaign.helpers.guides import guides_folder
from tests.rules.campaign.helpers.small import a_note, a_scenario, a_step

PROJECT = Path(__file__).resolve().parents[3]
CAMPAIGN: dict[str, Any] = {
    "id": "own",
    "name": "Our own",
    "version": 1,
    "campaign_type": "campaign",
    "campaign_log": [{"id": "campaign_notes", "title": "Notes"}],
    "scenarios": ["one"],
    "setup": ["does"],
    "steps": [a_step(a_note("begun"))],
}
RUN: dict[str, Any] = {
    "campaign": "own",
    "standalone": None,
    "guide_version": 1,
    "investigators": {},
    "linked_inputs": None,
    "inputs": [{"type": "start_scenario", "scenario": "$campaign_setup"}],
}
STATE: dict[str, Any] = {
    "chaos_bag": {},
    "swap_chaos_bag": {},
    "investigators": {},
    "sections": {"campaign_notes": {"entries": [{"type": "basic", "id": "begun"}]}},
    "counts": {},
    "investigator_sections": {},
    "scenario_status": {"$campaign_setup": "completed"},
    "replay_counts": {},
    "next_scenario_stack": [],
    "scenarios": [["$campaign_setup", "completed"], ["one", "playable"]],
    "resolutions": {},
}


@pytest.fixture
def guides(tmp_path: Path) -> Path:
    """A folder with one small guide."""
    folder = tmp_path / "guides"
    own = folder / "campaigns" / "own"
    own.mkdir(parents=True)
    (own / "campaign.json").write_text(json.dumps(CAMPAIGN))
    (own / "one.json").write_text(json.dumps(a_scenario("one", a_step(a_note("x")))))
    return folder


def run(guides: Path, *lines: str, file: str = "-") -> tuple[list[Any], int, str]:
    """Run the command with these lines; return results, exit code and errors."""
    done = subprocess.run(
        [sys.executable, "manage.py", "replay_guide", file, "--guides", str(guides)],
        cwd=PROJECT,
        input="\n".join(lines).encode(),
        capture_output=True,
        check=False,
    )
    answers = [json.loads(each) for each in done.stdout.decode().splitlines()]
    return answers, done.returncode, done.stderr.decode()


def test_each_run_gets_one_state(guides: Path) -> None:
    """Expected results in a run are ignored."""
    recorded = json.dumps({**RUN, "expected": {"anything": 1}})

    assert run(guides, recorded, recorded) == ([STATE, STATE], 0, "")


def test_an_unreadable_line_gets_an_error(guides: Path) -> None:
    """Where, what, and what was expected; the others are answered."""
    wrong = {**RUN, "inputs": [{"type": "choice", "scenario": "one", "step": "a"}]}
    answers, code, complaints = run(
        guides,
        "no json",
        json.dumps(RUN),
        "",
        json.dumps({**RUN, "campaign": "atlantis", "id": 7}),
        json.dumps(wrong),
        json.dumps({**RUN, "standalone": "atlantis"}),
    )

    assert (code, complaints) == (2, "")
    assert answers[1] == STATE
    told = [(each["id"], each["error"]["line"]) for each in answers if "error" in each]
    assert told == [(None, 1), (None, 3), (7, 4), (None, 5), (None, 6)]
    assert answers[2]["error"]["expected"] == "a recorded run as JSON"
    assert answers[3]["error"]["message"] == (
        "/campaign: We have no guide for 'atlantis'."
    )
    assert answers[4]["error"]["message"] == "/inputs/0/choice: This is missing."
    assert answers[4]["error"]["expected"] == "a whole number"
    assert answers[5]["error"]["message"] == (
        "/standalone: The guide has no scenario 'atlantis'."
    )


def test_a_file_of_runs_is_read(guides: Path, tmp_path: Path) -> None:
    """Also one without a last line break; a missing one is reported."""
    file = tmp_path / "runs.jsonl"
    file.write_text(json.dumps(RUN))

    assert run(guides, file=str(file))[:2] == ([STATE], 0)
    answers, code, complaints = run(guides, file=str(tmp_path / "none"))
    assert (answers, code) == ([], 2)
    assert "No such file" in complaints


def test_a_folder_without_guides_is_reported(tmp_path: Path) -> None:
    """No run is answered."""
    answers, code, complaints = run(tmp_path, json.dumps(RUN))

    assert (answers, code) == ([], 2)
    assert "no campaigns folder" in complaints


def test_links_out_of_the_folder_are_not_followed(guides: Path, tmp_path: Path) -> None:
    """Neither to a file nor to a folder."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "campaign.json").write_text("{}")
    (guides / "campaigns" / "other").symlink_to(outside)
    (guides / "campaigns" / "own" / "linked.json").symlink_to(outside / "campaign.json")

    assert sorted(guide_files(guides)) == [
        "campaigns/own/campaign.json",
        "campaigns/own/one.json",
    ]


def test_too_many_files_are_refused(guides: Path, monkeypatch: Any) -> None:
    """No set of guides has so many."""
    monkeypatch.setattr("campaigns.guides.files.MOST_FILES", 1)

    assert MOST_FILES == 5_000
    with pytest.raises(UnusableGuides, match="more files than guides need"):
        guide_files(guides)


def test_recorded_runs_are_reproduced_by_the_shell() -> None:
    """All of them."""
    cases = guides_folder() / "cases.jsonl"
    answers, code, _complaints = run(guides_folder(), file=str(cases))
    expected = [json.loads(each)["expected"] for each in cases.open()]

    assert code == 0
    assert answers == expected
