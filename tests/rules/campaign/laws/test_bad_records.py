"""Corrupted records get an answer each, never an exception."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from arkham.rules.campaign.model.guide import GuideLibrary
from arkham.rules.campaign.policy import AS_THE_APP, BY_THE_RULES
from arkham.rules.checking import Outcome
from arkham.rules.replaying import Reader
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.guides import guides_folder, shared_library
from tests.rules.campaign.helpers.laws import SMALL, STRANGE, places_in
from tests.rules.campaign.helpers.small import DAISY, POLICIES, ROLAND

RUN: dict[str, Any] = {
    "campaign": "own",
    "investigators": {
        ROLAND: {"health": 9, "sanity": 5, "faction": "guardian", "traits": []},
        DAISY: {
            "health": 5,
            "sanity": 9,
            "faction": "seeker",
            "traits": ["miskatonic"],
        },
    },
    "inputs": [
        {"type": "start_scenario", "scenario": "$campaign_setup"},
        {
            "type": "string_choices",
            "scenario": "$campaign_setup",
            "step": "who",
            "choices": {ROLAND: ["chosen"], DAISY: ["chosen"]},
        },
        *won("one", 2),
        {
            "type": "inter_scenario",
            "scenario": "one",
            "investigatorData": {ROLAND: {"physical": 1, "mental": 0}},
            "campaignLogEntries": ["words"],
        },
        {
            "type": "start_side_scenario",
            "scenario": "own#x",
            "previousScenarioId": "one",
            "sideScenarioType": "custom",
            "name": "Own",
            "xpCost": 1,
        },
    ],
}


def spoiled(run: dict[str, Any], seed: int) -> bytes:
    """Return a run with strange values in a few places."""
    chance = random.Random(seed)
    whole = copy.deepcopy(run)
    for _ in range(chance.randint(1, 3)):
        path = chance.choice([path for path in places_in(whole) if path])
        inside: Any = whole
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = copy.deepcopy(chance.choice(STRANGE))
    return json.dumps(whole).encode()


def answered(reader: Reader, line: bytes) -> Outcome:
    """Return the outcome of a line, and check that its answer is one line of JSON."""
    text, outcome = reader.answer(line, 1)
    answer = json.loads(text)
    assert "\n" not in text
    assert ("error" in answer) is (outcome is Outcome.UNREADABLE)
    assert ("scenarios" in answer) is (outcome is Outcome.LEGAL)
    return outcome


@pytest.mark.parametrize("strict", [True, False])
def test_spoiled_runs_are_answered(strict: bool) -> None:
    """Some can't be read, some have other results; each gets an answer."""
    reader = Reader(GuideLibrary({"own": SMALL}), {}, policy=POLICIES[strict])
    outcomes = {answered(reader, spoiled(RUN, seed)) for seed in range(400)}

    assert answered(reader, json.dumps(RUN).encode()) is Outcome.LEGAL
    assert outcomes == {Outcome.LEGAL, Outcome.UNREADABLE}


@pytest.mark.parametrize("number", [1, 9, 14, 29])
def test_spoiled_recorded_runs_are_answered(number: int) -> None:
    """With a guide that has prompts of every kind."""
    case = json.loads(
        (guides_folder() / "cases.jsonl").read_text().splitlines()[number]
    )
    case.pop("expected")
    reader = Reader(shared_library(), {}, policy=AS_THE_APP)

    for seed in range(40):
        answered(reader, spoiled(case, seed))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "The line is empty."),
        (b"{" * 100_000, "A key is missing or broken here."),
        (b"[1]", "This is a list in […]."),
        (b'{"campaign": "own"}', "/inputs: This is null."),
        (b'{"campaign": "own", "inputs": [7]}', "/inputs/0: This is a whole number."),
        (b'{"campaign": "own", "inputs": [{}]}', "/inputs/0/type: This is missing."),
        (b'"' + b"x" * 2_000_000 + b'"', "The run is too large."),
        (
            b'{"campaign": "own", "inputs": [], "investigators": {"1": {}}}',
            "/investigators/1/health: This is null.",
        ),
    ],
)
def test_an_unreadable_line_is_reported(line: bytes, message: str) -> None:
    """With the place and what was found there."""
    reader = Reader(GuideLibrary({"own": SMALL}), {}, policy=BY_THE_RULES)

    assert json.loads(reader.answer(line, 1)[0])["error"]["message"] == message
