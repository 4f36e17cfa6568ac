"""Importing guides: any file is read or reported, within limits."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from arkham.rules.campaign.reading import lint
from arkham.rules.campaign.reading.cursor import MOST_FLAWS
from arkham.rules.campaign.reading.guides import read_library
from arkham.rules.campaign.reading.prepared import (
    GuideImport,
    import_guides,
)
from bench.guides import open_library
from tests.rules.campaign.helpers import guides
from tests.rules.campaign.helpers.small import Raw, a_note, a_scenario, a_step

CAMPAIGN: Raw = {
    "id": "own",
    "name": "Our own",
    "version": 1,
    "campaign_type": "campaign",
    "campaign_log": [{"id": "campaign_notes", "title": "Notes"}],
    "scenarios": ["one"],
    "setup": [],
    "steps": [],
}


def brought(*scenarios: Raw, **campaign: Any) -> GuideImport:
    """Import a campaign of these scenarios."""
    files = {"campaigns/own/campaign.json": json.dumps({**CAMPAIGN, **campaign})}
    for number, each in enumerate(scenarios):
        files[f"campaigns/own/s{number}.json"] = json.dumps(each)
    return import_guides({path: text.encode() for path, text in files.items()})


def flaws_of(*scenarios: Raw, **campaign: Any) -> list[tuple[str, str]]:
    """Return rule and place of each flaw of the only guide."""
    (guide,) = brought(*scenarios, **campaign).guides
    return [(flaw.rule, flaw.at) for flaw in guide.flaws]


def told_of(text: bytes) -> list[tuple[str, str, str]]:
    """Return the flaws of a guide's file with this content."""
    whole = {
        "campaigns/own/campaign.json": json.dumps(CAMPAIGN | {"scenarios": []}).encode()
    }
    found = import_guides({**whole, "campaigns/own/x.json": text})
    assert len(found.guides) == 1
    return [(flaw.rule, flaw.at, flaw.found) for flaw in found.flaws]


def test_a_small_guide_is_imported_without_flaws() -> None:
    found = brought(a_scenario("one", a_step(a_note("a"))))

    assert found.flaws == ()
    assert [guide.flaws for guide in found.guides] == [()]


@pytest.mark.parametrize(
    ("text", "rule", "at", "found"),
    [
        (b"", "unreadable", ", line 1, column 1", "A value is missing"),
        (b"{", "unreadable", ", line 1, column 2", "A key is missing"),
        (b"\xff{}", "unreadable", "", "byte 0"),
        (b"[" * 100_000, "unreadable", ", line 1, column 1", "This is nested too"),
        (b'{"a": NaN}', "unreadable", ", line 1, column 7", "NaN isn’t a number"),
        (b'{"a": 1e999}', "unreadable", ", line 1, column 7", "1e999 isn’t"),
        (b'{"a":1,"a":2}', "unreadable", ", line 1, column 8", "The key “a” is there"),
        (b'{"a":"\\ud800"}', "unreadable", ", line 1, column 7", "\\\\ud800 is half"),
        (
            b'{"a":' + b"9" * 5_000 + b"}",
            "unreadable",
            ", line 1, column 6",
            "… isn’t a number",
        ),
        (b"[]", "wrong-type", "", "[]"),
        (b'{"a":[{"b":1000001}]}', "wrong-type", ".a[0].b", "1000001"),
        (b'{"a":[1e300]}', "wrong-type", ".a[0]", "1e+300"),
        (b'{"a":"\\u0000"}', "wrong-type", ".a", "\\x00"),
        (b'{"a\\u0000":1}', "wrong-type", "", "{'a\\x00': 1}"),
        (b'{"a":' * 45 + b"1" + b"}" * 45, "too-deep", "", "{'a': {'a': {'a': "),
        (b'{"a":"' + b"x" * 10_000_000 + b'"}', "too-large", "", "10000008"),
    ],
)
def test_an_unreadable_file_is_reported_and_ignored(
    text: bytes, rule: str, at: str, found: str
) -> None:
    """With its place; the guide is read all the same."""
    ((said, place, shown),) = told_of(text)

    assert (said, place) == (f"guide.{rule}", f"campaigns/own/x.json{at}")
    assert found in shown


def test_invalid_ids_are_reported() -> None:
    """No guide is stored under such an id; scenarios with such an id are left out."""
    for name in ("", "a" * 61, "../x", "a b", "ä"):
        found = brought(id=name or "-")
        assert not found.guides
        assert [flaw.rule for flaw in found.flaws][-1] == "guide.unfit-id"

    long = a_scenario("a" * 81)
    assert ("guide.too-large", "own/s0.id") in flaws_of(long, scenarios=[])


def test_the_second_guide_with_an_id_is_reported() -> None:
    """The first one is imported."""
    text = json.dumps(CAMPAIGN | {"scenarios": []}).encode()
    found = import_guides(
        {"campaigns/a/campaign.json": text, "campaigns/b/campaign.json": text}
    )

    assert [guide.guide_id for guide in found.guides] == ["own"]
    assert [(flaw.rule, flaw.at) for flaw in found.flaws] == [
        ("guide.duplicate-guide", "b/campaign.id")
    ]


def test_the_second_scenario_with_an_id_is_reported() -> None:
    """The first one is imported, in the prepared guide too."""
    (guide,) = brought(
        a_scenario("one", a_step(a_note("first"))),
        a_scenario("one", a_step(a_note("second"))),
    ).guides

    assert [flaw.rule for flaw in guide.flaws] == ["guide.duplicate-scenario"]
    assert b"first" in guide.prepared
    assert b"second" not in guide.prepared


def test_too_many_steps_or_scenarios_are_reported() -> None:
    """Those beyond the limit are left out."""
    many: list[Raw] = [{"id": f"s{number}"} for number in range(6_000)]
    scenarios = [a_scenario(f"s{number}") for number in range(205)]

    assert ("guide.too-large", "own/s0.steps") in flaws_of(a_scenario("one", *many))
    (guide,) = brought(*scenarios, scenarios=[]).guides
    assert guide.scenarios == 200
    assert [flaw.rule for flaw in guide.flaws] == ["guide.too-large"] * 5


def test_a_loop_of_five_thousand_steps_is_reported_once() -> None:
    """With its first and last steps."""
    steps = [{"id": f"s{n}", "steps": [f"s{(n + 1) % 5_000}"]} for n in range(5_000)]

    (guide,) = brought(a_scenario("one", *steps)).guides

    (circle,) = [flaw for flaw in guide.flaws if flaw.rule == "guide.circle"]
    named = circle.found.split(" → ")
    assert len(named) == lint.LONGEST_CIRCLE
    assert named[0] == named[-1]


def test_the_number_of_flaws_is_limited() -> None:
    steps: list[Raw] = [{"id": f"s{n}", "type": "what"} for n in range(4_000)]
    steps += [{"id": f"t{n}", "steps": ["gone"]} for n in range(900)]

    (guide,) = brought(a_scenario("one", *steps)).guides

    assert len(guide.flaws) <= 2 * MOST_FLAWS


JUNK: tuple[Any, ...] = (
    None, True, -1, 1.5, "", "x", [], {}, [1], ["x"], [[]], [{}], {"type": "x"},
    "$input_value", [None], {"steps": ["x"]}, 999_999,
)  # fmt: skip


def _places(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        part = waiting.pop()
        keys = part if isinstance(part, dict) else range(len(part))
        for key in keys:
            found.append((part, key))
            if isinstance(part[key], dict | list):
                waiting.append(part[key])
    return found


def _spoilt(raw: Raw, chance: random.Random, times: int) -> Raw:
    """Return a file with other values in some places."""
    raw = copy.deepcopy(raw)
    for _time in range(times):
        part, key = chance.choice(_places(raw))
        part[key] = copy.deepcopy(chance.choice(JUNK))
    return raw


@pytest.mark.parametrize("seed", range(6))
def test_corrupted_guides_are_imported(seed: int) -> None:
    """They are read, linted, prepared and opened, with every scenario."""
    chance = random.Random(seed)
    whole = guides.shared_files()
    names = sorted({path.split("/")[1] for path in whole if path.startswith("campai")})
    name = chance.choice(names)
    files = {
        path: json.dumps(_spoilt(json.loads(content), chance, 1 + seed * 3)).encode()
        for path, content in whole.items()
        if path.split("/")[1] == name
    }

    found = import_guides(files)

    read = read_library(files).library.guides
    prepared = {guide.guide_id: guide.prepared for guide in found.guides}
    for guide_id, guide in open_library(prepared).guides.items():
        for name, scenario in guide.scenarios.items():
            assert scenario == read[guide_id].scenarios[name]
