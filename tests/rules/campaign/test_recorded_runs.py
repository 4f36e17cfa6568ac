"""Recorded campaigns lead to the states that were recorded with them, key by key."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from arkham.rules.campaign.report import reported
from arkham.rules.checking import Outcome
from arkham.rules.replaying import Reader
from tests.rules.campaign.guides import guides_folder, shared_library

CASES = 40


@cache
def _reader() -> Reader:
    return Reader(shared_library(), {}, strict=False)


@cache
def _case(number: int) -> dict[str, Any]:
    lines = (guides_folder() / "cases.jsonl").read_text().splitlines()
    assert len(lines) == CASES
    return dict(json.loads(lines[number]))


@pytest.mark.parametrize("number", range(CASES))
def test_a_recorded_run_leads_where_it_led(number: int) -> None:
    """Every key, lists in their order; only a full bag is a problem there."""
    case = _case(number)
    line = json.dumps(case).encode()
    text, outcome = _reader().answer(line, 1)
    asked = _reader().read(case)
    replay = _reader().replay(asked)

    assert outcome is Outcome.LEGAL
    assert json.loads(text) == case["expected"]
    assert reported(replay) == case["expected"]
    assert {problem.rule for problem in replay.problems} <= {"bag.limit"}


@pytest.mark.parametrize("number", [0, 5, 14])
def test_one_answer_after_the_other_leads_there_too(number: int) -> None:
    """Going on from the last replay is the same as beginning anew."""
    reader, case = _reader(), _case(number)
    asked = reader.read(case)
    replay = None
    for count in range(1, len(asked.answers) + 1):
        some = asked._replace(answers=asked.answers[:count])
        replay = reader.replay(some, after=replay)
    assert replay is not None
    assert reported(replay) == case["expected"]


def test_all_guides_of_the_shared_data_are_there() -> None:
    """23 campaigns, 6 that return to one, and 43 scenarios on their own."""
    library = shared_library()
    returning = [name for name in library.guides if name.startswith("rt")]
    alone = [
        scenario.id
        for guide in [*library.guides.values(), library.side]
        if guide is not None and guide.id[:2] != "rt"
        for scenario in guide.scenarios.values()
        if scenario.standalone_setup is not None
    ]

    assert (len(library.guides) - len(returning), len(returning)) == (23, 6)
    assert len(alone) == 43
    assert library.side is not None
