"""An invalid campaign file is refused, with the place of each fault."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.accounts.models import User
from arkham.rules.notation.reading import Unreadable
from campaigns.files.campaign_file import FORMAT, read_file
from campaigns.models import Campaign
from tests.campaigns.files.helpers import exported, faults_of, play_acts
from tests.rules.campaign.helpers.small import ROLAND


def _without(key: str) -> Any:
    def spoil(data: dict[str, Any]) -> None:
        del data[key]

    return spoil


def _with(*path: Any, value: Any) -> Any:
    def spoil(data: dict[str, Any]) -> None:
        place: Any = data
        for each in path[:-1]:
            place = place[each]
        place[path[-1]] = value

    return spoil


@pytest.mark.parametrize(
    ("spoil", "pointer"),
    [
        (_with("format", value="deck"), "/format"),
        (_with("file_version", value=3), "/file_version"),
        (_with("file_version", value=0), "/file_version"),
        (_with("file_version", value="2"), "/file_version"),
        (_with("linked", value={}), "/linked/id"),
        (_with("linked", value={"id": "x", "campaign": {}}), "/linked/campaign/format"),
        (_with("plays", value=[{"scenario": "one"}]), "/plays/0/bag"),
        (_with("plays", 0, "bag", value=[["skull", -1]]), "/plays/0/bag"),
        (_with("plays", 0, "bag", value=[["spoon", 1]]), "/plays/0/bag"),
        (_with("plays", 0, "bag", value=[["skull", 1], ["skull", 1]]), "/plays/0/bag"),
        (_with("plays", 0, "sealed", value=[["bless", 11]]), "/plays/0/bag"),
        (_with("plays", 0, "counters", value=[["Doom", -1]]), "/plays/0/counters"),
        (
            _with("plays", 0, "areas", value=[{"investigator": "1", "text": ""}] * 2),
            "/plays/0/areas",
        ),
        (
            _with("plays", 0, "areas", value=[{"investigator": "", "text": "&" * 200}]),
            "/plays/0/areas",
        ),
        (_with("plays", 0, "counters", value=[["Doom", 1]] * 2), "/plays/0/counters"),
        (_with("plays", 0, "notes", value="x" * 2001), "/plays/0/notes"),
        (_with("plays", 0, "ticked", value=["x" * 121]), "/plays/0/ticked/0"),
        (_with("plays", 0, "scenario", value="x" * 81), "/plays/0/scenario"),
        (_without("name"), "/name"),
        (_with("name", value="x" * 121), "/name"),
        (_with("guide", "id", value=3), "/guide/id"),
        (_with("guide_version", value=-2), "/guide_version"),
        (_with("terms", value={"faq": 3}), "/terms/faq"),
        (_with("seats", 0, "investigator", value="x" * 41), "/seats/0/investigator"),
        (_with("seats", 1, value={"investigator": ROLAND}), "/seats"),
        (_with("entries", value={}), "/entries"),
        (_with("entries", 1, value=3), "/entries/1"),
        (_with("entries", 1, "kind", value="spell"), "/entries/1/kind"),
        (_with("entries", 1, "version", value=9), "/entries/1/version"),
        (_with("entries", 1, "at", value="tomorrow"), "/entries/1/at"),
        (_with("entries", 1, "at", value="2026-03-01T19:00:00"), "/entries/1/at"),
        (
            _with("entries", 1, "at", value="9999-12-31T23:59:59-14:00"),
            "/entries/1/at",
        ),
        (
            _with("entries", 1, "at", value="0001-01-01T00:00:00+14:00"),
            "/entries/1/at",
        ),
        (_with("entries", 1, "author", value="x" * 81), "/entries/1/author"),
        (
            _with("entries", 1, "payload", "value", value=3),
            "/entries/1/payload/value",
        ),
        (
            _with("entries", 1, value={"kind": "retracted", "version": 1,
                                       "payload": {"target": 2},
                                       "at": "2026-03-01T19:00:00Z"}),
            "/entries/1/payload/target",
        ),
    ],
)  # fmt: skip
def test_an_invalid_file_is_refused_with_its_place(
    played: Campaign, alice: User, spoil: Any, pointer: str
) -> None:
    """Nothing of it is kept."""
    play_acts(played, "more:Doom")
    data = exported(played)
    spoil(data)
    assert pointer in faults_of(alice, data)
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize("data", [None, [], "x", 3, {}])
def test_a_file_that_is_no_json_object_is_refused(alice: User, data: object) -> None:
    assert faults_of(alice, data) == ["/format"]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({}, "null"),
        ({"format": True}, "true or false"),
        ({"format": "deck"}, '"deck"'),
        ({"format": FORMAT}, "null"),
        ({"format": FORMAT, "file_version": {}}, "a {…} block"),
    ],
)
def test_what_is_found_instead_is_shown_as_json(data: object, found: str) -> None:
    """Never in the words of our own language."""
    with pytest.raises(Unreadable) as refused:
        read_file(data)
    assert [each.found for each in refused.value.faults] == [found]


def test_every_fault_of_the_log_is_reported(played: Campaign, alice: User) -> None:
    """Not the first one only."""
    data = exported(played)
    data["entries"][1]["kind"] = "spell"
    data["entries"][3]["at"] = "never"
    assert faults_of(alice, data) == ["/entries/1/kind", "/entries/3/at"]
