"""Backups of the field's app are replayed by the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.notation.reading import Unreadable
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from campaigns.services import EntryRefused
from tests.campaigns.backups.helpers import INPUTS, restore, sent
from tests.campaigns.helpers.tables import a_row
from tests.rules.campaign.helpers.games import a_game
from tests.rules.campaign.helpers.small import DAISY, ROLAND, a_step


def _backup(**more: Any) -> dict[str, Any]:
    return {
        "campaigns": [
            {"uuid": "a", "name": "Mine", "cycleCode": "own", "guideVersion": 3},
            {"uuid": "b", "name": "By hand", "cycleCode": "own"},
        ],
        "guides": [{"uuid": "a", "inputs": INPUTS}],
        **more,
    }


def test_a_backup_is_replayed(alice: User) -> None:
    """Campaigns kept by hand are left out; the answers make a log."""
    a_row()
    (found,) = restore(alice, _backup()).restored
    campaign = found.campaign
    assert (campaign.name, campaign.last) == ("Mine", len(INPUTS))
    people = replayed(campaign).replay.state.people
    assert people[ROLAND].experience == 3
    assert {seat.investigator for seat in campaign.seats.all()} == {ROLAND, DAISY}


def test_choices_by_number_get_their_stable_id(alice: User) -> None:
    """Another version of the guide may have other choices before them."""
    a_row()
    raws = [{**raw} for raw in INPUTS]
    backup = _backup(guides=[{"uuid": "a", "inputs": raws}])
    (found,) = restore(alice, backup).restored
    rows = found.campaign.entries.filter(kind="choice")
    assert [row.payload.get("choice") for row in rows] == ["$finish", "R1"]


def test_differences_from_the_app_are_reported(alice: User, as_alice: Client) -> None:
    """The app's bag has no third −4; by the rules any number is possible."""
    tokens = a_step({"type": "add_chaos_token", "tokens": ["-4"] * 3}, step_id="tokens")
    a_row(a_game("one", tokens))
    (found,) = restore(alice, _backup()).restored
    assert found.ruled.tokens == (("-4", 1),)
    page = sent(as_alice, _backup()).content.decode()
    assert "+1 × −4" in page


def test_a_missing_guide_leaves_out_its_campaign(alice: User) -> None:
    """The others are imported."""
    a_row()
    data = _backup()
    data["campaigns"][1]["cycleCode"] = "gone"
    data["guides"].append({"uuid": "b", "inputs": INPUTS})
    outcome = restore(alice, data)
    (left,) = outcome.left
    assert len(outcome.restored) == 1
    assert (left.name, left.finding.values) == ("By hand", (("guides", "gone"),))
    assert Campaign.objects.count() == 1


def test_a_backup_without_any_campaign_is_refused(alice: User) -> None:
    """There is nothing in it to read; those without a guide are listed."""
    outcome = restore(alice, _backup(guides=[]))
    assert (outcome.restored, outcome.left) == ((), ())
    assert outcome.by_hand == ("Mine", "By hand")
    with pytest.raises(EntryRefused):
        restore(alice, {"campaigns": [], "guides": []})


@pytest.mark.parametrize(
    ("more", "name"), [({"name": "Mine"}, "Mine"), ({}, "/inputs")]
)
def test_a_run_without_answers_was_not_played_by_its_guide(
    alice: User, more: dict[str, str], name: str
) -> None:
    """It neither waits for the guide nor is kept by hand."""
    outcome = restore(alice, {"campaign": "gone", "inputs": [], **more})

    assert outcome.by_hand == (name,)
    assert (outcome.restored, outcome.left) == ((), ())


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"guides": 3}, "/guides"),
        ({"campaigns": [3]}, "/campaigns/0"),
        ({"guides": [{"uuid": "a", "inputs": [{"type": "spell"}]}]},
         "/guides/0/inputs/0/type"),
        ({"campaigns": {"a": {"cycleCode": "own", "guideVersion": "x"}}},
         "/campaigns/a/guideVersion"),
    ],
)  # fmt: skip
def test_an_invalid_backup_is_refused_with_its_place(
    alice: User, more: dict[str, Any], pointer: str
) -> None:
    """Nothing of it is kept."""
    a_row()
    with pytest.raises(Unreadable) as caught:
        restore(alice, _backup(**more))
    assert caught.value.faults[0].pointer == pointer
    assert Campaign.objects.count() == 0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"campaigns": []}, "This is missing."),
        ({"campaigns": [], "guides": None}, "This is {found}."),
    ],
)
def test_a_missing_part_is_called_missing(
    alice: User, data: dict[str, Any], message: str
) -> None:
    """And a null one is called null."""
    with pytest.raises(Unreadable) as caught:
        restore(alice, data)
    (fault,) = caught.value.faults
    assert (fault.pointer, fault.message) == ("/guides", message)


def test_a_backup_is_imported_on_the_page(alice: User, as_alice: Client) -> None:
    """With the differences by the rules."""
    a_row()
    answer = sent(as_alice, _backup())
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "Mine" in page
    assert "Everything matches the app." in page


def test_recorded_runs_are_imported_unchanged(alice: User, shared_data: Path) -> None:
    """A run of a guide that is missing is left out, whatever its contents."""
    first = (shared_data / "data/guides/cases.jsonl").read_text().splitlines()[0]
    outcome = restore(alice, json.loads(first))
    assert (outcome.restored, len(outcome.left)) == ((), 1)
