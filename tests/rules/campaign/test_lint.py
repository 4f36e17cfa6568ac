"""Flaws that the linter finds in guides; correct guides have none."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from arkham.rules.campaign.reading.cursor import Flaw
from arkham.rules.campaign.reading.guides import read_library
from arkham.rules.campaign.reading.lint import HARMLESS, lint, lint_guide
from tests.rules.campaign.helpers.guides import shared_reading
from tests.rules.campaign.helpers.small import (
    MAP,
    a_check,
    a_note,
    a_scenario,
    a_step,
    read,
)

Raw = dict[str, Any]


def flaws_of(*steps: Raw, setup: list[str] | None = None, **more: Any) -> list[Flaw]:
    """Return the flaws of a scenario with these steps, read and checked."""
    order = [step["id"] for step in steps] if setup is None else setup
    guide, flaws = read(a_scenario("one", *steps, setup=order, **more))
    return flaws + lint_guide(guide)


def test_a_correct_guide_has_no_flaws() -> None:
    there = {"type": "campaign_log_section_exists", "section": "campaign_notes"}

    assert flaws_of(a_step(a_note("a")), a_check(there)) == []


@pytest.mark.parametrize(
    ("step", "rule", "place"),
    [
        ({"id": "x", "type": "dance"}, "unknown-kind", ".type"),
        (
            {"id": "x", "effects": [{"type": "dance"}]},
            "unknown-kind",
            ".effects[0].type",
        ),
        (
            {"id": "x", "type": "branch", "condition": {"type": "dance"}},
            "unknown-kind",
            ".condition.type",
        ),
        (
            {"id": "x", "type": "input", "input": {"type": "dance"}},
            "unknown-kind",
            ".input.type",
        ),
        (
            {
                "id": "x",
                "effects": [{"type": "campaign_data", "setting": "dance"}],
            },
            "unknown-kind",
            ".effects[0].setting",
        ),
        (
            {
                "id": "x",
                "effects": [{"type": "earn_xp", "investigator": "nobody"}],
            },
            "unknown-kind",
            ".effects[0].investigator",
        ),
        (
            {
                "id": "x",
                "effects": [{"type": "add_chaos_token", "tokens": ["skull", "skill"]}],
            },
            "unknown-kind",
            ".effects[0].tokens[1]",
        ),
        (
            {
                "id": "x",
                "effects": [
                    {"type": "earn_xp", "investigator": "all", "special_xp": "gold"}
                ],
            },
            "unknown-kind",
            ".effects[0].special_xp",
        ),
        (
            a_check(
                {"type": "trauma", "investigator": "all", "trauma": "sad"}, step_id="x"
            ),
            "unknown-kind",
            ".condition.trauma",
        ),
        (
            a_check(
                {"type": "has_card", "investigator": "nobody", "card": "y"}, step_id="x"
            ),
            "unknown-kind",
            ".condition.investigator",
        ),
        ({"id": "x", "steps": "y"}, "wrong-type", ".steps"),
        ({"id": "x", "effects": {"type": "trauma"}}, "wrong-type", ".effects"),
        (
            {
                "id": "x",
                "effects": [{"type": "earn_xp", "investigator": "all", "bonus": "two"}],
            },
            "wrong-type",
            ".effects[0].bonus",
        ),
    ],
)
def test_unreadable_parts_are_reported_with_their_path(
    step: Raw, rule: str, place: str
) -> None:
    """Campaign, file, step and the place in it."""
    found = flaws_of(step)

    assert [(flaw.rule, flaw.at) for flaw in found] == [
        (f"guide.{rule}", f"own/one · x{place}")
    ]


def test_unknown_references_are_reported() -> None:
    """Steps, resolutions and scenarios."""
    nowhere = {"id": "a", "steps": ["missing"]}
    wrong = {"id": "b", "type": "resolution", "resolution": "R9"}
    onward = a_step(
        {"type": "campaign_data", "setting": "next_scenario", "scenario": "atlantis"},
        step_id="c",
    )

    assert [(f.rule, f.at, f.found) for f in flaws_of(nowhere, wrong, onward)] == [
        ("guide.unknown-step", "own/one · a", "missing"),
        ("guide.unknown-resolution", "own/one · b", "R9"),
        ("guide.unknown-scenario", "own/one · c", "atlantis"),
    ]


def test_references_of_shared_steps_are_checked_in_each_scenario() -> None:
    """A step in one scenario may be missing in another."""
    shared = {"id": "shared", "steps": ["own"]}
    core = {"id": "core", "type": "core", "steps": [shared], "setup": []}
    one = a_scenario("one", a_step(a_note("a"), step_id="own"), setup=["shared"])
    two = a_scenario("two", a_step(a_note("a"), step_id="x"), setup=["shared", "x"])
    guide, flaws = read(one, two, core, scenarios=["one", "two"])

    assert flaws == []
    assert [(f.rule, f.at, f.found) for f in lint_guide(guide)] == [
        ("guide.unknown-step", "own/two · shared", "own")
    ]


def test_unknown_places_and_partners_are_reported() -> None:
    """On the map, and in the section of partners."""
    opened = {"type": "campaign_data", "setting": "unlock_location", "value": "rome"}
    nowhere = {**opened, "value": "atlantis"}
    seen = {"type": "location", "status": "visited", "location": "lemuria"}
    status = {"type": "partner_status", "section": "team", "partner": "$fixed_partner",
              "operation": "add", "status": "mia"}  # fmt: skip
    steps = [
        a_step(opened, nowhere, {**status, "fixed_partner": "p1"}),
        a_step({**status, "fixed_partner": "p9"}, step_id="lost"),
        a_check(seen),
    ]
    places = [a_scenario(each, a_step(a_note("a"))) for each in ("london", "rome")]
    guide, flaws = read(a_scenario("one", *steps), *places, map=MAP)

    assert flaws == []
    assert [(f.rule, f.at, f.found) for f in lint_guide(guide)] == [
        ("guide.unknown-place", "own/one · does", "atlantis"),
        ("guide.unknown-partner", "own/one · lost", "p9"),
        ("guide.unknown-place", "own/one · when", "lemuria"),
    ]


def test_unknown_kinds_and_duplicate_resolutions_are_reported() -> None:
    twice = [{"id": "R1", "title": "", "steps": []}] * 2

    assert [f.rule for f in flaws_of(a_step(a_note("a")), type="interlood")] == [
        "guide.unknown-kind"
    ]
    assert [f.rule for f in flaws_of(a_step(a_note("a")), resolutions=twice)] == [
        "guide.duplicate-resolution"
    ]


def test_unreachable_steps_are_reported() -> None:
    """Including steps named only by other unreachable steps."""
    found = flaws_of(
        a_step(a_note("a")),
        a_step(step_id="lost"),
        {"id": "losing", "steps": ["lost"]},
        setup=["does"],
    )  # fmt: skip

    assert [(flaw.rule, flaw.found) for flaw in found] == [
        ("guide.unreachable-step", "lost"),
        ("guide.unreachable-step", "losing"),
    ]


def test_a_loop_is_reported_unless_it_asks_a_question() -> None:
    """Without one it would never end."""
    ask = {
        "id": "b",
        "type": "input",
        "input": {
            "type": "choose_one",
            "choices": [{"id": "x", "text": "", "steps": ["a"]}],
        },
    }
    told = flaws_of({"id": "a", "steps": ["b"]}, {"id": "b", "steps": ["a"]})

    assert [(flaw.rule, flaw.found) for flaw in told] == [("guide.circle", "a → b → a")]
    assert flaws_of({"id": "a", "steps": ["b"]}, ask) == []


def test_undeclared_and_unwritten_sections_are_reported() -> None:
    """Each once."""
    found = flaws_of(
        a_step(a_note("a", "margins"), a_note("b", "margins")),
        a_check({"type": "campaign_log", "section": "blank", "id": "a"}),
    )

    assert [(flaw.rule, flaw.found) for flaw in found] == [
        ("guide.undeclared-section", "margins"),
        ("guide.unwritten-section", "blank"),
    ]
    assert {flaw.rule for flaw in found} <= HARMLESS


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"{", "guide.unreadable"),
        (b"[]", "guide.wrong-type"),
        (b"\xff", "guide.unreadable"),
        (b"[" * 100_000, "guide.unreadable"),
        (b" " * 8_000_001, "guide.too-large"),
    ],
)
def test_files_that_are_not_guides_are_reported(content: bytes, rule: str) -> None:
    """Other files are still read."""
    reading = read_library({"campaigns/own/campaign.json": content})

    assert [flaw.rule for flaw in reading.flaws] == [rule]
    assert reading.library.guides == {}


def test_a_return_to_guide_without_its_original_is_reported() -> None:
    campaign = b'{"id":"rtown","name":"","version":1}'
    alone = read_library({"return_campaigns/rtown/campaign.json": campaign})
    lost = read_library(
        {
            "campaigns/own/campaign.json": b'{"id":"own","name":"","version":1}',
            "return_campaigns/rtown/campaign.json": campaign,
            "return_campaigns/rtown/x.json": b'{"id":"rtx","original_id":"x"}',
        }
    )

    wrong = read_library(
        {
            "campaigns/own/campaign.json": b'{"id":"own","name":"","version":1}',
            "return_campaigns/rtown/campaign.json": campaign.replace(
                b"{", b'{"original_id":"other",', 1
            ),
        }
    )

    assert [(flaw.rule, flaw.at) for flaw in wrong.flaws] == [
        ("guide.unknown-original", "rtown/campaign.original_id")
    ]
    assert [flaw.rule for flaw in alone.flaws] == ["guide.unknown-original"]
    assert [(flaw.rule, flaw.at) for flaw in lost.flaws] == [
        ("guide.unknown-original", "rtown/x")
    ]


def test_a_return_to_guide_extends_its_original_once() -> None:
    """Neither a Return to a Return, nor the same scenario twice."""
    base = {
        "campaigns/own/campaign.json": b'{"id":"own","name":"","version":1}',
        "campaigns/own/x.json": b'{"id":"x","type":"interlude"}',
        "return_campaigns/rtown/campaign.json": b'{"id":"rtown"}',
    }

    upon = read_library(
        base | {"return_campaigns/rtrtown/campaign.json": b'{"id":"rtrtown"}'}
    )
    again = read_library(
        base
        | {
            f"return_campaigns/rtown/{stem}.json": text
            for stem, text in (
                ("y", b'{"id":"y","original_id":"x"}'),
                ("z", b'{"id":"z","original_id":"x"}'),
            )
        }
    )

    assert sorted(upon.library.guides) == ["own", "rtown"]
    assert [(flaw.rule, flaw.at) for flaw in upon.flaws] == [
        ("guide.unknown-original", "rtrtown")
    ]
    assert sorted(again.library.guides["rtown"].scenarios) == ["x", "y"]
    assert [(flaw.rule, flaw.at) for flaw in again.flaws] == [
        ("guide.duplicate-scenario", "rtown/z")
    ]


def test_the_shared_guides_have_exactly_the_known_flaws() -> None:
    """Defects and unknown references."""
    reading = shared_reading()
    found = lint(reading.library)
    serious = [flaw for flaw in found if flaw.rule not in HARMLESS]

    assert [(flaw.rule, flaw.at) for flaw in reading.flaws] == [
        (
            "guide.bonus-and-count",
            "tdc/10_obsidian_canyons · dreams_of_destruction_drown.condition.options",
        )
    ]
    assert [(flaw.at, flaw.found) for flaw in serious] == [
        ("tcu/at_deaths_doorstep · lose_campaign", "ptc_epilogue"),
        ("zdm/starfall · maybe_ask_resigned", "zdm_epilogue"),
        ("rttcu/return_to_at_deaths_doorstep · lose_campaign", "ptc_epilogue"),
        (
            "rttfa/return_to_heart_of_the_elders_part_1 · maybe_do_intro",
            "heart_of_the_elders_part_1",
        ),
    ]
    assert Counter(flaw.rule for flaw in found) == {
        "guide.unknown-scenario": 4,
        "guide.unknown-rule": 2,
        "guide.unknown-hidden-scenario": 7,
        "guide.undeclared-section": 3,
        "guide.unreachable-step": 13,
    }
