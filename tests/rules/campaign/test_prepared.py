"""A prepared guide is the same guide, without its texts."""

from __future__ import annotations

import json

import pytest

from arkham.rules.campaign.policy import AS_THE_APP
from arkham.rules.campaign.reading.prepared import open_guide, prepared
from arkham.rules.replaying import Reader, reported
from bench.guides import open_library
from tests.rules.campaign.helpers.guides import (
    guides_folder,
    shared_files,
    shared_library,
)
from tests.rules.campaign.helpers.small import a_note, a_scenario, a_step

CAMPAIGN = {
    "id": "own",
    "name": "Our own",
    "version": 2,
    "campaign_type": "campaign",
    "campaign_log": [{"id": "campaign_notes", "title": "Notes"}],
    "scenarios": ["one"],
    "setup": ["does"],
    "steps": [
        {**a_step(a_note("begun", text="In our words.")), "text": "A long story."}
    ],
}
FILES = {
    "campaigns/own/campaign.json": json.dumps(CAMPAIGN).encode(),
    "campaigns/own/one.json": json.dumps(
        a_scenario("one", a_step(a_note("x")))
    ).encode(),
}


def test_texts_are_left_out() -> None:
    """Except titles of sections."""
    contents, flaws = prepared(FILES)

    assert flaws == []
    assert b"story" not in contents["own"]
    assert b"our words" not in contents["own"]
    assert open_guide(contents["own"]).sections[0].title == "Notes"


def test_scenarios_are_read_when_they_are_used() -> None:
    """Their ids are known before."""
    guide = open_guide(prepared(FILES)[0]["own"])

    assert list(guide.scenarios) == ["one"]
    assert "one" in guide.scenarios
    assert "two" not in guide.scenarios
    assert guide.scenarios["one"].steps["does"].id == "does"
    with pytest.raises(KeyError):
        guide.scenarios["two"]


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"format": 99}'])
def test_content_that_is_not_a_prepared_guide_is_refused(content: bytes) -> None:
    """Rather than read partially."""
    with pytest.raises(ValueError):  # noqa: PT011 (JSON's own, or ours)
        open_guide(content)


def test_all_shared_guides_are_the_same_when_prepared() -> None:
    """Every scenario and every step."""
    library, plain = open_library(prepared(shared_files())[0]), shared_library()

    assert list(library.guides) == list(plain.guides)
    for guide_id, guide in library.guides.items():
        other = plain.guides[guide_id]
        assert dict(guide.scenarios) == dict(other.scenarios)
        assert (guide.setup, guide.core, guide.digest) == (
            other.setup,
            other.core,
            other.digest,
        )
    case = json.loads((guides_folder() / "cases.jsonl").read_text().splitlines()[0])
    reader = Reader(library, {}, policy=AS_THE_APP)
    assert reported(reader.replay(reader.read(case))) == case["expected"]
