"""Ultimatums and their releases are read from JSON unchanged."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from arkham.rules.campaign.state.answers import UltimatumChosen, UltimatumDropped
from arkham.rules.draws.record import DrawRecord, Purpose, draw
from campaigns.log import entries
from campaigns.log.entries import Entry, folded
from tests.campaigns.helpers.entries import FIXTURES

DRAWN = draw(Purpose.ULTIMATUM, "a seed", {"agony": 1, "dread": 1, "hermes": 1})
ENTRIES: list[Entry] = [
    UltimatumChosen("$campaign_setup", "finality", sequence=7),
    UltimatumChosen("$campaign_setup", "ours", "No singing", sequence=7),
    UltimatumChosen("one", DRAWN.result[0], record=DRAWN.as_data(), sequence=7),
    UltimatumDropped(4, "A slip.", 7),
]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda each: type(each).__name__)
def test_an_ultimatum_is_read_as_it_was_written(entry: Entry) -> None:
    encoded = entries.encode(entry)
    text = json.dumps(encoded.payload, sort_keys=True)

    assert entries.decode(encoded.kind, encoded.version, json.loads(text), 7) == entry
    assert folded([entry]) == [entry]


def test_its_draw_can_be_repeated() -> None:
    """From the fixture, which never changes."""
    written = json.loads((FIXTURES / "sworn.1.json").read_text(encoding="utf-8"))
    found = entries.decode("sworn", 1, written["payload"], 7)

    assert isinstance(found, UltimatumChosen)
    assert found.record is not None
    then = replace(DRAWN, rules_version=found.record["rules_version"])
    assert DrawRecord.from_data(found.record) == then


@pytest.mark.parametrize("kind", ["sworn", "released"])
def test_the_first_version_is_still_read(kind: str) -> None:
    written = json.loads((FIXTURES / f"{kind}.1.json").read_text(encoding="utf-8"))

    assert repr(entries.decode(kind, 1, written["payload"], 7)) == "".join(
        written["reads"]
    )
